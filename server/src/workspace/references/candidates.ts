/** Lists the names that a reference can have, for completion and for findings about misspelled names. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { ReferenceSite, Written } from '../../manifests/model.ts';
import { targetKinds } from '../../manifests/sites/references.ts';
import type { ObjectInFile, Workspace } from '../model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { byCertainty, type ReferenceTarget } from './model.ts';
import { filesThatMake, generatorsIn, objectsOfKind } from './names.ts';
import { producedBy } from './producers.ts';
import { targetsOf } from './targets.ts';

/** Maximum number of names that completion offers. */
const maximumNames = 200;

/** Maximum number of files with producers that are searched for completion. */
const maximumFiles = 100;

/** Returns the names that a reference can have, each name once, the nearest first. */
export function nameCandidates(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  site: ReferenceSite,
): readonly ReferenceTarget[] {
  const around = workspace.scopes().filesAround(placeOf(from));
  const names = new Set<string>();
  const elsewhere = new Set<string>();
  for (const { kind } of targetKinds(site, catalogue)) {
    for (const { name, uri } of namesOfKind(workspace, catalogue, kind, around))
      (around.has(uri) ? names : elsewhere).add(name);
  }
  return [...new Set([...[...names].toSorted(), ...[...elsewhere].toSorted()])]
    .slice(0, maximumNames)
    .flatMap((text) => {
      const named = { ...site, name: { ...site.name, text, value: text } };
      return targetsOf(workspace, catalogue, from, named).slice(0, 1);
    })
    .toSorted(byCertainty);
}

function namesOfKind(
  workspace: Workspace,
  catalogue: Catalogue,
  kind: string,
  around: ReadonlySet<string>,
): readonly { readonly name: string; readonly uri: string }[] {
  const written = objectsOfKind(workspace, kind);
  const generated = [...generatorsIn(workspace)].flatMap(([key, uris]) =>
    key.startsWith(`${kind}\n`) ? uris.map((uri) => ({ name: key.slice(kind.length + 1), uri })) : [],
  );
  const makers = filesThatMake(workspace, catalogue, kind).filter((uri) => around.has(uri));
  const made = makers
    .slice(0, maximumFiles)
    .flatMap((uri) =>
      (workspace.files.get(uri)?.manifest.objects ?? []).flatMap((object) =>
        producedBy(object, catalogue).flatMap((each) =>
          each.kind === kind && !each.name.includes('*') ? [{ name: each.name, uri }] : [],
        ),
      ),
    );
  return [...written, ...generated, ...made];
}

/** A key of the ConfigMap or Secret that a reference names. */
export interface KeyCandidate {
  readonly key: Written;
  readonly target: ReferenceTarget;
}

/** Returns the keys that a reference to a ConfigMap or Secret can read, each once. */
export function keyCandidates(
  workspace: Workspace,
  catalogue: Catalogue,
  from: ObjectInFile,
  site: ReferenceSite,
): readonly KeyCandidate[] {
  const byKey = new Map<string, KeyCandidate>();
  for (const target of targetsOf(workspace, catalogue, from, site))
    for (const key of target.keys?.keys ?? []) if (!byKey.has(key.text)) byKey.set(key.text, { key, target });
  return [...byKey.values()];
}
