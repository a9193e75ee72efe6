/** Reports labels and taints of nodes in selectors, topology keys and tolerations that resemble known ones and that no Node in the workspace has. */

import type { Catalogue, SelectorFact } from '../../engine/catalogue/types.ts';
import { everything, type Taint, validateLabelKey } from '../../engine/index.ts';
import { getOrAdd, memoized, once } from '../../engine/memoize.ts';
import type { ManifestObject, Written } from '../../manifests/model.ts';
import { written } from '../../manifests/sites/sites.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { childOf, type Node } from '../../manifests/yaml/tree.ts';
import { editDistance } from '../../text/edit-distance.ts';
import { localize } from '../../text/localize.ts';
import { isLikelyMisspelling, misspelling } from '../../text/misspelling.ts';
import { SimilarNames } from '../../text/similar-names.ts';
import type { Candidate, Workspace } from '../../workspace/model.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { nodeTaints, podTolerations } from '../../workspace/selection/node-fits.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { storedParts } from '../helpers/certain-objects.ts';
import { meantValue } from '../helpers/meant-value.ts';
import { patchesOfFile, patchParts } from '../helpers/patch-parts.ts';
import { shorten } from '../helpers/sentences.ts';
import { taintListsOf } from '../helpers/taint-lists.ts';

interface AlmostKnown extends Fact {
  /** The key, or a value of a well-known key. */
  readonly scalar: Written;
  /** The key whose value is reported; absent if the key itself is reported. */
  readonly ofKey?: string;
  /** Set for the key of a taint or a toleration. */
  readonly of?: 'taints' | 'tolerations';
  readonly nearest: string;
}

export const unknownNodeLabel = rule<AlmostKnown>({
  id: 'unknown-node-label',
  severity: 'hint',
  needs: 'objects',
  acrossFiles: true,
  acrossScopes: true,
  summary: 'A node label, value or toleration that resembles a known one, but that no Node in the workspace has.',
  why: 'A node selector with a misspelled key or value is valid and matches no node, so the pod stays pending. With a misspelled topology key, pods are not spread. A toleration whose key resembles the key of a taint, but that no taint of the Nodes and node pools in the workspace has, tolerates nothing. If several objects have the toleration, the taint is reported.',
  bad: [
    {
      title: 'A misspelled key.',
      text: `apiVersion: v1
kind: Pod
metadata:
  name: basket
spec:
  nodeSelector:
    topology.kubernetes.io/zne: eu-west-1a
`,
    },
  ],
  good: [
    {
      title: 'A well-known label and a label of your own.',
      change: [
        'topology.kubernetes.io/zne: eu-west-1a',
        `topology.kubernetes.io/zone: eu-west-1a
    shop.example.com/pool: fast`,
      ],
    },
  ],
  *check(context) {
    const { catalogue } = context;
    const seen = new Set<number>();
    const declared = once(() => keysOfNodes(context.workspace));
    const patched = patchParts(context).map(({ object }) => object);
    for (const object of [...storedParts(context), ...patchesOfFile(context), ...patched]) {
      for (const { key, kinds } of nodeKeys(object, catalogue)) {
        if (typeof key.value !== 'string' || seen.has(key.span.start)) continue;
        seen.add(key.span.start);
        const nearest =
          almost(key.value, wellKnown(catalogue, kinds), context) ??
          almostDeclared(key.value, kinds, declared, context);
        if (nearest !== undefined) yield { span: key.span, scalar: key, nearest };
      }
      for (const { key, value } of nodeValues(object, catalogue)) {
        if (seen.has(value.span.start)) continue;
        seen.add(value.span.start);
        const nearest = almostValue(key, value, context);
        if (nearest !== undefined) yield { span: value.span, scalar: value, ofKey: key, nearest };
      }
    }
    if (context.mentions('taints')) yield* almostTaints(context);
  },
  message: ({ scalar, ofKey, of, nearest }) =>
    of === 'tolerations'
      ? localize`No Node in this workspace has a taint with the key '${shorten(scalar.text)}'. Did you mean '${shorten(nearest)}'?`
      : of === 'taints'
        ? localize`No pod in this workspace tolerates a taint with the key '${shorten(scalar.text)}'. Did you mean '${shorten(nearest)}'?`
        : ofKey === undefined
          ? localize`'${scalar.text}' is not a well-known node label, and no Node in this workspace has it. Did you mean '${nearest}'?`
          : localize`'${shorten(scalar.text)}' is not a known value of '${ofKey}', and no Node in this workspace has it. Did you mean '${nearest}'?`,
  fixes: ({ scalar, ofKey, nearest }) => [
    {
      title: localize`Change the ${ofKey === undefined ? 'key' : 'value'} to '${shorten(nearest)}'`,
      edits: [replaceScalar(scalar, nearest)],
      preferred: true,
    },
  ],
});

