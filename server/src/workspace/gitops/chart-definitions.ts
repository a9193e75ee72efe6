/** Finds the GitOps objects in the templates of charts, as the GitOps objects that install these charts define them. */

import { WorkBudget } from '../../engine/work-budget.ts';
import { knownText } from '../../manifests/gitops/flux.ts';
import type { GitopsFacts } from '../../manifests/gitops/model.ts';
import type { Data } from '../../manifests/helm/value.ts';
import { childOf, type Node } from '../../manifests/yaml/tree.ts';
import { isHelperFile } from '../charts/chart-files.ts';
import type { ChartRoot } from '../charts/charts.ts';
import type { ScopeFacts } from '../scopes/scope-facts.ts';
import { applicationSpec, nodeOf } from './argo/application-spec.ts';
import { releaseOf } from './argo/argo-recipe.ts';
import { documentsIn, type RenderedDefinitions, renderedDefinitions, textAt } from './argo/chart-definitions.ts';
import type { Release } from './installed-charts.ts';
import { definitionKey, type GitopsContent, type GitopsObject, kindNames } from './model.ts';

/** A GitOps object, and the content of its sources. */
export type LocatedObject = Pick<GitopsObject, 'uri' | 'facts' | 'located' | 'contents'>;

type Definition = Pick<GitopsObject, 'uri' | 'facts'>;

interface DefinitionSurroundings {
  readonly charts: readonly ChartRoot[];
  readonly files: ReadonlyMap<string, ScopeFacts>;
  readonly templates: readonly string[];
  content(uri: string): Data | undefined;
  text(uri: string): string | undefined;
  /** Returns the Applications of an ApplicationSet; every other definition is returned unchanged. */
  expanded(definition: Definition): readonly Definition[];
  locate(definitions: readonly Definition[]): readonly LocatedObject[];
}

export interface ChartDefinitions {
  /** All objects, including those in no template. */
  readonly objects: readonly LocatedObject[];
  /** The templates in charts, and those of them that may define other objects. */
  readonly known: ReadonlySet<string>;
  readonly unclear: ReadonlySet<string>;
}

/** The maximum depth of charts that install charts. */
const maximumDepth = 5;
/** The work of executing all charts with definitions. */
const maximumSteps = 8_000_000;

/** Adds the objects that charts define to the written ones, and the files of which some are not known, because that is too much work, to `cut`. */
export function withChartDefinitions(
  written: readonly LocatedObject[],
  around: DefinitionSurroundings,
  cut: Set<string>,
): ChartDefinitions {
  const { templates, charts, locate, expanded } = around;
  const byChart = new Map<string, ChartRoot>();
  const known = new Set<string>();
  for (const chart of templates.length === 0 ? [] : charts)
    for (const uri of templates) {
      if (!chart.files.has(uri)) continue;
      byChart.set(chart.folder, chart);
      known.add(uri);
    }
  const unclear = new Set<string>();
  const budget = new WorkBudget(maximumSteps);
  const waiting = new Set(byChart.keys());
  const install = (folder: string, release: Release, by?: string): readonly Definition[] => {
    const chart = byChart.get(folder);
    if (chart === undefined) return [];
    waiting.delete(folder);
    const rendered = definitionsOf(chart, release, by, { ...around, budget });
    for (const uri of rendered.unclear) {
      unclear.add(uri);
      if (budget.isSpent) cut.add(uri);
    }
    return rendered.definitions.flatMap(expanded);
  };
  let objects = written;
  for (let depth = 0, from = 0; byChart.size > 0; depth++) {
    let added = objects.slice(from).flatMap((object) =>
      object.contents.flatMap((content, index) => {
        if (content?.chart === undefined || !byChart.has(content.folder)) return [];
        const key = definitionKey(object);
        // An Application in the chart that it installs manages itself.
        if (object.facts.rendered?.by === key) return [];
        return install(content.folder, releaseIn(object, content, index, around), key);
      }),
    );
    // Nothing in the workspace installs these charts.
    if (added.length === 0)
      added = [...waiting].flatMap((folder) => {
        for (const uri of byChart.get(folder)?.files ?? []) if (known.has(uri)) unclear.add(uri);
        return install(folder, {
          name: undefined,
          namespace: undefined,
          isInstall: true,
          values: () => ({ data: {} }),
        });
      });
    if (added.length === 0) break;
    if (depth === maximumDepth) {
      for (const { uri } of added) unclear.add(uri);
      break;
    }
    from = objects.length;
    objects = locate([...objects, ...added]);
  }
  return { objects, known, unclear };
}

/** Returns the definitions in the templates of a chart, as a release installs them. */
function definitionsOf(
  { folder, files: members }: ChartRoot,
  release: Release,
  by: string | undefined,
  { files, content, text, budget }: DefinitionSurroundings & { readonly budget: WorkBudget },
): RenderedDefinitions {
  const counts = [...members].map((uri) => [uri, applicationsIn(files.get(uri))] as const);
  const templates = new Map(counts.filter(([, count]) => count > 0));
  const values = (uri: string) => (files.has(uri) ? content(uri) : {});
  // All files are requested before one is missing.
  const helpers = new Map([...members].filter(isHelperFile).map((uri) => [uri, text(uri)]));
  const all = [values(`${folder}/values.yaml`), ...helpers.values(), ...Array.from(templates.keys(), text)];
  if (all.includes(undefined)) return { definitions: [], unclear: [...templates.keys()] };
  const chart = { facts: files, members, values, helpers: (uri: string) => helpers.get(uri), templates, text };
  return renderedDefinitions(folder, release, { by, budget }, chart);
}

function applicationsIn(facts: ScopeFacts | undefined): number {
  return (facts?.gitops ?? []).filter(({ kind }) => kind === 'argo-application').length;
}

/** How a GitOps object installs a chart with definitions; the values of a HelmRelease are unknown here. */
function releaseIn(
  { uri, facts, located }: LocatedObject,
  content: GitopsContent,
  index: number,
  { files, content: data, text }: DefinitionSurroundings,
): Release {
  const unknown = { name: undefined, namespace: undefined, values: () => undefined };
  if (facts.kind !== 'argo-application') return unknown;
  const spec = specOf(facts, () => text(uri));
  return spec === undefined
    ? unknown
    : releaseOf({ gitops: { facts, located }, spec }, content, index, { facts: files, data });
}

/** Returns the spec of an Application; undefined if it is not known. */
function specOf(facts: GitopsFacts, text: () => string | undefined): Node | undefined {
  const { rendered, from, name, namespace } = facts;
  const kind = from === undefined ? kindNames[facts.kind] : 'ApplicationSet';
  const isDefinition = (document: Node) =>
    knownText(childOf(document, 'kind')) === kind &&
    textAt(document, 'metadata', 'name') === (from?.set ?? name) &&
    textAt(document, 'metadata', 'namespace') === namespace;
  const stored =
    rendered === undefined
      ? childOf(documentsIn(text() ?? '')?.find(isDefinition), 'spec')
      : nodeOf(rendered.spec, undefined, { start: 0, end: 0 });
  return stored && from ? applicationSpec(stored, from) : stored;
}
