/** Finds references to other objects by name, both at the paths in the catalogue and by field names that are common for references. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { Catalogue, GroupKind, KeyReference, KindFact, ReferenceFact } from '../../engine/catalogue/types.ts';
import { BoundedMap, getOrAdd } from '../../engine/memoize.ts';
import type { DataKeys, ManifestObject, Mutable, ReferenceSite, Written } from '../model.ts';
import { childOf, isOpen, type MapNode, type Node, treeSizeOf } from '../yaml/tree.ts';
import { type Branch, findAt, newBranch, putFieldSite, segmentsOf } from './catalogue-paths.ts';
import { written } from './sites.ts';
import { pieceOf, writtenPiece } from './string-pieces.ts';

const branches = new WeakMap<KindFact, Branch>();

/** The fact about owner references, which every object can have. */
const ownerFact: ReferenceFact = {
  path: 'metadata.ownerReferences[].name',
  targets: [],
  kindAt: 'metadata.ownerReferences[].kind',
  groupAt: 'metadata.ownerReferences[].apiVersion',
};

/** Returns the references to other objects by name in an object, in file order. */
export function referenceSites(root: Node, facts: KindFact): readonly ReferenceSite[] {
  return sitesIn(root, facts, getOrAdd(branches, facts, wholeObjects));
}

/** Returns the references to other objects by name, and also the references to volumes, containers, ports and other parts of objects. */
export function allReferenceSites(root: Node, facts: KindFact): readonly ReferenceSite[] {
  return sitesIn(root, facts, getOrAdd(allBranches, facts, withEveryPart));
}

function sitesIn(root: Node, facts: KindFact, branch: Branch): readonly ReferenceSite[] {
  const found: ReferenceSite[] = [];
  for (const { place, path, node } of findAt(root, branch))
    if (place.kind === 'reference') found.push(...sitesAt(root, place.fact, path, node));
  const more = isBuiltIn(facts.group) ? none : sitesOfShape(root);
  return more.length === 0
    ? found
    : [...found, ...more.filter((site) => !found.some(({ path }) => path === site.path))];
}

/** Whether an object certainly or possibly lacks a part, such as a volume, that it refers to by name. */
export function lacksPart(root: Node, facts: KindFact): boolean {
  if (!facts.references.some(({ local }) => local !== undefined)) return false;
  for (const { place, path, node } of findAt(root, getOrAdd(partBranches, facts, partsOnly))) {
    if (place.kind !== 'reference') continue;
    for (const site of sitesAt(root, place.fact, path, node))
      if (!localTargets(root, site).some(({ text }) => text === site.name.text)) return true;
  }
  return false;
}

const allBranches = new WeakMap<KindFact, Branch>();

function withEveryPart(facts: KindFact): Branch {
  return branchOf(facts, true);
}

const partBranches = new WeakMap<KindFact, Branch>();

function partsOnly({ references }: KindFact): Branch {
  const root = newBranch();
  for (const fact of references)
    if (fact.local !== undefined) putFieldSite(root, fact.path, { kind: 'reference', fact });
  return root;
}

function wholeObjects(facts: KindFact): Branch {
  return branchOf(facts, false);
}

function branchOf({ references }: KindFact, withParts: boolean): Branch {
  const root = newBranch();
  const wanted = references.filter(({ local, part }) => withParts || (local === undefined && part === undefined));
  for (const fact of [...wanted, ownerFact]) putFieldSite(root, fact.path, { kind: 'reference', fact });
  return root;
}

