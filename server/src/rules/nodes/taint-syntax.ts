/** Reports taints and tolerations that Kubernetes rejects, and misspelled well-known taints. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { Catalogue } from '../../engine/catalogue/types.ts';
import {
  type Problem,
  type Taint,
  type Toleration,
  type Value,
  validateTaint,
  validateToleration,
} from '../../engine/index.ts';
import type { ManifestObject, Written } from '../../manifests/model.ts';
import { written } from '../../manifests/sites/sites.ts';
import { quoteAsTyped, replaceScalar } from '../../manifests/write/write-text.ts';
import {
  childOf,
  entryOf,
  type ListNode,
  type MapNode,
  mayHoldMore,
  type Node,
  type ScalarNode,
  textOf,
} from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { correctLabel } from '../fixes/fix-label.ts';
import { correctTaintWord, nearestTaint } from '../fixes/fix-taint.ts';
import { removeField } from '../fixes/remove-field.ts';
import { type Fact, type Fix, type RuleContext, rule } from '../framework/rule.ts';
import { storedParts } from '../helpers/certain-objects.ts';
import { flagFaults } from '../helpers/kubelet-flags.ts';
import { isStringInKustomize } from '../helpers/kustomize-strings.ts';
import { isWordPlaceholder } from '../helpers/name-placeholders.ts';
import { hasOperations, patchesOfFile, patchParts } from '../helpers/patch-parts.ts';
import { describeProblems, shorten } from '../helpers/sentences.ts';
import { type TaintList, taintListsIn, taintListsOf } from '../helpers/taint-lists.ts';

interface BadTaint extends Fact {
  readonly message: string;
  readonly fix?: Fix;
  /** The operator `Exists` next to a value, which are a contradiction. */
  readonly exists?: { readonly operator: Written; readonly value: Span };
}

export const taintSyntax = rule<BadTaint>({
  id: 'taint-syntax',
  severity: 'error',
  validatesFields: true,
  summary: 'A taint or toleration that Kubernetes rejects, or a misspelled well-known taint.',
  why: 'The API server rejects a Node with an invalid taint, and a pod with an invalid toleration. Keys and values follow the rules of labels, and the effect is `NoSchedule`, `PreferNoSchedule` or `NoExecute`. A toleration with the operator `Exists` has no value, a toleration without a key has the operator `Exists`, and `tolerationSeconds` requires the effect `NoExecute`. A toleration of a misspelled key is accepted, and tolerates nothing; a taint with a misspelled key is accepted, and no toleration matches it. The values of a chart that a template writes as tolerations are validated, too, and so are patches. The kubelet does not start with invalid labels and taints in `kubeletExtraArgs` of kubeadm or Cluster API, nor with `node-labels` whose prefix is reserved.',
  bad: [
    {
      title: 'An effect in lower case.',
      text: podWith('{ key: dedicated, operator: Equal, value: gpu, effect: noSchedule }'),
    },
    {
      title: 'A value that is a boolean in YAML.',
      text: podWith('{ key: spot, operator: Equal, value: true, effect: NoSchedule }'),
    },
    {
      title: 'A value next to the operator `Exists`.',
      text: podWith('{ key: spot, operator: Exists, value: "true", effect: NoSchedule }'),
    },
  ],
  good: [
    {
      title: 'Tolerations of one value, of any value, and of every taint.',
      text: podWith(`{ key: dedicated, value: gpu, effect: NoSchedule }
    - { key: spot, operator: Exists }
    - { operator: Exists }`),
    },
  ],
  dependsOnOthers: hasOperations,
  *check(context) {
    if (!context.mentions('taints')) return;
    const seen = new Set<Node>();
    const ofTools = context.manifest.objects.filter(({ group }) => nodeTools.has(group));
    for (const object of [...storedParts(context), ...patchesOfFile(context), ...ofTools]) {
      const root = treeOf(context, object);
      if (root === undefined) continue;
      yield* factsIn(context, taintListsOf(object, root, seen), object, isBuiltIn(object.group) && !object.inValues);
      yield* flagFacts(context, root);
    }
    for (const { root, object, isKindKnown } of patchParts(context)) {
      yield* factsIn(context, taintListsIn(root, seen), object, isBuiltIn(object.group) && isKindKnown);
      yield* flagFacts(context, root);
    }
  },
  message: ({ message }) => message,
  fixes: ({ fix, exists }, { text }) =>
    fix !== undefined ? [fix] : exists === undefined ? [] : fixesOfExists(text, exists),
});

