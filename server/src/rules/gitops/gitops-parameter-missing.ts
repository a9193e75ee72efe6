/** Reports parameters in the template of an ApplicationSet that its generators do not provide. */

import { knownText } from '../../manifests/gitops/flux.ts';
import type { Expression } from '../../manifests/helm/expression.ts';
import { readTemplate } from '../../manifests/helm/syntax.ts';
import { type Data, isMap } from '../../manifests/helm/value.ts';
import { childOf, itemsOf, type Node, type ScalarNode } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import { isInTemplates } from '../../workspace/charts/chart-files.ts';
import { type GitopsScope, scopesDefinedBy } from '../../workspace/gitops/defined-scopes.ts';
import { hasOverrides, rootOf } from '../../workspace/gitops/resolved-paths.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { isAppliedAsWritten } from '../helpers/applied-as-written.ts';
import { shorten } from '../helpers/sentences.ts';

interface Missing extends Fact {
  readonly node: ScalarNode;
  /** The parameter, such as `.cluster.server`, and the parameter that was probably intended. */
  readonly parameter: string;
  readonly meant?: string;
  /** The name of the Application for which the parameter is missing, if others have it. */
  readonly application?: string;
}

const applications = (server: string) => `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata:
  name: shop
  namespace: argocd
spec:
  goTemplate: true
  goTemplateOptions: ["missingkey=error"]
  generators:
    - list:
        elements:
          - environment: dev
            server: https://dev.example.com
          - environment: prod
            server: https://prod.example.com
  template:
    metadata:
      name: 'shop-{{.environment}}'
    spec:
      project: default
      source:
        repoURL: https://git.example.com/shop.git
        path: 'overlays/{{.environment}}'
      destination:
        server: '{{${server}}}'
        namespace: shop
`;

export const gitopsParameterMissing = rule<Missing>({
  id: 'gitops-parameter-missing',
  severity: 'warning',
  needs: 'gitops',
  acrossFiles: true,
  needsNoRendering: true,
  summary: 'A parameter in the template of an ApplicationSet that its generators do not provide.',
  why: 'With `goTemplateOptions: ["missingkey=error"]`, the template of the ApplicationSet fails, and Argo CD creates and updates none of its Applications. The rule reports a parameter only if all parameters are in the ApplicationSet or in files of this repository.',
  bad: [{ title: 'A misspelled parameter.', text: applications('.sever') }],
  good: [{ title: 'A parameter of the generator.', text: applications('.server') }],
  *check(context) {
    const { stored, uri, workspace } = context;
    for (const object of stored) {
      const { gitopsSpec: spec } = object;
      if (!failsOnMissing(spec) || isInTemplates(uri) || hasOverrides(object)) continue;
      const scopes = scopesDefinedBy(workspace, uri, object);
      const sets = scopes.flatMap(({ gitops }) => gitops.facts.from ?? []);
      if (scopes.length === 0 || !scopes.every((scope) => isCertain(scope, context))) continue;
      const asWritten = () => isAppliedAsWritten(context, scopes[0], object, ({ gitopsSpec }) => [gitopsSpec]);
      for (const node of scalarsIn(childOf(spec, 'template'))) {
        const paths = parametersIn(node.text);
        const missing = sets.map(({ parameters }) => firstMissing(paths, parameters.values));
        const at = missing.findIndex((each) => each !== undefined);
        const found = missing[at];
        if (found === undefined || !asWritten()) continue;
        const name = missing.includes(undefined) ? scopes[at]?.gitops.facts.name : undefined;
        yield {
          span: node.span,
          node,
          ...found,
          ...(name !== undefined && !name.includes('{{') && { application: name }),
        };
      }
    }
  },
  message({ parameter, meant, application }) {
    const fails = application
      ? localize`The generators provide no parameter '${shorten(parameter)}' for Application '${shorten(application)}', so Argo CD creates no Application of this set.`
      : localize`The generators provide no parameter '${shorten(parameter)}', so Argo CD creates no Application of this set.`;
    return meant === undefined ? fails : `${fails} ${localize`Did you mean '${shorten(meant)}'?`}`;
  },
  fixes({ node: { span }, parameter, meant }, { text }) {
    const [before = '', ...others] = text.slice(span.start, span.end).split(parameter);
    if (meant === undefined || others.length !== 1) return [];
    const start = span.start + before.length;
    const edits = [{ span: { start, end: start + parameter.length }, text: meant }];
    return [{ title: localize`Change to '${shorten(meant)}'`, edits, preferred: true }];
  },
});

function failsOnMissing(spec: Node | undefined): boolean {
  const options = itemsOf(childOf(spec, 'goTemplateOptions')).map(knownText);
  return knownText(childOf(spec, 'goTemplate')) === 'true' && options.includes('missingkey=error');
}

function isCertain({ gitops }: GitopsScope, { workspace, uri }: RuleContext): boolean {
  const { parameters, repositories } = gitops.facts.from ?? {};
  const isHere = repositories?.every((each) => rootOf(workspace, uri, each)?.isCertain === true) === true;
  return isHere && parameters?.open === false;
}

/** Returns the scalars on one line that contain template actions. */
function scalarsIn(node: Node | undefined): readonly ScalarNode[] {
  if (node === undefined) return [];
  if (node.kind === 'list') return node.items.flatMap(scalarsIn);
  if (node.kind === 'map') return node.entries.flatMap(({ value }) => scalarsIn(value));
  return node.text.includes('{{') && node.style !== 'block' ? [node] : [];
}

type Path = readonly string[];

/** Returns the parameters that a template always reads, as paths of keys. */
function parametersIn(text: string): readonly Path[] {
  const { nodes, problems } = readTemplate(text);
  if (problems.length > 0) return [];
  return nodes.flatMap((node) => (node.kind === 'output' ? pathsIn(node.expression) : []));
}

function pathsIn(expression: Expression): readonly Path[] {
  const path = pathOf(expression);
  if (path !== undefined) return path.length === 0 ? [] : [path];
  if (expression.kind === 'field') return pathsIn(expression.of);
  if (expression.kind !== 'call') return [];
  // These functions do not evaluate all of their parameters.
  const isLazy = expression.name === 'and' || expression.name === 'or';
  return expression.parameters.slice(0, isLazy ? 1 : undefined).flatMap(pathsIn);
}

function pathOf(expression: Expression): Path | undefined {
  if (expression.kind === 'dot' || (expression.kind === 'variable' && expression.name === '')) return [];
  const outer = expression.kind === 'field' ? pathOf(expression.of) : undefined;
  return outer && expression.kind === 'field' ? [...outer, expression.name] : undefined;
}

/** Returns the first of some parameters that a set certainly lacks. */
function firstMissing(paths: readonly Path[], values: Data): Pick<Missing, 'parameter' | 'meant'> | undefined {
  for (const path of paths) {
    let data: Data | undefined = values;
    for (const [index, name] of path.entries()) {
      if (!isMap(data)) break;
      if (!Object.hasOwn(data, name)) {
        const textOf = (last: string) => `.${[...path.slice(0, index), last].join('.')}`;
        const [only, ...others] = Object.keys(data).filter((key) => misspelling(name, key) !== undefined);
        return { parameter: textOf(name), ...(only !== undefined && others.length === 0 && { meant: textOf(only) }) };
      }
      data = data[name];
    }
  }
  return undefined;
}
