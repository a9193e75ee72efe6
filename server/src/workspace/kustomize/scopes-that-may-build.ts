/** Finds the kustomizations that may build an object with a label, by their files alone: rendering a kustomization takes about 2 ms. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { Kustomization } from '../../manifests/kustomize/model.ts';
import type { LabelEntry } from '../../manifests/model.ts';
import type { WorkspaceIndex } from '../index/workspace-index.ts';
import type { RequiredLabel, Workspace, WorkspaceFile } from '../model.ts';
import type { Scope, Scopes } from '../scopes/model.ts';
import { unrecordedScopes } from '../scopes/recorded-scopes.ts';
import { folderOf } from '../uri.ts';

type Sources = ReadonlyMap<string, WorkspaceFile | undefined>;

/** What a kustomization adds to the labels in its resources. */
interface Additions {
  /** The kustomizations and patches from which the additions were determined. */
  readonly sources: Sources;
  /** The labels that it adds, except those in patches; undefined if it may add any label. */
  readonly labels: readonly LabelEntry[] | undefined;
}

interface AllAdditions {
  readonly sources: Sources;
  /** The files of the snapshot with which the sources were last compared. */
  checked: Workspace['files'];
  /** The scopes that may build any label. */
  readonly unknown: readonly Scope[];
  readonly byKey: ReadonlyMap<string, readonly { readonly scope: Scope; readonly value: LabelEntry['value'] }[]>;
  /** The scopes that use a kustomization or a patch. */
  readonly bySource: ReadonlyMap<string, readonly Scope[]>;
}

/** The additions of single kustomizations. They stay valid when other files move to other scopes. */
const additionsByFile = new WeakMap<WorkspaceFile, Additions>();
const additionsByScopes = new WeakMap<ReturnType<Scopes['structure']>, AllAdditions>();

/** Returns the scopes that may build an object with all required labels; all others certainly build none. Only the rarest of the labels is considered. `index` contains the objects as they are written. */
export function scopesThatMayBuild(
  workspace: Workspace,
  index: Pick<WorkspaceIndex, 'idsWith' | 'countWith'>,
  required: readonly RequiredLabel[],
): Iterable<Scope> {
  const scopes = unrecordedScopes(workspace);
  const [rarest] = required
    // The API server derives this label from a name, which kustomizations change in further ways.
    .filter(({ key }) => key !== nameLabel)
    .map((label) => ({
      ...label,
      count: label.values.reduce((sum, value) => sum + index.countWith(label.key, value), 0),
    }))
    .toSorted((a, b) => a.count - b.count);
  if (rarest === undefined) return scopes.all();
  const { unknown, byKey, bySource } = allAdditions(workspace, scopes);
  const found = new Set(unknown);
  for (const { scope, value } of byKey.get(rarest.key) ?? [])
    if (typeof value.value !== 'string' || rarest.values.includes(value.value)) found.add(scope);
  const ids = rarest.values.flatMap((value) => index.idsWith(rarest.key, value));
  for (const uri of new Set(ids.map(({ uri }) => uri)))
    for (const scope of [...scopes.ofFile(uri), ...(bySource.get(uri) ?? [])]) found.add(scope);
  return found;
}

function allAdditions(workspace: Workspace, scopes: Scopes): AllAdditions {
  const known = additionsByScopes.get(scopes.structure());
  if (known !== undefined && isCurrent(known.sources, workspace, known.checked)) {
    known.checked = workspace.files;
    return known;
  }
  const sources = new Map<string, WorkspaceFile | undefined>();
  const unknown: Scope[] = [];
  const byKey = new Map<string, { readonly scope: Scope; readonly value: LabelEntry['value'] }[]>();
  const bySource = new Map<string, Scope[]>();
  for (const scope of scopes.all()) {
    const additions = scope.gitops === undefined ? additionsOf(workspace, scopes, scope) : undefined;
    if (additions?.labels === undefined) unknown.push(scope);
    for (const { key, value } of additions?.labels ?? []) getOrAdd(byKey, key.text, () => []).push({ scope, value });
    for (const [uri, file] of additions?.sources ?? []) {
      sources.set(uri, file);
      getOrAdd(bySource, uri, () => []).push(scope);
    }
  }
  const all = { sources, checked: workspace.files, unknown, byKey, bySource };
  additionsByScopes.set(scopes.structure(), all);
  return all;
}

/** Whether the files are those of the sources; after a change, only changed files are compared. */
function isCurrent(sources: Sources, { files }: Workspace, checked?: Workspace['files']): boolean {
  const changed = checked && files.keysChangedSince(checked);
  for (const uri of changed ?? sources.keys())
    if (sources.has(uri) && files.get(uri) !== sources.get(uri)) return false;
  return true;
}

function additionsOf(workspace: Workspace, scopes: Scopes, scope: Scope): Additions {
  const parts = scopes.partsOf(scope).map((uri) => {
    const file = workspace.files.get(uri);
    return file === undefined ? { sources: new Map([[uri, file]]), labels: undefined } : additionsIn(workspace, file);
  });
  const labels = parts.map((part) => part.labels);
  return {
    sources: new Map(parts.flatMap(({ sources }) => [...sources])),
    labels: labels.includes(undefined) ? undefined : labels.flatMap((each) => each ?? []),
  };
}

function additionsIn(workspace: Workspace, file: WorkspaceFile): Additions {
  const known = additionsByFile.get(file);
  if (known !== undefined && isCurrent(known.sources, workspace)) return known;
  const sources = new Map<string, WorkspaceFile | undefined>([[file.uri, file]]);
  const { kustomization } = file;
  const labels = kustomization && addedBy(workspace, kustomization, folderOf(file.uri), sources);
  const additions = { sources, labels };
  additionsByFile.set(file, additions);
  return additions;
}

/** Returns the labels that the file of a kustomization adds; undefined if they are unknown. The labels in its patch files are not included: these files are added to `sources`. */
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
    if (uri === undefined) return undefined;
    sources.set(uri, file);
    // Only in a file of objects, all labels are indexed.
    if (file === undefined || file.manifest.objects.length !== file.manifest.documents) return undefined;
    if (file.manifest.trees !== undefined) return undefined;
  }
  return labels.some(({ open }) => open) ? undefined : labels.flatMap(({ entries }) => entries);
}
