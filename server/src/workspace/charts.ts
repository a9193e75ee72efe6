/** Which Helm charts are installed by themselves, and which files does each render? Every chart with its subcharts. */

import type { Chart } from '../manifests/chart.ts';
import type { OpenReason, ScopeFacts } from './scope-facts.ts';
import { folderOf, isWithin, nameOf, resolveUri } from './uri.ts';

export interface ChartRoot {
  readonly folder: string;
  readonly files: ReadonlySet<string>;
  readonly openBecause: readonly OpenReason[];
}

interface Resolved {
  readonly uri: string;
  readonly folder: string;
  readonly subcharts: readonly string[];
  readonly files: string[];
  readonly openBecause: readonly OpenReason[];
}

/**
 * A chart that no other holds in its `charts/` folder or names by a `file://` path, with all that it reaches; `realName`
 * gives the name that a file is read by.
 */
export function findCharts(
  files: ReadonlyMap<string, ScopeFacts>,
  realName: (uri: string) => string,
): readonly ChartRoot[] {
  const read = new Map<string, readonly [uri: string, chart: Chart]>();
  for (const [uri, { chart }] of files) if (chart !== undefined) read.set(folderOf(uri), [uri, chart]);
  if (read.size === 0) return [];
  const inside = new Map<string, string[]>();
  for (const folder of read.keys()) {
    const above = folderOf(folder);
    const known = inside.get(above);
    if (known === undefined) inside.set(above, [folder]);
    else known.push(folder);
  }
  const byFolder = new Map<string, Resolved>();
  for (const [folder, [uri, chart]] of read) {
    byFolder.set(folder, resolve(uri, chart, { charts: read, inside: inside.get(`${folder}/charts`) ?? [], realName }));
  }
  for (const uri of files.keys()) renderedBy(uri, byFolder)?.files.push(uri);
  const reached = new Set([...byFolder.values()].flatMap((each) => each.subcharts));
  return [...byFolder.values()].filter((each) => !reached.has(each.folder)).map((root) => walk(root, byFolder));
}

interface Known {
  /** By their folders. */
  readonly charts: ReadonlyMap<string, readonly [uri: string, chart: Chart]>;
  /** The folders of the charts in its `charts/`. */
  readonly inside: readonly string[];
  realName(uri: string): string;
}

function resolve(uri: string, chart: Chart, { charts, inside, realName }: Known): Resolved {
  const folder = folderOf(uri);
  const named = chart.dependencies.map((each) => {
    // A chart beside it is often linked into its `charts/`.
    const target = realName(resolveUri(folder, each.folder ?? `charts/${each.name}`));
    const found = inside.find((other) => nameOf(other) === each.name || charts.get(other)?.[1].name === each.name);
    return { name: each.name, folder: charts.has(target) ? target : found };
  });
  return {
    uri,
    folder,
    subcharts: [...new Set([...inside, ...named.flatMap((each) => each.folder ?? [])])].filter(
      (each) => each !== folder,
    ),
    files: [],
    openBecause: named
      .filter((each) => each.folder === undefined)
      .map((each) => ({ uri, reason: `needs the chart '${each.name}', which is not in these files` })),
  };
}

/** The chart that renders a file: what stands in its `templates/` and `crds/`. */
function renderedBy(uri: string, charts: ReadonlyMap<string, Resolved>): Resolved | undefined {
  for (let folder = folderOf(uri); folder.includes('/'); folder = folderOf(folder)) {
    const chart = charts.get(folder);
    if (chart === undefined) continue;
    const isRendered = isWithin(uri, `${folder}/templates`) || isWithin(uri, `${folder}/crds`);
    return isRendered ? chart : undefined;
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
    reasons.push(...next.openBecause);
    for (const folder of next.subcharts) waiting.push(...[byFolder.get(folder)].filter((each) => each !== undefined));
  }
  return { folder: root.folder, files, openBecause: reasons };
}