function* nodeKeys({ group, version, kind, selectorSites, labelKeySites }: ManifestObject, catalogue: Catalogue) {
  for (const { fact, entries, expressions } of selectorSites) {
    if (!choosesNodes(fact)) continue;
    const kinds = fact.targets.map((target) => target.kind);
    for (const { key } of [...entries, ...expressions]) if (key !== undefined) yield { key, kinds };
  }
  if (labelKeySites.length === 0) return;
  const facts = catalogue.kind(group, version, kind)?.selectors.filter(choosesNodes) ?? [];
  const chosen = new Set(facts.flatMap(({ targets }) => targets.map((target) => target.kind)));
  for (const { key, place } of labelKeySites)
    if (place.form !== 'prometheus' && place.of !== undefined && chosen.has(place.of.kind))
      yield { key, kinds: [place.of.kind] };
}

/** Yields the values that node selectors require or exclude, each with its key, except values in maps that another rule reports. */
function* nodeValues({ selectorSites }: ManifestObject, catalogue: Catalogue) {
  for (const { fact, entries, expressions } of selectorSites) {
    if (!choosesNodes(fact)) continue;
    for (const entry of entries)
      if (meantValue(entry, 'label', catalogue) === undefined) yield { key: entry.key.text, value: entry.value };
    for (const { key, values } of expressions) for (const value of values) yield { key: key?.text ?? '', value };
  }
}

/** Names of operating systems and architectures that other tools use. */
const otherNames: Readonly<Record<string, string>> = {
  x86_64: 'amd64',
  'x86-64': 'amd64',
  x64: 'amd64',
  aarch64: 'arm64',
  i386: '386',
  i686: '386',
};

/** Returns the known value to which the value of a well-known key is almost equal; undefined if the value is known, or if an object has it. */
function almostValue(key: string, { value }: Written, { catalogue, workspace }: RuleContext): string | undefined {
  const fact = catalogue.key(key, 'label');
  const newer = fact?.replacement === undefined ? undefined : catalogue.key(fact.replacement, 'label');
  const known = fact?.values ?? newer?.values ?? [];
  if (typeof value !== 'string' || value === '' || known.length === 0 || known.includes(value)) return undefined;
  if (workspace.carrying(key, value).length > 0) return undefined;
  const written = value.toLowerCase();
  const other = Object.hasOwn(otherNames, written) ? otherNames[written] : written;
  if (other !== undefined && known.includes(other)) return other;
  // Swapped digits are a mistake, as in `amd46`, although digits otherwise distinguish variants of a name.
  const swapped = known.find((each) => lettersOf(each) === lettersOf(written));
  if (swapped !== undefined) return swapped;
  const near = known.map((each) => ({ each, how: misspelling(each, written) }));
  return (
    near.find(({ how }) => how === 'evident') ??
    near.find(({ how }) => how === 'likely') ??
    near.find(({ how }) => how === 'possible')
  )?.each;
}

function lettersOf(text: string): string {
  return [...text].toSorted().join('');
}

function choosesNodes({ plain, form }: SelectorFact): boolean {
  return plain && form.startsWith('nodeSelector');
}

const farthest = 2;

/** Returns the similar well-known key, only for keys with a prefix: `disk` and `dish` may both be custom keys. */
function almost(key: string, known: readonly string[], { catalogue, workspace }: RuleContext): string | undefined {
  if (!key.includes('/') || catalogue.key(key, 'label') !== undefined) return undefined;
  // Another rule reports invalid keys.
  if (validateLabelKey(key).length > 0) return undefined;
  const near = known.map((each) => ({ each, far: editDistance(key, each, farthest) }));
  const least = Math.min(farthest, ...near.map(({ far }) => far));
  const [best, ...others] = near.filter(({ far }) => far === least);
  return best === undefined || others.length > 0 || isOnObject(key, workspace) ? undefined : best.each;
}

