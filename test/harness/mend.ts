/** Does a fix do what it says, and no more? It is applied and the rules are asked again. */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import type { Manifest } from '../../server/src/manifests/manifest.ts';
import type { Finding, Fix } from '../../server/src/rules/rule.ts';
import { applyEdits } from '../../server/src/text/edit.ts';
import { readFile } from '../../server/src/workspace/workspace.ts';
import type { Bench } from './bench.ts';

/** Applies every fix of every finding of a file, each by itself; fails where there is none. Answers with the texts. */
export function checkFixes(bench: Bench, name?: string): readonly string[] {
  const file = bench.file(name);
  const findings = bench.findings(file.name);
  const texts = findings.flatMap((finding) => finding.fixes().map((fix) => mended(bench, name, finding, fix)));
  if (texts.length === 0) throw new Error(`${file.name} has no fix to check.`);
  return texts;
}

/** The text after one fix, which must end its finding, bring no other and leave every other label as it was. */
export function mended(bench: Bench, name: string | undefined, finding: Finding, fix: Fix): string {
  const { text } = bench.file(name);
  const what = `'${fix.title}' of ${JSON.stringify(text.slice(finding.span.start, finding.span.end))}`;
  if (fix.edits.length === 0) throw new Error(`${what} edits nothing.`);
  const after = applyEdits(text, fix.edits);
  assert.equal(/(?<!\r)\n/.test(after), /(?<!\r)\n/.test(text), `${what} mixes line ends`);
  const uri = bench.uriOf(bench.file(name).name);
  const file = readFile(uri, after, catalogue);
  const before = bench.findings(name).map((each) => said(each, text));
  const left = bench.service.check(file, after).map((each) => said(each, after));
  before.splice(before.indexOf(said(finding, text)), 1);
  assert.deepEqual(without(left, before), [], `${what} brings new findings`);
  assert.ok(left.length <= before.length, `${what} does not end its finding`);
  const old = entriesOf(bench.manifest(name));
  const now = entriesOf(file.manifest);
  const gone = without(old, now);
  const come = without(now, old);
  assert.ok(gone.length <= 1 && come.length === gone.length, `${what} changes ${gone.length} labels to ${come.length}`);
  assert.equal(file.manifest.syntaxErrors, bench.manifest(name).syntaxErrors, `${what} breaks the syntax`);
  return after;
}

function said(finding: Finding, text: string): string {
  return `${finding.rule} ${finding.message} ${text.slice(finding.span.start, finding.span.end)}`;
}

/** Every label and annotation of a file as a line; what aliases and merge keys show again is there once. */
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

/** The first list without the members of the second, each counted. */
function without(list: readonly string[], taken: readonly string[]): readonly string[] {
  const rest = [...taken];
  return list.filter((each) => {
    const at = rest.indexOf(each);
    if (at !== -1) rest.splice(at, 1);
    return at === -1;
  });
}
