/** Reports Flux variables that turn a string into a number or boolean, or a label into one that the API server rejects. */

import { type Problem, validateLabelValue } from '../../engine/index.ts';
import type { Written } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import type { Variables } from '../../workspace/gitops/flux-substitution.ts';
import { variablesOfScope } from '../../workspace/gitops/render-gitops.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { fluxKustomization } from '../helpers/example-manifests.ts';
import { describeProblems, shorten } from '../helpers/sentences.ts';
import { type StringField, stringFields } from '../helpers/string-fields.ts';

interface Rejected extends Fact {
  readonly value: Written;
  /** The key of the label or setting, `name` or another field. */
  readonly field: string;
  readonly kustomization: string;
  /** The problems of a label value; empty for a value that is not a string. */
  readonly problems: readonly Problem[];
}

const kustomization = (variables: string) =>
  `${fluxKustomization('shop', './apps', {
    more: `  postBuild:
    substitute:
`,
  })}${variables}`;

const settings = (shard: string) => `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: shop
  labels:
    shard: ${shard}
`;

export const gitopsVariableValue = rule<Rejected>({
  id: 'gitops-variable-value',
  severity: 'warning',
  acrossFiles: true,
  asApplied: true,
  summary: 'A name, label, annotation, selector or setting that is invalid after Flux has replaced its variables.',
  why: `Flux replaces variables in the output of kustomize, in which strings have only the quotes that they need: \`"\${SHARD}"\` becomes \`\${SHARD}\` and then \`1\`, which is a number. The API server rejects such an object, and one with an invalid label value, so the whole Kustomization fails. Quotes in the manifest or in the value of the variable in its ConfigMap have no effect, but a variable that contains a quotation mark does: \`\${quote}\${SHARD}\${quote}\`, where \`quote\` is set to \`'"'\`.`,
  withoutFix:
    'Only the author can decide whether to add a variable that inserts quotation marks, to put a letter in front of the value, or to change the value.',
  bad: [
    {
      title: 'A variable whose value is a number. Its quotes are lost.',
      file: 'apps/settings.yaml',
      text: settings(`"\${SHARD}"`),
      beside: { 'flux/shop.yaml': kustomization(`      SHARD: "1"\n`) },
    },
  ],
  good: [
    {
      title: 'A variable inserts quotation marks.',
      file: 'apps/settings.yaml',
      text: settings(`\${quote}\${SHARD}\${quote}`),
      beside: { 'flux/shop.yaml': kustomization(`      SHARD: "1"\n      quote: '"'\n`) },
    },
  ],
  *check(context) {
    const { appliedBy } = context.workspace;
    if (appliedBy?.kind !== 'flux-kustomization') return;
    const kinds = new Set(context.stored.map(({ kindSpan }) => kindSpan.start));
    // The text of a patch is shown at the kind of the object. A variable that this file contains, too, is reported there.
    const isForeign = ({ value }: StringField) => kinds.has(value.span.start);
    const reported = new Set<string>();
    const all = [...stringFields(context)];
    for (const each of [...all.filter((field) => !isForeign(field)), ...all.filter(isForeign)]) {
      const { value, field, isLabel } = each;
      const isString = value.type === 'string' || value.type === 'null';
      const problems = isString && isLabel && typeof value.value === 'string' ? validateLabelValue(value.value) : [];
      if (isString && problems.length === 0) continue;
      const variables = variablesOfScope(context.workspace, context.catalogue, appliedBy);
      if (variables === undefined || !isFromVariable(value, context.text, variables)) continue;
      const of = `${value.origin?.uri} ${value.origin?.span.start}`;
      const isRepeated = isForeign(each) && value.origin !== undefined && reported.has(of);
      reported.add(of);
      if (!isRepeated)
        yield { span: value.span, value, field, problems, kustomization: appliedBy.gitops?.facts.name ?? '' };
    }
  },
  message({ value: { text, type }, field, problems, kustomization: name }) {
    if (problems.length > 0) return localize`Flux inserts '${shorten(text)}'. ${describeProblems(problems)}`;
    return localize`Flux inserts '${shorten(text)}' without quotes, so '${shorten(field)}' is a ${type}, not a string, and Kustomization '${shorten(name)}' fails.`;
  },
  fixes: () => [],
});

/** Whether a variable, or the default of one in this file, determines a value. */
function isFromVariable({ origin, span }: Written, text: string, { values }: Variables): boolean {
  if (origin === undefined) return text.slice(span.start, span.end).includes('${');
  for (const { origin: at } of values.values())
    if (at.uri === origin.uri && at.span.start === origin.span.start) return true;
  return false;
}
