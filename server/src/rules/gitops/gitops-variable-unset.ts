/** Reports Flux variables that have no default and are not set by any source. */

import { getOrAdd } from '../../engine/memoize.ts';
import { type Expression, isDefault } from '../../manifests/gitops/envsubst.ts';
import { writtenVariables } from '../../manifests/gitops/written-variables.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import type { Span } from '../../text/span.ts';
import { identitiesIn } from '../../workspace/references/names.ts';
import { type Fact, maximumRelated, type RuleContext, rule } from '../framework/rule.ts';
import { fluxKustomization } from '../helpers/example-manifests.ts';
import { definitionNote } from '../helpers/gitops-definitions.ts';
import { shorten } from '../helpers/sentences.ts';
import { type Substitution, substitutedTexts } from '../helpers/substituted-texts.ts';

interface Unset extends Fact {
  readonly name: string;
  readonly kustomization: string;
  /** The only existing variable with a similar name. */
  readonly meant?: string;
  /** The names of the variable in the file, of which the first is the span of the finding. */
  readonly spans: readonly Span[];
}

export const gitopsVariableUnset = rule<Unset>({
  id: 'gitops-variable-unset',
  severity: 'information',
  acrossFiles: true,
  needsNoRendering: true,
  summary: 'A variable without a value and without a default, in a manifest that a Flux Kustomization applies.',
  why: `Flux replaces \`\${NAME}\` in everything that a Kustomization with variables builds, including scripts and dashboards. Since kustomize-controller 1.9, a variable that is not set makes the whole Kustomization fail; earlier versions insert an empty string. The rule reports a variable only if all sources of variables are in the workspace. To keep the text, write \`$\${NAME}\`, or set the label or annotation \`kustomize.toolkit.fluxcd.io/substitute: disabled\` of the object.`,
  bad: [
    {
      title: 'A misspelled variable.',
      file: 'apps/shop.yaml',
      text: `${fluxKustomization('shop', './apps', {
        more: `  postBuild:
    substitute:
      ENVIRONMENT: prod
`,
      })}---
apiVersion: v1
kind: ConfigMap
metadata:
  name: shop
  namespace: shop
data:
  environment: \${ENVIROMENT}
`,
    },
  ],
  good: [
    {
      title: 'A variable with a default, in a file that a Kustomization with variables applies.',
      file: 'apps/shop.yaml',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: shop
  namespace: shop
data:
  region: \${REGION:=eu}
`,
      beside: {
        'flux/shop.yaml': fluxKustomization('shop', './apps', {
          more: `  postBuild:
    substitute:
      ENVIRONMENT: prod
`,
        }),
      },
    },
  ],
  *check(context) {
    const found = new Map<string, { readonly unset: Substitution; readonly uses: Expression[] }>();
    for (const { span, substitutions, isBuilt } of substitutedTexts(context)) {
      const sources = substitutions.filter(({ variables }) => variables.isComplete);
      if (sources.length === 0) continue;
      for (const expression of writtenVariables(context.text, span).variables) {
        const { name, start, operator } = expression;
        if (isDefault(operator)) continue;
        const unset = sources.find(({ scope, variables }) => !variables.values.has(name) && isBuilt(scope, start));
        if (unset === undefined) continue;
        getOrAdd(found, `${unset.scope.path}\n${name}`, () => ({ unset, uses: [] })).uses.push(expression);
      }
    }
    if (found.size === 0 || hasWebhook(context)) return;
    for (const { unset, uses } of found.values()) yield factOf(uses, unset, context);
  },
  message({ name, kustomization, meant }) {
    const variable = shorten(name);
    if (meant !== undefined) {
      return localize`Kustomization '${shorten(kustomization)}' does not set variable '${variable}'; kustomize-controller 1.9 or later rejects this. Did you mean '${shorten(meant)}'?`;
    }
    return localize`Kustomization '${shorten(kustomization)}' does not set variable '${variable}'; kustomize-controller 1.9 or later rejects this.`;
  },
  fixes: ({ spans, meant }) =>
    meant === undefined
      ? []
      : [
          {
            title: localize`Change to '${shorten(meant)}'`,
            edits: spans.map((span) => ({ span, text: meant })),
            preferred: true,
          },
        ],
});

function factOf(
  uses: readonly Expression[],
  { scope, variables: { values } }: Substitution,
  { workspace, file }: RuleContext,
): Unset {
  const name = uses[0]?.name ?? '';
  const likely = [...values.keys()].filter((each) => {
    const how = misspelling(name, each);
    return how === 'evident' || how === 'likely';
  });
  const [meant] = likely.length === 1 ? likely : [];
  const spans = uses.map(spanOf);
  const [span = { start: 0, end: 0 }, ...others] = spans;
  const message = localize`'${shorten(name)}' is also used here.`;
  return {
    span,
    name,
    kustomization: scope.gitops.facts.name,
    spans,
    related: [
      ...definitionNote(workspace, scope.gitops),
      ...others.slice(0, maximumRelated - 1).map((each) => ({ file, span: each, message })),
    ],
    ...(meant !== undefined && { meant }),
  };
}

function spanOf({ nameStart, name }: Expression): Span {
  return { start: nameStart, end: nameStart + name.length };
}

/** Whether an admission webhook exists, which may add variables to a Kustomization. */
function hasWebhook({ workspace }: RuleContext): boolean {
  for (const [, identity] of identitiesIn(workspace, 'MutatingWebhookConfiguration'))
    if (identity.startsWith('admissionregistration.k8s.io\n')) return true;
  return false;
}
