/** Finds the Helm charts that are installed by themselves, each with its subcharts, and the files that each of these charts renders. */

import { memoized } from '../../engine/memoize.ts';
import type { Chart } from '../../manifests/helm/chart-file.ts';
import { localize } from '../../text/localize.ts';
import { type Listing, noListing } from '../live/folder-listing.ts';
import type { OpenReason, ScopeFacts } from '../scopes/scope-facts.ts';
import { fileNameOf, folderOf, isWithin, resolveUri } from '../uri.ts';
import { isPackagedChart, isValuesFile } from './chart-files.ts';

export interface ChartRoot {
  readonly folder: string;
  readonly files: ReadonlySet<string>;
  readonly openBecause: readonly OpenReason[];
}

interface Resolved {
  readonly uri: string;
  readonly folder: string;
  readonly subcharts: readonly string[];
  readonly needs: readonly Dependency[];
  readonly files: string[];
  readonly openBecause: OpenReason[];
}

/**
 * Finds the charts that no other chart contains in its folder, except libraries on which others depend, each with all
 * files that it reaches.
 */
export function findCharts(
  files: ReadonlyMap<string, ScopeFacts>,
  listing: Pick<Listing, 'fileNameOf' | 'leavesOut'>,
): readonly ChartRoot[] {
  const told: (readonly [string, Chart])[] = [];
  files.forEach(({ chart }, uri) => {
    if (chart !== undefined) told.push([uri, chart]);
  });
  const read = chartsByFolder(told);
  if (read.size === 0) return [];
  const byFolder = new Map(resolveAll(read, listing));
  for (const uri of files.keys()) {
    renderedBy(uri, byFolder)?.files.push(uri);
    const holder = isPackagedChart(uri) ? byFolder.get(folderOf(folderOf(uri))) : undefined;
    holder?.openBecause.push({ uri, reason: localize`is a packed chart` });
  }
  // A chart in a folder of its own can be installed by itself, although another chart depends on it.
  const reached = new Set(
    [...byFolder.values()].flatMap(({ folder, subcharts }) =>
      subcharts.filter((each) => isWithin(each, folder) || read.get(each)?.[1].isLibrary),
    ),
  );
  return [...byFolder.values()].filter((each) => !reached.has(each.folder)).map((root) => walk(root, byFolder));
}

/** A dependency of a chart, and the name under which it is installed. */
export interface Dependency {
  readonly folder: string;
  readonly name: string;
}

export type Charts = ReadonlyMap<string, readonly [uri: string, chart: Chart]>;

/** Returns every chart by its folder, with its dependencies from all files that list dependencies of the chart. */
export function chartsByFolder(told: readonly (readonly [uri: string, chart: Chart])[]): Charts {
  const charts = new Map(told.filter(([, { onlyNeeds }]) => !onlyNeeds).map((each) => [folderOf(each[0]), each]));
  for (const [uri, { onlyNeeds, dependencies }] of told) {
    const known = onlyNeeds && charts.get(folderOf(uri));
    if (!known) continue;
    const [at, chart] = known;
    const isOld = chart.dependencies.length === 0;
    charts.set(folderOf(uri), [isOld ? uri : at, { ...chart, dependencies: [...chart.dependencies, ...dependencies] }]);
  }
  return charts;
}

/** All charts of a workspace, with the charts on which each of them depends. */
export interface AllCharts {
  readonly charts: Charts;
  readonly dependencies: ReadonlyMap<string, readonly Dependency[]>;
}

export const chartsIn = memoized((facts: ReadonlyMap<string, ScopeFacts>): AllCharts => {
  const told: (readonly [string, Chart])[] = [];
  for (const [uri, { chart }] of facts) if (chart !== undefined) told.push([uri, chart]);
  const charts = chartsByFolder(told);
  return { charts, dependencies: dependenciesOf(charts) };
});

export function dependenciesOf(charts: Charts): ReadonlyMap<string, readonly Dependency[]> {
  return new Map(resolveAll(charts, noListing).map(([folder, { needs }]) => [folder, needs]));
}

