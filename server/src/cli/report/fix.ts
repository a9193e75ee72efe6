/** Applies safe fixes, which cannot change the matches of any selector, and on request also fixes that may change them. */

import { getOrAdd } from '../../engine/memoize.ts';
import { separateFixes } from '../../features/refactor/fix-all.ts';
import type { Finding } from '../../rules/framework/rule.ts';
import { configName } from '../../settings/config.ts';
import { defaultSettings } from '../../settings/settings.ts';
import { byteOrderMark } from '../../text/byte-order-mark.ts';
import { applyEdits } from '../../text/edit.ts';
import { unifiedDiff } from '../../text/unified-diff.ts';
import type { WorkspaceFile } from '../../workspace/model.ts';
import { readFile } from '../../workspace/snapshot.ts';
import { folderOf } from '../../workspace/uri.ts';
import type { World } from '../environment.ts';
import type { Indexed } from '../indexed-workspace.ts';
import { UsageError } from '../options/arguments.ts';
import { counted } from '../output/counts.ts';
import { nameList } from '../output/name-list.ts';
import { tame } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';
import { isGovernedByFault } from './configuration-faults.ts';
import type { Diagnostic, Report } from './model.ts';

export interface FixedFile {
  readonly uri: string;
  readonly before: string;
  readonly after: string;
  readonly fixes: number;
}

export interface FixChoice {
  /**
   * Whether to also apply fixes that may change what a selector matches; for each finding, only the preferred fix is
   * applied.
   */
  readonly unsafe: boolean;
  /** Tests whether a finding is reported; only reported findings are fixed. */
  isReported(finding: Pick<Finding, 'rule' | 'severity'> & { readonly uri: string }): boolean;
}

/** Maximum number of rounds. More than one may be needed, because a fix may cause another finding; if this many are needed, two fixes undo each other. */
const maximumRounds = 10;

/** Fixes every reported file in the snapshot of the session, and the files with commands; nothing is written to disk. Files whose configuration is broken are not changed, because the configuration may have declared that they are generated, or that a rule is off. */
export async function applyFixes(indexed: Indexed, choice: FixChoice): Promise<readonly FixedFile[]> {
  const fixed: FixedFile[] = [];
  const texts = new Map<string, string>();
  const textOf = (file: WorkspaceFile) => texts.get(file.uri) ?? indexed.readText(file);
  const { session, reported, commandFiles, faults } = indexed;
  for (const { uri } of reported) {
    if (isGovernedByFault(session, faults, uri)) continue;
    const file = session.snapshot().files.get(uri);
    if (file === undefined) continue;
    const update = (text: string) => {
      texts.set(uri, text);
      session.workspace.update([[uri, { text }]], textOf);
    };
    const each = fixFile(indexed, uri, textOf(file), choice, () => session.snapshot().files.get(uri), update);
    if (each !== undefined) fixed.push(each);
  }
  for (const { uri, ...file } of commandFiles) {
    if (isGovernedByFault(session, faults, uri)) continue;
    const read = (text: string) => readFile(uri, text, session.workspace.catalogueOf(uri));
    const each = fixFile(indexed, uri, indexed.readText({ uri, ...file }), choice, read);
    if (each !== undefined) fixed.push(each);
  }
  return fixed;
}

/** Returns the index with the texts that fixes changed, for a report after fixes have been applied. */
export function withFixed(indexed: Indexed, fixed: readonly FixedFile[]): Indexed {
  const { session, selection } = indexed;
  const { files } = session.snapshot();
  const texts = new Map(fixed.map(({ uri, after }) => [uri, after]));
  const reported = indexed.reported.map((file) => files.get(file.uri) ?? file);
  const commandFiles = indexed.commandFiles.map((file) => {
    const text = texts.get(file.uri);
    return text === undefined ? file : readFile(file.uri, text, session.workspace.catalogueOf(file.uri));
  });
  const readText = (file: WorkspaceFile) => texts.get(file.uri) ?? indexed.readText(file);
  return { ...indexed, reported, commandFiles, selection: selection.on(session), readText };
}