function sitesAt(root: Node, fact: ReferenceFact, path: string, node: Node): readonly ReferenceSite[] {
  if (node.kind !== 'scalar' || node.type === 'null' || node.text === '') return none;
  const beside = (at: string | undefined): readonly Written[] =>
    at === undefined ? none : nodesBeside(root, at, fact.path, path).filter(isText).map(written);
  const kind = beside(fact.kindAt)
    .map(({ text }) => text)
    .join(',');
  const [group] = beside(fact.groupAt);
  const [named] = beside(fact.namespaceAt);
  const isSelected = fact.namespaceAt?.endsWith('Selector') === true;
  const namespace: Written | undefined = named && isSelected ? { ...named, value: { unknown: named.text } } : named;
  const keys = fact.keysAt === undefined ? none : fact.keysAt.flatMap(beside);
  const [optional] = beside(fact.optionalAt);
  return namesIn(written(node), fact.form).map((name) => {
    const site: Mutable<ReferenceSite> = { path, fact, name: name.name };
    if (kind !== '') site.kind = kind;
    if (group !== undefined) site.group = groupIn(fact.groupAt ?? '', group.text);
    const where = name.namespace ?? namespace;
    if (where !== undefined) site.namespace = where;
    if (keys.length > 0) site.keys = keys;
    if (optional?.text === 'true' || isOfPolicy(fact)) site.optional = true;
    return site;
  });
}

/** Whether a field of a policy names objects that need not exist. */
export function isOfPolicy({ form }: Pick<ReferenceFact, 'form'>): boolean {
  return form === 'pattern' || form === 'account' || form === 'meshHost';
}

/** Whether a field of a policy names a namespace. */
export function isNamespaceOfPolicy({ fact }: Pick<ReferenceSite, 'fact'>): boolean {
  return isOfPolicy(fact) && fact.targets.some(({ group, kind }) => group === '' && kind === 'Namespace');
}

function isText(node: Node): boolean {
  return node.kind === 'scalar' && node.type !== 'null' && node.text !== '';
}

/** Returns the API group from the value of a field that contains either a group or an `apiVersion`. */
function groupIn(path: string, text: string): string {
  if (!path.endsWith('piVersion')) return text;
  return text.includes('/') ? text.slice(0, text.indexOf('/')) : '';
}

interface NameInText {
  readonly name: Written;
  readonly namespace?: Written;
}

/** Returns the object names in the value of a field, whose notation is `form`. */
function namesIn(text: Written, form: ReferenceFact['form']): readonly NameInText[] {
  if (form === undefined || form === 'claim') return [{ name: text }];
  if (typeof text.value !== 'string') return [];
  if (form === 'dns') return serviceIn(text);
  if (form === 'pattern') return /[*?]/.test(text.text) ? [] : [{ name: text }];
  if (form === 'account') return accountIn(text);
  if (form === 'meshHost') return /^[a-z0-9-]+$|\.svc(?:\.cluster\.local)?$/i.test(text.text) ? serviceIn(text) : [];
  const parts = form === 'list' ? text.text.split(',') : [text.text];
  let start = 0;
  return parts.flatMap((part) => {
    const from = start;
    start += part.length + 1;
    return namespacedName(text, from, part);
  });
}

/** Returns the name from a value that contains either only a name, or a namespace and a name separated by a slash. */
function namespacedName(text: Written, from: number, part: string): readonly NameInText[] {
  const slash = part.indexOf('/');
  const name = trimmedPiece(text, from + slash + 1, part.slice(slash + 1));
  if (name === undefined) return [];
  const namespace = slash === -1 ? undefined : trimmedPiece(text, from, part.slice(0, slash));
  return [{ name, ...(namespace && { namespace }) }];
}

function trimmedPiece(text: Written, from: number, part: string): Written | undefined {
  const start = from + part.length - part.trimStart().length;
  const name = part.trim();
  return name === '' ? undefined : writtenPiece(text, { start, end: start + name.length }, pieceOrWhole);
}

/** Returns the span of a substring, or the span of the whole value if the positions of its characters are unknown. */
function pieceOrWhole(text: Written, piece: { readonly start: number; readonly end: number }) {
  return pieceOf(text, piece) ?? text.span;
}

