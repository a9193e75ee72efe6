/** Reports selectors that Kubernetes rejects. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import { isUnknown, type Path, type Problem } from '../../engine/index.ts';
import { fieldOf } from '../../engine/structured.ts';
import type { Expression, ManifestObject, SelectorSite, Written } from '../../manifests/model.ts';
import { quoteAsTyped } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { isChartValues } from '../../workspace/charts/chart-files.ts';
import { repairCalicoSelector } from '../fixes/fix-calico-selector.ts';
import { correctLabel } from '../fixes/fix-label.ts';
import { correctOperators } from '../fixes/fix-operator.ts';
import { nestUnder } from '../fixes/fix-selector.ts';
import { fixText, type Repair, repairSelector } from '../fixes/fix-selector-text.ts';
import { type Fact, type Fix, type RuleContext, rule, type Severity } from '../framework/rule.ts';
import { kubernetesMinor } from '../framework/team-settings.ts';
import { isLookedAt } from '../helpers/certain-objects.ts';
import { isStringInKustomize } from '../helpers/kustomize-strings.ts';
import { isUnfinishedKey, writeAsMap } from '../helpers/not-a-map.ts';
import { isWithoutFields, misspelledFields } from '../helpers/selector-fields.ts';
import { describeProblems, shorten } from '../helpers/sentences.ts';
import { spanInText } from '../helpers/text-span.ts';
import { unquotedTag } from '../helpers/unquoted-tag.ts';
import { effective, mayMatchAnything } from '../helpers/validated-labels.ts';

interface InvalidSelector extends Fact {
  readonly problems: readonly Problem[];
  readonly site: SelectorSite;
  readonly expression?: Expression;
  /** The invalid key, operator or value, if there is one. */
  readonly scalar?: Written;
  /** The problem of a selector that is written as a string, and its correction. */
  readonly repair?: Repair;
  /** Set if quotes are missing around the text in the span. */
  readonly isUnquoted?: true;
}

export const selectorSyntax = rule<InvalidSelector>({
  id: 'selector-syntax',
  severity: 'error',
  validatesFields: true,
  needs: 'selectors',
  summary: 'A selector that Kubernetes rejects.',
  why: 'The API server rejects an object with an invalid selector, so it is not applied. `In` and `NotIn` need values, `Exists` and `DoesNotExist` must have no values, and keys and values must be valid label keys and values.',
  bad: [
    {
      title: '`Exists` with values.',
      text: `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: basket
spec:
  minAvailable: 1
  selector:
    matchExpressions:
      - key: track
        operator: Exists
        values: [stable]
`,
    },
    {
      title: 'An operator in lower case, which is invalid.',
      change: [
        `- key: track
        operator: Exists
        values: [stable]`,
        `- key: app
        operator: in
        values: [basket]`,
      ],
    },
    {
      title: 'Labels that are not under `matchLabels`.',
      change: [
        `matchExpressions:
      - key: track
        operator: Exists
        values: [stable]`,
        'app: basket',
      ],
    },
  ],
  good: [
    {
      title: 'Each operator with valid values.',
      change: [
        `matchExpressions:
      - key: track
        operator: Exists
        values: [stable]`,
        `matchLabels:
      app: basket
    matchExpressions:
      - { key: track, operator: Exists }
      - { key: tier, operator: NotIn, values: [cache, ""] }`,
      ],
    },
  ],
  *check(context) {
    const seen = new Set<number>();
    const { objects, inline = [] } = context.manifest;
    for (const object of [...objects, ...inline]) {
      if (!isLookedAt(object) && !object.inline) continue;
      for (const site of object.selectorSites) {
        const severity = object.inline ? severityInline(site) : severityAt(isChecked(object, site), site);
        // A label selector with wildcards is not evaluated, but its values must be strings.
        const found = severity === undefined ? labelsNotStrings(context, site) : problemsOf(context, site);
        for (const fact of found) {
          // Aliases may repeat a selector at several sites.
          if (seen.has(fact.span.start)) continue;
          seen.add(fact.span.start);
          yield { severity: severity ?? 'warning', ...fact };
        }
      }
    }
  },
  message: ({ problems, repair }) => (repair === undefined ? describeProblems(problems) : `${repair.why}.`),
  fixes,
});

