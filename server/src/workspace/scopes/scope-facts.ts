/** Extracts the facts of a file on which scopes depend. The facts are plain data without offsets: while they are unchanged, an edit to the file does not affect any scope. */

import { storedGroup } from '../../engine/catalogue/stored-group.ts';
import type { Catalogue } from '../../engine/catalogue/types.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { type ArgoSettings, argoSettingsIn } from '../../manifests/gitops/argo-settings.ts';
import { gitopsFactsOf, sourceFactsOf } from '../../manifests/gitops/gitops-facts.ts';
import type { FileData, GitopsFacts, SourceFacts } from '../../manifests/gitops/model.ts';
import type { PublishedArtifact } from '../../manifests/gitops/published-artifacts.ts';
import type { Chart } from '../../manifests/helm/chart-file.ts';
import type { GeneratedObject } from '../../manifests/kinds/generated-objects.ts';
import type { Mutation } from '../../manifests/kinds/mutations.ts';
import { isRemote } from '../../manifests/kustomize/kustomization.ts';
import type { Kustomization } from '../../manifests/kustomize/model.ts';
import type { Manifest, ManifestObject, Mutable } from '../../manifests/model.ts';
import { childOf, itemsOf, type Node, textOf } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';

export interface ScopeFacts {
  /** The identities of the objects that are meant for the cluster, except objects in Templates. */
  readonly identities: readonly string[];
  /** An identity with an empty name for each object with `generateName`, except objects in Templates. Equal elements are different objects. */
  readonly unnamed?: readonly string[];
  /** The number of objects that are meant for the cluster, including objects without a name. */
  readonly objects: number;
  /** The OpenShift Templates; each of them is a separate scope. */
  readonly templates: readonly { readonly name: string; readonly identities: readonly string[] }[];
  readonly kustomization?: KustomizationFacts;
  readonly chart?: Chart;
  /** Whether each object of the file is only a part of an object, as for `kubectl patch` and server-side apply. */
  readonly partial?: true;
  /** Whether each object of the file is a workload without a selector, so that the file may be a patch. */
  readonly unselecting?: true;
  /** The paths of files with patches that the transformers in the file apply. */
  readonly patchFiles?: readonly string[];
  /** The paths of files that the generators in the file read as the contents of ConfigMaps and Secrets. */
  readonly contentFiles?: readonly string[];
  /** The paths of files that a test uses as inputs. */
  readonly triesOut?: readonly string[];
  /** The folders whose objects Flux recreates if the API server rejects an update, as paths in the repository. */
  readonly forcedFolders?: readonly string[];
  /** Reasons why the contribution of the file to its scope is incomplete. */
  readonly openBecause: readonly string[];
  /** Whether the file exists but was not loaded, so that it may contain anything. */
  readonly unread?: true;
  /** Whether the file is the configuration of a transformer or generator that is built into kustomize. */
  readonly builtin?: boolean;
  /** Whether the first comment of the file marks it as generated. */
  readonly generated?: boolean;
  /** A string that is equal for configurations with equal scopes; absent unless the file is a `.selector-lens.yaml`. */
  readonly config?: string;
  /**
   * A key for the effect of the configuration on how the file was parsed; absent if the configuration has no effect.
   */
  readonly reading?: string;
  /** The kinds that the catalogue does not contain, each with the key of the facts with which the file was parsed. */
  readonly kinds?: readonly string[];
  /**
   * The label keys, as written, in fields of the file's objects that contain a key but no value, such as `topologyKey`.
   */
  readonly namedKeys?: readonly string[];
  /** The text of a `.sourceignore`, which excludes files from the sources of Flux, of a `.helmignore`, which excludes files from a chart, or of a CODEOWNERS file. */
  readonly ignores?: string;
  /** The objects of the file that are sources from which GitOps objects read files. */
  readonly gitopsSources?: readonly SourceFacts[];
  /** The folders that commands in the file publish as artifacts. */
  readonly publishes?: readonly PublishedArtifact[];
  /** The GitOps objects of the file. */
  readonly gitops?: readonly GitopsFacts[];
  /** The content of a file by which GitOps objects decide what they build. */
  readonly data?: FileData;
  /** The settings of an Argo CD instance, if the file contains them. */
  readonly argo?: ArgoSettings;
  /** The objects that the policies of the file generate. */
  readonly generatesObjects?: readonly GeneratedObject[];
  /** What the admission policies of the file change in other objects. */
  readonly mutations?: readonly Mutation[];
  /** Whether a plain folder of Argo CD excludes the file. */
  readonly skipsArgo?: true;
  /** Whether the text contains Prometheus names of labels, so that a ConfigMap may contain a configuration. */
  readonly relabelings?: true;
  /** Whether a template may read other files of its chart: `.Files`. */
  readonly readsFiles?: true;
  /** Whether a template contains no object, but includes helpers, which may write objects. */
  readonly includesObjects?: true;
}

