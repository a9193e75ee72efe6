/** `selector-lens impact`: reports the effects of proposed file contents before they are written. */

import { type ChangedObject, type ChangeItem, changesSince } from '../../features/pages/changes.ts';
import type { Session } from '../../session.ts';
import { byteOrderMark } from '../../text/byte-order-mark.ts';
import type { Texts } from '../../workspace/live/with-texts.ts';
import type { Workspace } from '../../workspace/model.ts';
import { scopeAsCluster } from '../../workspace/reach/applied-clusters.ts';
import type { Cluster } from '../../workspace/reach/cluster.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import type { World } from '../environment.ts';
import { diagnosticJson } from '../formats/json.ts';
import { type Indexed, indexAsked, writeNotes } from '../indexed-workspace.ts';
import { areEqual, proposedSession } from '../objects/proposed.ts';
import { choice, UsageError } from '../options/arguments.ts';
import { formats, namespace, noCache, root } from '../options/shared-options.ts';
import { counted } from '../output/counts.ts';
import { writeJson } from '../output/json.ts';
import { tame, tamePath } from '../output/terminal-escape.ts';
import { sideOf } from '../paths/committed-world.ts';
import { displayPath } from '../paths/display-path.ts';
import { PathSelection } from '../paths/path-selection.ts';
import { locate, type NamedPath, requestedPaths, uriBelow } from '../paths/requested-paths.ts';
import { type ConnectionChanges, connectionChangesIn } from '../reach/connection-changes.ts';
import type { Diagnostic, Report } from '../report/model.ts';
import { makeReport } from '../report/report.ts';
import { finishReport, lastReport } from '../report/warm-reports.ts';
import { checkerOf } from './check.ts';
import type { Arguments, Command } from './command.ts';

export const impact: Command = {
  name: 'impact',
  summary: 'Reports the effects of proposed file contents before they are written.',
  details: [
    'The command reports new and resolved findings, lost and new matches of selectors, changes that the API server rejects, and connections that network policies newly allow or deny. PROPOSAL is a file, or `-` for standard input, with JSON: `{ "files": [{ "path": "web.yaml", "text": "..." }] }`. Each `text` is the complete content of a file; `null` means that the file is deleted.',
    'The exit code is 1 if a match would be lost, an update would be rejected, or a new error would be reported.',
  ],
  operand: {
    shown: 'PROPOSAL',
    description: 'A JSON file with the proposed file contents; `-` is standard input.',
    completes: 'paths',
    most: 1,
  },
  options: [formats('text', 'json'), root, namespace, noCache],
  examples: [{ line: 'selector-lens impact proposal.json', description: 'Show the effects of a proposal.' }],
  tool: {
    use: 'Call it before you write an edit: it returns the results that check and diff would return after the edit.',
    options: [],
    lists: ['findings', 'resolved', 'changes', 'connections'],
    details: ['fingerprint', 'url', 'object'],
    proposal: 'The proposed texts. Files that are not listed stay as they are.',
  },
  run: runImpact,
};

/** The maximum size of a proposal, in bytes. */
const largestProposal = 20_000_000;