/** Whether the API server rejects an object with an invalid selector: by itself, by the definition of the kind in Cilium, or by the API of Calico. */
function isChecked({ group }: ManifestObject, { fact: { language } }: SelectorSite): boolean {
  return isBuiltIn(group) || language === 'cilium' || (language === 'calico' && group === 'projectcalico.org');
}

/** Returns the severity of an invalid selector; undefined if the rule does not apply, because the selector has a different syntax or only looks like a selector. */
function severityAt(checked: boolean, site: SelectorSite): Severity | undefined {
  const { fact } = site;
  if (!(fact.plain || fact.language !== undefined) || !forms.has(fact.form)) return undefined;
  if (mayMatchAnything(site)) return fact.form === 'string' ? undefined : 'information';
  // The API server validates a PersistentVolumeClaim, but not a claim template.
  return checked && fact.role !== 'volumeClaim' ? 'error' : 'warning';
}

/** Returns the severity for the selector of a command; an invalid string is an error, because kubectl rejects it before it sends a request. */
function severityInline(site: SelectorSite): Severity | undefined {
  return site.fact.form === 'string' ? 'error' : severityAt(true, site);
}

/** The forms of selectors that are maps of labels, whose entries the rules for labels report. */
const maps: ReadonlySet<string> = new Set(['map', 'nodeSelectorMap']);

const forms: ReadonlySet<string> = new Set([
  ...maps,
  'labelSelector',
  'matchLabelsOnly',
  'matchExpressionsOnly',
  'requirements',
  'string',
  'calicoSelector',
]);

function* problemsOf(context: RuleContext, site: SelectorSite): Iterable<InvalidSelector> {
  const tagged = unquotedTag(context, site);
  if (tagged !== undefined) {
    const value = shorten(site.text?.text ?? '');
    const message = localize`a selector that begins with '!' must be quoted; unquoted, its first word is a YAML tag, and the selector is '${value}'`;
    yield { span: tagged, problems: [{ code: 'wrong-type', message }], site, isUnquoted: true };
    return;
  }
  const problems = site.selector === undefined || site.selector.ok ? [] : site.selector.problems;
  const byPosition = new Map<string, Problem[]>();
  for (const problem of problems) {
    const place = JSON.stringify([problem.path, problem.start]);
    byPosition.set(place, [...(byPosition.get(place) ?? []), problem]);
  }
  for (const group of byPosition.values()) {
    const fact = factOf(context, site, group);
    if (fact?.scalar !== undefined && isStringInKustomize(context, fact.scalar)) continue;
    if (fact !== undefined) yield fact;
    // One sentence explains all problems of the string, and one fix corrects them.
    if (fact?.repair !== undefined) return;
  }
  yield* emptyLastValue(context, site);
  for (const expression of site.expressions)
    yield* notStrings(context, site, [expression.key, expression.operator, ...expression.values], expression);
  yield* labelsNotStrings(context, site);
}

/** Yields the values in `matchLabels` that are not strings, unless the rules for labels check them, because they have the syntax of labels. */
function labelsNotStrings(context: RuleContext, site: SelectorSite): Iterable<InvalidSelector> {
  if (site.fact.plain || !forms.has(site.fact.form) || maps.has(site.fact.form) || mayMatchAnything(site)) return [];
  return notStrings(
    context,
    site,
    effective(site.entries).map(({ value }) => value),
  );
}

/** The minor version of Kubernetes since which two commas before the end of a list are valid. */
const twoCommasSince = 35;

/** Yields the commas at the end of a list such as `(web,)`, which add the empty value. */
function* emptyLastValue(context: RuleContext, site: SelectorSite): Iterable<InvalidSelector> {
  const { text, selector, fact, placeholders = [] } = site;
  if (text === undefined || fact.form !== 'string' || selector?.ok !== true || placeholders.length > 0) return;
  for (const { 0: list, index } of text.text.matchAll(/\([^()]*\)/g)) {
    const inside = list.slice(1, -1).trimEnd();
    const before = inside.slice(0, -1).trimEnd();
    if (!inside.endsWith(',') || before === '') continue;
    const isTwice = before.endsWith(',');
    const minor = kubernetesMinor(context);
    const isRejected = isTwice && (minor === undefined || minor < twoCommasSince);
    const end = index + 1 + inside.length;
    const why = isRejected
      ? localize`Kubernetes before 1.${twoCommasSince} rejects two commas before ')'`
      : localize`The comma before ')' adds the empty value, so that labels without a value match as well`;
    let values = before;
    while (/[\s,]$/.test(values)) values = values.slice(0, -1);
    const repaired = `${text.text.slice(0, index + 1)}${values}${text.text.slice(index + list.length - 1)}`;
    const severity = !isRejected ? 'information' : minor === undefined ? 'warning' : 'error';
    const repair: Repair = { text: repaired, why, isGuess: true };
    yield { severity, span: spanInText(text, { start: end - 1, end }), problems: [], site, repair };
    return;
  }
}

