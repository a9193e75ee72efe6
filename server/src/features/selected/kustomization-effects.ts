/** Finds the objects that a field of a kustomization changes or adds, in the result of building the kustomization. */

import { matcherOf } from '../../manifests/go-pattern.ts';
import { isRemote } from '../../manifests/kustomize/kustomization.ts';
import type { KustomizationField } from '../../manifests/kustomize/kustomization-field.ts';
import type { GeneratorEntry, Kustomization, PatchEntry } from '../../manifests/kustomize/model.ts';
import type { LabelEntry, Written } from '../../manifests/model.ts';
import { childOf, type Node } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { objectsBuilt, renderingsWith } from '../../workspace/kustomize/built-objects.ts';
import { keepsName } from '../../workspace/kustomize/field-specs.ts';
import { changedImage } from '../../workspace/kustomize/images.ts';
import { kustomizationIn, referencesOf } from '../../workspace/kustomize/kustomization-paths.ts';
import { kustomizationsListing } from '../../workspace/kustomize/named-files.ts';
import { transformerSpan } from '../../workspace/kustomize/transformer-sources.ts';
import type { EffectiveObject, Rendering, Workspace, WorkspaceFile } from '../../workspace/model.ts';
import { folderOf, isWithin } from '../../workspace/uri.ts';
import { objectKey } from '../locations.ts';
import type { View } from '../view.ts';
import { imagesBefore } from './kustomization-images.ts';

/** An object that a field of a kustomization affects. The details are the paths of changed fields, or previous and new values. */
export interface Affected {
  readonly where: EffectiveObject;
  readonly details: readonly string[];
}

export interface Effect {
  readonly does:
    | 'build'
    | 'include'
    | 'generate'
    | 'label'
    | 'annotate'
    | 'place'
    | 'rename'
    | 'patch'
    | 'read'
    | 'replace'
    | 'transform'
    | 'image'
    | 'scale';
  readonly objects: readonly Affected[];
  /** The total number of objects that the kustomization builds. */
  readonly total: number;
  /** Set if files are missing or could not be parsed, so that the kustomization may build additional objects. */
  readonly isPartial: boolean;
  /** Whether this is a component that no kustomization includes, so that the objects that it changes are unknown. */
  readonly isAlone: boolean;
  /** Set if the kustomization deletes all objects that a patch matches; the value names the patch that deletes them. */
  readonly deleted?: 'by this patch' | 'by another patch';
}

interface Around {
  readonly workspace: Workspace;
  readonly uri: string;
  readonly kustomization: Kustomization;
  readonly renderings: readonly Rendering[];
  readonly built: readonly EffectiveObject[];
}

type Found = Pick<Effect, 'does' | 'objects' | 'deleted'>;

/** Returns the effect of a field; undefined if the field has no effect on objects, or if the kustomization cannot be built. */
export function effectOf(view: View, file: WorkspaceFile, at: KustomizationField): Effect | undefined {
  return evaluated(view, file, (around) => (at.field === 'kind' ? wholeOf(around) : foundAt(around, at)));
}

/** Returns the effect of a whole kustomization: what it builds or, for a component, what it adds or changes. */
export function effectOfWhole(view: View, file: WorkspaceFile): Effect | undefined {
  return evaluated(view, file, wholeOf);
}

function evaluated(
  { workspace, catalogue }: View,
  { uri, kustomization }: WorkspaceFile,
  find: (around: Around) => Found | undefined,
): Effect | undefined {
  const renderings = kustomization === undefined ? [] : renderingsWith(workspace, catalogue, uri);
  if (kustomization === undefined || renderings.length === 0) return undefined;
  const built = objectsBuilt(renderings);
  const found = find({ workspace, uri, kustomization, renderings, built });
  // For an effect outside of `canBeIdle`, finding no object may be caused by missing files, plugins or patches that are
  // not modeled.
  const isAlone =
    kustomization.component === true && kustomizationsListing(workspace.scopes(), folderOf(uri)).length === 0;
  const isPartial = renderings.some(({ isWhole }) => !isWhole);
  const isUnknown = isPartial && built.length === 0;
  const isStated = found !== undefined && (canBeIdle.has(found.does) || (found.does === 'build' && isUnknown));
  if (found === undefined || (found.objects.length === 0 && (isAlone || !isStated))) return undefined;
  return { ...found, total: built.length, isPartial, isAlone };
}

/** The effects for which an empty list of objects means that the field affects no object, provided that all files are known. */
const canBeIdle: ReadonlySet<Effect['does']> = new Set(['label', 'annotate', 'place', 'rename', 'patch']);

