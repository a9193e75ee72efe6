/** Reports Flux variables that have no default and are not set by any source. */

import { type Expression, isDefault } from '../../manifests/gitops/envsubst.ts';
import { writtenVariables } from '../../manifests/gitops/written-variables.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import type { GitopsScope } from '../../workspace/gitops/defined-scopes.ts';
import type { Variables } from '../../workspace/gitops/flux-variables.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { substitutedTexts } from '../helpers/flux-substitution.ts';
import { shorten } from '../helpers/sentences.ts';

interface Unset extends Fact {
  readonly name: string;
  readonly kustomization: string;
  /** The only existing variable with a similar name. */
  readonly meant?: string;
  /** The start of the variable, unless it is in the default of another variable. */
  readonly start?: number;
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
      text: `apiVersion: kustomize.toolkit.fluxcd.io/v1
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
      ENVIRONMENT: prod
---
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
        'flux/shop.yaml': `apiVersion: kustomize.toolkit.fluxcd.io/v1
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
      ENVIRONMENT: prod
`,
      },
    },
  ],
  *check(context) {
    for (const { span, substitutions, isBuilt } of substitutedTexts(context)) {
      const sources = substitutions.filter(({ variables }) => variables.isComplete);
      if (sources.length === 0) continue;
      const expressions = writtenVariables(context.text, span).variables;
      for (const expression of expressions) {
        if (isDefault(expression.operator)) continue;
        const unset = sources.find(
          ({ scope, variables }) => !variables.values.has(expression.name) && isBuilt(scope, expression.start),
        );
        if (unset !== undefined && !hasWebhook(context)) {
          const isNested = expressions.some(({ start, end }) => start < expression.start && expression.start < end);
          const start = isNested ? undefined : expression.start;
          yield { ...factOf(expression, unset.scope, unset.variables), ...(start !== undefined && { start }) };
        }
      }
    }
  },
  message({ name, kustomization, meant }) {
    const variable = shorten(name);
    if (meant !== undefined) {
      return localize`Kustomization '${shorten(kustomization)}' does not set variable '${variable}'; kustomize-controller 1.9 or later rejects this. Did you mean '${shorten(meant)}'?`;
    }
    return localize`Kustomization '${shorten(kustomization)}' does not set variable '${variable}'; kustomize-controller 1.9 or later rejects this.`;
  },
  fixes: ({ span, meant, start }) => {
    const title = localize`Keep the text with a second '$'`;
    const kept =
      start === undefined ? [] : [{ title, edits: [{ span: { start, end: start }, text: '$' }], preferred: false }];
    if (meant === undefined) return kept;
    return [
      { title: localize`Change to '${shorten(meant)}'`, edits: [{ span, text: meant }], preferred: true },
      ...kept,
    ];
  },
});

function factOf({ name, nameStart }: Expression, { gitops }: GitopsScope, { values }: Variables): Unset {
  const likely = [...values.keys()].filter((each) => {
    const how = misspelling(name, each);
    return how === 'evident' || how === 'likely';
  });
  const [meant] = likely.length === 1 ? likely : [];
  const span = { start: nameStart, end: nameStart + name.length };
  return { span, name, kustomization: gitops.facts.name, ...(meant !== undefined && { meant }) };
}

/** Whether an admission webhook exists, which may add variables to a Kustomization. */
function hasWebhook({ workspace }: RuleContext): boolean {
  for (const { identities } of workspace.scopes().facts().values())
    if (identities.some((each) => each.startsWith('admissionregistration.k8s.io\nMutatingWebhook'))) return true;
  return false;
}
