/** Decides whether a selector may match objects that are in no file, because a HelmRelease or an Application installs them from a chart. Most charts set labels with the name of the release. */

import { evaluate, type Requirement, type Selector } from '../../engine/index.ts';
import { memoized } from '../../engine/memoize.ts';
import type { ChartRelease } from '../../manifests/gitops/model.ts';
import type { Workspace } from '../model.ts';
import type { Scope, Scopes } from '../scopes/model.ts';
import { scopeQuery } from '../scopes/recorded-scopes.ts';
import { gitopsScopesOf } from './defined-scopes.ts';

interface InstalledRelease extends ChartRelease {
  /** The name of the object that installs the release. */
  readonly object: string;
  readonly scope: Scope;
}

/** Returns how likely it is that a selector matches objects of a release: `yes` if it requires labels with the name of the release, `likely` if its labels are in the values of the release or contain the name of the chart, `possible` if the chart may set them anyway, because they are usual or its values are unknown. */
export function matchesRelease(
  workspace: Workspace,
  selector: Selector,
  from: { readonly place: string; readonly namespace: string | undefined },
): 'yes' | 'likely' | 'possible' | 'no' {
  if (selector.kind !== 'all') return 'no';
  const { requirements } = selector;
  const answers = releasesNear(workspace, from).map((release) => answerFor(release, selector, requirements));
  return (['yes', 'likely', 'possible'] as const).find((answer) => answers.includes(answer)) ?? 'no';
}

/** Returns the files with the objects that install releases of which a selector may match objects. */
export function filesOfReleases(
  workspace: Workspace,
  selector: Selector,
  from: { readonly place: string; readonly namespace: string | undefined },
): readonly string[] {
  if (selector.kind !== 'all') return [];
  const { requirements } = selector;
  return releasesNear(workspace, from)
    .filter((release) => answerFor(release, selector, requirements) !== 'no')
    .flatMap(({ scope }) => scope.gitops?.uri ?? []);
}

/** Returns the releases that may be installed into the cluster and the namespace of a selector. */
function releasesNear(
  workspace: Workspace,
  from: { readonly place: string; readonly namespace: string | undefined },
): readonly InstalledRelease[] {
  const releases = releasesIn(workspace.scopes());
  if (releases.length === 0) return releases;
  const clusters = new Set(
    workspace
      .scopes()
      .of(from.place)
      .map(({ cluster }) => cluster),
  );
  return releases.filter(({ scope: { cluster, namespace } }) => {
    const isApart = cluster !== undefined && !clusters.has(cluster);
    return !isApart && (from.namespace === undefined || namespace === undefined || namespace === from.namespace);
  });
}

function answerFor(
  release: InstalledRelease,
  selector: Selector,
  requirements: readonly Requirement[],
): 'yes' | 'likely' | 'possible' | 'no' {
  const isPossible = evaluate(selector, { labels: labelsOf(release), open: true }) !== 'no';
  if (isPossible && requirements.some((each) => namesRelease(each, release))) return 'yes';
  if (requirements.some((each) => isLikely(each, release))) return 'likely';
  return isPossible && (release.labels === undefined || requirements.some(isUsual)) ? 'possible' : 'no';
}

const releasesIn = scopeQuery(
  'releases',
  memoized((scopes: Scopes): readonly InstalledRelease[] =>
    gitopsScopesOf(scopes).flatMap((scope) => {
      const { releases = [], name = '' } = scope.gitops.facts;
      return releases.map((release) => ({ ...release, object: name, scope }));
    }),
  ),
  (releases) =>
    releases
      .map(({ scope: { cluster, namespace }, ...release }) => JSON.stringify([release, cluster, namespace]))
      .join('\n'),
);

/** The keys whose value is the name of the release, in most charts. */
const releaseKeys: ReadonlySet<string> = new Set(['app.kubernetes.io/instance', 'release']);

function labelsOf({ name }: ChartRelease): Readonly<Record<string, string>> {
  if (name === undefined) return {};
  return {
    ...Object.fromEntries(Array.from(releaseKeys, (key) => [key, name])),
    'app.kubernetes.io/managed-by': 'Helm',
  };
}

function namesRelease({ key, values }: Requirement, { name }: InstalledRelease): boolean {
  return releaseKeys.has(key) && (name === undefined || values.includes(name));
}

/** Whether the values of a release contain a label, or a value and a name have a word in common. */
function isLikely({ key, values }: Requirement, { name = '', chart, object, labels = [] }: InstalledRelease): boolean {
  const words = [name, chart, object].flatMap(wordsIn);
  if (labels.includes(key)) return true;
  return values.some((value) => typeof value === 'string' && wordsIn(value).some((word) => words.includes(word)));
}

/** Whether most charts set a label, with a value that is not known. */
function isUsual({ key }: Requirement): boolean {
  return /^(?:app\.kubernetes\.io|helm\.sh|helm\.toolkit\.fluxcd\.io)\//.test(key);
}

function wordsIn(text: string): readonly string[] {
  return text
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .filter((word) => word.length > 2);
}