/** Returns the only similar key with the same prefix that a Node or a node pool in the workspace has, for a key that nothing has. */
function almostDeclared(
  key: string,
  kinds: readonly string[],
  declared: () => ReadonlyMap<string, SimilarNames>,
  context: RuleContext,
): string | undefined {
  const { catalogue, workspace } = context;
  if (!key.includes('/') || !kinds.includes('Node') || catalogue.key(key, 'label') !== undefined) return undefined;
  if (validateLabelKey(key).length > 0 || isOnObject(key, workspace)) return undefined;
  const prefix = prefixOf(key);
  const name = key.slice(prefix.length);
  const similar = declared().get(prefix)?.near(name) ?? [];
  const [near, ...others] = similar.filter((each) => misspelling(each, name) !== undefined);
  return near === undefined || others.length > 0 ? undefined : `${prefix}${near}`;
}

/** Yields the keys of tolerations and taints that resemble each other, if no taint has the key of the tolerations, and no toleration the key of the taints. */
function* almostTaints(context: RuleContext): Iterable<AlmostKnown> {
  const { catalogue, workspace } = context;
  const taints = once(() => keysIn(workspace.find('/Node', everything), nodeTaints));
  const tolerations = once(() => keysIn(workspace.find('/Pod', everything), podTolerations));
  const similar = memoized((counts: ReadonlyMap<string, number>) => new SimilarNames(counts.keys()));
  const seen = new Set<Node>();
  for (const object of storedParts(context)) {
    const root = treeOf(context, object);
    if (root === undefined) continue;
    for (const { are, node } of taintListsOf(object, root, seen)) {
      const keys = node.items.flatMap((item) => childOf(item, 'key') ?? []);
      for (const key of keys) {
        if (key.kind !== 'scalar' || key.pattern !== undefined || catalogue.key(key.text) !== undefined) continue;
        if (validateLabelKey(key.text).length > 0) continue;
        const [own, counterparts] = are === 'taints' ? [taints, tolerations] : [tolerations, taints];
        const others = counterparts();
        if (others === undefined || others.has(key.text)) continue;
        const near = similar(others).near(key.text);
        const [nearest, ...more] = near.filter((each) => isLikelyMisspelling(each, key.text));
        if (nearest === undefined || more.length > 0 || own()?.has(nearest) !== false) continue;
        // Usually one of the tolerations is wrong, but several objects rarely have the same misspelling.
        const mostOften = (are === 'taints' ? others.get(nearest) : own()?.get(key.text)) ?? 0;
        if (mostOften > 1 === (are === 'taints')) yield { span: key.span, scalar: written(key), of: are, nearest };
      }
    }
  }
}

/** Returns how many objects have each key of a taint or toleration; undefined if a template determines some of them. */
function keysIn(
  candidates: Iterable<Candidate>,
  listOf: (candidate: Candidate) => readonly Taint[] | 'unknown',
): ReadonlyMap<string, number> | undefined {
  const counts = new Map<string, number>();
  for (const candidate of candidates) {
    const listed = listOf(candidate);
    if (listed === 'unknown') return undefined;
    for (const key of new Set(listed.map((each) => each.key)))
      if (typeof key === 'string') counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  return counts;
}

function prefixOf(key: string): string {
  return key.slice(0, key.indexOf('/') + 1);
}

/** Returns the names in the keys of the labels of the Nodes and node pools in a workspace, by their prefix. */
function keysOfNodes(workspace: Workspace): ReadonlyMap<string, SimilarNames> {
  const names = new Map<string, Set<string>>();
  for (const { labelSet } of workspace.find('/Node', everything))
    for (const key of Object.keys(labelSet.labels)) {
      const prefix = prefixOf(key);
      getOrAdd(names, prefix, () => new Set()).add(key.slice(prefix.length));
    }
  return new Map([...names].map(([prefix, each]) => [prefix, new SimilarNames(each)]));
}

/** Whether an object in the workspace has the key: a Node, or an object of another kind such as a node pool. */
function isOnObject(key: string, workspace: Workspace): boolean {
  return workspace.hasKey(undefined, key);
}

const knownKeys = new WeakMap<Catalogue, Map<string, readonly string[]>>();

function wellKnown(catalogue: Catalogue, kinds: readonly string[]): readonly string[] {
  const byKinds = knownKeys.get(catalogue) ?? new Map<string, readonly string[]>();
  knownKeys.set(catalogue, byKinds);
  const found = byKinds.get(kinds.join());
  if (found !== undefined) return found;
  const keys = catalogue
    .keys()
    .filter((fact) => fact.type === 'label' || fact.type === 'both')
    .filter((fact) => !fact.pattern && fact.kinds.some((kind) => kinds.includes(kind)))
    .map((fact) => fact.key);
  byKinds.set(kinds.join(), keys);
  return keys;
}
