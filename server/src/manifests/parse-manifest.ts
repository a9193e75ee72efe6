/** Parses YAML or JSON into objects, with the positions of all parts. Never throws. */

import type { Catalogue, KindFact } from '../engine/catalogue/types.ts';
import { lastAnswer } from '../engine/last-result.ts';
import type { Span } from '../text/span.ts';
import { publishedIn } from './gitops/published-artifacts.ts';
import { gitopsSpecOf, variablesOf } from './gitops/spec.ts';
import type { TemplateReading } from './helm/chart-context.ts';
import type { ValueSite } from './helm/value-site.ts';
import { valueSitesIn } from './helm/value-sites.ts';
import { mayHoldSelectors } from './inline/candidates.ts';
import { addressesOf } from './kinds/address-fields.ts';
import { admissionRulesOf } from './kinds/admission-rules.ts';
import { backendsOf } from './kinds/backends.ts';
import { createdPolicies } from './kinds/created-policies.ts';
import { definitionOf } from './kinds/custom-resource-definition.ts';
import { forcedFolderOf } from './kinds/forced-folder.ts';
import { generatedObjects } from './kinds/generated-objects.ts';
import { meshConfigOf, meshRootsIn } from './kinds/mesh-roots.ts';
import { mutationsOf } from './kinds/mutations.ts';
import { controllerOf, policyKindOf } from './kinds/network-policy.ts';
import { networkSpecOf } from './kinds/network-spec.ts';
import { installedSettingsIn } from './kinds/plugin-settings.ts';
import { shapesOf } from './kinds/selector-shapes.ts';
import { filesTriedOut } from './kinds/test-inputs.ts';
import { isForCluster } from './kinds/tool-configuration.ts';
import { kustomizationKind, kustomizeGroup } from './kustomize/kustomization-sites.ts';
import { isForKustomize, kept, mayBeForKustomize } from './kustomize/kustomize-documents.ts';
import { isIncomplete, replacedFields } from './kustomize/replaced-paths.ts';
import { mentionsOf } from './mentions.ts';
import type { FieldFault, LabelEntry, Manifest, ManifestObject, Mark, Mutable, Written } from './model.ts';
import { regionsAround } from './placeholders/conditionals.ts';
import { type BlankedText, blank, blanksWithin } from './placeholders/placeholders.ts';
import { branchOf } from './sites/catalogue-paths.ts';
import { joinedObjects, repeatedKeys } from './sites/duplicate-keys.ts';
import { objectFaults, untypedFaults } from './sites/field-faults.ts';
import { fieldValues, withFieldValues } from './sites/field-values.ts';
import { grantOf } from './sites/grants.ts';
import { hidesLabels } from './sites/hidden-labels.ts';
import { hostReferences } from './sites/host-references.ts';
import { imagesOf } from './sites/images.ts';
import { sitesOf } from './sites/object-sites.ts';
import { marksOf, namespaceMarks } from './sites/patch-directives.ts';
import { hasOwnNames, podSpecsIn } from './sites/pod-dns.ts';
import { containerPorts, mayHaveMorePorts, servicePorts, targetPorts } from './sites/ports.ts';
import { dataKeysOf, labelReferences, lacksPart, referenceSites } from './sites/references.ts';
import { repeatsNames } from './sites/repeated-names.ts';
import { scaleTargetOf } from './sites/scale-target.ts';
import { labelEntries, namespaceIn, written } from './sites/sites.ts';
import { uniformManifest } from './uniform-manifest.ts';
import { blankManifest } from './yaml/blank-manifest.ts';
import { directiveAt } from './yaml/documents.ts';
import { parseYaml } from './yaml/parse-yaml.ts';
import type { FirstError, SyntaxProblem } from './yaml/parsed-document.ts';
import { splitTemplate } from './yaml/template-documents.ts';
import { childOf, itemsOf, maximumDepth, type Node, nodeAt, type ScalarNode, treeSizeOf } from './yaml/tree.ts';

const nothing = uniformManifest({ objects: [], documents: 0, syntaxErrors: 0 });

