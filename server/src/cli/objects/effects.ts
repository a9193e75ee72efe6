/** The effects of proposed file contents: findings, matches of selectors, rejected changes and connections, compared without and with the proposal. */

import { type ChangeItem, changesSince } from '../../features/pages/changes.ts';
import type { Session } from '../../session.ts';
import type { Texts } from '../../workspace/live/with-texts.ts';
import type { Workspace } from '../../workspace/model.ts';
import { scopeAsCluster } from '../../workspace/reach/applied-clusters.ts';
import type { Cluster } from '../../workspace/reach/cluster.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { checkerOf } from '../commands/check.ts';
import type { World } from '../environment.ts';
import type { Indexed } from '../indexed-workspace.ts';
import { sideOf } from '../paths/committed-world.ts';
import { displayPath } from '../paths/display-path.ts';
import type { NamedPath } from '../paths/requested-paths.ts';
import { type ConnectionChanges, connectionChangesIn } from '../reach/connection-changes.ts';
import type { Diagnostic, Report } from '../report/model.ts';
import { makeReport } from '../report/report.ts';
import { finishReport, lastReport } from '../report/warm-reports.ts';
import { areEqual } from './proposed.ts';

/** The effects of a proposal. */
export interface Effects {
  /** The findings that the proposal introduces. */
  readonly findings: readonly Diagnostic[];
  /** The findings that the proposal resolves. */
  readonly resolved: readonly Diagnostic[];
  readonly changes: readonly {
    readonly kind: 'immutable' | 'lost' | 'gained';
    readonly scope: string;
    readonly item: ChangeItem;
  }[];
  readonly connections: ConnectionChanges;
  /** Sentences that describe which parts were not compared. */
  readonly problems: readonly string[];
}

interface LastComparison {
  readonly before: Workspace;
  readonly texts: Texts;
  readonly key: string;
  readonly effects: Effects;
  /** The findings with the proposal. */
  readonly report: Report;
}

/** The last comparison for each snapshot with a proposal, so that a server does not repeat the comparison as long as nothing has changed. */
const lastComparisons = new WeakMap<Workspace, LastComparison>();

/** Returns the effects of a proposal. `named` contains the current state of the files in the proposal. */
export async function effectsOf(
  world: World,
  { before, after, named }: { readonly before: Indexed; readonly after: Indexed; readonly named: readonly NamedPath[] },
  texts: Texts,
): Promise<Effects> {
  const { rewritten } = before.session.workspace;
  const key = JSON.stringify(['impact', named, before.skipped, world.clock?.today(), rewritten.version]);
  const [old, fresh] = [before.session.snapshot(), after.session.snapshot()];
  const last = lastComparisons.get(fresh);
  const isSameProposal = last?.key === key && areEqual(last.texts, texts);
  if (isSameProposal && last.before === old) return last.effects;
  const had = await reportBefore(world, before, key);
  const has = isSameProposal ? last.report : (await makeReport(world, after, checkerOf(after))).report;
  const effects = effectsBetween(world, [had, has], { before, after }, texts);
  lastComparisons.set(fresh, { before: old, texts, key, effects, report: has });
  return effects;
}

async function reportBefore(world: World, before: Indexed, key: string): Promise<Report> {
  const last = await lastReport(world, before, key, checkerOf(before));
  return last ?? (await finishReport(world, before, key, checkerOf(before))).report;
}

function effectsBetween(
  world: World,
  [old, fresh]: readonly [Report, Report],
  { before, after }: { readonly before: Indexed; readonly after: Indexed },
  texts: Texts,
): Effects {
  const [had, has] = [old, fresh].map(({ diagnostics }) => new Set(diagnostics.map(identityOf)));
  const side = sideOf(before.session, world);
  const base = { name: 'now', side, textNow: side.textOf, changed: new Set(texts.keys()) };
  const now = { ...sideOf(after.session, world), textOf: (uri: string) => texts.get(uri) ?? side.textOf(uri) };
  const { scopes, problems } = changesSince({ base, now });
  const connections = connectionChangesIn(clustersAround(before.session, after.session, [...texts.keys()]));
  return {
    findings: fresh.diagnostics.filter((each) => had?.has(identityOf(each)) !== true),
    resolved: old.diagnostics.filter((each) => has?.has(identityOf(each)) !== true),
    changes: scopes.flatMap(({ path, groups }) =>
      groups.flatMap(({ kind, items }) =>
        items.map((item) => ({
          kind: kind === 'recreate' ? ('immutable' as const) : kind,
          scope: displayPath(world, path),
          item,
        })),
      ),
    ),
    connections,
    problems: connections.isCut ? [...problems, 'Not all changed connections are listed.'] : problems,
  };
}

/** Returns a key that identifies a finding even if an edit moved it. */
function identityOf({ uri, rule, message, fingerprint }: Diagnostic): string {
  return `${uri}\n${rule}\n${fingerprint}\n${message}`;
}

/** Returns the clusters of the scopes to which the given files belong, before and after the proposal. */
function clustersAround(
  before: Session,
  after: Session,
  uris: readonly string[],
): readonly (readonly [Cluster, Cluster])[] {
  const keyOf = ({ kind, path, name = '' }: Scope) => `${kind}\n${path}\n${name}`;
  const around = (session: Session) => {
    const scopes = session.snapshot().scopes();
    return new Map(
      uris.flatMap((uri) => [...scopes.ofFile(uri), ...scopes.building(uri)]).map((each) => [keyOf(each), each]),
    );
  };
  const clusterIn = (session: Session, scope: Scope) =>
    scopeAsCluster(session.snapshot(), session.workspace.catalogueOf(scope.path), scope, false);
  const earlier = around(before);
  for (const [key, scope] of around(after)) {
    if (earlier.has(key)) continue;
    const same = before
      .snapshot()
      .scopes()
      .all()
      .find((each) => keyOf(each) === keyOf(scope));
    if (same !== undefined) earlier.set(key, same);
  }
  const current = new Map(
    after
      .snapshot()
      .scopes()
      .all()
      .map((each) => [keyOf(each), each]),
  );
  return [...earlier].flatMap(([key, scope]) => {
    const now = current.get(key);
    return now === undefined ? [] : [[clusterIn(before, scope), clusterIn(after, now)] as const];
  });
}
