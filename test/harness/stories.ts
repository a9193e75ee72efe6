/** Checks the margins of files: the findings of the rules, formatted as margins, must equal them. */

import '../../server/src/rules/all.ts';
import assert from 'node:assert/strict';
import type { Finding } from '../../server/src/rules/framework/rule.ts';
import { labelMapEntries } from '../../server/src/rules/helpers/validated-labels.ts';
import { lineTable, offsetToPosition } from '../../server/src/text/lines.ts';
import type { Bench } from './bench.ts';
import { type Announced, findingLine, type MarkedFile, markLine } from './margin.ts';

/**
 * Fails unless exactly the expected findings occur. A file without expected findings must state the number of examined
 * objects and labels.
 */
export function checkMargins(bench: Bench, name?: string): void {
  const file = bench.file(name);
  if (file.findings.length === 0 && file.looked === undefined)
    throw new Error(`${file.name} expects nothing: mark a finding, or say with '#= 1 object, 2 labels' what is sound.`);
  const expected = writeMargin(file, file.findings, file.looked);
  assert.equal(trueMargin(bench, file), expected, `the margin of ${file.name}`);
}

/** The file with the margin of the current findings. */
export function trueMargin(bench: Bench, file: MarkedFile): string {
  const findings = bench.findings(file.name).map((finding) => announcement(bench, file, finding));
  const silent = findings.length === 0 || file.looked !== undefined;
  return writeMargin(file, findings, silent ? lookedAt(bench, file.name) : undefined);
}

/**
 * A finding in the notation of the margin; keeps the part of the message that the author chose, if it is still correct.
 */
function announcement(bench: Bench, file: MarkedFile, finding: Finding): Announced {
  const same = (each: Announced) => each.rule === finding.rule && each.span.start === finding.span.start;
  const written = file.findings.find(same);
  const keeps = written !== undefined && (written.piece === undefined || finding.message.includes(written.piece));
  const piece = keeps ? written.piece : firstClause(finding.message).replaceAll('"', "'");
  return {
    span: finding.span,
    severity: finding.severity,
    rule: finding.rule,
    tags: finding.tags,
    ...(piece !== undefined && { piece }),
    related: finding.related.map(({ file: other, span }) => bench.fileNameOf(other.uri, span)),
    fixes: finding.fixes().map((fix) => fix.title),
  };
}

/** The problem without the remedy. */
function firstClause(message: string): string {
  return /^.*?(?=: |; |\.$)/.exec(message)?.[0] ?? message;
}

/**
 * The number of objects and labels that the rules examined: a file without findings proves nothing if it was not
 * examined.
 */
function lookedAt(bench: Bench, name: string): string {
  const manifest = bench.manifest(name);
  const objects = manifest.objects.filter((object) => object.forCluster).length;
  const labels = [...labelMapEntries(manifest)].length;
  const count = (number: number, word: string) => `${number} ${word}${number === 1 ? '' : 's'}`;
  return `${count(objects, 'object')}, ${count(labels, 'label')}`;
}

/** A file with findings and named spans in its margin; rejects a multiline finding. */
export function writeMargin(file: MarkedFile, findings: readonly Announced[], looked: string | undefined): string {
  const table = lineTable(file.text);
  const content = file.text.split(/\r\n|\r|\n/);
  const below = new Map<number, string[]>();
  const add = (line: number, note: string) => below.set(line, [...(below.get(line) ?? []), note]);
  for (const [name, span] of file.places) {
    const { line, character } = offsetToPosition(table, span.start);
    const above = content[line] ?? '';
    const length = Math.max(1, span.end - span.start);
    add(line, `${markLine(above.length - above.trimStart().length, character, length, '^')} ${name}`);
  }
  const order = (finding: Announced) => `${finding.rule} ${finding.piece ?? ''}`;
  const sorted = findings.toSorted((a, b) => a.span.start - b.span.start || order(a).localeCompare(order(b)));
  for (const finding of sorted) {
    const { line, character } = offsetToPosition(table, finding.span.start);
    const length = finding.span.end - finding.span.start;
    const above = content[line] ?? '';
    if (length === 0 || character + length > above.length)
      throw new Error(
        `${file.name}:${line + 1}: a finding must cover a key or value of one line, not ${length} characters.`,
      );
    add(line, findingLine(above, character, length, finding));
  }
  const written = content.flatMap((line, index) => [line, ...(below.get(index) ?? [])]);
  if (looked !== undefined) written.splice(written.at(-1) === '' ? -1 : written.length, 0, `#= ${looked}`);
  return written.join('\n');
}
