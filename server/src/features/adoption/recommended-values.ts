/** Determines the values that the recommended labels of an object should have: those of labels that they replace, or values derived from the object, its scope and the workload that it selects. */

import { isLabelValue } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { areOfPod, labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabelEntry, ManifestObject } from '../../manifests/model.ts';
import { derivedLabel } from '../../workspace/derived-labels.ts';
import { appliedVersions, versionsOf } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { fileNameOf, folderOf, isWithin } from '../../workspace/uri.ts';
import { adoptedLabelsFor } from './adopted-labels.ts';
import { type AdoptionOptions, type AdoptionState, objectKey, type ReplacedKeys } from './model.ts';

/** The value of a recommended label: a string; undefined if no value can be derived; or the reason why the value is unknown, as a sentence. */
export type RecommendedValue = string | undefined | { readonly unknown: string };

/** An object as one scope applies it. */
export interface Version extends ObjectInFile {
  readonly workspace: Workspace;
}

/** Computes the recommended values of objects. Each object is evaluated only once. */
export class RecommendedValues {
  readonly #state: AdoptionState;
  readonly #options: AdoptionOptions;
  readonly #versions = new Map<string, readonly Version[]>();
  readonly #workloads = new Map<string, ObjectInFile | undefined>();

  constructor(state: AdoptionState, options: AdoptionOptions) {
    this.#state = state;
    this.#options = options;
  }

  /** Returns an object as each kustomization applies it, or as it is written if no kustomization applies it. */
  versionsOf(where: ObjectInFile): readonly Version[] {
    return getOrAdd(this.#versions, objectKey(where), () => {
      const { workspace, catalogueOf } = this.#state.side;
      const { uri } = where.file;
      const applied = appliedVersions(workspace, catalogueOf(uri), uri).flatMap((version) =>
        versionsOf(version, where.object).map((each) => ({ ...each, workspace: version.workspace })),
      );
      return applied.length === 0 ? [{ ...where, workspace }] : applied;
    });
  }

  /** Whether an object has a label in each of its versions. */
  has(where: ObjectInFile, key: string): boolean {
    return this.versionsOf(where).every(({ object }) => ownEntries(object).some((entry) => entry.key.text === key));
  }

  valueOf(where: ObjectInFile, key: string): RecommendedValue {
    const labels = adoptedLabelsFor(this.#state.side, this.#options, where.file.uri);
    const values = this.versionsOf(where).map(({ object }) => writtenValue(object, key, labels.replaced));
    const [first] = values;
    if (values.some((value) => JSON.stringify(value) !== JSON.stringify(first)))
      return { unknown: `Overlays set different values for the label that '${key}' replaces.` };
    if (typeof first === 'string' && !labels.isAllowed(key, first))
      return { unknown: `The registry of labels does not allow '${first}' as the value of '${key}'.` };
    if (first !== undefined || labels.areCopied) return first;
    const { object } = where;
    if (object.templates.length > 0 || labeledObjectsOf(object).some(areOfPod)) return this.#derived(where, key);
    const workload = this.workloadOf(where);
    if (workload !== undefined && key !== 'app.kubernetes.io/version') return this.valueOf(workload, key);
    return isOfScope(key) ? this.#derived(where, key) : undefined;
  }

  #derived({ file, object }: ObjectInFile, key: string): RecommendedValue {
    const { side } = this.#state;
    const text = side.textOf(file.uri);
    const scopes = side.workspace.scopes().of(placeOf({ file, object }));
    const root = text === undefined ? undefined : treeOf({ text, workspace: side.workspace, uri: file.uri }, object);
    if (key === 'app.kubernetes.io/instance' && scopes.some(({ kind }) => kind === 'argo-application'))
      return { unknown: "Argo CD may set 'app.kubernetes.io/instance' itself." };
    if (key === 'app.kubernetes.io/version' && isImageChanged({ file, object }, this.versionsOf({ file, object })))
      return { unknown: "A kustomization changes the image, so that 'app.kubernetes.io/version' is not added." };
    const values = (scopes.length === 0 ? [undefined] : scopes).map((scope) =>
      key === 'app.kubernetes.io/part-of'
        ? partOf(object, file.uri, side.workspace)
        : derivedLabel(key, { object, root, scope }),
    );
    if (new Set(values).size > 1) return { unknown: `The value of '${key}' differs between the scopes of the object.` };
    const [value] = values;
    return value === 'latest' && key === 'app.kubernetes.io/version' ? undefined : value;
  }

  /** Returns the workload whose pods are the only certain matches of an object's selector. */
  workloadOf(where: ObjectInFile): ObjectInFile | undefined {
    const key = objectKey(where);
    if (this.#workloads.has(key)) return this.#workloads.get(key);
    const found = this.#findWorkload(where);
    this.#workloads.set(key, found);
    return found;
  }

  #findWorkload(where: ObjectInFile): ObjectInFile | undefined {
    const [version] = this.versionsOf(where);
    if (version === undefined) return undefined;
    const { workspace, side } = { workspace: version.workspace, side: this.#state.side };
    const found = new Map<string, ObjectInFile>();
    for (const site of version.object.selectorSites) {
      if (site.fact.mustMatchTemplate || !site.fact.targets.some((target) => areOfPod({ target }))) continue;
      const selector = effectiveSelector(site);
      if (selector === undefined || selector.kind !== 'all' || selector.requirements.length === 0) return undefined;
      const { matches, maybe } = selectionOf(workspace, side.catalogueOf(where.file.uri), version, site);
      if (maybe.length > 0) return undefined;
      for (const match of matches) found.set(objectKey(match), match);
    }
    const [only, ...others] = found.values();
    if (only === undefined || others.length > 0) return undefined;
    const file = side.workspace.files.get(only.file.uri);
    const object = file?.manifest.objects.find((each) => each.kindSpan.start === only.object.kindSpan.start);
    return file === undefined || object === undefined ? undefined : { file, object };
  }
}