/** Returns the URIs of the files whose facts fulfill a condition. A workspace may have thousands of other files. */
export function filesWith(
  files: ReadonlyMap<string, ScopeFacts>,
  isMeant: (facts: ScopeFacts) => boolean,
): readonly string[] {
  const found: string[] = [];
  for (const [uri, facts] of files) if (isMeant(facts)) found.push(uri);
  return found;
}

/** A reason, found in a file, why the scope of the file is open. */
export interface OpenReason {
  readonly uri: string;
  /** The reason, as the end of a sentence that begins with the name of the file: `has syntax errors`. */
  readonly reason: string;
  /** Whether the file refers to something outside of the workspace folders. */
  readonly isOutside?: true;
  /** Whether git ignores the file to which this file refers, or the settings exclude it. */
  readonly isLeftOut?: true;
  /** Whether, by convention, only CustomResourceDefinitions are missing, which no selector matches. */
  readonly areDefinitions?: true;
  /** Whether the file is the `Chart.yaml` of a chart that needs a chart that is missing. */
  readonly isChart?: true;
}

interface KustomizationFacts {
  readonly component: boolean;
  readonly resources: readonly string[];
  readonly components: readonly string[];
  readonly patches: readonly string[];
  readonly plugins: readonly string[];
  /** The files that the kustomization names as configurations and replacements. */
  readonly others?: readonly string[];
  readonly charts: readonly string[];
  readonly programs: readonly string[];
  readonly edits: boolean;
  /** The number of patches and replacements, each of which is compared with all objects. */
  readonly changes: number;
  /** Whether the kustomization contains inline transformers. */
  readonly transforms?: true;
  /** The kinds and names of the objects with Flux variables that the kustomization generates. */
  readonly generates?: readonly string[];
  /**
   * The names of the ConfigMaps that the kustomization generates from files, so that other objects may use their names, or
   * changes, each followed by the paths of these files.
   */
  readonly generatedFrom?: readonly (readonly string[])[];
}

/** The parts of a parsed file on which scopes depend. */
export interface ReadForScopes {
  readonly manifest: Manifest;
  readonly kustomization?: Kustomization | undefined;
  readonly chart?: Chart;
  readonly config?: { readonly scopeKey: string };
}

/** The context in which a file was parsed, and the origin of the file. */
export interface HowRead {
  readonly readingKey?: string;
  readonly kinds?: readonly string[];
  readonly generated?: boolean;
  readonly ignores?: string;
  readonly data?: FileData;
  readonly readsFiles?: true;
  readonly includesObjects?: true;
}