function wholeOf(around: Around): Found {
  const { workspace, uri, kustomization, built } = around;
  const file = workspace.files.get(uri);
  if (!kustomization.component || file === undefined) return { does: 'build', objects: all(built) };
  const parts = new Set<string>();
  addFilesOf(workspace, file, parts);
  return { does: 'include', objects: all(built.filter((each) => isOfComponent(each, parts))) };
}

function foundAt(around: Around, at: KustomizationField): Found | undefined {
  const { kustomization, built } = around;
  const { field, node, isItem } = at;
  switch (field) {
    case 'resources':
    case 'bases':
      return { does: 'build', objects: all(isItem ? includedBy(around, [node]) : built) };
    case 'components':
      return { does: 'include', objects: all(includedBy(around, itemsIn(at))) };
    case 'configMapGenerator':
    case 'secretGenerator': {
      const generators = kustomization.generators.filter(({ span }) => isIn(node, span));
      return { does: 'generate', objects: all(generatedBy(around, generators)) };
    }
    case 'generatorOptions':
      return { does: 'generate', objects: all(generatedBy(around, kustomization.generators)) };
    case 'labels':
    case 'commonLabels':
      return {
        does: 'label',
        objects: labeledBy(
          around,
          at,
          kustomization.labels.flatMap(({ entries }) => entries),
        ),
      };
    case 'commonAnnotations':
      return { does: 'annotate', objects: labeledBy(around, at, kustomization.annotations) };
    case 'namespace':
      return { does: 'place', objects: placedBy(around) };
    case 'namePrefix':
    case 'nameSuffix':
      return { does: 'rename', objects: built.flatMap(renamed) };
    case 'patches':
    case 'patchesStrategicMerge':
    case 'patchesJson6902':
      return patchedBy(
        around,
        kustomization.changes.filter(({ span }) => isIn(node, span)),
      );
    case 'replacements':
      if (at.below[0] === 'source') return { does: 'read', objects: all(selectedBy(around, childOf(node, 'source'))) };
      return { does: 'replace', objects: all(writtenFrom(around, node)) };
    case 'transformers':
      return { does: 'transform', objects: all(writtenFrom(around, node)) };
    case 'images': {
      const objects = imagesSet(around, node);
      return objects.length === 0 ? undefined : { does: 'image', objects };
    }
    case 'replicas':
      return { does: 'scale', objects: itemsIn(at).flatMap((item) => built.flatMap((each) => scaled(each, item))) };
    default:
      return undefined;
  }
}

function itemsIn({ node, isItem }: KustomizationField): readonly Node[] {
  return !isItem && node.kind === 'list' ? node.items : [node];
}

function all(objects: readonly EffectiveObject[]): readonly Affected[] {
  return objects.map((where) => ({ where, details: [] }));
}

function isIn(node: Node, { start }: Span): boolean {
  return node.span.start <= start && start < node.span.end;
}

/** Returns the objects in the listed files and bases, and the objects that the listed components add or change. */
function includedBy({ workspace, uri, built }: Around, items: readonly Node[]): readonly EffectiveObject[] {
  const sources = new Set<string>();
  const components = new Set<string>();
  for (const item of items) {
    const target = item.kind === 'scalar' ? workspace.at(folderOf(uri), item.text) : '';
    const base = kustomizationIn(workspace, target);
    if (base === undefined) sources.add(target);
    else addFilesOf(workspace, base, base.kustomization?.component ? components : sources);
  }
  return built.filter((each) => sources.has(each.file.uri) || isOfComponent(each, components));
}

/** Whether an object comes from a file of a component, or is changed by a component; `parts` contains the files of the components. */
function isOfComponent({ file, transformers }: EffectiveObject, parts: ReadonlySet<string>): boolean {
  return parts.has(file.uri) || transformers.some((each) => parts.has(each.uri));
}

/** The maximum number of files that a base or component includes, directly or indirectly. */
const maximumFiles = 20_000;

/** Adds the files of a kustomization to `found`, including the kustomizations that it refers to and their patches. */
function addFilesOf(workspace: Workspace, { uri, kustomization }: WorkspaceFile, found: Set<string>): void {
  if (kustomization === undefined || found.has(uri) || found.size > maximumFiles) return;
  found.add(uri);
  for (const { path } of referencesOf(kustomization)) {
    const target = workspace.at(folderOf(uri), path);
    const below = kustomizationIn(workspace, target);
    if (below === undefined) found.add(target);
    else addFilesOf(workspace, below, found);
  }
}

export interface LackedPaths {
  /** Paths of files and folders without which kustomize fails. */
  readonly local: readonly string[];
  /** URLs of files that kustomize downloads. */
  readonly remote: readonly string[];
}