function factOf(context: RuleContext, site: SelectorSite, problems: readonly Problem[]): InvalidSelector | undefined {
  const [first] = problems;
  if (first === undefined) return undefined;
  if (site.text !== undefined && first.start !== undefined && first.end !== undefined) {
    const hasPlaceholders = (site.placeholders ?? []).length > 0;
    const repair = hasPlaceholders ? undefined : repairText(site, site.text.text);
    const span = spanInText(site.text, { start: first.start, end: first.end });
    return { span, problems, site, ...(repair && { repair }) };
  }
  const path = first.path ?? [];
  // The rule for unknown fields reports such a selector with the intended field.
  if (path.length === 0 && isWithoutFields(site) && misspelledFields(site).length > 0) return undefined;
  if (maps.has(site.fact.form) && path.length > 0) return undefined;
  // The entries of `matchLabels` are labels, which the rules for labels report.
  if (path[0] === 'matchLabels' && path.length > 1)
    return site.fact.language === 'cilium' ? ofSourcedLabel(site, problems, path) : undefined;
  const data = dataAt(site.data, path);
  const isWritten = typeof data === 'string' && data !== '';
  if (isUnknown(data) || (!isWritten && (site.open || context.manifest.unresolved))) return undefined;
  if (first.code === 'wrong-type' && isUnfinished(context.text, site, path)) return undefined;
  // A template does not write an empty value.
  if (Array.isArray(data) && data.length === 0 && isChartValues(context.uri)) return undefined;
  const [, index, field, item] = path;
  // The selector does not match labels of Kubernetes objects, but parameters of a generator or labels of metrics.
  if (mayMatchAnything(site) && !aboutOperators.has(first.code)) return undefined;
  const expression = path[0] === 'matchExpressions' ? site.expressions[Number(index)] : undefined;
  if (expression === undefined) {
    return { span: path.length === 0 ? valueOrKey(site) : site.keySpan, problems, site };
  }
  const scalar = scalarAt(expression, field, item);
  const span = (scalar ?? expression.operator ?? expression.key)?.span ?? firstLetter(expression.span);
  return { span, problems, site, expression, ...(scalar && { scalar }) };
}

function repairText(site: SelectorSite, text: string): Repair | undefined {
  return site.fact.language === 'calico' ? repairCalicoSelector(site.path, text) : repairSelector(text);
}

/** Returns the finding for an entry of `matchLabels` of a selector of Cilium, which the rules for labels do not check. */
function ofSourcedLabel(site: SelectorSite, problems: readonly Problem[], path: Path): InvalidSelector | undefined {
  const entry = site.entries.find(({ key }) => key.text === path[1]);
  if (entry === undefined) return undefined;
  const isKey = problems.some(({ code }) => /^(?:name|prefix|key)-/.test(code));
  return { span: (isKey ? entry.key : entry.value).span, problems, site };
}

/** Whether the value of the selector or of `matchLabels` is a single word instead of a map, because a key is incomplete. */
function isUnfinished(text: string, site: SelectorSite, path: Path): boolean {
  const { span, keySpan, data } = site;
  if (path.length === 0) return typeof data === 'string' && isUnfinishedKey(text, keySpan, span);
  if (path.length > 2 || typeof dataAt(data, path) !== 'string') return false;
  const labels = path[0] === 'matchLabels' ? labelsSpans(text, site) : undefined;
  return labels === undefined || isUnfinishedKey(text, labels.key, labels.value);
}

