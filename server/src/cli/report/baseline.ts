/** Reads and writes baselines: files that list accepted findings, so that only new ones are reported. */

import { isConfigFault } from '../../rules/framework/check.ts';
import { folderOf, relativePath, resolveUri } from '../../workspace/uri.ts';
import type { World } from '../environment.ts';
import { UsageError } from '../options/arguments.ts';
import { counted } from '../output/counts.ts';
import { tamePath } from '../output/terminal-escape.ts';
import { displayPath } from '../paths/display-path.ts';
import type { Diagnostic, Report, StaleEntry } from './model.ts';

export interface Baseline {
  readonly uri: string;
  /** The text of the baseline file; undefined if the file does not exist yet. */
  readonly text: string | undefined;
  readonly entries: readonly Entry[];
  isNew(diagnostic: Diagnostic): boolean;
}

interface Entry {
  /** The path relative to the folder of the baseline, with slashes. */
  readonly file: string;
  readonly rule: string;
  readonly fingerprint: string;
}

const version = 1;
const maximumBytes = 100_000_000;

/** Reads the baseline at a path. If it is written `anew`, a missing or broken baseline is treated as empty. Throws a UsageError if the baseline cannot be used. */
export async function readBaseline(world: World, path: string, anew: boolean): Promise<Baseline> {
  const named = await world.locate(path);
  if (named === undefined && !anew)
    throw new UsageError(`The baseline '${path}' does not exist; create it with '--update-baseline'.`);
  if (named?.kind === 'folder') throw new UsageError(`The baseline '${path}' is a folder.`);
  if (named?.kind === 'unreadable') throw new UsageError(`The baseline '${path}' cannot be read: ${named.reason}.`);
  const uri =
    named?.uri ?? (path.startsWith('/') ? resolveUri('file:///', path) : resolveUri(world.currentFolder, path));
  const [read] = named === undefined ? [] : await world.files.read([uri], maximumBytes);
  if (read !== undefined && 'skipped' in read)
    throw new UsageError(`The baseline '${path}' cannot be read: ${read.skipped}.`);
  const entries = read === undefined ? [] : entriesOf(read.text, path, anew);
  const known = new Set(entries.map(keyOf));
  const folder = folderOf(uri);
  const isNew = (each: Diagnostic) => isConfigFault(each.uri, each) || !known.has(keyOf(entryOf(folder, each)));
  return { uri, text: read?.text, entries, isNew };
}

/** Returns the entries of checked or deleted files that do not correspond to a finding in the report. */
export async function staleEntries(
  world: World,
  { uri, entries }: Baseline,
  { diagnostics, looked }: Pick<Report, 'diagnostics' | 'looked'>,
): Promise<readonly StaleEntry[]> {
  const folder = folderOf(uri);
  const found = new Set(diagnostics.map((each) => keyOf(entryOf(folder, each))));
  const missing = entries.filter((entry) => !found.has(keyOf(entry)));
  const checked = new Set(looked);
  const uris = missing.map(({ file }) => resolveUri(folder, file));
  const stats = await world.files.stat(uris);
  return missing.flatMap((entry, number) => {
    const file = uris[number] ?? '';
    if (!checked.has(file) && stats[number] !== undefined) return [];
    return [{ ...entry, file: displayPath(world, file) }];
  });
}

/** Writes the findings of a report to the baseline; entries of existing files that were not checked are preserved. */
export async function writeBaseline(world: World, baseline: Baseline, report: Report): Promise<void> {
  const folder = folderOf(baseline.uri);
  const looked = new Set(report.looked.map((uri) => relativePath(folder, uri)));
  const accepted = report.diagnostics.filter((each) => !isConfigFault(each.uri, each));
  const found = accepted.map((each) => entryOf(folder, each));
  const known = new Set(found.map(keyOf));
  const others = [];
  for (const entry of baseline.entries) {
    if (looked.has(entry.file) || known.has(keyOf(entry))) continue;
    const [stat] = await world.files.stat([resolveUri(folder, entry.file)]);
    if (stat !== undefined) others.push(entry);
  }
  const entries = [...others, ...found];
  const sorted = entries.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  const lines = sorted.map((entry) => `    ${JSON.stringify(entry)}`);
  const list = lines.length === 0 ? '[]' : `[\n${lines.join(',\n')}\n  ]`;
  const problem = await world.write(
    baseline.uri,
    baseline.text,
    `{\n  "version": ${version},\n  "findings": ${list}\n}\n`,
  );
  const shown = displayPath(world, baseline.uri);
  if (problem !== undefined) throw new UsageError(`The baseline '${shown}' cannot be written: ${problem}.`);
  world.err(`${tamePath(shown)} lists ${counted(sorted.length, 'finding')}.`);
}

function entryOf(folder: string, { uri, rule, fingerprint }: Diagnostic): Entry {
  return { file: relativePath(folder, uri), rule, fingerprint };
}

function keyOf({ file, rule, fingerprint }: Entry): string {
  return [file, rule, fingerprint].join('\n');
}

function entriesOf(text: string, path: string, anew: boolean): readonly Entry[] {
  const read = parsed(text);
  const list = isRecord(read) && read['version'] === version ? read['findings'] : undefined;
  if (Array.isArray(list)) return list.filter(isEntry);
  if (!anew) throw new UsageError(`'${path}' is not a baseline of this version; recreate it with '--update-baseline'.`);
  return [];
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function isEntry(value: unknown): value is Entry {
  return isRecord(value) && ['file', 'rule', 'fingerprint'].every((key) => typeof value[key] === 'string');
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
