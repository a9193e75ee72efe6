/** Reports values in a GitOps object that no template of its chart reads, if their name is similar to the name of a value that is read. */

import { argoSources } from '../../manifests/gitops/source-paths.ts';
import { helmGroup } from '../../manifests/gitops/spec.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { written } from '../../manifests/sites/sites.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { childOf, effectiveEntries, type MapNode, nodeAt, type ScalarNode } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import { valuesReadBy } from '../../workspace/gitops/chart-values-read.ts';
import { scopesDefinedBy } from '../../workspace/gitops/defined-scopes.ts';
import { fileNameOf } from '../../workspace/uri.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

interface Unused extends Fact {
  readonly key: ScalarNode;
  readonly chart: string;
  /** The only similar name of a value that templates read. */
  readonly meant: string;
}

const chart = {
  'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
  'charts/web/templates/web.yaml':
    'apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\nspec:\n  replicas: {{ .Values.replicas }}\n  selector:\n    matchLabels:\n      app: web\n  template:\n    metadata:\n      labels:\n        app: web\n    spec:\n      containers:\n        - name: web\n          image: web:1\n',
};

const application = (key: string) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata:
  name: web
  namespace: argocd
spec:
  project: default
  source:
    repoURL: https://git.example.com/shop.git
    path: charts/web
    helm:
      valuesObject:
        ${key}: 3
  destination:
    server: https://kubernetes.default.svc
    namespace: shop
`;

export const gitopsValuesKeyUnused = rule<Unused>({
  id: 'gitops-values-key-unused',
  severity: 'hint',
  acrossFiles: true,
  needsNoRendering: true,
  summary:
    'A value of an Application or a HelmRelease that its chart does not use, although the chart uses a similar name.',
  why: 'Helm ignores values that no template uses, so the default of the intended value applies. The rule checks only charts in the workspace that have no dependencies, and only if the values that their templates use are certain: no template uses `.Values` as a whole, `tpl` or other files.',
  bad: [
    {
      title: 'A misspelled value.',
      file: 'argocd/web.yaml',
      text: application('replcias'),
      beside: chart,
    },
  ],
  good: [
    {
      title: 'A value that a template uses.',
      file: 'argocd/web.yaml',
      text: application('replicas'),
      beside: chart,
    },
  ],
  *check({ workspace, stored, uri }) {
    for (const object of stored) {
      const [scope] = scopesDefinedBy(workspace, uri, object);
      for (const [index, content] of scope?.gitops.contents.entries() ?? []) {
        const values = content?.chart ? valuesIn(object, scope?.gitops.facts.sources[index]?.index ?? 0) : undefined;
        const read =
          content === undefined || values === undefined ? undefined : valuesReadBy(workspace, content.folder);
        if (content === undefined || values === undefined || read === undefined) continue;
        for (const { key, meant } of unusedIn(values, '', read))
          yield { span: key.span, key, meant, chart: fileNameOf(content.folder) };
      }
    }
  },
  message: ({ key, chart: name, meant }) =>
    localize`No template of chart '${shorten(name)}' reads value '${shorten(key.text)}'. Did you mean '${shorten(meant)}'?`,
  fixes: ({ key, meant }) =>
    key.origin !== undefined
      ? []
      : [
          {
            title: localize`Change to '${shorten(meant)}'`,
            edits: [replaceScalar(written(key), meant)],
            preferred: true,
          },
        ],
});

/** Returns the values that a GitOps object sets for a chart, as a map; undefined if there are none. */
function valuesIn({ group, gitopsSpec }: ManifestObject, index: number): MapNode | undefined {
  const values =
    group === helmGroup
      ? childOf(gitopsSpec, 'values')
      : nodeAt(argoSources(gitopsSpec)[index], 'helm', 'valuesObject');
  return values?.kind === 'map' ? values : undefined;
}

/** Keys of values that Helm itself uses. */
const special = new Set(['global', 'tags']);

/** Yields the keys below a path that no template reads although they are similar to exactly one key below this path that is read. */
function* unusedIn(
  map: MapNode,
  path: string,
  read: ReadonlySet<string>,
): Generator<{ readonly key: ScalarNode; readonly meant: string }> {
  const below = new Set(
    [...read].flatMap((each) => (each.startsWith(path) ? each.slice(path.length).split('.', 1) : [])),
  );
  const entries = effectiveEntries(map);
  const given = new Set(entries.map(({ key }) => key.text));
  for (const { key, value } of entries) {
    if ((path === '' && special.has(key.text)) || key.pattern !== undefined) continue;
    const full = `${path}${key.text}`;
    if (read.has(full)) continue;
    if (below.has(key.text)) {
      if (value.kind === 'map') yield* unusedIn(value, `${full}.`, read);
      continue;
    }
    const similar = [...below].filter((each) => {
      const how = misspelling(key.text, each);
      return !given.has(each) && (how === 'evident' || how === 'likely');
    });
    const [meant, ...others] = similar;
    if (meant !== undefined && others.length === 0) yield { key, meant };
  }
}