/** Returns a manifest without objects, for files such as CI workflows, which contain commands but no objects. */
function nothingIn(text: string): Manifest {
  const publishes = publishedIn(text);
  if (publishes.length > 0) return { ...nothing, mentions: mentionsOf(text), publishes };
  return mayHoldSelectors(text) ? { ...nothing, mentions: mentionsOf(text) } : nothing;
}

/** Options for parsing a file that depend on its chart, its configuration or its name. */
export interface ReadOptions {
  /** The patterns of custom placeholders from the configuration. */
  readonly placeholders?: readonly string[] | undefined;
  /** The facts about a template that its chart provides. */
  readonly template?: TemplateReading | undefined;
  /** The group, version and kind of documents that do not specify them. */
  readonly usual?: UsualType | undefined;
  /**
   * A callback that receives the start offset and the syntax tree of each document, if the file contains no template
   * actions or placeholders.
   */
  readonly onTree?: ((start: number, root: Node) => void) | undefined;
}

/** Parses a file. `text` has no byte order mark; spans are offsets into it. */
export function readManifest(text: string, catalogue: Catalogue, options: ReadOptions = {}): Manifest {
  const { placeholders, template, usual, onTree } = options;
  if (usual === undefined && !mayHoldObjects(text) && !mayBeForKustomize(text)) return nothingIn(text);
  const blanked =
    template === undefined
      ? blankManifest(text, placeholders)
      : { ...blank(text, placeholders, template.rendering), ...template.knownValues };
  const objects: ManifestObject[] = [];
  const trees: Node[] = [];
  const faults: FieldFault[] = [];
  const firstErrors: FirstError[] = [];
  let documents = 0;
  let syntaxErrors = 0;
  let obscured = false;
  let readInPart = false;
  let tooLargeAt: number | undefined;
  const valueSites: ValueSite[] = [];
  for (const span of splitTemplate(blanked)) {
    const document = readDocument(text, blanked, span, catalogue, usual);
    if (document.root !== undefined && blanked.text === text) onTree?.(span.start, document.root);
    obscured ||= document.root === undefined && blanksWithin(blanked.placeholders, span).length > 0;
    if (document.root === undefined && document.errors.length === 0) continue;
    obscured ||= document.objects.length === 0 && isOpen(document.root);
    obscured ||= document.objects.some(({ obscured }) => obscured);
    if (template !== undefined && document.root !== undefined)
      for (const { group, version, kind } of document.objects.slice(0, 1))
        for (const each of valueSitesIn(document.root, { group, version, kind }, catalogue.kind(group, version, kind)))
          valueSites.push(each);
    if (document.root !== undefined && isForKustomize(document.root)) trees.push(kept(document.root));
    documents++;
    syntaxErrors += document.errors.length;
    const [first] = document.errors;
    if (first !== undefined) firstErrors.push({ document: span.start, at: first.at, reason: first.reason });
    readInPart ||= document.errors.length > 0 && !document.repaired;
    tooLargeAt ??= document.tooLargeAt;
    if (document.errors.length === 0)
      for (const each of faultsIn(text, blanked, document, catalogue)) faults.push(each);
    for (const each of document.objects) objects.push(withConditions(each, blanked, template !== undefined));
  }
  if (objects.length > 0 && directiveAt(text) !== undefined) syntaxErrors++;
  return uniformManifest({
    objects,
    documents,
    syntaxErrors,
    ...(firstErrors.length > 0 && template === undefined && { firstErrors }),
    ...(blanked.placeholders.length > 0 && { unresolved: true }),
    ...(obscured && { obscured }),
    ...(readInPart && { readInPart }),
    ...(tooLargeAt !== undefined && { tooLargeAt }),
    mentions: mentionsOf(text),
    ...(faults.length > 0 && { faults }),
    ...(trees.length > 0 && { trees }),
    ...(valueSites.length > 0 && { valueSites }),
  });
}

/** Adds the conditions under which a template in a chart contains the object. A network policy with a condition is marked as optional, because it may be absent and then does not restrict any traffic. */
function withConditions(object: ManifestObject, { conditionals }: BlankedText, isInChart: boolean): ManifestObject {
  const isPolicy = object.policySpec !== undefined || object.networkSpec !== undefined;
  if (conditionals.length === 0 || !(isInChart || isPolicy)) return object;
  const { start } = object.kindSpan;
  const conditions = regionsAround(conditionals, start).map(({ condition }) => condition);
  if (conditions.length === 0) return object;
  return {
    ...object,
    ...(isPolicy && { isOptional: true }),
    ...(isInChart && { conditions }),
  };
}