/** Returns the paths that a kustomization or one of its bases names and that cannot be read. */
export function lackedPaths(workspace: Workspace, file: WorkspaceFile): LackedPaths {
  const lacked = new Map<string, string>();
  const parts = new Set<string>();
  addFilesOf(workspace, file, parts);
  for (const uri of parts) {
    const { kustomization } = workspace.files.get(uri) ?? {};
    if (kustomization === undefined) continue;
    for (const path of kustomization.generators.flatMap(({ lacks = [] }) => lacks))
      lacked.set(workspace.at(folderOf(uri), path), path);
    for (const { path } of referencesOf(kustomization)) {
      const target = workspace.at(folderOf(uri), path);
      // kustomize reads files only below the folder of the kustomization.
      const isKnown = workspace.files.has(target)
        ? isWithin(target, folderOf(uri))
        : kustomizationIn(workspace, target) !== undefined;
      if (!isKnown && !isRemote(path) && !/[\n{}$<>*]|: /.test(path)) lacked.set(target, path);
    }
  }
  const isUrl = (path: string) => /^https?:\/\//.test(path);
  const paths = [...lacked.values()];
  return { local: paths.filter((path) => !isUrl(path)), remote: paths.filter(isUrl) };
}

/** Returns the repositories that a kustomization and its parts include, as they are written. */
export function remoteParts(workspace: Workspace, file: WorkspaceFile): readonly string[] {
  const parts = new Set<string>();
  addFilesOf(workspace, file, parts);
  const found = [...parts].flatMap((uri) => {
    const { kustomization } = workspace.files.get(uri) ?? {};
    return kustomization === undefined ? [] : referencesOf(kustomization).filter(({ path }) => isRemote(path));
  });
  return [...new Set(found.map(({ path }) => path))];
}

/** Returns the objects that the generators of a kustomization create, or whose content they merge or replace. */
function generatedBy({ uri, built }: Around, generators: readonly GeneratorEntry[]): readonly EffectiveObject[] {
  const starts = new Set(generators.map(({ span }) => span.start));
  const merged = generators.filter(({ behavior }) => behavior !== 'create');
  const isMerged = ({ original, object }: EffectiveObject) =>
    merged.some(({ kind, name }) => kind === object.kind && name?.text === (original?.name ?? object.name?.text));
  const isCreated = ({ file, object, written }: EffectiveObject) =>
    !written && file.uri === uri && starts.has(object.kindSpan.start);
  return built.filter((each) => isCreated(each) || isMerged(each));
}

/** Whether a kustomization wrote a value into an object. A value in an object that the kustomization itself generated is located in the kustomization file. */
function isFrom({ uri }: Around, { file }: EffectiveObject, value: Written, spans: ReadonlySet<number>): boolean {
  const { uri: from, span } = value.origin ?? { uri: file.uri, span: value.span };
  return from === uri && spans.has(span.start);
}

function labeledBy(
  around: Around,
  { node, span: { start } }: KustomizationField,
  all: readonly LabelEntry[],
): readonly Affected[] {
  const inside = all.filter(({ key }) => isIn(node, key.span));
  const only = inside.filter(({ key, value }) => key.span.start === start || value.span.start === start);
  const entries = only.length > 0 ? only : inside;
  const spans = new Set(entries.map(({ value }) => value.span.start));
  const keys = new Set(entries.map(({ key }) => key.span.start));
  const isOverwritten = ({ transformers }: EffectiveObject) =>
    transformers.some(
      (each) =>
        each.kind === 'labels' && each.uri === around.uri && each.entries.some(({ key }) => keys.has(key.span.start)),
    );
  return around.built.flatMap((where) => {
    const sites = [...where.object.labelSites, ...where.object.selectorSites];
    const details = sites.flatMap((site) =>
      site.entries.some(({ value }) => isFrom(around, where, value, spans)) ? [site.path] : [],
    );
    return details.length === 0 && !isOverwritten(where) ? [] : [{ where, details }];
  });
}

function placedBy(around: Around): readonly Affected[] {
  const { built, kustomization } = around;
  const spans = new Set([kustomization.namespace?.span.start ?? -1]);
  return built.flatMap((where): readonly Affected[] => {
    const { object, original } = where;
    const isPlaced = [object.namespace, object.name].some((each) => each && isFrom(around, where, each, spans));
    const before = original?.namespace ?? '';
    const isNew = before === '' || before === object.namespace?.text;
    return isPlaced ? [{ where, details: isNew ? [] : [before] }] : [];
  });
}

function renamed(where: EffectiveObject): readonly Affected[] {
  const { original, object } = where;
  return keepsName(original ?? object) ? [] : [{ where, details: original === undefined ? [] : [original.name] }];
}