/** Returns the key `matchLabels` of a selector, and the line of text that is its value. */
function labelsSpans(text: string, { span }: SelectorSite): { readonly key: Span; readonly value: Span } | undefined {
  const found = /\b(matchLabels["']?[ \t]*:)([ \t]*(?:\r?\n[ \t]*)?)([^\s#,{}[\]][^\s,{}]*)/.exec(
    text.slice(span.start, span.end),
  );
  if (found === null) return undefined;
  const start = span.start + found.index;
  const value = start + (found[1]?.length ?? 0) + (found[2]?.length ?? 0);
  return {
    key: { start, end: start + 'matchLabels'.length },
    value: { start: value, end: value + (found[3]?.length ?? 0) },
  };
}

const aboutOperators: ReadonlySet<string> = new Set(['operator-unknown', 'values-required', 'values-forbidden']);

function scalarAt(expression: Expression, field: unknown, item: unknown): Written | undefined {
  if (field === 'key') return expression.key;
  if (field === 'operator') return expression.operator;
  return field === 'values' && typeof item === 'number' ? expression.values[item] : undefined;
}

/** Returns the span of the selector if it is a string instead of a map; otherwise only the span of its key. */
function valueOrKey({ data, span, keySpan }: SelectorSite): Span {
  return typeof data === 'string' ? span : keySpan;
}

function firstLetter({ start }: Span): Span {
  return { start, end: start + 1 };
}

function dataAt(data: unknown, path: Path): unknown {
  // For a selector of the form `requirements`, the data is the list of requirements itself.
  const steps = Array.isArray(data) && path[0] === 'matchExpressions' ? path.slice(1) : path;
  return steps.reduce<unknown>(fieldOf, data);
}

/** Yields values that are not strings. The API server requires strings, and does not convert unquoted numbers to strings. */
function* notStrings(
  context: RuleContext,
  site: SelectorSite,
  scalars: readonly (Written | undefined)[],
  expression?: Expression,
): Iterable<InvalidSelector> {
  for (const scalar of scalars) {
    if (scalar === undefined || ['string', 'null', 'map', 'list'].includes(scalar.type)) continue;
    if (isStringInKustomize(context, scalar)) continue;
    const text = shorten(scalar.text);
    const message = localize`'${text}' must be quoted; unquoted, it is a ${scalar.type}, not a string`;
    yield {
      span: scalar.span,
      problems: [{ code: 'wrong-type', message }],
      site,
      scalar,
      ...(expression && { expression }),
    };
  }
}

/** Whether the selector is `{ app: web }`, with labels that should be under `matchLabels`. */
function isMap({ data }: SelectorSite): boolean {
  return typeof data === 'object' && data !== null && !Array.isArray(data);
}

function fixes(fact: InvalidSelector, { text }: RuleContext): readonly Fix[] {
  const { problems, site, expression, scalar, repair, isUnquoted, span } = fact;
  if (isUnquoted) {
    const quoted = JSON.stringify(text.slice(span.start, span.end));
    return [{ title: localize`Quote the selector`, edits: [{ span, text: quoted }], preferred: true }];
  }
  if (repair !== undefined && site.text !== undefined) return fixText(text, site.text, repair);
  const codes = new Set(problems.map((problem) => problem.code));
  if (scalar !== undefined) return correctScalar(scalar, expression, codes);
  if (expression === undefined) {
    const isLabels = isMap(site) && problems[0]?.path?.length === 0;
    if (!isLabels) return writeLabels(text, site, problems);
    const nested = nestUnder(text, site, 'matchLabels');
    if (nested === undefined) return [];
    return [{ title: localize`Move the labels under \`matchLabels\``, edits: [nested], preferred: true }];
  }
  // Only the author knows the missing values, and whether additional values or the operator are wrong.
  return [];
}

function writeLabels(text: string, site: SelectorSite, problems: readonly Problem[]): readonly Fix[] {
  const path = problems[0]?.path ?? [];
  if (path.length === 0) return maps.has(site.fact.form) ? writeAsMap(text, site.keySpan, site.span) : [];
  if (path[0] !== 'matchLabels' || typeof dataAt(site.data, path) !== 'string') return [];
  const labels = labelsSpans(text, site);
  return labels === undefined ? [] : writeAsMap(text, labels.key, labels.value);
}

function correctScalar(
  scalar: Written,
  expression: Expression | undefined,
  codes: ReadonlySet<string>,
): readonly Fix[] {
  if (scalar === expression?.operator) return correctOperators(scalar);
  const is = scalar === expression?.key ? 'key' : 'value';
  if (codes.has('wrong-type'))
    return [{ title: localize`Quote the ${is}`, edits: [quoteAsTyped(scalar)], preferred: true }];
  return correctLabel(is, [scalar]);
}
