/** Determines the completion target at the end of a trail (the path to the cursor), based on the catalogue: for example a label, a part of a selector, or a namespace. */

import type { Catalogue, KindFact, LabelKeyField } from '../../engine/catalogue/types.ts';
import { policyKindOf } from '../kinds/network-policy.ts';
import { kustomizeGroup } from '../kustomize/kustomization-sites.ts';
import type {
  Expression,
  LabelEntry,
  LabelSite,
  ManifestObject,
  ReferenceSite,
  SelectorSite,
  Written,
} from '../model.ts';
import { metadataOfFieldPath } from '../sites/label-key-sites.ts';
import { allReferenceSites, localTargets } from '../sites/references.ts';
import { expressionOf } from '../sites/sites.ts';
import type { Node } from '../yaml/tree.ts';
import { inGitops, inKustomization, itemsBeside, type KustomizationTarget } from './kustomization-target.ts';
import { type InObject, marker, type Step, type Trail } from './marker-path.ts';

export type CompletionTarget =
  /** A key or value in a map of labels, or in a selector that has the form of such a map. */
  | {
      readonly kind: 'label';
      readonly site: LabelSite | SelectorSite;
      readonly on: 'key' | 'value';
      /** The key of the map entry whose value is completed; undefined if the key is completed. */
      readonly key: string | undefined;
      readonly others: readonly LabelEntry[];
    }
  /** The whole content of a selector, or of its `matchLabels` or `matchExpressions`. */
  | { readonly kind: 'selector'; readonly site: SelectorSite; readonly part: SelectorPart }
  /** A field of a selector, such as `matchLabels`, `matchExpressions` or `nodeSelectorTerms`. */
  | { readonly kind: 'selectorField'; readonly site: SelectorSite; readonly fields: readonly string[] }
  /** A field of a match expression: `key`, `operator` or `values`. */
  | ({ readonly kind: 'expressionField'; readonly fields: readonly string[] } & InExpression)
  | ({ readonly kind: 'expressionKey' } & InExpression)
  | ({ readonly kind: 'operator' } & InExpression)
  /** A value of a match expression. `whole` is true if the cursor is at the position of the whole list of values. */
  | ({ readonly kind: 'expressionValue'; readonly whole: boolean } & InExpression)
  | { readonly kind: 'selectorText'; readonly site: SelectorSite }
  | { readonly kind: 'fieldText'; readonly site: SelectorSite }
  | {
      readonly kind: 'field';
      readonly site: SelectorSite;
      readonly others: readonly string[];
    }
  /** A field whose value is the key of a label. */
  | { readonly kind: 'labelKey'; readonly of: LabelKeyField['of']; readonly others: readonly string[] }
  /**
   * A field of the downward API, which refers to the labels and annotations of the pod or template that contains the
   * field.
   */
  | { readonly kind: 'fieldPath'; readonly labels: readonly LabelEntry[]; readonly annotations: readonly LabelEntry[] }
  | { readonly kind: 'namespace'; readonly others: readonly string[] }
  | KustomizationTarget
  /** The name of another object or of a part of the same object, or a key of a ConfigMap or Secret. */
  | {
      readonly kind: 'reference';
      readonly site: ReferenceSite;
      readonly on: 'name' | 'key';
      /**
       * The names of the parts of this object to which the site may refer; absent if the site refers to another object.
       */
      readonly parts?: readonly string[];
    }
  /** A port in a rule of a network policy. */
  | {
      readonly kind: 'policyPort';
      readonly direction: 'ingress' | 'egress';
      /** Whether the field must contain the name of a port or a number, or may contain either. */
      readonly form: 'name' | 'number' | 'either';
      /** The protocol of the port; absent if the path of the field does not determine it. */
      readonly protocol?: 'TCP' | 'UDP' | 'SCTP';
    };

type SelectorPart = 'selector' | 'matchLabels' | 'matchExpressions';

interface InExpression {
  readonly site: SelectorSite;
  /** The requirement at the cursor, without the part that is completed. */
  readonly expression: Expression;
  readonly beside: readonly Expression[];
  /** Whether the requirement is for fields of nodes (`matchFields`) rather than for their labels. */
  readonly onFields: boolean;
}