/** Returns the outermost chart that includes a chart. The search stops at a chart on which several charts depend, or on which one chart depends more than once, because it is then a separate chart for each dependency. */
export function outermostChart(folder: string, dependencies: ReadonlyMap<string, readonly Dependency[]>): string {
  let root = folder;
  const seen = new Set<string>();
  while (!seen.has(root)) {
    seen.add(root);
    const parents = [...dependencies].filter(([, needed]) => needed.some((each) => each.folder === root));
    const [only, ...others] = parents;
    const times = only?.[1].filter((each) => each.folder === root).length;
    if (only === undefined || others.length > 0 || times !== 1) break;
    root = only[0];
  }
  return root;
}

function resolveAll(charts: Charts, listing: Known['listing']): readonly (readonly [string, Resolved])[] {
  const inside = new Map<string, string[]>();
  for (const folder of charts.keys()) {
    const above = folderOf(folder);
    const known = inside.get(above);
    if (known === undefined) inside.set(above, [folder]);
    else known.push(folder);
  }
  return [...charts].map(([folder, [uri, chart]]) => {
    const known = { charts, inside: inside.get(`${folder}/charts`) ?? [], listing };
    return [folder, resolve(uri, chart, known)] as const;
  });
}

interface Known {
  readonly charts: Charts;
  /** The folders of the charts in the `charts/` folder of this chart. */
  readonly inside: readonly string[];
  readonly listing: Pick<Listing, 'fileNameOf' | 'leavesOut'>;
}

function resolve(uri: string, chart: Chart, { charts, inside, listing }: Known): Resolved {
  const folder = folderOf(uri);
  const named = chart.dependencies.map((each) => {
    // A sibling chart is often linked into `charts/`.
    const target = listing.fileNameOf(resolveUri(folder, each.folder ?? `charts/${each.name}`));
    const found = inside.find((other) => fileNameOf(other) === each.name || charts.get(other)?.[1].name === each.name);
    // Helm renders what is in `charts/`: the folder of a `file://` repository is only copied into it.
    return { name: each.name, alias: each.alias, folder: found ?? (charts.has(target) ? target : undefined) };
  });
  const known = new Set(named.map((each) => each.folder));
  const unnamed = inside.filter((other) => !known.has(other) && other !== folder);
  return {
    uri,
    folder,
    subcharts: [...new Set([...inside, ...named.flatMap((each) => each.folder ?? [])])].filter(
      (each) => each !== folder,
    ),
    needs: [
      ...named.flatMap((each) =>
        each.folder === undefined || each.folder === folder
          ? []
          : [{ folder: each.folder, name: each.alias ?? each.name }],
      ),
      ...unnamed.map((other) => ({ folder: other, name: charts.get(other)?.[1].name ?? fileNameOf(other) })),
    ],
    files: [],
    openBecause: named
      .filter((each) => each.folder === undefined)
      .map(({ name }) => {
        if (!listing.leavesOut(`${folder}/charts/${name}/Chart.yaml`))
          return {
            uri,
            reason: localize`needs the chart '${name}', which is not in the workspace`,
            isChart: true as const,
          };
        const reason = localize`needs the chart '${name}', whose folder git ignores, or which a sparse checkout or the settings exclude`;
        return { uri, reason, isLeftOut: true as const, isChart: true as const };
      }),
  };
}

/** A fast test, since only a few files are in such folders. */
const isInChart = /\/(?:templates|crds)(?:\/|$)/;

/** Returns the chart that renders a file: the content of its `templates/` and `crds/`, and its values. */
function renderedBy(uri: string, charts: ReadonlyMap<string, Resolved>): Resolved | undefined {
  if (!isInChart.test(uri) && !isValuesFile(uri)) return undefined;
  for (let folder = folderOf(uri); folder.includes('/'); folder = folderOf(folder)) {
    const chart = charts.get(folder);
    if (chart === undefined) continue;
    const isTemplate = isWithin(uri, `${folder}/templates`) || isWithin(uri, `${folder}/crds`);
    return isTemplate || isValuesFile(uri) ? chart : undefined;
  }
  return undefined;
}

function walk(root: Resolved, byFolder: ReadonlyMap<string, Resolved>): ChartRoot {
  const files = new Set<string>();
  const reasons: OpenReason[] = [];
  const seen = new Set<string>();
  const waiting = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (seen.has(next.folder)) continue;
    seen.add(next.folder);
    for (const uri of next.files) files.add(uri);
    for (const each of next.openBecause) reasons.push(each);
    for (const folder of next.subcharts) {
      const below = byFolder.get(folder);
      if (below !== undefined) waiting.push(below);
    }
  }
  return { folder: root.folder, files, openBecause: reasons };
}