/** Returns the facts of a file. For scopes, two files are equal if their facts, compared as JSON, are equal. */
export function scopeFactsOf(
  { manifest, kustomization, chart, config }: ReadForScopes,
  catalogue: Catalogue,
  { readingKey = '', kinds = [], generated = false, ignores, data, readsFiles, includesObjects }: HowRead = {},
): ScopeFacts {
  // External objects exist outside of the workspace, so they do not make a folder a folder of manifests.
  const objects = config ? [] : manifest.objects.filter((object) => object.forCluster);
  const templates = new Map<string, ManifestObject[]>();
  for (const object of objects)
    if (object.template !== undefined) getOrAdd(templates, object.template, () => []).push(object);
  const free = templates.size === 0 ? objects : objects.filter(({ template }) => template === undefined);
  const facts: Mutable<ScopeFacts> = {
    identities: identitiesOf(free),
    objects: free.length,
    templates: Array.from(templates, ([name, within]) => ({ name, identities: identitiesOf(within) })),
    openBecause: openBecause(manifest, objects, catalogue),
  };
  const unnamed = free.flatMap((object) => (isNamedOnCreation(object) ? [identityNamed(object, '')] : []));
  if (unnamed.length > 0) facts.unnamed = unnamed;
  if (kustomization !== undefined) facts.kustomization = kustomizationFacts(kustomization);
  if (chart !== undefined) facts.chart = chart;
  if (objects.length > 0 && objects.every(isPartial)) facts.partial = true;
  else if (objects.length > 0 && objects.every(isUnselecting)) facts.unselecting = true;
  const configurations = (manifest.trees ?? []).filter(isBuiltInto);
  const patchFiles = configurations.flatMap(patchFilesOf);
  if (patchFiles.length > 0) facts.patchFiles = patchFiles;
  const inputs = [...(kustomization?.inputs ?? []).map(({ path }) => path), ...configurations.flatMap(contentFilesOf)];
  const contentFiles = inputs.filter((path) => /\.(?:ya?ml|json)$/.test(path));
  if (contentFiles.length > 0) facts.contentFiles = contentFiles;
  const tried = manifest.objects.flatMap(({ triesOut = [] }) => triesOut);
  if (tried.length > 0) facts.triesOut = tried;
  const forced = manifest.objects.flatMap(({ forcedFolder }) => (forcedFolder === undefined ? [] : [forcedFolder]));
  if (forced.length > 0) facts.forcedFolders = forced;
  const gitops = objects.flatMap((object) => gitopsFactsOf(object) ?? []);
  if (gitops.length > 0) facts.gitops = gitops;
  const sources = objects.flatMap((object) => sourceFactsOf(object));
  if (sources.length > 0) facts.gitopsSources = sources;
  const argo = argoSettingsIn(objects);
  if (manifest.publishes !== undefined) facts.publishes = manifest.publishes;
  if (argo !== undefined) facts.argo = argo;
  const byPolicies = objects.flatMap((object) => object.generates ?? []);
  if (byPolicies.length > 0) facts.generatesObjects = byPolicies;
  const mutations = objects.flatMap((object) => object.mutations ?? []);
  if (mutations.length > 0) facts.mutations = mutations;
  if (ignores !== undefined) facts.ignores = ignores;
  if (data !== undefined) facts.data = data;
  if (manifest.objects.some(({ group, version }) => group === '' && version === 'builtin')) facts.builtin = true;
  if (generated) facts.generated = true;
  if (config !== undefined) facts.config = config.scopeKey;
  if (readingKey !== '') facts.reading = readingKey;
  if (kinds.length > 0) facts.kinds = kinds;
  const namedKeys = new Set(objects.flatMap(({ labelKeySites }) => labelKeySites.map(({ key }) => key.text)));
  if (namedKeys.size > 0) facts.namedKeys = [...namedKeys].toSorted();
  if (readsFiles) facts.readsFiles = true;
  if (includesObjects) facts.includesObjects = true;
  if (manifest.mentions?.includes('relabelings') === true) facts.relabelings = true;
  if (manifest.mentions?.includes('skipsArgo') === true) facts.skipsArgo = true;
  return facts;
}

/** Whether an object has neither a selector nor an image in its containers, without which the API server rejects it. */
function isPartial({ templates, replacedFields = [] }: ManifestObject): boolean {
  return (
    templates.length > 0 &&
    replacedFields.some((field) => field.includes('/containers/[')) &&
    !replacedFields.some((field) => field.endsWith('/image'))
  );
}

/** Whether an object is a workload without the selector that its kind requires. */
function isUnselecting({ templates, replacedFields }: ManifestObject): boolean {
  return templates.length > 0 && replacedFields !== undefined;
}

/** Whether a document configures a transformer or a generator that is built into kustomize. */
function isBuiltInto(tree: Node): boolean {
  return textOf(childOf(tree, 'apiVersion')) === 'builtin';
}

function patchFilesOf(tree: Node): readonly string[] {
  return [childOf(tree, 'path'), ...itemsOf(childOf(tree, 'paths'))].flatMap((path) => textOf(path) ?? []);
}