function podWith(tolerations: string): string {
  return `apiVersion: v1
kind: Pod
metadata:
  name: basket
spec:
  containers: [{ name: basket, image: example.com/basket }]
  tolerations:
    - ${tolerations}
`;
}

/** Yields the faults in lists of an object; they are warnings if the API server may not validate the lists. */
function* factsIn(
  context: RuleContext,
  lists: Iterable<TaintList>,
  object: TaintedType,
  isCertain: boolean,
): Iterable<BadTaint> {
  for (const list of lists)
    for (const fact of factsOf(context, list, object)) yield isCertain ? fact : { ...fact, severity: 'warning' };
}

/** Yields the faults in the labels and taints that arguments pass to the kubelet. */
function* flagFacts({ text }: RuleContext, root: Node): Iterable<BadTaint> {
  for (const { span, message, corrected } of flagFaults(root, text)) {
    const title = corrected && localize`Change to '${shorten(corrected.text)}'`;
    const fix = corrected &&
      title && { title, edits: [{ span, text: corrected.text }], preferred: corrected.preferred };
    yield { span, message, severity: 'warning', ...(fix && { fix }) };
  }
}

/** The groups of the tools that create nodes, whose configurations are not stored in a cluster. */
const nodeTools: ReadonlySet<string> = new Set(['eksctl.io', 'kubeadm.k8s.io', 'kubelet.config.k8s.io']);

/** The groups of custom resources whose taints are those of Kubernetes. */
const ownTaints: ReadonlySet<string> = new Set(['karpenter.sh', 'kueue.x-k8s.io']);

type TaintedType = Pick<ManifestObject, 'group' | 'kind'>;

const fields: ReadonlySet<string> = new Set(['key', 'value', 'effect', 'operator', 'tolerationSeconds', 'timeAdded']);

/** Yields the faults of the items of a list that have only the fields of taints or tolerations. */
function* factsOf(context: RuleContext, { are, node }: TaintList, object: TaintedType): Iterable<BadTaint> {
  const earlier = new Set<string>();
  for (const item of node.items) {
    if (item.kind !== 'map' || item.entries.some(({ key, merged }) => merged || !fields.has(key.text))) continue;
    if (item.entries.some(({ value, conditional }) => value.kind !== 'scalar' || conditional)) continue;
    const nonStrings = typeFacts(context, item);
    yield* nonStrings;
    if (nonStrings.length > 0) continue;
    yield* are === 'taints' ? taintFacts(item, object, earlier) : tolerationFacts(item);
    const near = nearTaint(item, node, context.catalogue);
    if (near !== undefined) yield near;
  }
}

/** Returns the values that are not strings in YAML. */
function typeFacts(context: RuleContext, item: MapNode): readonly BadTaint[] {
  return ['key', 'value', 'effect', 'operator'].flatMap((field) => {
    const node = childOf(item, field);
    if (node?.kind !== 'scalar' || node.type === 'string' || node.type === 'null' || node.pattern !== undefined)
      return [];
    const scalar = written(node);
    if (isStringInKustomize(context, scalar)) return [];
    const message = localize`The ${field} '${shorten(node.text)}' must be quoted; unquoted, it is a ${node.type}, not a string.`;
    const edits = [quoteAsTyped(scalar)];
    const fix = { title: localize`Quote the ${field}`, edits, preferred: true, safe: node.tagged === undefined };
    return [{ span: node.span, message, ...(node.tagged === undefined && { fix }) }];
  });
}

function* taintFacts(item: MapNode, { group, kind }: TaintedType, earlier: Set<string>): Iterable<BadTaint> {
  const taint = taintOf(item);
  // Providers of clusters have effects of their own, such as `NO_SCHEDULE`.
  const isOfKubernetes = isBuiltIn(group) || nodeTools.has(group) || ownTaints.has(group);
  const hasOwnEffects = !isOfKubernetes && !kind.startsWith('Kubeadm');
  const problems = validateTaint(taint).filter(({ path }) => !hasOwnEffects || path?.[0] !== 'effect');
  yield* problemFacts(item, problems);
  if (problems.length > 0 || typeof taint.key !== 'string' || typeof taint.effect !== 'string') return;
  const identity = `${taint.key}:${taint.effect}`;
  const key = childOf(item, 'key');
  if (earlier.has(identity) && key !== undefined)
    yield { span: key.span, message: localize`Taint '${shorten(identity)}' is listed twice; only one is allowed.` };
  earlier.add(identity);
}

