/** Rewrites the selector under the cursor in an equivalent form. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import {
  format,
  type LabelSelector,
  type LabelSelectorRequirement,
  type Operator,
  type Requirement,
  simplify,
  toLabelSelector,
} from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { mapText } from '../../manifests/write/write-map.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import type { MapNode } from '../../manifests/yaml/tree.ts';
import { requirementSites } from '../../rules/helpers/requirement-ranges.ts';
import type { Edit } from '../../text/edit.ts';
import { localize } from '../../text/localize.ts';
import { stepsOf, targetAt, treeOf } from '../../workspace/object-trees.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import type { RefactorContext, Refactoring, RequestedSelector } from './model.ts';

/** Returns refactorings that convert `matchLabels` to `matchExpressions` and back, and that simplify a selector. */
export function otherForms(context: RefactorContext, asked: RequestedSelector): readonly Refactoring[] {
  const { site } = asked;
  const selector = site.selector?.ok && !site.open && site.state === 'present' ? site.selector.value : undefined;
  if (selector?.kind !== 'all' || selector.requirements.some(hasUnknown)) return [];
  const found: Refactoring[] = [];
  const requirements = requirementSites(site).map(({ requirement }) => requirement);
  const rewrite = (id: string, title: string, value: LabelSelector) => {
    const edits = () => rewriteMap(context, asked, value);
    if (edits() !== undefined) found.push({ id, title, kind: 'refactor.rewrite', edits });
  };
  if (site.fact.form === 'labelSelector') {
    if (site.entries.length > 0)
      rewrite('as-expressions', localize`Convert to matchExpressions`, asExpressions(requirements));
    const labels = asLabels(requirements);
    if (labels !== undefined) rewrite('as-labels', localize`Convert to matchLabels`, labels);
  }
  found.push(...byNamespaceName(context, asked));
  const simple = simplify(selector);
  if (simple.kind !== 'all' || wordsOf(simple.requirements) >= wordsOf(selector.requirements)) return found;
  if (site.text !== undefined) {
    const { text } = site;
    const edits = () => [replaceScalar(text, format(simple, 'canonical'))];
    return [...found, { id: 'simplify', title: localize`Simplify the selector`, kind: 'refactor.rewrite', edits }];
  }
  const value = toLabelSelector(simple);
  if (value.ok && value.value !== null) rewrite('simplify', localize`Simplify the selector`, value.value);
  return found;
}

/** Keys with which teams label namespaces by name, a custom from before Kubernetes set such a label itself. */
const namespaceNameKeys: ReadonlySet<string> = new Set(['name', 'namespace']);

/** Returns the refactoring that selects a namespace by `kubernetes.io/metadata.name`, which the API server sets, instead of by a label that must be set manually. It is not offered if a matching namespace in the workspace has a different name. */
function byNamespaceName(context: RefactorContext, { object, site }: RequestedSelector): readonly Refactoring[] {
  const { catalogue, file, workspace } = context;
  const isOfNamespaces = site.fact.targets.every(({ group, kind }) =>
    catalogue.kind(group, '', kind)?.nameLabels?.includes(nameLabel),
  );
  const sites = requirementSites(site);
  const [only, ...others] = sites.filter(({ requirement }) => namespaceNameKeys.has(requirement.key));
  if (!isOfNamespaces || site.fact.targets.length === 0 || only === undefined || others.length > 0) return [];
  if (sites.some(({ requirement }) => requirement.key === nameLabel)) return [];
  const { requirement, entry, expression } = only;
  const key = entry?.key ?? expression?.key;
  if (asLabels([requirement]) === undefined && entry === undefined) return [];
  if (key === undefined || key.origin !== undefined || entry?.merged) return [];
  const { matches, maybe, elsewhere } = selectionOf(workspace, catalogue, { file, object }, site);
  const names = new Set([...matches, ...maybe, ...elsewhere].map((match) => match.object.name?.text));
  if ([...names].some((name) => name !== requirement.values[0])) return [];
  return [
    {
      id: 'by-namespace-name',
      title: localize`Select the namespace by ${nameLabel}`,
      kind: 'refactor.rewrite',
      edits: () => [replaceScalar(key, nameLabel)],
    },
  ];
}

function hasUnknown({ values }: Requirement): boolean {
  return values.some((value) => typeof value !== 'string');
}

function wordsOf(requirements: readonly Requirement[]): number {
  return requirements.reduce((sum, { values }) => sum + 1 + values.length, 0);
}

const operators: Readonly<Partial<Record<Operator, LabelSelectorRequirement['operator']>>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};

function asExpressions(requirements: readonly Requirement[]): LabelSelector {
  return { matchExpressions: requirements.flatMap(expressionOf) };
}

function expressionOf({ key, operator, values }: Requirement): readonly LabelSelectorRequirement[] {
  const written = operators[operator];
  if (written === undefined) return [];
  return [{ key, operator: written, ...(values.length > 0 && { values }) }];
}

/** Moves the requirements that can be written as labels to `matchLabels`; undefined if none can be moved. */
function asLabels(requirements: readonly Requirement[]): LabelSelector | undefined {
  const labels = new Map<string, string>();
  const others: Requirement[] = [];
  let moved = 0;
  for (const requirement of requirements) {
    const [value, ...more] = requirement.values;
    const isOne = ['=', '==', 'in'].includes(requirement.operator) && more.length === 0 && typeof value === 'string';
    if (!isOne || labels.has(requirement.key)) others.push(requirement);
    else {
      labels.set(requirement.key, value);
      if (requirement.operator === 'in') moved++;
    }
  }
  if (moved === 0) return undefined;
  return {
    matchLabels: Object.fromEntries(labels),
    ...(others.length > 0 && { matchExpressions: others.flatMap(expressionOf) }),
  };
}

/** Rewrites the whole selector; undefined if a comment, an anchor or any other field would be lost. */
function rewriteMap(
  context: RefactorContext,
  { object, site }: RequestedSelector,
  value: LabelSelector,
): readonly Edit[] | undefined {
  const node = mapOf(context, object, site);
  if (node === undefined || node.entries.some(({ key, merged }) => merged || !fields.has(key.text))) return undefined;
  const text = mapText(context.text, node, value);
  return text === undefined ? undefined : [{ span: node.span, text }];
}

const fields: ReadonlySet<string> = new Set(['matchLabels', 'matchExpressions']);

function mapOf(context: RefactorContext, object: RequestedSelector['object'], site: SelectorSite): MapNode | undefined {
  const tree = treeOf(context, object);
  const node = targetAt(tree, stepsOf(site.path))?.node;
  return node?.kind === 'map' && node.span.start === site.span.start ? node : undefined;
}