/** Returns the faults in the fields of a document without syntax errors. */
function faultsIn(
  text: string,
  { conditionals }: BlankedText,
  { root, objects, roots }: ReadDocumentObjects,
  catalogue: Catalogue,
): readonly FieldFault[] {
  if (root === undefined) return [];
  const found = objects.flatMap((object, at) => {
    const own = roots[at];
    return own === undefined ? [] : objectFaults(own, object, catalogue);
  });
  const faults = objects.length === 0 ? untypedFaults(root, catalogue) : found;
  const own = faults.filter((each) => !isForOtherVersion(conditionals, each));
  const areUnknown = own.every(({ is }) => is === 'unknown');
  return areUnknown || !isPart(text, root.span, conditionals) ? own : own.filter(({ is }) => is === 'unknown');
}

/** Whether a fault is in a branch of an object for other versions of the cluster, which may have another API. */
function isForOtherVersion(conditionals: BlankedText['conditionals'], fault: FieldFault): boolean {
  if (conditionals.length === 0 || fault.is === 'untyped') return false;
  const at = fault.is === 'missing' ? fault.span.start : fault.key.span.start;
  return regionsAround(conditionals, at).some(
    ({ start, condition }) => start > fault.object && /\.Capabilities\b|kubeversion/i.test(condition),
  );
}

/** Whether a document is only a part of an object: an excerpt, the body of a ytt function, or an overlay of ytt. */
function isPart(text: string, span: Span, conditionals: BlankedText['conditionals']): boolean {
  if (isExcerpt(text, span)) return true;
  const { isTemplate, isOverlay } = yttIn(text);
  if (!isTemplate) return false;
  return isOverlay || regionsAround(conditionals, span.start).some(({ condition }) => condition === 'def');
}

