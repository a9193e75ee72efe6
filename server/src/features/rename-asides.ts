/** Who asks for a renamed label without being an object? Commands in files that are at hand, and targets of patches. */

import { evaluate } from '../engine/index.ts';
import { carriersOf } from '../manifests/carriers.ts';
import type { ManifestObject } from '../manifests/manifest.ts';
import { kindKey } from '../workspace/outline.ts';
import type { WorkspaceFile } from '../workspace/workspace.ts';
import { asksFor, hasName, type LabelName, type NameEdit, renameInSelector, renameInText } from './label-name.ts';
import { type Reach, withoutName } from './rename-reach.ts';
import type { FileView } from './view.ts';

export interface Aside {
  readonly file: WorkspaceFile;
  readonly edit: NameEdit;
}

/** The selectors of commands that may select something of what is renamed. */
export function inCommands(
  { commandFiles = [] }: FileView,
  reach: Reach,
  name: LabelName,
  to: string,
): readonly Aside[] {
  return commandFiles.flatMap((file) =>
    (file.manifest.inline ?? []).flatMap((command) => {
      const sites = command.selectorSites.filter((site) => asksFor(site, name) && mayTake(site, reach, name));
      return sites.flatMap((site) => renameInSelector(site, name, to).map((edit) => ({ file, edit })));
    }),
  );
}

function mayTake(site: ManifestObject['selectorSites'][number], reach: Reach, name: LabelName): boolean {
  const rest = withoutName(site, name);
  const targets = new Set(site.fact.targets.map(kindKey));
  const isAny = site.fact.targets.some(({ kind }) => kind === '*');
  return [...reach.objects.values()]
    .flatMap(({ object }) => carriersOf(object))
    .some((carrier) => {
      if (!hasName(carrier, name) || !(isAny || targets.has(kindKey(carrier.target)))) return false;
      return rest === undefined || evaluate(rest, carrier) !== 'no';
    });
}

/** The label selectors by which the kustomizations that build something of it choose what they patch. */
export function inPatchTargets({ workspace }: FileView, reach: Reach, name: LabelName, to: string): readonly Aside[] {
  const scopes = workspace.scopes();
  const roots = new Set([...reach.objects.values()].map(({ world }) => world.workspace.appliedBy));
  return [...scopes.facts()].flatMap(([uri, { kustomization }]) => {
    if (kustomization === undefined || !scopes.building(uri).some((root) => roots.has(root))) return [];
    const file = workspace.files.get(uri);
    const changes = file?.kustomization?.changes ?? [];
    return changes.flatMap(({ target }) => {
      const edits = renameInText(target?.labelSelector, name, to);
      return file === undefined ? [] : edits.map((edit) => ({ file, edit }));
    });
  });
}