function patchedBy(around: Around, entries: readonly PatchEntry[]): Found {
  const { workspace, uri, built, renderings } = around;
  const inFiles = new Set(
    entries.flatMap(({ path }) => (path === undefined ? [] : workspace.at(folderOf(uri), path.path))),
  );
  const inline = entries.flatMap(({ inline: text }) => [...(text?.objects ?? []), ...(text?.trees ?? [])]);
  const starts = new Set(inline.map(({ span }) => span.start));
  const objects = built.filter(({ transformers }) =>
    transformers.some((each) => {
      if (each.kind !== 'merge' && each.kind !== 'operations') return false;
      return inFiles.has(each.uri) || (each.uri === uri && starts.has(transformerSpan(each).start));
    }),
  );
  const isIdle = ({ span }: PatchEntry) =>
    renderings.every(({ idle }) => idle.some((each) => each.uri === uri && each.entry.span.start === span.start));
  if (objects.length > 0 || entries.every(isIdle)) return { does: 'patch', objects: all(objects) };
  const patches = [...inline, ...[...inFiles].flatMap((each) => workspace.files.get(each)?.manifest.objects ?? [])];
  const isDelete = patches.some(
    (each) => 'marks' in each && each.marks?.some(({ path, is }) => path === '' && is === 'delete'),
  );
  return { does: 'patch', objects: [], deleted: isDelete ? 'by this patch' : 'by another patch' };
}

/** Returns the objects that the source of a replacement selects, by their original or their current identity. */
function selectedBy({ built }: Around, source: Node | undefined): readonly EffectiveObject[] {
  const wanted = (['group', 'version', 'kind', 'name', 'namespace'] as const).flatMap((field) => {
    const node = childOf(source, field);
    return node?.kind === 'scalar' ? [[field, matcherOf(node.text)] as const] : [];
  });
  return built.filter(({ original, object }) => {
    const now = { ...object, name: object.name?.text ?? '', namespace: object.namespace?.text ?? '' };
    return wanted.every(([field, matches]) => [original ?? now, now].some((each) => matches?.(each[field]) !== false));
  });
}

/** Returns the objects that the replacements or transformers in a node change. */
function writtenFrom({ workspace, uri, kustomization, built }: Around, node: Node): readonly EffectiveObject[] {
  const paths = [
    ...kustomization.transformers,
    ...kustomization.replacements.flatMap((each) => ('path' in each ? each : [])),
  ].filter(({ span }) => isIn(node, span));
  const files = new Set(paths.map(({ path }) => workspace.at(folderOf(uri), path)));
  return built.filter(({ transformers }) =>
    transformers.some((each) => {
      if (each.kind === 'fieldPath' && each.reads) return false;
      return files.has(each.uri) || (each.uri === uri && isIn(node, transformerSpan(each)));
    }),
  );
}

/** Returns the objects whose images are set by the `images` entries in a node, with the previous and new images of each object. */
function imagesSet({ workspace, uri, kustomization, built }: Around, node: Node): readonly Affected[] {
  const file = workspace.files.get(uri);
  const changes = (kustomization.images ?? []).filter(({ span }) => isIn(node, span));
  if (file === undefined || changes.length === 0) return [];
  // For a component, the previous images are unknown because they depend on the kustomization that includes the
  // component.
  const before = kustomization.component ? undefined : imagesBefore(workspace, file);
  return built.flatMap((where): readonly Affected[] => {
    const known = before?.get(objectKey(where)) ?? [];
    const details = known.flatMap((image) => {
      const after = changes.reduce(changedImage, image);
      return after === image ? [] : [`${image} → ${after}`];
    });
    return details.length === 0 ? [] : [{ where, details }];
  });
}

const scalable = new Set(['Deployment', 'ReplicaSet', 'StatefulSet', 'ReplicationController']);

function scaled(where: EffectiveObject, item: Node): readonly Affected[] {
  const name = childOf(item, 'name');
  const count = childOf(item, 'count');
  const { object, original } = where;
  if (name?.kind !== 'scalar' || !scalable.has(object.kind)) return [];
  const isNamed = [original?.name, object.name?.text].includes(name.text);
  return isNamed ? [{ where, details: count?.kind === 'scalar' ? [count.text] : [] }] : [];
}

/** Returns the title of a list of affected objects. */
export function effectTitle(does: Effect['does']): string {
  switch (does) {
    case 'build':
      return localize`Builds`;
    case 'include':
      return localize`Adds or changes`;
    case 'generate':
      return localize`Generates`;
    case 'label':
      return localize`Sets labels of`;
    case 'annotate':
      return localize`Sets annotations of`;
    case 'place':
      return localize`Sets the namespace of`;
    case 'rename':
      return localize`Renames`;
    case 'patch':
      return localize`Patches`;
    case 'read':
      return localize`Reads a field of`;
    case 'replace':
      return localize`Replaces fields of`;
    case 'transform':
      return localize`Transforms`;
    case 'image':
      return localize`Sets images of`;
    case 'scale':
      return localize`Sets the number of replicas of`;
  }
}
