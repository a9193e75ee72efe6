/** The effects of proposed file contents: findings, matches of selectors, rejected changes and connections, compared without and with the proposal. */

import { affectedScopes } from '../../compare/match-changes.ts';
import { getOrAdd, once } from '../../engine/memoize.ts';
import { type ChangeItem, changesSince } from '../../features/pages/changes.ts';
import type { Session } from '../../session.ts';
import { absentFile } from '../../workspace/absent-file.ts';
import type { AskedQuestions } from '../../workspace/dependencies/asked-questions.ts';
import { affectedFiles, visibleIn } from '../../workspace/dependencies/dependencies.ts';
import type { Texts } from '../../workspace/live/with-texts.ts';
import type { Workspace, WorkspaceFile } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { checkerOf, type LastCheck } from '../commands/check.ts';
import type { World } from '../environment.ts';
import type { Indexed } from '../indexed-workspace.ts';
import { tame } from '../output/terminal-escape.ts';
import { writtenSideOf } from '../paths/committed-world.ts';
import { displayPath } from '../paths/display-path.ts';
import type { NamedPath } from '../paths/requested-paths.ts';
import { clustersAround, wholeTree } from '../reach/clusters-around.ts';
import { type ConnectionChanges, connectionChangesIn, joinedChanges } from '../reach/connection-changes.ts';
import type { Diagnostic, Report } from '../report/model.ts';
import { checkSome } from '../report/report.ts';
import { unparsedFiles } from '../report/syntax-errors.ts';
import { finishReport, lastReport, questionsOfLast } from '../report/warm-reports.ts';
import { maximumChanges } from './compare.ts';
import { largeSelectors } from './large-selectors.ts';
import { missingFiles } from './missing-files.ts';
import { areEqual } from './proposed.ts';

export interface Effects {
  readonly findings: readonly Diagnostic[];
  readonly resolved: readonly Diagnostic[];
  readonly changes: readonly ObjectChange[];
  readonly connections: ConnectionChanges;
  /** Sentences that describe which parts were not compared. */
  readonly problems: readonly string[];
}

/** A changed match, a rejected update or a reference that loses its target, with the path of its scope. */
export interface ObjectChange {
  readonly kind: 'immutable' | 'broken' | 'lost' | 'gained';
  readonly scope: string;
  readonly item: ChangeItem;
}

interface LastEffects {
  readonly before: Workspace;
  readonly texts: Texts;
  readonly key: string;
  readonly effects: Effects;
}

/** The last effects for each snapshot with a proposal, so that a server does not repeat the comparison as long as nothing has changed. */
const lastEffects = new WeakMap<Workspace, LastEffects>();

/** The index without and with a proposal. */
interface Sides {
  readonly before: Indexed;
  readonly after: Indexed;
}

/** The proposed texts, and the current state of their files. */
interface Proposal {
  readonly texts: Texts;
  readonly named: readonly NamedPath[];
}

/** Returns the effects of a proposal. `checked` is the last check of all files without the proposal. */
export async function effectsOf(
  world: World,
  sides: Sides,
  { texts, named }: Proposal,
  checked: LastCheck | undefined,
): Promise<Effects> {
  const { before, after } = sides;
  const { rewritten } = before.session.workspace;
  const key = JSON.stringify(['impact', named, before.skipped, world.clock?.today(), rewritten.version]);
  const [old, fresh] = [before.session.snapshot(), after.session.snapshot()];
  const last = lastEffects.get(fresh);
  if (last?.key === key && last.before === old && areEqual(last.texts, texts)) return last.effects;
  const isCurrent = checked?.snapshot === old;
  const findings =
    (isCurrent ? await findingsSince(world, sides, checked, texts) : undefined) ??
    (await changedFindings(world, sides, key, texts));
  const effects = { ...findings, ...changedObjects(world, sides, texts) };
  lastEffects.set(fresh, { before: old, texts, key, effects });
  return effects;
}

type ChangedFindings = Pick<Effects, 'findings' | 'resolved'>;

/** Returns the findings that a proposal introduces or resolves since a check of all files; undefined if the proposal may change any findings. */
async function findingsSince(
  world: World,
  sides: Sides,
  { report, asked }: LastCheck,
  texts: Texts,
): Promise<ChangedFindings | undefined> {
  const concerned = filesConcerned(sides, asked, texts);
  if (concerned === undefined) return undefined;
  const { before, after } = sides;
  const selected = [before, after].flatMap(({ selection }) => selection.filesWithFindings().map(({ uri }) => uri));
  const wanted = new Set(selected.filter((uri) => concerned.has(uri)));
  const all = report.diagnostics.filter(({ uri }) => wanted.has(uri));
  const now = await allFindings(world, after, wanted);
  const differing = differingFiles(all, now);
  const [had, has] = [
    await checkSome(world, before, versionsIn(before, differing), checkerOf(before)),
    await checkSome(world, after, versionsIn(after, differing), checkerOf(after)),
  ];
  return { findings: onlyIn(has, now, all), resolved: onlyIn(had, all, now) };
}

