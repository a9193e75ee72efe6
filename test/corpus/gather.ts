/** Counts and findings of every source of a corpus, as text for review. */
import '../../server/src/rules/all.ts';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { isWorthChecking } from '../../server/src/features/diagnostics/all-problems.ts';
import type { LabelEntry, ManifestObject } from '../../server/src/manifests/model.ts';
import { diskFiles, fileUri } from '../../server/src/node/disk-files.ts';
import type { Finding } from '../../server/src/rules/framework/rule.ts';
import { Session } from '../../server/src/session.ts';
import { offsetToPosition } from '../../server/src/text/lines.ts';
import type { WorkspaceFile } from '../../server/src/workspace/model.ts';
import { objectsOf } from '../../server/src/workspace/snapshot.ts';
import { relativePath } from '../../server/src/workspace/uri.ts';
import { type Corpus, sources } from './corpus.ts';

export interface Gathered {
  /** The text of report.txt. */
  readonly report: string;
  /** The text of findings.txt. */
  readonly findings: string;
  /** The errors that the service logged as bugs. */
  readonly bugs: readonly string[];
}

interface Source {
  readonly name: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly findings: readonly string[];
  readonly skipped: readonly string[];
  readonly bugs: readonly string[];
}

/** Loads each source as a separate workspace, and checks all of its files. */
export async function gather(corpus: Corpus): Promise<Gathered> {
  const gathered: Source[] = [];
  for (const name of sources(corpus)) gathered.push(await gatherSource(corpus, name));
  const findings = gathered.flatMap((source) => source.findings);
  return {
    report: table(gathered) + gathered.flatMap(({ skipped }) => skipped.map((line) => `${line}\n`)).join(''),
    findings: [...findings, `${findings.length} findings`].map((line) => `${line}\n`).join(''),
    bugs: gathered.flatMap((source) => source.bugs),
  };
}

async function gatherSource(corpus: Corpus, name: string): Promise<Source> {
  const bugs: string[] = [];
  const complain = (where: string, what: unknown) => void bugs.push(`${name}: ${where}: ${what}`);
  const log = { info() {}, warn: (message: string) => complain('warning', message), bug: complain };
  const session = new Session({ catalogue, log });
  const folder = join(corpus.folder, name);
  const pathOf = (uri: string) => relativePath(fileUri(corpus.folder), uri);
  await session.workspace.load(
    diskFiles(),
    [fileUri(folder)],
    () => {},
    () => false,
  );
  // The objects of every cluster are in no folder.
  const onDisk = [...session.snapshot().files.values()].filter((file) => file.uri.startsWith('file:'));
  const files = onDisk.toSorted((a, b) => (a.uri < b.uri ? -1 : 1));
  const objects = files.flatMap((file) => objectsOf(session.snapshot(), file));
  const skipped = session.workspace.skipped().map(({ uri, reason }) => `${pathOf(uri)}: ${reason}`);
  return {
    name,
    counts: {
      files: files.length,
      documents: sum(files, (file) => file.manifest.documents),
      objects: objects.length,
      'selector sites': sum(objects, (object) => object.selectorSites.length),
      unknowns: sum(objects, unknownsOf),
      scopes: session
        .snapshot()
        .scopes()
        .all()
        .filter(({ path }) => path.startsWith('file:')).length,
      skipped: skipped.length,
    },
    findings: files.flatMap((file) => findingsOf(session, file).map((line) => `${pathOf(file.uri)}:${line}`)),
    skipped,
    bugs,
  };
}

/** `line:column: severity [rule]`: the text itself stays in the corpus. */
function findingsOf(session: Session, file: WorkspaceFile): readonly string[] {
  if (!isWorthChecking(file)) return [];
  const text = readFileSync(fileURLToPath(file.uri), 'utf8').replace(/^\uFEFF/, '');
  return session
    .check(file, () => text)
    .map((finding: Finding) => {
      const { line, character } = offsetToPosition(file.lines, finding.span.start);
      return `${line + 1}:${character + 1}: ${finding.severity} [${finding.rule}]`;
    });
}

/** The number of maps and selectors to which a template adds entries, and of labels that a template decides. */
function unknownsOf({ labelSites, selectorSites }: ManifestObject): number {
  const isUnknown = ({ key, value, conditional }: LabelEntry) =>
    conditional || typeof key.value !== 'string' || (value.type === 'string' && typeof value.value !== 'string');
  return sum([...labelSites, ...selectorSites], ({ open, entries }) => Number(open) + entries.filter(isUnknown).length);
}

function sum<T>(all: readonly T[], count: (each: T) => number): number {
  return all.reduce((total, each) => total + count(each), 0);
}

/** Columns of numbers, with widths by content, and the totals at the end. */
function table(gathered: readonly Source[]): string {
  const columns = Object.keys(gathered[0]?.counts ?? {});
  const count = (source: Source, column: string) => source.counts[column] ?? 0;
  const rows = gathered.map((source) => [source.name, ...columns.map((column) => String(count(source, column)))]);
  const totals = columns.map((column) => String(sum(gathered, (source) => count(source, column))));
  const lines = [['source', ...columns], ...rows, ['in all', ...totals]];
  const widths = ['source', ...columns].map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  const padded = lines.map(([name = '', ...cells]) => {
    return [name.padEnd(widths[0] ?? 0), ...cells.map((cell, index) => cell.padStart(widths[index + 1] ?? 0))];
  });
  return padded.map((line) => `${line.join('  ')}\n`).join('');
}
