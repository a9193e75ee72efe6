/** Reports label values that Kubernetes does not accept. */

import { type Problem, validateLabelValue } from '../../engine/index.ts';
import { localize } from '../../text/localize.ts';
import { correctLabel } from '../fixes/fix-label.ts';
import { moveToAnnotations } from '../fixes/move-label.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { sameLabels } from '../helpers/linked-labels.ts';
import { describeProblems, shorten } from '../helpers/sentences.ts';
import { allLabelMapEntries, isLabelSite, type LabelMapEntry } from '../helpers/validated-labels.ts';

interface InvalidValue extends Fact {
  readonly place: LabelMapEntry;
  readonly problems: readonly Problem[];
  /** Set if a template writes the value unless the chart has a value. */
  readonly isDefault?: true;
}

export const labelValueSyntax = rule<InvalidValue>({
  id: 'label-value-syntax',
  severity: 'error',
  needs: 'maps',
  summary: 'A label value that Kubernetes does not accept.',
  why: 'The API server rejects an object with an invalid label value, so it is not applied. A value is empty, or up to 63 characters (letters, digits, `-`, `_` and `.`) with a letter or digit at both ends. A longer string, or a string with other characters, belongs in an annotation.',
  bad: [
    {
      title: 'A sentence as a label value.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    owner: Team Blue
`,
    },
    {
      title: 'A dash at the end, in the labels of a pod template.',
      text: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: basket
spec:
  selector:
    matchLabels:
      app: basket
  template:
    metadata:
      labels:
        app: basket
        track: canary-
`,
    },
  ],
  good: [
    {
      title: 'An empty value is valid.',
      change: [
        'owner: Team Blue',
        `owner: team-blue
    canary: ""`,
      ],
    },
  ],
  *check({ manifest, page }) {
    for (const place of allLabelMapEntries(manifest)) {
      const { value } = place.entry;
      if (place.free || value.type !== 'string') continue;
      if (typeof value.value !== 'string') {
        yield* ofDefault(place);
        continue;
      }
      // On a page, a phrase such as `your team` is a placeholder.
      if (page !== undefined && /\byour\b/i.test(value.value)) continue;
      const problems = validateLabelValue(value.value);
      const severity = place.severity;
      if (problems.length > 0) yield { span: value.span, place, problems, ...(severity && { severity }) };
    }
  },
  message: ({ place, problems, isDefault }) => {
    if (isDefault) return localize`${describeProblems(problems)} This is the default of the template.`;
    return aboutExpression(place) ?? describeProblems(problems);
  },
  fixes: ({ place, isDefault }, context) =>
    isDefault
      ? []
      : [
          ...correctLabel(
            'value',
            sameLabels(place).map(({ value }) => value),
          ),
          ...moveToAnnotations(place, context),
        ],
});

/** Matches an action that writes a value of the chart, or the text of its default. */
const defaulted =
  /^\{\{-? ?(?:\(? ?\.Values(?:\.\w{1,100}){1,10} ?\)? ?\| ?default "([^"\\]{0,300})"|default "([^"\\]{0,300})" \(? ?\.Values(?:\.\w{1,100}){1,10} ?\)?) ?(?:\| ?s?quote ?)?-?\}\}$/;

/** Yields a finding if an action writes an invalid value unless the chart has a value. */
function* ofDefault(place: LabelMapEntry): Iterable<InvalidValue> {
  const { value } = place.entry;
  const found = value.origin === undefined ? defaulted.exec(value.text) : null;
  const problems = found === null ? [] : validateLabelValue(found[1] ?? found[2] ?? '');
  if (problems.length > 0) yield { span: value.span, place, problems, isDefault: true, severity: 'warning' };
}

/** Matches the value of a label in a selector that is written like a set-based requirement. */
const expression = /^\s*(?:!=?|==?|[<>]|(?:not)?in\s*[([])/i;

/** Returns the message for a selector whose value is written like a requirement; undefined for other values. */
function aboutExpression({ site, entry: { value } }: LabelMapEntry): string | undefined {
  if (isLabelSite(site) || !expression.test(value.text)) return undefined;
  const text = shorten(value.text);
  return site.fact.form === 'labelSelector'
    ? localize`'${text}' is not evaluated: \`matchLabels\` only compares values for equality; use \`matchExpressions\`.`
    : localize`'${text}' is not evaluated: this selector only compares values for equality.`;
}
