/** Reports Flux variables whose values turn strings into numbers or booleans. */

import type { Written } from '../../manifests/model.ts';
import { written } from '../../manifests/sites/sites.ts';
import { nodeAt } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import type { Variables } from '../../workspace/gitops/flux-variables.ts';
import { variablesOfScope } from '../../workspace/gitops/render-gitops.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';
import { annotationEntries, labelMapEntries } from '../helpers/validated-labels.ts';

interface NotAString extends Fact {
  readonly value: Written;
  /** The key of the label or setting, `name` or another field. */
  readonly field: string;
  readonly kustomization: string;
}

/** A value that must be a string. */
interface StringField {
  readonly value: Written;
  readonly field: string;
}

const kustomization = (variables: string) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: shop
  namespace: flux-system
spec:
  interval: 10m
  path: ./apps
  prune: true
  sourceRef:
    kind: GitRepository
    name: flux-system
  postBuild:
    substitute:
${variables}`;

const settings = (shard: string) => `apiVersion: v1
kind: ConfigMap
metadata:
  name: settings
  namespace: shop
  labels:
    shard: ${shard}
`;

export const gitopsVariableType = rule<NotAString>({
  id: 'gitops-variable-type',
  severity: 'warning',
  acrossFiles: true,
  asApplied: true,
  summary: 'A name, label, annotation, selector or setting that a Flux variable turns into a number or boolean.',
  why: `Flux replaces variables in the output of kustomize, in which strings have only the quotes that they need: \`"\${SHARD}"\` becomes \`\${SHARD}\` and then \`1\`, which is a number. The API server rejects the object, so the whole Kustomization fails. Quotes in the manifest or in the value of the variable in its ConfigMap have no effect, but a variable that contains a quotation mark does: \`\${quote}\${SHARD}\${quote}\`, where \`quote\` is set to \`'"'\`.`,
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
    for (const { value, field } of stringFields(context)) {
      if (value.type === 'string' || value.type === 'null') continue;
      const variables = variablesOfScope(context.workspace, context.catalogue, appliedBy);
      if (variables !== undefined && isFromVariable(value, context.text, variables))
        yield { span: value.span, value, field, kustomization: appliedBy.gitops?.facts.name ?? '' };
    }
  },
  message: ({ value: { text, type }, field, kustomization: name }) =>
    localize`Flux inserts '${shorten(text)}' without quotes, so '${shorten(field)}' is a ${type}, not a string, and Kustomization '${shorten(name)}' fails.`,
  fixes: () => [],
});

/** Yields the strings of which facts are kept: of a ConfigMap or Secret, the data if every key is the name of a variable. */
function* stringFields({ manifest, stored }: RuleContext): Iterable<StringField> {
  for (const { entry } of labelMapEntries(manifest)) yield { value: entry.value, field: entry.key.text };
  for (const { entry } of annotationEntries(manifest)) yield { value: entry.value, field: entry.key.text };
  for (const { name, namespace, selectorSites, variables, gitopsSpec } of stored) {
    const substitute = gitopsSpec && nodeAt(gitopsSpec, 'postBuild', 'substitute');
    for (const data of [variables, substitute])
      for (const { key, value } of data?.kind === 'map' ? data.entries : [])
        yield { value: written(value), field: key.text };
    if (name !== undefined) yield { value: name, field: 'name' };
    if (namespace !== undefined) yield { value: namespace, field: 'namespace' };
    for (const { expressions } of selectorSites)
      for (const { values } of expressions) for (const value of values) yield { value, field: 'values' };
  }
}

/** Whether a variable, or the default of one in this file, determines a value. */
function isFromVariable({ origin, span }: Written, text: string, { values }: Variables): boolean {
  if (origin === undefined) return text.slice(span.start, span.end).includes('${');
  for (const { origin: at } of values.values())
    if (at.uri === origin.uri && at.span.start === origin.span.start) return true;
  return false;
}
