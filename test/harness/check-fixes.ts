/** Tests fixes: each is applied, and the rules run again. */

import '../../server/src/rules/all.ts';
import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { memoized } from '../../server/src/engine/memoize.ts';
import type { Manifest } from '../../server/src/manifests/model.ts';
import { readManifest } from '../../server/src/manifests/parse-manifest.ts';
import type { Finding, Fix } from '../../server/src/rules/framework/rule.ts';
import { applyEdits, type Edit } from '../../server/src/text/edit.ts';
import type { Bench } from './bench.ts';

/** Applies every fix of every finding of a file separately; fails if there is none. Returns the texts. */
export function checkFixes(bench: Bench, name?: string): readonly string[] {
  const file = bench.file(name);
  const before = findingsBefore(bench);
  const pairs = bench.findings(file.name).flatMap((finding) => finding.fixes().map((fix) => ({ finding, fix })));
  if (pairs.length === 0) throw new Error(`${file.name} has no fix to check.`);
  return pairs.map(({ finding, fix }) => {
    const { text } = file;
    const what = `'${fix.title}' of ${JSON.stringify(text.slice(finding.span.start, finding.span.end))}`;
    const rest = [...before];
    rest.splice(rest.indexOf(described(file.name, text, finding)), 1);
    return corrected(bench, { name: file.name, fix, what, rest });
  });
}

interface Fixing {
  readonly name: string;
  readonly fix: Fix;
  readonly what: string;
  /** The previous findings, without the fixed one. */
  readonly rest: readonly string[];
}

/**
 * The text after one fix, which must remove its finding, cause no other in any file, and change at most one label of a
 * file.
 */
function corrected(bench: Bench, { name, fix, what, rest }: Fixing): string {
  const uri = bench.uriOf(name);
  const changes = new Map<string, readonly Edit[]>([...(fix.elsewhere ?? []), [uri, fix.edits]]);
  if ([...changes.values()].every((edits) => edits.length === 0)) throw new Error(`${what} edits nothing.`);
  const known = new Set(bench.files.map((file) => bench.uriOf(file.name)));
  for (const changed of changes.keys()) if (!known.has(changed)) throw new Error(`${what} edits ${changed}.`);
  const after = bench.files.map((file) => {
    const edits = changes.get(bench.uriOf(file.name));
    return { ...file, text: edits === undefined ? file.text : applyEdits(file.text, edits) };
  });
  const edit = (files: readonly { readonly name: string; readonly text: string }[]) => {
    for (const each of files)
      if (changes.has(bench.uriOf(each.name))) bench.session.workspace.edit(bench.uriOf(each.name), each.text);
  };
  edit(after);
  const left = describedOf(bench, after);
  edit(bench.files);
  assert.deepEqual(without(left, rest), [], `${what} brings new findings`);
  assert.ok(left.length <= rest.length, `${what} does not end its finding`);
  for (const [index, file] of bench.files.entries()) {
    const text = after[index]?.text ?? '';
    if (text !== file.text) checkText(file.text, text, what);
  }
  return after.find((file) => file.name === name)?.text ?? '';
}

/** Checks that a fix keeps line ends, syntax and objects, and changes little. */
function checkText(text: string, after: string, what: string): void {
  assert.equal(/(?<!\r)\n/.test(after), /(?<!\r)\n/.test(text), `${what} mixes line ends`);
  const before = readManifest(text, catalogue);
  const now = readManifest(after, catalogue);
  assert.equal(now.syntaxErrors, before.syntaxErrors, `${what} breaks the syntax`);
  assert.ok(now.objects.length >= before.objects.length, `${what} removes an object`);
  const gone = without(entriesOf(before), entriesOf(now));
  const come = without(entriesOf(now), entriesOf(before));
  assert.ok(isSmall(gone, come), `${what} changes ${gone.length} labels to ${come.length}`);
}

/** Whether only labels are added, one is removed, or one becomes another everywhere in the file. */
function isSmall(gone: readonly string[], come: readonly string[]): boolean {
  const labels = (lines: readonly string[]) =>
    new Set(lines.map((line) => line.slice(line.indexOf(' ', line.indexOf(' ') + 1))));
  if (gone.length === 0) return true;
  return labels(gone).size === 1 && labels(come).size <= 1 && (gone.length === 1 || come.length === gone.length);
}

/** The findings in all files before any fix: each fix ends by restoring the files. */
const findingsBefore = memoized((bench: Bench): readonly string[] => {
  for (const file of bench.files) bench.session.workspace.edit(bench.uriOf(file.name), file.text);
  return describedOf(bench, bench.files);
});

function describedOf(
  bench: Bench,
  files: readonly { readonly name: string; readonly text: string }[],
): readonly string[] {
  return files.flatMap(({ name, text }) =>
    bench.session.findings(bench.uriOf(name)).map((finding) => described(name, text, finding)),
  );
}

function described(name: string, text: string, finding: Finding): string {
  return `${name} ${finding.rule} ${finding.message} ${text.slice(finding.span.start, finding.span.end)}`;
}

/** Every label and annotation of a file as a line; entries that aliases and merge keys repeat are listed once. */
function entriesOf(manifest: Manifest): readonly string[] {
  const lines = new Map<number, string>();
  for (const object of manifest.objects) {
    for (const site of [...object.labelSites, ...object.selectorSites]) {
      for (const { key, value } of site.entries) {
        lines.set(key.span.start, `${object.kind} ${site.path} ${key.text}=${value.text}`);
      }
    }
  }
  return [...lines.values()];
}

/** The first list without the items of the second, each counted. */
function without(list: readonly string[], taken: readonly string[]): readonly string[] {
  const rest = [...taken];
  return list.filter((each) => {
    const at = rest.indexOf(each);
    if (at !== -1) rest.splice(at, 1);
    return at === -1;
  });
}