/** Returns the service account in a principal of Istio, such as `cluster.local/ns/shop/sa/web`, or in `shop/web`. Principals of other trust domains are accounts of other clusters. */
function accountIn(text: Written): readonly NameInText[] {
  if (/^.+[*?]|^\*$/.test(text.text)) return [];
  const [, before = '', namespace = '', between = '', account = ''] =
    /^((?:cluster\.local|\*)\/ns\/)([^/]+)(\/sa\/)([^/]+)$/.exec(text.text) ?? [];
  if (namespace === '') return text.text.split('/').length > 2 ? [] : namespacedName(text, 0, text.text);
  const start = before.length + namespace.length + between.length;
  const [name, where] = [trimmedPiece(text, start, account), trimmedPiece(text, before.length, namespace)];
  return name === undefined ? [] : [{ name, ...(where && { namespace: where }) }];
}

/** Returns the Service name at the start of a DNS name, which may include the namespace and the cluster domain. Other DNS names do not refer to Services. */
function serviceIn(text: Written): readonly NameInText[] {
  const [, service = '', namespace] =
    /^([a-z0-9-]+)(?:\.([a-z0-9-]+))?(?:\.svc(?:\.cluster\.local)?)?$/i.exec(text.text) ?? [];
  const name = trimmedPiece(text, 0, service);
  if (name === undefined) return [];
  const where = namespace === undefined ? undefined : trimmedPiece(text, service.length + 1, namespace);
  return [{ name, ...(where && { namespace: where }) }];
}

/** Returns the nodes at the catalogue path `at` that belong to the same list items as the site at `path`; `own` is the catalogue path of the site. If `at` continues through other lists, returns the nodes in all of their items. */
export function nodesBeside(root: Node, at: string, own: string, path: string): readonly Node[] {
  const [wanted, shared] = [getOrAdd(knownSegments, at, segmentsOf), getOrAdd(knownSegments, own, segmentsOf)];
  const concrete = getOrAdd(knownSteps, path, stepsOf);
  let isShared = true;
  let nodes: readonly Node[] = [root];
  for (let index = 0; index < wanted.length && nodes.length > 0; index++) {
    const segment = wanted[index] ?? '';
    isShared &&= shared[index] === segment;
    const step = isShared ? (concrete[index] ?? segment) : segment;
    const [first, ...others] = nodes;
    nodes =
      first !== undefined && others.length === 0
        ? stepInto(first, step)
        : nodes.flatMap((node) => stepInto(node, step));
  }
  return nodes;
}

function stepsOf(path: string): readonly string[] {
  return path.split(/[.[\]]+/).filter((step) => step !== '');
}

const knownSteps = new BoundedMap<string, readonly string[]>(1_000);
const knownSegments = new BoundedMap<string, readonly string[]>(1_000);

function stepInto(node: Node, step: string): readonly Node[] {
  if (node.kind === 'list') {
    if (step === '[]') return node.items;
    const item = node.items[Number(step)];
    return item === undefined ? [] : [item];
  }
  if (node.kind === 'map' && step === '*') return node.entries.map(({ key }) => key);
  const child = childOf(node, step);
  return child === undefined ? [] : [child];
}

/** Returns the names of the parts of the same object to which a local reference may refer. */
export function localTargets(root: Node, { fact, path }: ReferenceSite): readonly Written[] {
  const paths = [...(fact.local ?? [])];
  // A StatefulSet creates a volume for each of its volume claim templates.
  if (paths.some((each) => each.endsWith('volumes[].name'))) paths.push('spec.volumeClaimTemplates[].metadata.name');
  return paths.flatMap((at) =>
    nodesBeside(root, at, fact.path, path).flatMap((node) => (node.kind === 'scalar' ? [written(node)] : [])),
  );
}

/** Patterns of fields whose value is the name of an object, and the kind of that object. */
const fieldShapes: readonly (readonly [RegExp, GroupKind])[] = [
  [/^secretName$|SecretName$/, { group: '', kind: 'Secret' }],
  [/^configMapName$|ConfigMapName$/, { group: '', kind: 'ConfigMap' }],
  [/^serviceAccountName$|ServiceAccountName$/, { group: '', kind: 'ServiceAccount' }],
];