async function runImpact(world: World, given: Arguments): Promise<number> {
  const proposed = await proposalIn(world, given);
  const requested = await requestedPaths(world, { ...given, paths: [] });
  if (requested === '-') throw new UsageError("'impact' requires a proposal.");
  const exists = await world.files.stat(proposed.map(({ uri }) => uri));
  const namedIn = (isThere: (at: number) => boolean) =>
    proposed.map(({ uri }, at): NamedPath => ({ kind: isThere(at) ? 'file' : 'gone', uri, listed: true }));
  const named = namedIn((at) => exists[at] !== undefined);
  const before = await indexAsked(world, given, { ...requested, named });
  const texts: Texts = new Map(proposed.map(({ uri, text }) => [uri, text]));
  const session = await proposedSession(world, before.session, texts);
  const namedAfter = namedIn((at) => proposed[at]?.text !== null);
  const after: Indexed = {
    ...before,
    session,
    reported: [...texts.keys()].flatMap((uri) => session.snapshot().files.get(uri) ?? []),
    commandFiles: [],
    selection: new PathSelection(session, namedAfter, undefined),
    readText: (file) => texts.get(file.uri) ?? before.readText(file),
  };
  const result = await comparisonOf(world, { before: { ...before, commandFiles: [] }, after, named }, texts);
  const summary = summaryOf(result);
  if (choice(given, 'format', ['text', 'json']) === 'json') writeJson(world, jsonOf(world, result, summary));
  else for (const line of textLines(result)) world.out(line);
  const unread = proposed.filter(({ uri, text }) => text !== null && !session.snapshot().files.has(uri));
  writeNotes(world, [
    ...unread.map(({ uri }) => `'${displayPath(world, uri)}' is not a manifest, or is ignored: it has no effect.`),
    ...result.problems,
  ]);
  return summary.lost + summary.immutable + summary.error > 0 ? 1 : 0;
}

interface ProposedFile {
  readonly uri: string;
  readonly text: string | null;
}

/** Reads the proposal. Throws a UsageError if it is invalid. */
async function proposalIn(world: World, { paths: [path] }: Arguments): Promise<readonly ProposedFile[]> {
  if (path === undefined) throw new UsageError("'impact' requires a PROPOSAL: a JSON file, or '-'.");
  const read =
    path === '-'
      ? await world.readStandardInput(largestProposal)
      : (await world.files.read([(await locate(world, path)).uri], largestProposal))[0];
  if (read === undefined || 'skipped' in read)
    throw new UsageError(`The proposal cannot be read: ${read?.skipped ?? 'it no longer exists'}.`);
  const files = filesIn(read.text);
  if (files === undefined || files.length === 0) throw new UsageError(`A proposal is JSON: ${shape}.`);
  return await Promise.all(
    files.map(async ({ path: name, text }) => ({
      uri: await uriOf(world, name),
      text: text === null ? null : text.slice(byteOrderMark(text).length),
    })),
  );
}

const shape = '{ "files": [{ "path": "web.yaml", "text": "..." }] }';

function filesIn(text: string): readonly { readonly path: string; readonly text: string | null }[] | undefined {
  try {
    const read: unknown = JSON.parse(text);
    const files: unknown = typeof read === 'object' && read !== null && 'files' in read ? read.files : undefined;
    const list: readonly unknown[] = Array.isArray(files) ? files : [];
    const valid = list.filter(isProposed);
    return valid.length === list.length ? valid : undefined;
  } catch {
    return undefined;
  }
}

function isProposed(file: unknown): file is { readonly path: string; readonly text: string | null } {
  if (typeof file !== 'object' || file === null || !('path' in file) || !('text' in file)) return false;
  return typeof file.path === 'string' && file.path !== '' && (file.text === null || typeof file.text === 'string');
}

/** Returns the URI of a file that may not exist yet. */
async function uriOf(world: World, path: string): Promise<string> {
  const found = await world.locate(path);
  if (found === undefined) return uriBelow(world.currentFolder, path);
  if (found.kind === 'unreadable') throw new UsageError(`'${path}' cannot be read: ${found.reason}.`);
  if (found.kind === 'folder') throw new UsageError(`'${path}' is a folder.`);
  return found.uri;
}

/** The effects of a proposal. */
interface Comparison {
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
  readonly comparison: Comparison;
  /** The findings with the proposal. */
  readonly report: Report;
}

/** The last comparison for each snapshot with a proposal, so that a server does not repeat the comparison as long as nothing has changed. */
const lastComparisons = new WeakMap<Workspace, LastComparison>();