/** Returns the paths of the files that a generator reads, without the keys before them. */
function contentFilesOf(tree: Node): readonly string[] {
  const files = itemsOf(childOf(tree, 'files')).flatMap((file) => textOf(file) ?? []);
  return files.map((file) => file.slice(file.indexOf('=') + 1));
}

/** Returns the facts of a file with unknown content; `reason` is the end of a sentence that begins with the name of the file: `was not read`. */
export function unreadFacts(reason: string): ScopeFacts {
  return { identities: [], objects: 0, templates: [], openBecause: [reason], unread: true };
}

/** Whether two versions of a file have equal facts for scopes, so that the scopes need not be computed again. */
export function sameScopeFacts(a: ScopeFacts | undefined, b: ScopeFacts | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}

/** Whether two versions of a file, both without Templates, differ at most in which objects they contain, but not in whether they contain any. */
export function sameExceptObjects(a: ScopeFacts | undefined, b: ScopeFacts | undefined): boolean {
  if (a === undefined || b === undefined || a.templates.length > 0) return false;
  const withoutObjects = ({ unnamed: _, ...facts }: ScopeFacts) => ({
    ...facts,
    identities: [],
    objects: Math.min(facts.objects, 1),
  });
  return sameScopeFacts(withoutObjects(a), withoutObjects(b));
}

function identitiesOf(objects: readonly ManifestObject[]): readonly string[] {
  const identities = new Set<string>();
  for (const object of objects) {
    const identity = identityOf(object);
    if (identity !== undefined) identities.add(identity);
  }
  return [...identities];
}

/** Returns the identities of the objects in a file, including objects in Templates. */
export function allIdentities({ identities, templates }: ScopeFacts): readonly string[] {
  return templates.length === 0 ? identities : [identities, ...templates.map((each) => each.identities)].flat();
}

function isNamedOnCreation({ name, generateName, namespace }: ManifestObject): boolean {
  return name === undefined && generateName !== undefined && !namespace?.text.includes('{{');
}

/** Returns the identity of an object: the group in which it is stored, its kind, namespace and name. Two objects with one identity cannot be in the same cluster. Returns undefined if the object has no name, or if a Go template writes the name, because its expression has a different value in every chart. */
export function identityOf(object: Identified): string | undefined {
  const name = object.name?.text ?? '';
  const namespace = object.namespace?.text ?? '';
  if (name === '' || name.includes('{{') || namespace.includes('{{')) return undefined;
  return identityNamed(object, name);
}

function identityNamed(object: Identified, name: string): string {
  return `${storedGroup(object)}\n${object.kind}\n${object.namespace?.text ?? ''}\n${name}`;
}

/** The fields that determine the identity and position of an object. */
export interface Identified extends Pick<ManifestObject, 'group' | 'kind' | 'template'> {
  readonly name?: { readonly text: string };
  readonly namespace?: { readonly text: string };
}

/** Returns the position of an object for scopes: its file, or the Template in the file that contains it. */
export function placeOf(where: { readonly file: { readonly uri: string }; readonly object: Identified }): string {
  const { template } = where.object;
  return template === undefined ? where.file.uri : pathInTemplate(where.file.uri, template);
}

/** Returns the position of a Template in a file. A line end separates the parts, since it never occurs in a URI. */
export function pathInTemplate(uri: string, template: string): string {
  return `${uri}\n${template}`;
}

/** Returns the URI of the file that contains a position; the position may be a Template in the file. */
export function fileOfPlace(place: string): string {
  const at = place.indexOf('\n');
  return at === -1 ? place : place.slice(0, at);
}

function kustomizationFacts(read: Kustomization): KustomizationFacts {
  const paths = (references: readonly { readonly path: string }[]) => references.map((each) => each.path);
  const others = paths([
    ...read.configurations,
    ...read.replacements.flatMap((each) => ('path' in each ? [each] : [])),
  ]);
  const generates = read.generators.flatMap(({ kind, name, variables }) => {
    return variables === undefined || name === undefined ? [] : [`${kind}/${name.text}`];
  });
  const generatedFrom = read.generators.flatMap(({ kind, name, behavior, plainName, reads = [] }) => {
    // Otherwise, other objects do not know the name of the ConfigMap, which contains a hash.
    const isNamed = plainName || read.configurations.length > 0;
    const isRead = kind === 'ConfigMap' && ((reads.length > 0 && isNamed) || behavior !== 'create');
    return isRead && name !== undefined ? [[name.text, ...reads]] : [];
  });
  return {
    component: read.component,
    resources: paths(read.resources),
    components: paths(read.components),
    patches: paths(read.patches),
    plugins: paths(read.plugins),
    ...(others.length > 0 && { others }),
    charts: read.charts,
    programs: read.programs,
    edits: read.edits,
    changes: read.changes.length + read.replacements.length + read.inlineTransformers.length,
    ...(read.inlineTransformers.length > 0 && { transforms: true as const }),
    ...(generates.length > 0 && { generates }),
    ...(generatedFrom.length > 0 && { generatedFrom }),
  };
}

