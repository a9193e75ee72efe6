/** Excludes kustomizations that certainly build no object with a label, by their files alone: rendering a kustomization takes about 2 ms. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { Kustomization } from '../../manifests/kustomize/model.ts';
import type { LabelEntry } from '../../manifests/model.ts';
import type { Workspace, WorkspaceFile } from '../model.ts';
import type { Scope } from '../scopes/model.ts';
import { folderOf } from '../uri.ts';

/** What a kustomization adds to the labels in its files. */
interface Additions {
  /** The files from which the additions were determined. */
  readonly sources: ReadonlyMap<string, WorkspaceFile | undefined>;
  /** The added labels; undefined if any labels may be added. */
  readonly labels: readonly LabelEntry[] | undefined;
  /** The files of the snapshot with which the sources were last compared. */
  checked: Workspace['files'];
}

/** The additions of scopes, which successive snapshots share. */
const knownAdditions = new WeakMap<Scope, Additions>();

/** The maximum number of files with a label that are looked up in each scope. */
const maximumFiles = 100;

/** Returns a predicate that is false for scopes that certainly build no object whose label has one of the values. `index` contains the objects as they are written. */
export function mayBuildLabel(
  workspace: Workspace,
  index: Pick<Workspace, 'carrying'>,
  key: string,
  values: readonly string[],
): (scope: Scope) => boolean {
  const found = values.flatMap((value) => index.carrying(key, value).flatMap(({ files }) => files));
  // The API server derives this label from a name, which kustomizations change in further ways.
  if (key === nameLabel || found.length > maximumFiles) return () => true;
  return (scope) => {
    if (scope.gitops !== undefined) return true;
    const { sources, labels } = additionsOf(workspace, scope);
    const isAdded = ({ key: { text }, value: { value } }: LabelEntry) =>
      text === key && (typeof value !== 'string' || values.includes(value));
    return (
      labels === undefined || labels.some(isAdded) || found.some(({ uri }) => scope.files.has(uri) || sources.has(uri))
    );
  };
}

function additionsOf(workspace: Workspace, scope: Scope): Additions {
  const known = knownAdditions.get(scope);
  if (known !== undefined && isCurrent(known, workspace)) return known;
  knownAdditions.delete(scope);
  return getOrAdd(knownAdditions, scope, () => {
    const sources = new Map<string, WorkspaceFile | undefined>();
    const parts = workspace.scopes().partsOf(scope);
    const labels = parts.map((uri) => {
      const file = workspace.files.get(uri);
      sources.set(uri, file);
      const { kustomization } = file ?? {};
      return kustomization && addedBy(workspace, kustomization, folderOf(uri), sources);
    });
    return {
      sources,
      checked: workspace.files,
      labels: labels.includes(undefined) ? undefined : labels.flatMap((each) => each ?? []),
    };
  });
}

function isCurrent(additions: Additions, { files }: Workspace): boolean {
  if (additions.checked === files) return true;
  for (const [uri, file] of additions.sources) if (files.get(uri) !== file) return false;
  additions.checked = files;
  return true;
}

/** Returns the labels that a kustomization adds by itself, without those in its patch files, which are added to `sources`; undefined if they are unknown. */
function addedBy(
  { files, at }: Workspace,
  kustomization: Kustomization,
  folder: string,
  sources: Map<string, WorkspaceFile | undefined>,
): readonly LabelEntry[] | undefined {
  const { plugins, charts, transformers, inlineTransformers, configurations, replacements } = kustomization;
  const { programs, generators, labels, changes, managedByLabel } = kustomization;
  const others = [
    plugins,
    charts,
    transformers,
    inlineTransformers,
    configurations,
    replacements,
    programs,
    generators,
  ];
  if (others.some((each) => each.length > 0) || managedByLabel !== undefined) return undefined;
  for (const { path } of changes) {
    const uri = path && at(folder, path.path);
    const file = uri === undefined ? undefined : files.get(uri);
    if (uri === undefined || file === undefined) return undefined;
    sources.set(uri, file);
    // Only in a file of objects, all labels are indexed.
    const { objects, documents, trees } = file.manifest;
    if (objects.length !== documents || trees !== undefined) return undefined;
  }
  return labels.some(({ open }) => open) ? undefined : labels.flatMap(({ entries }) => entries);
}