/** Returns the findings that a proposal introduces or resolves. */
async function changedFindings(world: World, sides: Sides, key: string, texts: Texts): Promise<ChangedFindings> {
  const { before, after } = sides;
  const report = await reportBefore(world, before, key);
  const asked = questionsOfLast(before, key);
  const concerned = asked && filesConcerned(sides, asked, texts);
  // The questions of files that only the proposal selects are unknown.
  const known = new Set(before.selection.filesWithFindings().map(({ uri }) => uri));
  const isConcerned = ({ uri }: { readonly uri: string }) => concerned?.has(uri) !== false || !known.has(uri);
  const checked = after.selection.filesWithFindings().filter(isConcerned);
  const has = await checkSome(world, after, checked, checkerOf(after));
  const had = report.diagnostics.filter(isConcerned);
  const differing = differingFiles(had, has);
  // A file may contain findings that are selected only without the proposal, or only with it.
  const [all, now] = [await allFindings(world, before, differing), await allFindings(world, after, differing)];
  return { findings: onlyIn(has, now, all), resolved: onlyIn(had, all, now) };
}

async function reportBefore(world: World, before: Indexed, key: string): Promise<Report> {
  const last = await lastReport(world, before, key, checkerOf(before));
  return last ?? (await finishReport(world, before, key, checkerOf(before))).report;
}

/** Returns the files whose findings a proposal may change; undefined if it may change any findings. `asked` contains the questions of the checks of a report without the proposal. */
function filesConcerned(
  { before, after }: Sides,
  asked: AskedQuestions,
  texts: Texts,
): ReadonlySet<string> | undefined {
  const [old, fresh] = [before.session.snapshot(), after.session.snapshot()];
  const uris = [...texts.keys()];
  const changes = uris.flatMap((uri) => {
    const [was, is] = [old.files.get(uri), fresh.files.get(uri)];
    return was === undefined && is === undefined
      ? []
      : [{ before: was ?? absentFile(uri), after: is ?? absentFile(uri) }];
  });
  return affectedFiles(asked, after.session.workspace, old, visibleIn(changes), uris);
}

/** Returns the files that have findings in only one of two lists. */
function differingFiles(some: readonly Diagnostic[], others: readonly Diagnostic[]): ReadonlySet<string> {
  const [one, other] = [some, others].map((each) => new Set(each.map(identityOf)));
  const only = [
    ...some.filter((each) => other?.has(identityOf(each)) !== true),
    ...others.filter((each) => one?.has(identityOf(each)) !== true),
  ];
  return new Set(only.map(({ uri }) => uri));
}

/** Returns all findings in some files, including findings that are not selected. */
function allFindings(world: World, indexed: Indexed, uris: ReadonlySet<string>): Promise<readonly Diagnostic[]> {
  const check = (file: WorkspaceFile) => {
    const readText = once(() => indexed.readText(file));
    return { file, readText, findings: indexed.session.check(file, readText) };
  };
  return checkSome(world, indexed, versionsIn(indexed, uris), check);
}

function versionsIn({ session }: Indexed, uris: ReadonlySet<string>): readonly WorkspaceFile[] {
  return [...uris].flatMap((uri) => session.snapshot().files.get(uri) ?? []);
}

/** Returns the selected findings, of `all` findings of one state, that are not in the other state. */
function onlyIn(
  selected: readonly Diagnostic[],
  all: readonly Diagnostic[],
  others: readonly Diagnostic[],
): readonly Diagnostic[] {
  const known = new Set(others.map(identityOf));
  // Several equal findings may have the same position, because several scopes apply an object.
  const areNew = new Map<string, boolean[]>();
  for (const each of all) getOrAdd(areNew, positionOf(each), () => []).push(!known.has(identityOf(each)));
  return selected.filter((each) => areNew.get(positionOf(each))?.shift() === true);
}

/** Returns the effects of a proposal on objects: changed matches, rejected updates and changed connections. */
function changedObjects(world: World, { before, after }: Sides, texts: Texts): Omit<Effects, 'findings' | 'resolved'> {
  const { changes, problems } = changesOf(world, before.session, after.session, texts);
  const missing = missingSentences(world, before.session, after.session, texts);
  const stateOf = ({ session }: Indexed) => wholeTree(session, world.currentFolder);
  const around = clustersAround(stateOf(before), stateOf(after), [...texts.keys()]);
  const connections = joinedChanges(around.pairs.map(([old, fresh]) => connectionChangesIn(old, fresh)));
  return {
    changes,
    connections,
    problems: [
      ...unparsedSentences(world, before.session, after.session, texts),
      ...missing,
      ...largeSelectorsIn(world, before.session, after.session, texts),
      ...problems,
      ...around.problems,
      ...connections.problems,
    ],
  };
}

