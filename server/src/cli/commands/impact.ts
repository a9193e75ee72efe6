/** `selector-lens impact`: reports the effects of proposed file contents before they are written. */

import type { ChangedObject } from '../../features/pages/changes.ts';
import { byteOrderMark } from '../../text/byte-order-mark.ts';
import type { Texts } from '../../workspace/live/with-texts.ts';
import type { World } from '../environment.ts';
import { diagnosticJson } from '../formats/json.ts';
import { type Indexed, indexAsked, writeNotes } from '../indexed-workspace.ts';
import { changeLine, type Effects, effectsOf, namesScopes } from '../objects/effects.ts';
import { proposedSession } from '../objects/proposed.ts';
import { choice, UsageError } from '../options/arguments.ts';
import { chartOptions, formats, namespace, noCache, root } from '../options/shared-options.ts';
import { counted } from '../output/counts.ts';
import { writeJson } from '../output/json.ts';
import { tame, tamePath } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';
import { PathSelection } from '../paths/path-selection.ts';
import { locate, type NamedPath, requestedPaths, uriBelow } from '../paths/requested-paths.ts';
import { scopeSuffix } from '../reach/connection-change-lines.ts';
import { lastCheck } from './check.ts';
import type { Arguments, Command } from './command.ts';

export const impact: Command = {
  name: 'impact',
  summary: 'Reports the effects of proposed file contents before they are written.',
  details: [
    'The command reports new and resolved findings, lost and new matches of selectors, changes that the API server rejects, references by name that lose their target, and connections that network policies newly allow or deny. PROPOSAL is a file, or `-` for standard input, with JSON: `{ "files": [{ "path": "web.yaml", "text": "..." }] }`. Each `text` is the complete content of a file; `null` means that the file is deleted.',
    'Matches between objects of different GitOps objects are compared if these certainly apply to the same cluster. Files that a GitOps object applies in only one state are compared only in its cluster. In the JSON output, `complete` is false if the comparison is incomplete, for example because a file is missing or not all objects of a cluster are known; messages on standard error state the reasons.',
    'The exit code is 1 if a match would be lost, an update would be rejected, a reference would lose its target, or a new error would be reported.',
  ],
  operand: {
    shown: 'PROPOSAL',
    description: 'A JSON file with the proposed file contents; `-` is standard input.',
    completes: 'paths',
    most: 1,
  },
  options: [formats('text', 'json'), root, ...chartOptions, namespace, noCache],
  examples: [{ line: 'selector-lens impact proposal.json', description: 'Show the effects of a proposal.' }],
  tool: {
    use: 'Call it before you write an edit: it returns the results that check and diff would return after the edit.',
    options: [],
    lists: ['findings', 'resolved', 'changes', 'connections'],
    details: ['fingerprint', 'url', 'object', 'owner', 'target', 'recreate'],
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
  const checked = await lastCheck(world, given, requested);
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
  const sides = { before: { ...before, commandFiles: [] }, after };
  const result = await effectsOf(world, sides, { texts, named }, checked);
  const summary = summaryOf(result);
  if (choice(given, 'format', ['text', 'json']) === 'json') writeJson(world, jsonOf(world, result, summary));
  else for (const line of textLines(result, haveSeveralScopes(sides))) world.out(line);
  const unread = proposed.filter(({ uri, text }) => text !== null && !session.snapshot().files.has(uri));
  writeNotes(world, [
    ...unread.map(({ uri }) => `'${displayPath(world, uri)}' is not a manifest, or is ignored: it has no effect.`),
    ...result.problems,
  ]);
  return summary.lost + summary.immutable + summary.broken + summary.error > 0 ? 1 : 0;
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

function summaryOf({ findings, resolved, changes, connections }: Effects) {
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
    broken: count(kinds, 'broken'),
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

function jsonOf(
  world: World,
  { findings, resolved, changes, connections, problems }: Effects,
  summary: object,
): object {
  return {
    summary,
    findings: findings.map((each) => diagnosticJson(world, each)),
    resolved: resolved.map(({ rule, severity, message, file }) => ({ rule, severity, message, file })),
    changes: changes.map(
      ({ kind, scope, item: { message, object, path, target, consequence, recreatedBy, place } }) => ({
        kind,
        message,
        scope,
        owner: namedIn(world, object),
        path,
        ...(target !== undefined && { target: namedIn(world, target) }),
        ...(consequence !== undefined && { recreate: consequence }),
        ...(recreatedBy !== undefined && { recreatedBy }),
        ...(place !== undefined && { file: displayPath(world, place.uri), line: place.range.start.line + 1 }),
      }),
    ),
    connections: connections.changes,
    complete: problems.length === 0,
  };
}

function namedIn(world: World, { group, kind, namespace: place, name, builtBy }: ChangedObject) {
  return {
    group,
    kind,
    ...(place !== undefined && { namespace: place }),
    name,
    ...(builtBy !== undefined && { builtBy: displayPath(world, builtBy) }),
  };
}

/** Whether a state has several scopes, so that each line names the scope of its change. */
function haveSeveralScopes({ before, after }: Readonly<Record<'before' | 'after', Indexed>>): boolean {
  return [before, after].some(({ session }) => session.snapshot().scopes().all().length > 1);
}

function textLines(
  { findings, resolved, changes, connections, problems }: Effects,
  areSeveral: boolean,
): readonly string[] {
  const lines = [
    ...findings.map(
      ({ file, range: { start }, severity, rule, message }) =>
        `${tamePath(`${file}:${start.line}:${start.column}:`)} ${severity}: ${tame(message)} [${rule}]`,
    ),
    ...changes.map(({ kind, scope, item }) =>
      changeLine(kind, item, areSeveral && !namesScopes(item) ? scope : undefined),
    ),
    ...connections.changes.map(({ kind, from, to, ports, scope }) =>
      tame(`${kind === 'opened' ? '+' : '-'} ${from} -> ${to}: ${ports}${scopeSuffix({ scope }, areSeveral)}`),
    ),
    ...(resolved.length === 0 ? [] : [`${counted(resolved.length, 'finding')} resolved.`]),
  ];
  if (lines.length > 0) return lines;
  return [
    problems.length === 0
      ? 'No finding, match or connection certainly changes.'
      : 'No changes found in the objects that could be compared.',
  ];
}
