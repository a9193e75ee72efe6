/** Reports values in a GitOps object that no template of its chart reads, if their name is similar to the name of a value that is read. */

import { applicationSpec, argoSources } from '../../manifests/gitops/source-paths.ts';
import { helmGroup } from '../../manifests/gitops/spec.ts';
import { valuesTree } from '../../manifests/helm/values.ts';
import { scalarLetters } from '../../manifests/inline/scalar-source-map.ts';
import { type Letters, verbatim } from '../../manifests/inline/source-map.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { written } from '../../manifests/sites/sites.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { needsQuotes } from '../../manifests/yaml/scalar-types.ts';
import { childOf, effectiveEntries, itemsOf, type Node } from '../../manifests/yaml/tree.ts';
import type { Edit } from '../../text/edit.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import type { Span } from '../../text/span.ts';
import { valuesReadBy, valuesUsedBy } from '../../workspace/gitops/chart-values-read.ts';
import { scopesDefinedBy } from '../../workspace/gitops/defined-scopes.ts';
import type { Workspace } from '../../workspace/model.ts';
import { fileNameOf } from '../../workspace/uri.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

interface Unused extends Fact {
  /** The path of the map that contains the value, with a period at its end; empty for the root. */
  readonly path: string;
  readonly key: string;
  readonly chart: string;
  /** The only similar name of a value that templates read. */
  readonly meant: string;
  /** Replaces the name; undefined if this is not possible. */
  readonly edit: Edit | undefined;
}

interface NamedValue {
  readonly name: string;
  readonly span: Span;
  readonly below: readonly NamedValue[];
  rename(name: string): Edit | undefined;
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
  why: 'Helm ignores values that no template uses, so the default of the intended value applies. The rule checks only charts in the workspace that have no dependencies, and only if the values that their templates use are certain: no template uses `.Values` as a whole, `tpl` or other files. It checks `values`, `valuesObject` and `parameters` of an Application, `values` of a HelmRelease, and the values files that GitOps objects use for only one chart.',
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
  *check(context) {
    const { workspace, stored, uri } = context;
    for (const object of stored) {
      const scopes = scopesDefinedBy(workspace, uri, object);
      const [scope] = scopes;
      for (const [index, content] of scope?.gitops.contents.entries() ?? []) {
        const isOne = scopes.every(({ gitops }) => gitops.contents[index]?.folder === content?.folder);
        if (!content?.chart || !isOne) continue;
        const source = scope?.gitops.facts.sources[index]?.index ?? 0;
        yield* unusedOf(workspace, content.folder, () => valuesIn(object, source, context));
      }
    }
    const chart = context.file.data === undefined ? undefined : valuesUsedBy(workspace, uri);
    if (chart !== undefined) yield* unusedOf(workspace, chart, () => namedInText(verbatim(context.text)));
  },
  message({ path, key, chart: name, meant }) {
    // In a long path, the name would be shortened.
    const [value, other] = [key, meant].map((each) => shorten(path.length > 25 ? each : path + each));
    return localize`No template of chart '${shorten(name)}' reads value '${value}'. Did you mean '${other}'?`;
  },
  fixes: ({ edit, meant }) =>
    edit === undefined ? [] : [{ title: localize`Change to '${shorten(meant)}'`, edits: [edit], preferred: true }],
});

/** Yields the values that no template of the chart in a folder reads, although templates read a similar one. */
function* unusedOf(workspace: Workspace, folder: string, values: () => readonly NamedValue[]): Generator<Unused> {
  const read = valuesReadBy(workspace, folder);
  if (read === undefined) return;
  for (const { value, path, meant } of unusedIn(values(), '', read))
    yield { span: value.span, path, key: value.name, meant, chart: fileNameOf(folder), edit: value.rename(meant) };
}

/** Returns the values that a GitOps object sets for the chart of a source. `valuesObject` replaces `values`. */
function valuesIn(object: ManifestObject, index: number, { text }: RuleContext): readonly NamedValue[] {
  if (object.group === helmGroup) return namedIn(childOf(object.gitopsSpec, 'values'));
  const helm = childOf(argoSources(applicationSpec(object))[index], 'helm');
  const written = childOf(helm, 'values');
  const isText = written?.kind === 'scalar' && written.origin === undefined && !written.text.includes('{{');
  const values = childOf(helm, 'valuesObject') ?? (isText ? undefined : written);
  return [
    ...(values === undefined && isText ? namedInText(scalarLetters(text, written)) : namedIn(values)),
    ...itemsOf(childOf(helm, 'parameters')).flatMap((item) => parameterOf(childOf(item, 'name'))),
  ];
}

/** Returns the names in values that are written as a map. */
function namedIn(values: Node | undefined, letters?: Letters): readonly NamedValue[] {
  if (values?.kind !== 'map') return [];
  return effectiveEntries(values).flatMap(({ key, value }) => {
    if (key.pattern !== undefined) return [];
    const { start, end } = key.span;
    const span = letters === undefined ? key.span : { start: letters.startOf(start), end: letters.endOf(end - 1) };
    // In the text of a quoted scalar, quotes would have to be escaped.
    const isWritten = key.origin === undefined && (letters === undefined || key.style === 'plain');
    const rename = (name: string) =>
      isWritten && !(letters && needsQuotes(name)) ? replaceScalar({ ...written(key), span }, name) : undefined;
    return { name: key.text, span, below: namedIn(value, letters), rename };
  });
}

/** Returns the names in values that are written as the text of a scalar or file. */
function namedInText(letters: Letters): readonly NamedValue[] {
  return namedIn(valuesTree(letters.text), letters);
}

/** Returns the name that a parameter sets, unless it contains an escape, an index or a variable. */
function parameterOf(node: Node | undefined): readonly NamedValue[] {
  if (node?.kind !== 'scalar' || !/^[\w-]+(?:\.[\w-]+)*$/.test(node.text)) return [];
  const { span, origin } = node;
  const names = node.text.split('.');
  return names.reduceRight<readonly NamedValue[]>((below, name, at) => {
    const rename = (meant: string) =>
      origin === undefined ? replaceScalar(written(node), names.with(at, meant).join('.')) : undefined;
    return [{ name, span, below, rename }];
  }, []);
}

/** Keys of values that Helm itself uses. */
const special = new Set(['global', 'tags']);

/** Yields the values below a path that no template reads, although templates read exactly one similar value there. */
function* unusedIn(
  values: readonly NamedValue[],
  path: string,
  read: ReadonlySet<string>,
): Generator<{ readonly value: NamedValue; readonly path: string; readonly meant: string }> {
  const known = new Set(
    [...read].flatMap((each) => (each.startsWith(path) ? each.slice(path.length).split('.', 1) : [])),
  );
  const given = new Set(values.map(({ name }) => name));
  for (const value of values) {
    const { name } = value;
    const full = `${path}${name}`;
    if ((path === '' && special.has(name)) || read.has(full)) continue;
    if (known.has(name)) {
      yield* unusedIn(value.below, `${full}.`, read);
      continue;
    }
    const similar = [...known].filter((each) => {
      const how = misspelling(name, each);
      return !given.has(each) && (how === 'evident' || how === 'likely');
    });
    const [meant, ...others] = similar;
    if (meant !== undefined && others.length === 0) yield { value, path, meant };
  }
}