function* tolerationFacts(item: MapNode): Iterable<BadTaint> {
  const toleration: Toleration = {
    ...taintOf(item),
    operator: fieldOf(item, 'operator'),
    hasSeconds: isSet(childOf(item, 'tolerationSeconds')),
  };
  yield* problemFacts(item, validateToleration(toleration));
}

function isSet(node: Node | undefined): boolean {
  return node?.kind === 'scalar' && node.type !== 'null';
}

function taintOf(item: MapNode): Taint {
  return { key: fieldOf(item, 'key'), value: fieldOf(item, 'value'), effect: fieldOf(item, 'effect') };
}

/** Returns the value of a field: the empty string if it is absent or null, and unknown if a template writes it. */
function fieldOf(item: MapNode, field: string): Value {
  const node = childOf(item, field);
  if (node?.kind === 'scalar')
    return node.pattern !== undefined ? { unknown: node.text } : isSet(node) ? node.text : '';
  return node === undefined && !mayHoldMore(item) ? '' : { unknown: field };
}

function* problemFacts(item: MapNode, problems: readonly Problem[]): Iterable<BadTaint> {
  const fields = new Set(problems.map(({ path }) => path?.[0]));
  for (const field of fields) {
    if (typeof field !== 'string') continue;
    const own = problems.filter(({ path }) => path?.[0] === field);
    const node = childOf(item, field);
    const scalar = node?.kind === 'scalar' && isSet(node) ? node : undefined;
    const fix = scalar && correction(field, scalar);
    const isWord = field === 'effect' || field === 'operator';
    if (isWord && fix === undefined && scalar !== undefined && isWordPlaceholder(scalar.text)) continue;
    const operator = field === 'value' && scalar !== undefined ? existsOperator(item) : undefined;
    const exists = operator && scalar && { exists: { operator, value: scalar.span } };
    const message = describeProblems(own);
    yield { span: scalar?.span ?? placeOf(item), message, ...(fix && !exists && { fix }), ...exists };
  }
}

/** Returns the two ways to resolve the contradiction; only the author knows which of them is meant. */
function fixesOfExists(text: string, { operator, value }: NonNullable<BadTaint['exists']>): readonly Fix[] {
  const edits = [replaceScalar(operator, 'Equal')];
  const removed = removeField(text, 'value', value);
  return [
    { title: localize`Change the operator to 'Equal'`, edits, preferred: false },
    ...(removed === undefined ? [] : [{ title: localize`Remove the value`, edits: [removed], preferred: false }]),
  ];
}

/** Returns the operator of a toleration with the operator `Exists`. */
function existsOperator(item: MapNode): Written | undefined {
  const operator = childOf(item, 'operator');
  return operator?.kind === 'scalar' && operator.text === 'Exists' ? written(operator) : undefined;
}

/** Returns the position for a missing field: the key of the first entry. */
function placeOf(item: MapNode): Span {
  const entry = entryOf(item, 'key') ?? item.entries[0];
  return entry === undefined ? item.span : entry.key.span;
}

function correction(field: string, scalar: ScalarNode): Fix | undefined {
  if (field === 'key' || field === 'value') return correctLabel(field, [written(scalar)])[0];
  const meant = correctTaintWord(field, scalar.text);
  if (meant === undefined || meant === scalar.text) return undefined;
  const edits = [replaceScalar(written(scalar), meant)];
  return { title: localize`Change the ${field} to '${shorten(meant)}'`, edits, preferred: true };
}

/** Returns the fact about a taint or toleration whose key differs by one or two letters from the only similar well-known taint, which the list does not contain. */
function nearTaint(item: MapNode, list: ListNode, catalogue: Catalogue): BadTaint | undefined {
  const node = childOf(item, 'key');
  if (node?.kind !== 'scalar' || node.pattern !== undefined) return undefined;
  const meant = nearestTaint(node.text, catalogue);
  if (meant === undefined) return undefined;
  if (list.items.some((each) => textOf(childOf(each, 'key')) === meant)) return undefined;
  return {
    span: node.span,
    severity: 'warning',
    message: localize`No well-known taint has the key '${shorten(node.text)}'. Did you mean '${meant}'?`,
    fix: {
      title: localize`Change the key to '${meant}'`,
      edits: [replaceScalar(written(node), meant)],
      preferred: true,
    },
  };
}
