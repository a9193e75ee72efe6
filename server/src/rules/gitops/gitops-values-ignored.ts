/** Reports values in an Application that Argo CD ignores. */

import { argoSources } from '../../manifests/gitops/source-paths.ts';
import { argoGroup } from '../../manifests/gitops/spec.ts';
import { childOf, entryOf, nodeAt, type ScalarNode } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { type Fact, rule } from '../framework/rule.ts';

interface Ignored extends Fact {
  readonly key: ScalarNode;
}

const application = (values: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: redis
  namespace: argocd
spec:
  project: default
  source:
    repoURL: https://charts.example.com
    chart: redis
    targetRevision: 1.0.0
    helm:
${values}
  destination:
    server: https://kubernetes.default.svc
    namespace: shop
`;

export const gitopsValuesIgnored = rule<Ignored>({
  id: 'gitops-values-ignored',
  severity: 'information',
  needs: 'gitops',
  summary: 'Values of an Application that Argo CD ignores, because the source has both `values` and `valuesObject`.',
  why: 'Argo CD never merges the two fields: if `valuesObject` is set, it ignores `values`, so the defaults of the chart apply.',
  withoutFix: 'Only the author knows which of the values are intended.',
  bad: [
    {
      title: 'Both fields.',
      text: application(`      values: |
        replicas: 2
      valuesObject:
        image: redis:8`),
    },
  ],
  good: [
    {
      title: 'All values in one field.',
      text: application(`      valuesObject:
        image: redis:8
        replicas: 2`),
    },
  ],
  *check({ stored }) {
    for (const { group, gitopsSpec } of stored) {
      if (group !== argoGroup) continue;
      const specs = [gitopsSpec, nodeAt(gitopsSpec, 'template', 'spec')];
      for (const source of specs.flatMap(argoSources)) {
        const helm = childOf(source, 'helm');
        const values = entryOf(helm, 'values');
        const isEmpty = values?.value.kind === 'scalar' && values.value.text.trim() === '';
        if (values === undefined || isEmpty || childOf(helm, 'valuesObject')?.kind !== 'map') continue;
        yield { span: values.key.span, key: values.key, tags: ['unnecessary'] };
      }
    }
  },
  message: () => localize`'values' is ignored because 'valuesObject' is set; Argo CD does not merge them.`,
  fixes: () => [],
});
