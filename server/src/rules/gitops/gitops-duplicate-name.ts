/** Reports ApplicationSets that create several Applications with the same name. */

import { getOrAdd } from '../../engine/memoize.ts';
import { nodeAt } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { type GitopsScope, scopesDefinedBy } from '../../workspace/gitops/defined-scopes.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

interface Duplicate extends Fact {
  readonly name: string;
  readonly count: number;
}

const applications = (name: string) => `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata:
  name: shop
  namespace: argocd
spec:
  goTemplate: true
  generators:
    - list:
        elements:
          - app: shop
            environment: dev
          - app: shop
            environment: prod
  template:
    metadata:
      name: '${name}'
    spec:
      project: default
      source:
        repoURL: https://git.example.com/shop.git
        path: 'overlays/{{.environment}}'
      destination:
        server: https://kubernetes.default.svc
        namespace: 'shop-{{.environment}}'
`;

export const gitopsDuplicateName = rule<Duplicate>({
  id: 'gitops-duplicate-name',
  severity: 'warning',
  needs: 'gitops',
  acrossFiles: true,
  needsNoRendering: true,
  summary: 'An ApplicationSet that creates several Applications with the same name.',
  why: 'Argo CD creates only the first of these Applications, and reports an error for the others. The rule reports a name only if no part of it is unknown, and if the folders of a git generator are certainly in the workspace.',
  withoutFix: 'Only the author knows which parameter makes the names unique.',
  bad: [
    {
      title: 'A name without the parameter that distinguishes the Applications.',
      text: applications('{{.app}}'),
    },
  ],
  good: [
    {
      title: 'A name with all parameters.',
      text: applications('{{.app}}-{{.environment}}'),
    },
  ],
  *check({ workspace, stored, uri }) {
    for (const object of stored) {
      const name = nodeAt(object.gitopsSpec, 'template', 'metadata', 'name');
      if (name === undefined) continue;
      const named = new Map<string, GitopsScope[]>();
      for (const scope of scopesDefinedBy(workspace, uri, object).filter(isCertain)) {
        const { name: text, from, rendered } = scope.gitops.facts;
        // A template of a chart may define several sets, and several releases of the chart define each of them.
        getOrAdd(named, JSON.stringify([text, from?.set, rendered?.by]), () => []).push(scope);
      }
      const repeated = [...named.values()].find(({ length }) => length > 1) ?? [];
      const [first] = repeated;
      if (first !== undefined) yield { span: name.span, name: first.gitops.facts.name, count: repeated.length };
    }
  },
  message: ({ name, count }) =>
    localize`${count} Applications of this set are named '${shorten(name)}'; Argo CD creates only the first.`,
  fixes: () => [],
});

/** Whether the name of a generated Application is known. A name that depends on the path of a folder is only known if the folder is certain. */
function isCertain({ gitops: { facts, located } }: GitopsScope): boolean {
  const { parameters } = facts.from ?? {};
  const isOfFolder = JSON.stringify(parameters?.values ?? {}).includes('path');
  const isKnown = facts.name !== '' && !facts.name.includes('{{') && parameters?.open === false;
  return isKnown && (!isOfFolder || (located.length > 0 && located.every((place) => place?.isCertain === true)));
}