/** Returns the completion target at the end of a trail (the path to the cursor); undefined if there is none. */
export function targetOfTrail(inside: InObject, catalogue: Catalogue): CompletionTarget | undefined {
  const { object, trail } = inside;
  const paths = pathsOf(trail);
  for (let index = paths.length - 1; index >= 0; index--) {
    const path = paths[index] ?? '';
    const rest = { on: trail.on, steps: trail.steps.slice(index) };
    const selector = object.selectorSites.find((site) => site.path === path);
    const place = selector && inSelector(selector, rest);
    if (place !== undefined) return place;
    const labels = object.labelSites.find((site) => site.path === path && site.place.holds === 'labels');
    const inLabels = labels && inMap(labels, labels.entries, rest);
    if (inLabels !== undefined) return inLabels;
  }
  if (trail.on === 'key') return undefined;
  const path = paths.at(-1) ?? '';
  if (object.group === kustomizeGroup) return inKustomization(trail, path) ?? inLabelKeys(object, trail);
  return (
    inGitops(object.group, trail, path) ??
    inPolicyPort(object, path) ??
    inLabelKeys(object, trail) ??
    inFieldPath(object, path, catalogue) ??
    inNamespaces(object, trail, path, catalogue) ??
    inReference(inside, catalogue)
  );
}

/** Recognizes a name of an object or a part, or a key, that contains the cursor marker. */
function inReference(
  { object, root, trail: { scalar } }: InObject,
  catalogue: Catalogue,
): CompletionTarget | undefined {
  const { start, end } = scalar.span;
  const isMarked = ({ span, text, origin }: Written) =>
    origin === undefined && start <= span.start && span.end <= end && text.includes(marker);
  const facts = catalogue.kind(object.group, object.version, object.kind);
  const parts = facts === undefined ? [] : allReferenceSites(root, facts);
  for (const site of [...(object.references ?? []), ...parts]) {
    if (isMarked(site.name)) return { kind: 'reference', site, on: 'name', ...partsOf(root, site) };
    if (site.keys?.some(isMarked)) return { kind: 'reference', site, on: 'key' };
    if (site.namespace !== undefined && isMarked(site.namespace)) return { kind: 'namespace', others: [] };
  }
  return undefined;
}

function partsOf(root: Node, site: ReferenceSite): { readonly parts?: readonly string[] } {
  if (site.fact.local === undefined) return {};
  return { parts: localTargets(root, site).flatMap(({ text, value }) => (typeof value === 'string' ? [text] : [])) };
}

const transports = ['TCP', 'UDP', 'SCTP'] as const;

/** Recognizes the port of a NetworkPolicy rule, or a port below `protocols` of a ClusterNetworkPolicy. */
function inPolicyPort(object: ManifestObject, path: string): CompletionTarget | undefined {
  if (policyKindOf(object) === undefined) return undefined;
  const [, found, field = ''] = /^spec\.(ingress|egress)\[\d+\]\.(?:ports|protocols)\[\d+\]\.(.+)$/.exec(path) ?? [];
  const direction = found === 'ingress' || found === 'egress' ? found : undefined;
  if (direction === undefined) return undefined;
  if (field === 'port') return { kind: 'policyPort', direction, form: 'either' };
  if (field === 'destinationNamedPort') return { kind: 'policyPort', direction, form: 'name' };
  const [, transport] = /^(tcp|udp|sctp)\.destinationPort\.(?:number|range\.start|range\.end)$/.exec(field) ?? [];
  const protocol = transports.find((each) => each.toLowerCase() === transport);
  return protocol && { kind: 'policyPort', direction, form: 'number', protocol };
}

interface Rest {
  readonly on: 'key' | 'value';
  readonly steps: readonly Step[];
}

/** Returns the path from the root of the object to each step of a trail, without the step to a key at the cursor. */
function pathsOf({ steps, on }: Trail): readonly string[] {
  const paths = [''];
  for (const step of on === 'key' ? steps.slice(0, -1) : steps) {
    const before = paths.at(-1) ?? '';
    if (step.kind === 'item') paths.push(`${before}[${step.index}]`);
    else paths.push(before === '' ? step.entry.key.text : `${before}.${step.entry.key.text}`);
  }
  return paths;
}