/** Patterns of fields that contain a map with the `name` of an object, and the kind of that object. */
const mapShapes: readonly (readonly [RegExp, GroupKind])[] = [
  [/(?:^s|S)ecret(?:Key)?(?:Ref|Reference|Selector)$/, { group: '', kind: 'Secret' }],
  [/(?:^c|C)onfigMap(?:Key)?(?:Ref|Reference|Selector)$/, { group: '', kind: 'ConfigMap' }],
  [/(?:^s|S)erviceAccount(?:Ref|Reference)$/, { group: '', kind: 'ServiceAccount' }],
];

/** Finds references in an object of a custom kind, judging by the names of its fields. */
function sitesOfShape(root: Node): readonly ReferenceSite[] {
  const found: ReferenceSite[] = [];
  if (treeSizeOf(root).size > maximumShapedSize) return found;
  const seen = new Set<Node>();
  // The current position is stored as steps; a path string is built only for a reference.
  const steps: (string | number)[] = [];
  const add = (name: Node, target: ShapeTarget) => {
    const path = steps.map((step) => (typeof step === 'number' ? '[]' : `.${step}`)).join('');
    const concrete = steps.map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`)).join('');
    found.push(...sitesAt(root, shapeFact(path.slice(1), target), concrete.slice(1), name));
  };
  const visit = (node: Node, key: string): void => {
    if (node.kind === 'scalar') {
      const target = key.endsWith('Name') ? fieldShapes.find(([name]) => name.test(key))?.[1] : undefined;
      if (target !== undefined) add(node, target);
      return;
    }
    if (seen.has(node)) return;
    seen.add(node);
    if (node.kind === 'list') {
      for (let index = 0; index < node.items.length; index++) {
        const item = node.items[index];
        steps.push(index);
        if (item !== undefined && item.kind !== 'scalar') visit(item, key.endsWith('s') ? key.slice(0, -1) : key);
        steps.pop();
      }
      return;
    }
    const name = childOf(node, 'name');
    const target = name?.kind === 'scalar' ? targetOfShape(node, key) : undefined;
    for (const entry of node.entries) {
      const { text, pattern } = entry.key;
      if (pattern !== undefined || text.includes('.') || (steps.length === 0 && text === 'metadata')) continue;
      steps.push(text);
      if (target !== undefined && entry.value === name) add(name, target);
      else visit(entry.value, text);
      steps.pop();
    }
  };
  visit(root, '');
  return found;
}

/** The maximum number of nodes in an object that is searched for references by field names. */
const maximumShapedSize = 50_000;

/** Returns the target of a map that is a reference, according to the key and the fields of the map; undefined if the map is not a reference. */
function targetOfShape(map: MapNode, key: string): ShapeTarget | undefined {
  if (/(?:^r|R)ef(?:erence)?$/.test(key) && childOf(map, 'kind')?.kind === 'scalar') return 'named';
  const known = mapShapes.find(([name]) => name.test(key))?.[1];
  // A small map with `key` is a reference to a key, for example `password` in the endpoint of a monitor.
  return known ?? (map.entries.length <= 3 && childOf(map, 'key')?.kind === 'scalar' ? 'keyed' : undefined);
}

/** The kind of the referenced object; `named` if the map itself specifies the kind, and `keyed` if it refers to a key of a ConfigMap or Secret. */
type ShapeTarget = GroupKind | 'named' | 'keyed';

const shapeFacts = new BoundedMap<string, ReferenceFact>(1_000);

function shapeFact(path: string, target: ShapeTarget): ReferenceFact {
  return getOrAdd(shapeFacts, `${path} ${typeof target === 'string' ? target : target.kind}`, () => {
    const parent = path.slice(0, Math.max(0, path.lastIndexOf('.')));
    const at = (field: string) => `${parent}.${field}`;
    if (target === 'named') {
      const named = { kindAt: at('kind'), groupAt: at('apiVersion'), namespaceAt: at('namespace') };
      return { path, targets: [], ...named, guessed: true };
    }
    const targets = target === 'keyed' ? keyedKinds : [target];
    if (!path.endsWith('.name')) return { path, targets, guessed: true };
    return { path, targets, namespaceAt: at('namespace'), keysAt: [at('key')], guessed: true };
  });
}

const keyedKinds: readonly GroupKind[] = ['Secret', 'ConfigMap'].map((kind) => ({ group: '', kind }));

/** The parts of objects of the Gateway API to which routes refer by `sectionName`. */
const sections: ReadonlyMap<string, readonly string[]> = new Map(
  ['Gateway', 'ListenerSet'].map((kind) => [`gateway.networking.k8s.io/${kind}`, ['spec.listeners[].name']]),
);

/** Returns the keys of the ConfigMap or Secret that an object represents, or that the controller of the object creates; for a Gateway, the names of its listeners. */
export function dataKeysOf(root: Node, { group, kind, producers = [] }: KindFact): DataKeys | undefined {
  const isMap = group === '' && (kind === 'ConfigMap' || kind === 'Secret');
  const ownPaths = sections.get(`${group}/${kind}`) ?? [];
  if (!isMap && producers.length + ownPaths.length === 0) return undefined;
  const fields = isMap ? ['data', kind === 'Secret' ? 'stringData' : 'binaryData'] : [];
  const paths = [...ownPaths, ...producers.flatMap(({ keysAt = [] }) => keysAt)];
  if (fields.length + paths.length === 0) return undefined;
  const keys = paths.flatMap((path) => nodesBeside(root, path, '', '').flatMap((node) => writtenKey(node)));
  let open = paths.length > 0 && childOf(childOf(root, 'spec'), 'dataFrom') !== undefined;
  open ||= paths.some((path) => mayContinue([root], getOrAdd(knownSegments, path, segmentsOf)));
  for (const field of fields) {
    const map = childOf(root, field);
    if (map === undefined) continue;
    if (map.kind === 'map') for (const { key } of map.entries) keys.push(...writtenKey(key));
    open ||= mayContinue([map], ['*']);
  }
  return keys.length === 0 && !open ? undefined : { keys, open };
}

/** Whether a template may add nodes at a path, or may leave out some of them. */
function mayContinue(nodes: readonly Node[], segments: readonly string[]): boolean {
  const [step, ...others] = segments;
  if (nodes.some(isOpen)) return true;
  if (step === undefined || nodes.length === 0) return false;
  const isConditional = (node: Node) =>
    node.kind === 'map' &&
    node.entries.some(({ key, conditional }) => conditional && (step === '*' || key.text === step));
  return (
    nodes.some(isConditional) ||
    mayContinue(
      nodes.flatMap((node) => stepInto(node, step)),
      others,
    )
  );
}

function writtenKey(node: Node): readonly Written[] {
  return node.kind === 'scalar' ? [written(node)] : [];
}

/** Returns the references in the values of labels and annotations. */
export function labelReferences(
  { labelSites, kind, namespace: home }: Pick<ManifestObject, 'labelSites' | 'kind' | 'namespace'>,
  catalogue: Catalogue,
): readonly ReferenceSite[] {
  const facts = catalogue.keyReferences();
  let found: ReferenceSite[] | undefined;
  for (const { path, place, entries } of labelSites) {
    for (const { key, value } of entries) {
      const all = facts.get(key.text);
      if (all === undefined || value.type !== 'string' || value.text === '') continue;
      const on = place.holds === 'labels' ? 'label' : 'annotation';
      const known = all.find((each) => each.on === on && isOn(each, kind, path));
      if (known === undefined) continue;
      const fact = getOrAdd(keyFacts, known, keyFact);
      found ??= [];
      const names = fact.form === 'kubernetescrd' ? namesForTraefik(value, home) : namesIn(value, fact.form);
      for (const name of names) found.push({ path: `${path}.${key.text}`, fact, ...name });
    }
  }
  return found ?? none;
}

const none: readonly never[] = [];

const providerSuffix = '@kubernetescrd';

/** Returns the names of objects in a list such as `shop-auth@kubernetescrd`, which consist of a namespace and a name. Only the namespace of the object itself is known, so names of other namespaces are left out. */
function namesForTraefik(text: Written, home: Written | undefined): readonly NameInText[] {
  if (typeof text.value !== 'string' || typeof home?.value !== 'string') return none;
  const prefix = `${home.value}-`;
  let start = 0;
  return text.text.split(',').flatMap((part) => {
    const from = start + part.length - part.trimStart().length;
    start += part.length + 1;
    const item = part.trim();
    if (!item.startsWith(prefix) || !item.endsWith(providerSuffix)) return [];
    const name = trimmedPiece(text, from + prefix.length, item.slice(prefix.length, -providerSuffix.length));
    return name === undefined ? [] : [{ name }];
  });
}

/** Returns the reference of an object to the Namespace that contains it; undefined if the object has no namespace. */
export function namespaceReference({ namespace, kind }: ManifestObject): ReferenceSite | undefined {
  if (namespace === undefined || kind === 'Namespace') return undefined;
  return { path: namespaceFact.path, fact: namespaceFact, name: namespace };
}

const namespaceFact: ReferenceFact = { path: 'metadata.namespace', targets: [{ group: '', kind: 'Namespace' }] };

const keyFacts = new WeakMap<KeyReference, ReferenceFact>();

function keyFact({ key, to, form, on }: KeyReference): ReferenceFact {
  return { path: `metadata.${on}s.${key}`, targets: to, ...(form && { form }) };
}

/** Whether a fact about references in labels or annotations applies to the labels or annotations at a path in an object of the given kind. In a template, they are labels or annotations of pods. */
function isOn({ kinds }: KeyReference, kind: string, path: string): boolean {
  return kinds === undefined || kinds.includes(path.startsWith('metadata.') ? kind : 'Pod');
}

/** Returns the kinds to which a site may refer. If the site does not specify a group, kinds of any group are possible. */
export function targetKinds(
  { fact, kind, group }: ReferenceSite,
  catalogue: Catalogue,
): readonly { readonly group?: string; readonly kind: string }[] {
  if (fact.part !== undefined || fact.local !== undefined) return [];
  if (kind === undefined) return fact.kindAt === undefined ? fact.targets : fact.targets.slice(0, 1);
  if (fact.form === 'pattern') return kind.split(',').flatMap((pattern) => kindIn(pattern, catalogue));
  // Rules of a role specify resources by their plural names.
  if (fact.kindAt?.endsWith('[]')) return kind.split(',').flatMap((plural) => catalogue.named(plural).slice(0, 1));
  const known = fact.targets.find((each) => each.kind === kind);
  if (group === undefined || (group === '' && known !== undefined)) return [known ?? { kind }];
  return [{ group, kind }];
}

/** Returns the kind that a policy names as `Kind`, `version/Kind` or `group/version/Kind`; empty for other patterns. */
function kindIn(pattern: string, catalogue: Catalogue): readonly GroupKind[] {
  const [kind = '', version, group] = pattern.split('/').toReversed();
  const found = catalogue.named(kind.toLowerCase()).filter((each) => each.kind === kind);
  const ofGroup = group === undefined ? found : found.filter((each) => each.group === group);
  return version === undefined || /^v\d/.test(version) ? ofGroup.slice(0, 1) : [];
}

/** Whether a condition holds for the root, or for any collection that leads to the parts to which a reference may refer. */
export function isAnyPart(root: Node, { fact, path }: ReferenceSite, holds: (node: Node) => boolean): boolean {
  return (fact.local ?? []).some((at) => {
    const steps = at.split('.');
    const prefixes = steps.flatMap((step, index) => {
      const prefix = [...steps.slice(0, index), step].join('.');
      return step.endsWith('[]') ? [prefix.slice(0, -2), prefix] : [prefix];
    });
    return holds(root) || prefixes.some((each) => nodesBeside(root, each, fact.path, path).some(holds));
  });
}