/** Returns the changed matches and the rejected updates of a proposal. */
export function changesOf(
  world: World,
  before: Session,
  after: Session,
  texts: Texts,
): Pick<Effects, 'problems'> & { readonly changes: readonly ObjectChange[] } {
  const states = statesOf(world, before, after, texts);
  const nameOf = ({ path }: Scope) => displayPath(world, path);
  const { scopes, problems } = changesSince({ ...states, nameOf, mostItems: maximumChanges, areNewScopesListed: true });
  const changes = scopes.flatMap(({ path, groups }) =>
    groups.flatMap(({ kind, items }) =>
      items.map((item) => ({
        kind: kind === 'recreate' ? ('immutable' as const) : kind,
        scope: displayPath(world, path),
        item,
      })),
    ),
  );
  const isCut = scopes.some(({ groups }) => groups.some(({ items, total }) => items.length < total));
  const cut = isCut ? [`Only the first ${maximumChanges} changes of each kind and scope are listed.`] : [];
  return { changes, problems: [...problems, ...cut] };
}

/** Whether the message about a change names its scopes: those of both objects if different GitOps objects apply them. */
export function namesScopes({ target }: ChangeItem): boolean {
  return target?.builtBy !== undefined;
}

function statesOf(world: World, before: Session, after: Session, texts: Texts) {
  const side = writtenSideOf(before, world);
  const base = { name: 'now', side, textNow: side.textOf, changed: new Set(texts.keys()) };
  const now = { ...writtenSideOf(after, world), textOf: (uri: string) => texts.get(uri) ?? side.textOf(uri) };
  return { base, now };
}

/** Returns a sentence about the files with syntax errors, if there are any. */
function unparsedSentences(world: World, before: Session, after: Session, texts: Texts): readonly string[] {
  const { now } = statesOf(world, before, after, texts);
  const [first, ...others] = unparsedFiles(world, after, ({ uri }) => now.textOf(uri) ?? '');
  if (first === undefined) return [];
  const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
  return [`'${displayPath(world, first.uri)}' has a syntax error, so only a part of it is compared${more}.`];
}

/** Returns a sentence about the missing files of the scopes whose objects a proposal may change, if there are any. */
function largeSelectorsIn(world: World, before: Session, after: Session, texts: Texts): readonly string[] {
  const { base, now } = statesOf(world, before, after, texts);
  const isAffected = affectedScopes(base, now);
  const objects = [now, base.side].flatMap(({ workspace }) => {
    const uris = new Set(
      workspace
        .scopes()
        .all()
        .filter(isAffected)
        .flatMap(({ files }) => [...files]),
    );
    return [...uris].flatMap((uri) => workspace.files.get(uri)?.manifest.objects ?? []);
  });
  return largeSelectors(objects);
}

function missingSentences(world: World, before: Session, after: Session, texts: Texts): readonly string[] {
  const { base, now } = statesOf(world, before, after, texts);
  const isAffected = affectedScopes(base, now);
  const missing = [now, base.side].flatMap(({ workspace }) =>
    missingFiles(workspace.scopes(), isAffected).map(
      ({ scope, why }) => `'${displayPath(world, scope.path)}' is compared only in part: ${why}`,
    ),
  );
  const [first, ...others] = new Set(missing);
  if (first === undefined) return [];
  return [others.length === 0 ? first : `${first} (and ${others.length} more)`];
}

const marks = { immutable: '!', broken: '!', lost: '-', gained: '+' } as const;

/** Formats a change as a line. A scope, if one is given and it is not the current folder, follows the name of the object that the scope applies, as in the messages of `diff`. */
export function changeLine(kind: Effects['changes'][number]['kind'], item: ChangeItem, scope = '.'): string {
  const { message, object, target } = item;
  if (scope === '.') return tame(`${marks[kind]} ${message}`);
  const isMatch = kind === 'lost' || kind === 'gained';
  const name = nameIn(isMatch ? (target ?? object) : object);
  const start = isMatch ? message.lastIndexOf(name) : message.indexOf(name);
  const end = start < 0 ? message.length : start + name.length;
  return tame(`${marks[kind]} ${message.slice(0, end)} (${scope})${message.slice(end)}`);
}

/** Returns the name of an object as the messages contain it. */
function nameIn({ kind, name, namespace }: ChangeItem['object']): string {
  return `${kind}/${name}${namespace === undefined ? '' : ` in ${namespace}`}`;
}

/** Returns a key that identifies a finding even if an edit moved it. */
function identityOf({ uri, rule, message, fingerprint }: Diagnostic): string {
  return `${uri}\n${rule}\n${fingerprint}\n${message}`;
}

/** Returns a key that identifies a finding in one state of the files. */
function positionOf({ uri, rule, message, range }: Diagnostic): string {
  return `${uri}\n${rule}\n${JSON.stringify(range)}\n${message}`;
}