/** Whether the value of a label is the same for all objects of an application or a scope. */
export function isOfScope(key: string): boolean {
  return key === 'app.kubernetes.io/part-of' || key === 'app.kubernetes.io/managed-by';
}

/** Returns the entries of the labels of an object itself. */
export function ownEntries({ inherited, labels }: ManifestObject): readonly LabelEntry[] {
  return [...inherited, ...(labels?.entries ?? [])];
}

/** Returns the value of a label, or of the labels that it replaces, as an object or its pod template sets it. */
function writtenValue(object: ManifestObject, key: string, replaced: ReplacedKeys): RecommendedValue {
  const maps = [ownEntries(object), ...object.templates.map(({ labels }) => labels?.entries ?? [])];
  for (const each of [key, ...(replaced[key] ?? [])]) {
    const entry = maps.flatMap((entries) => entries.findLast(({ key: { text } }) => text === each) ?? [])[0];
    if (entry === undefined) continue;
    const { value } = entry.value;
    if (typeof value !== 'string') return { unknown: `The value of '${each}' is unknown.` };
    if (value !== '' && isLabelValue(value)) return value;
  }
  return undefined;
}

/** Whether a kustomization may change the images of an object. */
function isImageChanged(written: ObjectInFile, versions: readonly Version[]): boolean {
  const imagesOf = ({ object }: ObjectInFile) =>
    JSON.stringify([object.images, ...object.templates.map(({ images }) => images)]);
  return versions.some((version) => {
    const scope = version.workspace.appliedBy;
    if (scope === undefined) return false;
    const { files } = version.workspace;
    const parts = version.workspace.scopes().partsOf(scope);
    return imagesOf(version) !== imagesOf(written) || parts.some((uri) => files.get(uri)?.kustomization?.images);
  });
}

/** Names of folders that describe an environment or a layout, not an application. */
const generalFolders: ReadonlySet<string> = new Set(
  `base bases overlay overlays components patches dev develop development test testing qa stage staging prod production preview
  local ci manifests manifest deploy deployment deployments deployed k8s kubernetes kube kustomize kustomization yaml
  resources config configs default templates charts chart helm apps app applications clusters cluster infrastructure
  infra src all common shared core main workloads namespaces services`
    .split(/\s+/)
    .filter((word) => word !== ''),
);

/** Returns the name of the application to which an object belongs: its namespace, or the nearest folder with a name that is not general; undefined if no folder has one. */
function partOf({ namespace }: ManifestObject, uri: string, { folders }: Workspace): string | undefined {
  const name = namespace?.value;
  if (namespace !== undefined && typeof name !== 'string') return undefined;
  if (typeof name === 'string' && name !== 'default') return isLabelValue(name) ? name : undefined;
  // The name of the workspace folder itself depends on where the repository was cloned.
  for (let folder = folderOf(uri); isBelowAny(folder, folders); folder = folderOf(folder)) {
    const own = fileNameOf(folder);
    if (!generalFolders.has(own.toLowerCase())) return isLabelValue(own) && own !== '' ? own : undefined;
  }
  return undefined;
}

function isBelowAny(folder: string, folders: readonly string[]): boolean {
  return folders.some((each) => folder !== each && isWithin(folder, each));
}