/** Returns the effects of a proposal. `named` contains the current state of the files in the proposal. */
async function comparisonOf(
  world: World,
  { before, after, named }: { readonly before: Indexed; readonly after: Indexed; readonly named: readonly NamedPath[] },
  texts: Texts,
): Promise<Comparison> {
  const { rewritten } = before.session.workspace;
  const key = JSON.stringify(['impact', named, before.skipped, world.clock?.today(), rewritten.version]);
  const [old, fresh] = [before.session.snapshot(), after.session.snapshot()];
  const last = lastComparisons.get(fresh);
  const isSameProposal = last?.key === key && areEqual(last.texts, texts);
  if (isSameProposal && last.before === old) return last.comparison;
  const had = await reportBefore(world, before, key);
  const has = isSameProposal ? last.report : (await makeReport(world, after, checkerOf(after))).report;
  const comparison = comparisonWith(world, [had, has], { before, after }, texts);
  lastComparisons.set(fresh, { before: old, texts, key, comparison, report: has });
  return comparison;
}

async function reportBefore(world: World, before: Indexed, key: string): Promise<Report> {
  const last = await lastReport(world, before, key, checkerOf(before));
  return last ?? (await finishReport(world, before, key, checkerOf(before))).report;
}

function comparisonWith(
  world: World,
  [old, fresh]: readonly [Report, Report],
  { before, after }: { readonly before: Indexed; readonly after: Indexed },
  texts: Texts,
): Comparison {
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

function summaryOf({ findings, resolved, changes, connections }: Comparison) {
  const kinds = changes.map(({ kind }) => kind);
  const count = <T>(list: readonly T[], wanted: T) => list.filter((each) => each === wanted).length;
  return {
    error: count(
      findings.map(({ severity }) => severity),
      'error',
    ),
    findings: findings.length,
    resolved: resolved.length,
    immutable: count(kinds, 'immutable'),
    lost: count(kinds, 'lost'),
    gained: count(kinds, 'gained'),
    opened: count(
      connections.changes.map(({ kind }) => kind),
      'opened',
    ),
    closed: count(
      connections.changes.map(({ kind }) => kind),
      'closed',
    ),
  };
}

function jsonOf(world: World, { findings, resolved, changes, connections }: Comparison, summary: object): object {
  return {
    summary,
    findings: findings.map((each) => diagnosticJson(world, each)),
    resolved: resolved.map(({ rule, severity, message, file }) => ({ rule, severity, message, file })),
    changes: changes.map(
      ({ kind, scope, item: { message, object, path, target, consequence, recreatedBy, place } }) => ({
        kind,
        message,
        scope,
        owner: namedIn(object),
        path,
        ...(target !== undefined && { target: namedIn(target) }),
        ...(consequence !== undefined && { recreate: consequence }),
        ...(recreatedBy !== undefined && { recreatedBy }),
        ...(place !== undefined && { file: displayPath(world, place.uri), line: place.range.start.line + 1 }),
      }),
    ),
    connections: connections.changes,
  };
}

function namedIn({ group, kind, namespace: place, name }: ChangedObject) {
  return { group, kind, ...(place !== undefined && { namespace: place }), name };
}

const marks = { immutable: '!', lost: '-', gained: '+' } as const;

function textLines({ findings, resolved, changes, connections }: Comparison): readonly string[] {
  const lines = [
    ...findings.map(
      ({ file, range: { start }, severity, rule, message }) =>
        `${tamePath(`${file}:${start.line}:${start.column}:`)} ${severity}: ${tame(message)} [${rule}]`,
    ),
    ...changes.map(({ kind, item }) => `${marks[kind]} ${tame(item.message)}`),
    ...connections.changes.map(({ kind, from, to, ports }) =>
      tame(`${kind === 'opened' ? '+' : '-'} ${from} -> ${to}: ${ports}`),
    ),
    ...(resolved.length === 0 ? [] : [`${counted(resolved.length, 'finding')} resolved.`]),
  ];
  return lines.length === 0 ? ['No finding, match or connection changes.'] : lines;
}