/** The reason why a file with syntax errors may contain more objects than were found. */
export const hasSyntaxErrors = 'has syntax errors';

/** Whether a reason of a file concerns only objects that controllers create, but nothing that was not read. */
export function isAboutObjects(reason: string): boolean {
  return ![hasSyntaxErrors, expandsTooFar(), isUnknownTemplate()].includes(reason);
}

function expandsTooFar(): string {
  return localize`is nested too deeply, or has aliases that expand to too many nodes`;
}

function isUnknownTemplate(): string {
  return localize`is a template whose output is not known`;
}

/** Groups whose kinds are all known. */
const ofKubernetes: ReadonlySet<string> = new Set(['', 'apps', 'batch', 'autoscaling', 'policy']);

/** Groups of former versions of Istio, whose kinds only configure Mixer and proxies. */
const withoutPods: ReadonlySet<string> = new Set(['config.istio.io', 'rbac.istio.io', 'authentication.istio.io']);

function openBecause(manifest: Manifest, objects: readonly ManifestObject[], catalogue: Catalogue): readonly string[] {
  const reasons: string[] = [];
  if (manifest.tooLargeAt !== undefined) reasons.push(expandsTooFar());
  else if (manifest.readInPart) reasons.push(hasSyntaxErrors);
  if (manifest.obscured) reasons.push(isUnknownTemplate());
  for (const object of objects) {
    // The layout decides whether the content of a GitOps object is known. A FluxInstance also installs Flux.
    if (gitopsFactsOf(object) !== undefined && object.kind !== 'FluxInstance') continue;
    const { group, version, kind } = object;
    const fact = catalogue.kind(group, version, kind);
    // The API server rejects a misspelled kind, and no controller creates objects for it. In old versions of OpenShift,
    // the kinds of its own groups are also in the group of Pods.
    const isMisspelled = ofKubernetes.has(group) && catalogue.named(kind).every((each) => each.kind !== kind);
    if ((fact === undefined && isMisspelled) || withoutPods.has(group)) continue;
    if (fact === undefined || fact.learned) {
      reasons.push(localize`contains the kind ${kind}, which may create objects`);
    } else if (fact.installs) reasons.push(installsPods(kind));
  }
  return reasons.length < 2 ? reasons : [...new Set(reasons)];
}

/** Returns the reason for an object of a kind that creates objects or pods that are in no file. */
export function installsPods(kind: string): string {
  return localize`contains the kind ${kind}, whose objects are not in any file`;
}

/** Matches the name of a folder or file of CustomResourceDefinitions: `config/crd`, `releases/v1/shop.crds.yaml`. */
const definitionsPath = /[/._-](?:crds?|customresourcedefinitions)(?:\.ya?ml)?\/?$/i;

/** Returns the reason for a reference to a file that is not loaded: it does not exist, or it is at a place of which nothing is loaded. */
export function missingReason(path: string, place: 'inside' | 'outside' | 'left out'): Omit<OpenReason, 'uri'> {
  if (isRemote(path)) {
    const reason = localize`includes '${path}', which is not in the workspace`;
    const [withoutQuery = ''] = path.split('?', 1);
    return definitionsPath.test(withoutQuery) ? { reason, areDefinitions: true } : { reason };
  }
  if (place === 'inside') return { reason: localize`names '${path}', which does not exist` };
  if (place === 'left out')
    return {
      reason: localize`names '${path}', which git ignores, or which a sparse checkout or the settings exclude`,
      isLeftOut: true,
    };
  return { reason: localize`names '${path}', which is outside the workspace folders`, isOutside: true };
}