/** The signs of ytt in a text, for all of its documents. */
const yttIn = lastAnswer((text: string) => {
  const isTemplate = text.includes('#@');
  return { isTemplate, isOverlay: isTemplate && /^[ \t]*#@overlay\/match\b/m.test(text) };
});

/** Whether a document is only an excerpt: it contains `...`, or `...` follows it, possibly in a comment. */
export function isExcerpt(text: string, { start, end }: Span): boolean {
  return /(?:^|[\s#])\.\.\.(?:\s|$)/.test(text.slice(start, end)) || /^:?[\s#]*\.\.\.(?:\s|$)/.test(text.slice(end));
}

function isOpen(node: Node | undefined): boolean {
  return node !== undefined && node.kind !== 'scalar' && node.open;
}

/** The group, version and kind of a document that does not specify them. */
export interface UsualType {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
}

/** Tests quickly whether a text may contain objects, by searching for words that are rare in other texts. One of the two type fields (`apiVersion`, `kind`) may be missing. */
export function mayHoldObjects(text: string): boolean {
  const [hasKind, hasVersion] = [text.includes('kind'), text.includes('apiVersion')];
  return hasKind === hasVersion ? hasKind : text.includes('metadata');
}

/** An object, and the syntax tree from which it was parsed. */
interface Rooted {
  readonly object: ManifestObject;
  readonly root: Node;
}

export interface ReadDocumentObjects {
  readonly root: Node | undefined;
  readonly errors: readonly SyntaxProblem[];
  /** Set if the syntax errors do not hide any content. */
  readonly repaired?: true;
  /** The start offset of the document, if it is nested too deeply, or if its aliases expand to too many nodes. */
  readonly tooLargeAt?: number;
  readonly objects: readonly ManifestObject[];
  /** The syntax trees from which the objects were parsed. */
  readonly roots: readonly Node[];
}

/** Parses one document of a file whose template actions have been replaced. */
export function readDocument(
  text: string,
  blanked: BlankedText,
  span: Span,
  catalogue: Catalogue,
  usual?: UsualType,
): ReadDocumentObjects {
  const document = parseYaml(text, blanked, span);
  const found = document.root === undefined ? [] : objectsOf(document.root, catalogue, usual);
  return { ...document, objects: found.map(({ object }) => object), roots: found.map(({ root }) => root) };
}

export function readObject(root: Node, catalogue: Catalogue, type?: Type): readonly ManifestObject[] {
  return object(root, catalogue, typeOf(root, catalogue) ?? type, []).map((each) => each.object);
}

/** Returns the objects in a document, which contains several objects if it is a List or an OpenShift Template. */
export function objectsOf(root: Node, catalogue: Catalogue, usual?: UsualType): readonly Rooted[] {
  const items = childOf(root, 'items');
  const type = typeOf(root, catalogue);
  if (items?.kind === 'list' && type !== undefined) {
    const itemType = type.kind === 'List' ? undefined : { ...type, kind: type.kind.replace(/List$/, '') };
    return items.items.flatMap((item) => object(item, catalogue, typeOf(item, catalogue) ?? itemType, []));
  }
  const first = root.kind === 'map' ? root.entries[0] : undefined;
  const objects = object(root, catalogue, type ?? (usual && first && { ...usual, kindSpan: first.key.span }), []);
  const members = childOf(root, 'objects');
  if (type?.kind !== 'Template' || members?.kind !== 'list') return objects;
  const inherited = labelEntries(childOf(root, 'labels'));
  const template = scalarAt(childOf(root, 'metadata'), 'name')?.text ?? '';
  const held = members.items.flatMap((member) => object(member, catalogue, typeOf(member, catalogue), inherited));
  return [...objects, ...held].map((each) => ({ ...each, object: { ...each.object, template } }));
}

export interface Type {
  readonly group: string;
  readonly version: string;
  readonly kind: string;
  readonly kindSpan: Span;
}

function typeOf(root: Node, catalogue: Catalogue): Type | undefined {
  const apiVersion = newestVersion(root) ?? scalarAt(root, 'apiVersion');
  const kind = scalarAt(root, 'kind');
  if (apiVersion === undefined || kind === undefined || kind.text === '') return undefined;
  const version = usualText(apiVersion);
  const known = { kind: usualText(kind), kindSpan: kind.span };
  if (version.includes('{{')) {
    const [only, ...others] = catalogue.named(known.kind).filter((each) => each.kind === known.kind && isBuiltIn(each));
    if (only !== undefined && others.length === 0) return { ...known, group: only.group, version: '' };
  }
  const slash = version.indexOf('/');
  return { ...known, group: slash === -1 ? '' : version.slice(0, slash), version: version.slice(slash + 1) };
}

/** Returns the newest of several versions, of which a template writes one for each cluster; undefined unless there are several. */
function newestVersion(root: Node): ScalarNode | undefined {
  const entries = root.kind === 'map' ? root.entries : [];
  const written = entries.filter(({ key }) => key.text === 'apiVersion');
  if (written.length < 2 || !written.some(({ conditional }) => conditional)) return undefined;
  const versions = written.flatMap(({ value }) => (value.kind === 'scalar' && value.type !== 'null' ? [value] : []));
  return versions.toSorted((a, b) => ageOf(a) - ageOf(b))[0];
}

/** Returns a number that is smaller for versions that newer clusters serve. */
function ageOf({ text }: ScalarNode): number {
  const [, major = '0', stage = '', minor = '0'] = /^(?:[^/]*\/)?v(\d{1,3})(alpha|beta)?(\d{1,3})?$/.exec(text) ?? [];
  const isMoved = text.startsWith('extensions/') ? 1 : 0;
  return isMoved * 1e7 + ['', 'beta', 'alpha'].indexOf(stage) * 1e6 - Number(major) * 1e3 - Number(minor);
}

/** Whether a group belongs to Kubernetes itself. `extensions` is excluded, because its kinds have moved to other groups. */
function isBuiltIn({ group }: { readonly group: string }): boolean {
  return group !== 'extensions' && (!group.includes('.') || group.endsWith('.k8s.io'));
}

/** Returns the text of a scalar with the default values of the chart. For `kind: {{ .Values.kind }}`, other values are usually similar kinds. */
function usualText({ text, assumed }: ScalarNode): string {
  return assumed === undefined || assumed === '' || assumed.includes('{{') ? text : assumed;
}

function scalarAt(node: Node | undefined, key: string): ScalarNode | undefined {
  const found = childOf(node, key);
  return found?.kind === 'scalar' && found.type !== 'null' ? found : undefined;
}

function object(
  root: Node,
  catalogue: Catalogue,
  type: Type | undefined,
  inherited: readonly LabelEntry[],
): readonly Rooted[] {
  // Nested aliases can make a tree too deep for recursion.
  if (root.kind !== 'map' || type === undefined || treeSizeOf(root).depth > maximumDepth) return [];
  const known =
    type.group === kustomizeGroup ? kustomizationKind(catalogue) : catalogue.kind(type.group, type.version, type.kind);
  const facts = known === undefined || known.learned ? shapesOf(root, type, known) : known;
  const sites = sitesOf(root, facts);
  const { group, version, kind, kindSpan } = type;
  const { labelSites, selectorSites, labelKeySites } = sites;
  const templates = sites.templates.map((template) => withFieldValues(template, root, catalogue));
  const forCluster = isForCluster(type, root);
  const made: Mutable<ManifestObject> = {
    group,
    version,
    kind,
    kindSpan,
    span: root.span,
    labelSites,
    selectorSites,
    templates,
    labelKeySites,
    inherited,
    forCluster,
  };
  const metadata = childOf(root, 'metadata');
  addNames(made, metadata);
  const labels = labelSites.find((site) => site.path === 'metadata.labels');
  if (labels !== undefined) made.labels = labels;
  const joined = treeSizeOf(root).repeats ? joinedObjects(root) : [];
  // Duplicate keys that are caused by a missing `---` are reported only once, at the start of the second object.
  const repeated = treeSizeOf(root).repeats ? repeatedKeys(root, joined.length === 0) : [];
  if (repeated.length > 0) made.repeated = repeated;
  if (joined.length > 0) made.joined = joined;
  if (hidesLabels(root, facts)) made.obscured = true;
  if (facts.nameLabels !== undefined) made.nameLabels = facts.nameLabels;
  addPorts(made, root);
  const images = imagesOf(root);
  if (images.length > 0) made.images = images;
  const controller = made.ports && controllerOf(metadata);
  if (controller !== undefined) made.controller = controller;
  const spec = policyKindOf(type) === undefined ? undefined : childOf(root, 'spec');
  if (spec !== undefined) made.policySpec = spec;
  addPolicyFacts(made, type, root);
  addGitops(made, root);
  addReplacedFields(made, root);
  addReferences(made, root, facts, catalogue);
  const values = fieldValues(root, facts, catalogue);
  if (values !== undefined) made.fieldValues = values;
  const defines = definitionOf(group, root, catalogue);
  if (defines !== undefined) made.defines = defines;
  const tried = filesTriedOut(group, kind, root);
  if (tried.length > 0) made.triesOut = tried;
  addMarks(made, root, facts, facts === known);
  return [{ object: made, root }];
}

function addPorts(made: Mutable<ManifestObject>, root: Node): void {
  const ports = containerPorts(root);
  if (ports !== undefined) made.ports = ports;
  const asked = targetPorts(root);
  if (asked.length > 0) made.targetPorts = asked;
  const offered = made.group === '' && made.kind === 'Service' ? servicePorts(root) : [];
  if (offered.length === 0) return;
  made.servicePorts = offered;
  if (mayHaveMorePorts(root)) made.servicePortsOpen = true;
}

function addMarks(made: Mutable<ManifestObject>, root: Node, facts: KindFact, isKnown: boolean): void {
  const marks = [
    ...marksOf(root, branchOf(facts), isKnown).filter((mark) => !isShown(mark, made)),
    ...namespaceMarks(root, facts, made.selectorSites),
  ];
  if (marks.length > 0) made.marks = marks;
}

function addNames(made: Mutable<ManifestObject>, metadata: Node | undefined): void {
  const name = scalarAt(metadata, 'name');
  if (name !== undefined) made.name = written(name);
  const generateName = scalarAt(metadata, 'generateName');
  if (generateName !== undefined) made.generateName = written(generateName);
  const namespace = namespaceIn(metadata);
  if (namespace !== undefined) made.namespace = written(namespace);
}

/** Adds the facts about an object that affects other objects. */
function addPolicyFacts(made: Mutable<ManifestObject>, type: Parameters<typeof admissionRulesOf>[0], root: Node): void {
  const network = networkSpecOf(type, root);
  if (network !== undefined) made.networkSpec = network;
  const rules = admissionRulesOf(type, root);
  if (rules !== undefined) made.admissionRules = rules;
  const created = createdPolicies(type, root);
  if (created !== undefined) made.createdPolicies = created;
  const meshConfig = meshConfigOf(type, root);
  if (meshConfig !== undefined) made.meshConfig = meshConfig;
  const meshRoots = meshRootsIn(type, root);
  if (meshRoots !== undefined) made.meshRoots = meshRoots;
  const addresses = addressesOf(type, root);
  if (addresses !== undefined) made.addresses = addresses;
  const installed = installedSettingsIn(type, root);
  if (installed !== undefined) made.installedSettings = installed;
  const generates = generatedObjects(type, root);
  if (generates !== undefined) made.generates = generates;
  const mutations = mutationsOf(type, root);
  if (mutations !== undefined) made.mutations = mutations;
}

/** Adds the facts about GitOps objects and their settings. */
function addGitops(made: Mutable<ManifestObject>, root: Node): void {
  const { group, kind } = made;
  const spec = gitopsSpecOf(group, kind, root);
  if (spec !== undefined) made.gitopsSpec = spec;
  const variables = variablesOf(group, kind, root);
  if (variables !== undefined) made.variables = variables;
  const forcedFolder = forcedFolderOf(group, kind, root);
  if (forcedFolder !== undefined) made.forcedFolder = forcedFolder;
}

/** Adds the fields that the object replaces if it is a patch. */
function addReplacedFields(made: Mutable<ManifestObject>, root: Node): void {
  const fields = isIncomplete(made, root) ? replacedFields(root, made.group) : undefined;
  if (fields !== undefined) made.replacedFields = fields;
}

/** Adds references to other objects, including the target of an autoscaler and the backends of a route. */
function addReferences(made: Mutable<ManifestObject>, root: Node, facts: KindFact, catalogue: Catalogue): void {
  const references = [
    ...referenceSites(root, facts),
    ...labelReferences(made, catalogue),
    ...hostReferences(root, facts),
  ];
  if (references.length > 0) made.references = references;
  if (podSpecsIn(root, facts).some(({ spec }) => hasOwnNames(spec))) made.resolvesHosts = true;
  if (lacksPart(root, facts)) made.lacksPart = true;
  const hasParts = made.templates.length > 0 || made.ports !== undefined || made.servicePorts !== undefined;
  if (hasParts && repeatsNames(root)) made.repeatsNames = true;
  const dataKeys = dataKeysOf(root, facts);
  if (dataKeys !== undefined) made.dataKeys = dataKeys;
  const subsets = subsetsOf(made, root);
  if (subsets.length > 0) made.subsets = subsets;
  const grant = grantOf(made, root);
  if (grant !== undefined) made.grant = grant;
  const scaleTarget = scaleTargetOf(made.group, root);
  if (scaleTarget !== undefined) made.scaleTarget = scaleTarget;
  const backends = backendsOf(made.group, made.kind, root);
  if (backends.length > 0) made.backends = backends;
}

/** Returns the names of the subsets of an Istio DestinationRule. */
function subsetsOf({ group, kind }: ManifestObject, root: Node): readonly Written[] {
  if (group !== 'networking.istio.io' || kind !== 'DestinationRule') return [];
  return itemsOf(nodeAt(root, 'spec', 'subsets')).flatMap((subset) => {
    const name = scalarAt(subset, 'name');
    return name === undefined ? [] : [written(name)];
  });
}

/** Whether a mark for the length of a list is not needed, because the last item of the list contains a label or selector. */
function isShown(
  { path, is }: Mark,
  { labelSites, selectorSites }: Pick<ManifestObject, 'labelSites' | 'selectorSites'>,
): boolean {
  if (typeof is !== 'number' || is === 0) return false;
  const last = `${path}[${is - 1}]`;
  const isBelow = (site: { readonly path: string }) => site.path.startsWith(last);
  return labelSites.some(isBelow) || selectorSites.some(isBelow);
}
