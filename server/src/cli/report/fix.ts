/** Applies safe fixes: those that cannot change the matches of any selector. */

import { defaultSettings } from '../../settings/settings.ts';
import { byteOrderMark } from '../../text/byte-order-mark.ts';
import { applyEdits, type Edit } from '../../text/edit.ts';
import { meets } from '../../text/span.ts';
import { unifiedDiff } from '../../text/unified-diff.ts';
import { folderOf } from '../../workspace/uri.ts';
import type { World } from '../environment.ts';
import type { Indexed } from '../indexed-workspace.ts';
import { UsageError } from '../options/arguments.ts';
import { counted } from '../output/counts.ts';
import { tame } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';
import { isGovernedByFault } from './configuration-faults.ts';

export interface FixedFile {
  readonly uri: string;
  readonly before: string;
  readonly after: string;
  /** The number of fixed findings. */
  readonly fixes: number;
}

/** Maximum number of rounds: a fix may cause another finding; more rounds mean that two fixes undo each other. */
const maximumRounds = 10;

/**
 * Fixes every reported file in the snapshot of the session; nothing is written. Files whose configuration is broken are
 * unchanged: it may have declared that they are generated, or that a rule is off.
 */
export async function applyFixes(indexed: Indexed): Promise<readonly FixedFile[]> {
  const fixed: FixedFile[] = [];
  for (const { uri } of indexed.reported) {
    if (isGovernedByFault(indexed.session, indexed.faults, uri)) continue;
    const file = indexed.session.snapshot().files.get(uri);
    if (file === undefined || (file.objects === 0 && file.config === undefined)) continue;
    const each = fixFile(indexed, uri, indexed.readText(file));
    if (each !== undefined) fixed.push(each);
  }
  return fixed;
}

function fixFile({ session }: Indexed, uri: string, before: string): FixedFile | undefined {
  let text = before;
  let fixes = 0;
  for (let round = 0; round < maximumRounds; round++) {
    const file = session.snapshot().files.get(uri);
    const chosen = file === undefined ? [] : safeEdits(session.check(file, () => text));
    if (chosen.length === 0) break;
    text = applyEdits(text, chosen.flat());
    fixes += chosen.length;
    session.workspace.update([[uri, { text }]]);
  }
  return text === before ? undefined : { uri, before, after: text, fixes };
}

/** Returns the edits of each finding with a safe fix; of two that overlap the first. */
function safeEdits(findings: ReturnType<Indexed['session']['check']>): readonly (readonly Edit[])[] {
  const taken: Edit[] = [];
  return findings.flatMap((finding) => {
    const fix = finding.fixes().find((each) => each.safe === true && each.elsewhere === undefined);
    const isFree = fix?.edits.every(({ span }) => !taken.some((edit) => meets(edit.span, span)));
    if (fix === undefined || !isFree) return [];
    for (const each of fix.edits) taken.push(each);
    return [fix.edits];
  });
}

export async function writeFixed(world: World, fixed: readonly FixedFile[]): Promise<void> {
  for (const { uri, before, after } of fixed) {
    const problem = await world.write(uri, before, after);
    if (problem !== undefined) throw new UsageError(`'${displayPath(world, uri)}' cannot be changed: ${problem}.`);
  }
}

export function reportFixed(world: World, fixed: readonly FixedFile[]): void {
  if (fixed.length > 0) world.err(`Fixed ${amount(fixed)}.`);
}

export async function reportDiffs(world: World, fixed: readonly FixedFile[]): Promise<void> {
  for (const { uri, before, after } of fixed) {
    const mark = await markOf(world, uri);
    for (const line of unifiedDiff(displayPath(world, uri), mark + before, mark + after))
      world.out(world.columns === undefined ? line : tame(line));
  }
  world.err(fixed.length === 0 ? 'No safe fixes.' : `Would fix ${amount(fixed)}.`);
}

/** It is part of the first line, and a diff must show that as it is. */
async function markOf({ files }: World, uri: string): Promise<string> {
  const [content] = (await files.contents?.(folderOf(uri), [uri], defaultSettings.maximumFileSize)) ?? [];
  return byteOrderMark(content?.text ?? '');
}

function amount(fixed: readonly FixedFile[]): string {
  const fixes = fixed.reduce((sum, each) => sum + each.fixes, 0);
  return `${counted(fixes, 'finding')} in ${counted(fixed.length, 'file')}`;
}