function inSelector(site: SelectorSite, rest: Rest): CompletionTarget | undefined {
  const isWhole = rest.steps.length === 0;
  switch (site.fact.form) {
    case 'map':
    case 'nodeSelectorMap':
      return isWhole ? { kind: 'selector', site, part: 'selector' } : inMap(site, site.entries, rest);
    case 'labelSelector':
    case 'matchLabelsOnly':
    case 'matchExpressionsOnly':
      return isWhole ? { kind: 'selector', site, part: 'selector' } : inLabelSelector(site, rest);
    case 'requirements':
      return inRequirements(site, rest, false);
    case 'nodeSelector':
      return inNodeSelector(site, rest);
    case 'nodeSelectorTerm':
      return inTerm(site, rest);
    case 'string':
    case 'calicoSelector':
      return isWhole && rest.on === 'value' ? { kind: 'selectorText', site } : undefined;
    case 'fieldSelectorString':
      return isWhole && rest.on === 'value' ? { kind: 'fieldText', site } : undefined;
    case 'fieldSelectorMap':
      return inFieldMap(site, rest);
    case 'other':
      return undefined;
  }
}

function inMap(
  site: LabelSite | SelectorSite,
  entries: readonly LabelEntry[],
  { on, steps }: Rest,
): CompletionTarget | undefined {
  const [step] = steps;
  if (steps.length !== 1 || step?.kind !== 'entry') return undefined;
  // The span of an entry's key may begin after its source.
  const { end } = step.entry.key.span;
  const others = entries.filter((each) => each.key.span.end !== end);
  return { kind: 'label', site, on, key: on === 'key' ? undefined : keyIn(site, step.entry.key.text), others };
}

/** Returns the key of a label, without the source that a selector of Cilium may add. */
function keyIn(site: LabelSite | SelectorSite, text: string): string {
  return 'fact' in site && site.fact.language === 'cilium' ? text.replace(/^(?:k8s|any):/, '') : text;
}

const expressionFields = ['key', 'operator', 'values'];

function inLabelSelector(site: SelectorSite, rest: Rest): CompletionTarget | undefined {
  const { form } = site.fact;
  const allowed = ['matchLabels', 'matchExpressions'].filter(
    (field) => form === 'labelSelector' || form.startsWith(field),
  );
  const field = fieldTyped(site, rest, allowed);
  if (field !== undefined) return field;
  const [first, ...steps] = rest.steps;
  if (first?.kind !== 'entry' || !allowed.includes(first.entry.key.text)) return undefined;
  const inner = { on: rest.on, steps };
  if (first.entry.key.text === 'matchExpressions') return inRequirements(site, inner, false);
  return steps.length === 0 ? { kind: 'selector', site, part: 'matchLabels' } : inMap(site, site.entries, inner);
}

/** Returns the completion target for a field name, if the cursor is on a key of the selector's map or of one of its terms. */
function fieldTyped(site: SelectorSite, { on, steps }: Rest, allowed: readonly string[]): CompletionTarget | undefined {
  const [step] = steps;
  if (steps.length !== 1 || on !== 'key' || step?.kind !== 'entry') return undefined;
  const there = keysBeside(step);
  return { kind: 'selectorField', site, fields: allowed.filter((field) => !there.includes(field)) };
}

function keysBeside({ holder, entry }: Step & { readonly kind: 'entry' }): readonly string[] {
  return holder.kind === 'map' ? holder.entries.filter((each) => each !== entry).map((each) => each.key.text) : [];
}