/** Returns the reason why no fix changes a file; undefined if fixes may change it. */
function whyUnchanged({ session, faults }: Indexed, fixable: ReadonlySet<string>, uri: string): string | undefined {
  if (isGovernedByFault(session, faults, uri)) return `the '${configName}' that applies has errors`;
  return fixable.has(uri) ? undefined : 'only files in the paths are changed';
}

/** The maximum number of files that a note names. */
const mostNamed = 5;

/** Returns notes on the fixes that a report offers after fixes have been applied, with the reasons why they have not been applied. Fixes that are not safe are included if they were requested. */
export function notesOnRemaining(
  indexed: Indexed,
  { diagnostics }: Report,
  { isReported, unsafe }: FixChoice,
): readonly string[] {
  const fixable = new Set([...indexed.reported, ...indexed.commandFiles].map(({ uri }) => uri));
  const byReason = new Map<string, Diagnostic[]>();
  for (const each of diagnostics) {
    const isSafe = each.fixes.some(({ safe }) => safe);
    if (!isSafe && !(unsafe && each.fixes.length > 0)) continue;
    const whyUnfixed = isSafe
      ? 'another fix overlaps or caused them; run the command again'
      : 'no fix is preferred, or the fixes change other files';
    const reason = isReported(each)
      ? (whyUnchanged(indexed, fixable, each.uri) ?? whyUnfixed)
      : "'--config' names the file";
    getOrAdd(byReason, reason, () => []).push(each);
  }
  return [...byReason].map(([reason, those]) => {
    const files = nameList([...new Set(those.map(({ file }) => file))], mostNamed);
    return `Not applied: ${unsafe ? 'fixes' : 'safe fixes'} of ${counted(those.length, 'finding')} in ${files}: ${reason}.`;
  });
}

/** Returns a file with its fixes; `read` returns the file with a text, and `update` is called with each new text. */
function fixFile(
  { session }: Indexed,
  uri: string,
  before: string,
  choice: FixChoice,
  read: (text: string) => WorkspaceFile | undefined,
  update: (text: string) => void = () => {},
): FixedFile | undefined {
  let text = before;
  let fixes = 0;
  for (let round = 0; round < maximumRounds; round++) {
    const file = read(text);
    const chosen =
      file === undefined
        ? []
        : separateFixes(
            session.check(file, () => text).filter((finding) => choice.isReported({ ...finding, uri })),
            choice.unsafe,
            text,
          );
    if (chosen.length === 0) break;
    text = applyEdits(
      text,
      chosen.flatMap(({ edits }) => edits),
    );
    fixes += chosen.length;
    update(text);
  }
  return text === before ? undefined : { uri, before, after: text, fixes };
}

/** Writes the fixed files to disk. Throws a UsageError if one cannot be written. */
export async function writeFixed(world: World, fixed: readonly FixedFile[]): Promise<void> {
  for (const { uri, before, after } of fixed) {
    const problem = await world.write(uri, before, after);
    if (problem !== undefined) throw new UsageError(`'${displayPath(world, uri)}' cannot be changed: ${problem}.`);
  }
}

export function reportFixed(world: World, fixed: readonly FixedFile[]): void {
  if (fixed.length > 0) world.err(`Fixed ${amount(fixed)}.`);
}

/** Writes the fixes as a unified diff to standard output. */
export async function reportDiffs(world: World, fixed: readonly FixedFile[], { unsafe }: FixChoice): Promise<void> {
  for (const { uri, before, after } of fixed) {
    const mark = await markOf(world, uri);
    for (const line of unifiedDiff(displayPath(world, uri), mark + before, mark + after))
      world.out(world.columns === undefined ? line : tame(line));
  }
  world.err(fixed.length === 0 ? (unsafe ? 'No fixes.' : 'No safe fixes.') : `Would fix ${amount(fixed)}.`);
}

/** Returns the byte order mark of a file. It is part of the first line, so a diff must contain it. */
async function markOf({ files }: World, uri: string): Promise<string> {
  const [content] = (await files.contents?.(folderOf(uri), [uri], defaultSettings.maximumFileSize)) ?? [];
  return byteOrderMark(content?.text ?? '');
}

function amount(fixed: readonly FixedFile[]): string {
  const fixes = fixed.reduce((sum, each) => sum + each.fixes, 0);
  return `${counted(fixes, 'finding')} in ${counted(fixed.length, 'file')}`;
}