function inRequirements(site: SelectorSite, { on, steps }: Rest, onFields: boolean): CompletionTarget | undefined {
  const [item, field, value] = steps;
  if (item === undefined) return on === 'value' ? { kind: 'selector', site, part: 'matchExpressions' } : undefined;
  if (item.kind !== 'item' || item.holder.kind !== 'list') return undefined;
  const requirement = item.holder.items[item.index];
  const beside = item.holder.items.filter((each) => each !== requirement).map(expressionOf);
  const expression = withoutMarker(expressionOf(requirement ?? item.holder));
  const common = { site, expression, beside, onFields };
  if (field === undefined) return { kind: 'expressionField', fields: expressionFields, ...common };
  if (field.kind !== 'entry') return undefined;
  if (on === 'key' && value === undefined) {
    const there = keysBeside(field);
    return { kind: 'expressionField', fields: expressionFields.filter((each) => !there.includes(each)), ...common };
  }
  if (on === 'key') return undefined;
  if (value === undefined) {
    switch (field.entry.key.text) {
      case 'key':
        return { kind: 'expressionKey', ...common };
      case 'operator':
        return { kind: 'operator', ...common };
      case 'values':
        return { kind: 'expressionValue', whole: true, ...common };
      default:
        return undefined;
    }
  }
  const isValue = field.entry.key.text === 'values' && value.kind === 'item' && steps.length === 3;
  return isValue ? { kind: 'expressionValue', whole: false, ...common } : undefined;
}

function withoutMarker({ key, operator, ...expression }: Expression): Expression {
  return {
    ...expression,
    ...(key && !key.text.includes(marker) && { key }),
    ...(operator && !operator.text.includes(marker) && { operator }),
    values: expression.values.filter(({ text }) => !text.includes(marker)),
  };
}

function inNodeSelector(site: SelectorSite, rest: Rest): CompletionTarget | undefined {
  const field = fieldTyped(site, rest, ['nodeSelectorTerms']);
  if (field !== undefined) return field;
  const [terms, item, ...steps] = rest.steps;
  if (terms?.kind !== 'entry' || terms.entry.key.text !== 'nodeSelectorTerms' || item?.kind !== 'item')
    return undefined;
  if (steps.length === 0) return { kind: 'selectorField', site, fields: termFields };
  return inTerm(site, { on: rest.on, steps });
}

const termFields = ['matchExpressions', 'matchFields'];

function inTerm(site: SelectorSite, rest: Rest): CompletionTarget | undefined {
  const field = fieldTyped(site, rest, termFields);
  if (field !== undefined) return field;
  const [list, ...steps] = rest.steps;
  if (list?.kind !== 'entry' || !termFields.includes(list.entry.key.text)) return undefined;
  return inRequirements(site, { on: rest.on, steps }, list.entry.key.text === 'matchFields');
}

function inFieldMap(site: SelectorSite, { on, steps }: Rest): CompletionTarget | undefined {
  const [step] = steps;
  if (steps.length !== 1 || on !== 'key' || step?.kind !== 'entry') return undefined;
  return { kind: 'field', site, others: keysBeside(step) };
}

function inLabelKeys(object: ManifestObject, { steps, scalar }: Trail): CompletionTarget | undefined {
  const site = object.labelKeySites.find((each) => each.key.span.start === scalar.span.start);
  return site && { kind: 'labelKey', of: site.place.of, others: itemsBeside(steps.at(-1)) };
}

function inFieldPath(object: ManifestObject, path: string, catalogue: Catalogue): CompletionTarget | undefined {
  const facts = catalogue.kind(object.group, object.version, object.kind);
  const metadata = facts && metadataOfFieldPath(facts, path);
  if (metadata === undefined) return undefined;
  const entriesAt = (field: string) =>
    object.labelSites.find((site) => site.path === `${metadata}.${field}`)?.entries ?? [];
  return { kind: 'fieldPath', labels: entriesAt('labels'), annotations: entriesAt('annotations') };
}

function inNamespaces(
  object: ManifestObject,
  trail: Trail,
  path: string,
  catalogue: Catalogue,
): CompletionTarget | undefined {
  const facts = catalogue.kind(object.group, object.version, object.kind);
  const isOwn = path === 'metadata.namespace' && facts?.namespaced !== false;
  if (!isOwn && !isListOfNames(facts, path.replaceAll(/\[\d+\]/g, '[]'))) return undefined;
  return { kind: 'namespace', others: itemsBeside(trail.steps.at(-1)) };
}

/** Whether the field at `path` is the list of namespace names of a selector of this kind. */
function isListOfNames(facts: KindFact | undefined, path: string): boolean {
  return (facts?.selectors ?? []).some(({ reach }) => {
    const names = typeof reach === 'object' ? reach.namesAt : undefined;
    return names !== undefined && (names === path || `${names}[]` === path);
  });
}
