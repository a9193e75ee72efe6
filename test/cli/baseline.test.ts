/** Tests that a baseline hides exactly the findings that it lists. */
import assert from 'node:assert/strict';
import { badPrices, goodPrices, service, web } from './manifests.ts';
import { runInMemory } from './memory-world.ts';

const files = { 'prices.yaml': badPrices, 'other.yaml': badPrices.replace('name: prices', 'name: other') };
const update = ['check', '--baseline', 'deep/base.json', '--update-baseline'];

async function baselineOf(all: Readonly<Record<string, string>>, ...words: readonly string[]): Promise<string> {
  const { code, written } = await runInMemory([...update, ...words], { files: all });
  assert.equal(code, 0);
  return written['deep/base.json'] ?? '';
}

async function checked(all: Readonly<Record<string, string>>, baseline: string) {
  const words = ['check', '--format', 'json', '--baseline', 'deep/base.json'];
  const { code, json } = await runInMemory(words, { files: { ...all, 'deep/base.json': baseline } });
  const { diagnostics, summary } = json as {
    diagnostics: { rule: string; file: string }[];
    summary: { error: number };
  };
  assert.equal(summary.error, diagnostics.length);
  return { code, found: diagnostics.map(({ rule, file }) => `${file} ${rule}`) };
}

describe('a baseline', () => {
  it('hides the findings that it lists', async () => {
    assert.deepEqual(await checked(files, await baselineOf(files)), { code: 0, found: [] });
  });

  it('neither lists nor hides faults of the configuration', async () => {
    const all = { ...files, '.selector-lens.yaml': 'rulez: {}\n' };
    const run = await runInMemory(update, { files: all });
    assert.equal(run.code, 1);
    assert.deepEqual(run.err, [
      'deep/base.json lists 6 findings.',
      "selector-lens: .selector-lens.yaml:1:1: The key 'rulez' is unknown. Did you mean 'rules'?",
    ]);
    const baseline = run.written['deep/base.json'] ?? '';
    assert.deepEqual(await checked(all, baseline), { code: 1, found: ['.selector-lens.yaml invalid-configuration'] });
  });

  it('reports how many findings it hides', async () => {
    const listed = await baselineOf({ 'prices.yaml': badPrices });
    const text = async (all: Readonly<Record<string, string>>) =>
      (
        await runInMemory(['check', '--baseline', 'b.json'], {
          files: { ...all, 'b.json': listed.replaceAll('../', '') },
        })
      ).out;
    const known = await text({ 'prices.yaml': badPrices });
    assert.deepEqual(known, [
      'No new problems in 1 object, 1 file.',
      '3 findings that the baseline lists are not shown.',
    ]);
    assert.deepEqual((await text(files)).slice(-2), ['3 errors in 2 objects, 2 files.', known[1]]);
    assert.deepEqual(await text({ 'good.yaml': goodPrices }), [
      'No new problems in 1 object, 1 file.',
      "3 findings that the baseline lists no longer occur; '--update-baseline' removes them:",
      '  prices.yaml [label-key-syntax]',
      '  prices.yaml [label-value-syntax]',
      '  prices.yaml [label-value-syntax]',
    ]);
  });

  it('applies to a dry run', async () => {
    const words = ['check', '--fix', '--dry-run', '--baseline', 'deep/base.json'];
    const listed = { ...files, 'deep/base.json': await baselineOf(files) };
    assert.equal((await runInMemory(words, { files: listed })).code, 0);
    assert.equal((await runInMemory(words, { files: { ...listed, 'new.yaml': badPrices } })).code, 1);
  });

  it('hides a finding that has moved', async () => {
    const baseline = await baselineOf(files);
    const moved = { ...files, 'prices.yaml': `# new\n${goodPrices.replace('prices', 'new')}---\n${badPrices}` };
    assert.deepEqual(await checked(moved, baseline), { code: 0, found: [] });
  });

  it('does not hide new findings', async () => {
    const baseline = await baselineOf({ 'prices.yaml': badPrices });
    const more = { ...files, 'prices.yaml': badPrices.replace('labels:', 'labels:\n    team: b b') };
    const { code, found } = await checked(more, baseline);
    assert.equal(code, 1);
    assert.deepEqual(found, [
      'other.yaml label-value-syntax',
      'other.yaml label-key-syntax',
      'other.yaml label-value-syntax',
      'prices.yaml label-value-syntax',
    ]);
  });

  it('is sorted, relative to its folder, and reproducible', async () => {
    const baseline = await baselineOf(files);
    const { version, findings } = JSON.parse(baseline);
    assert.equal(version, 1);
    assert.deepEqual(
      [...new Set(findings.map(({ file }: { file: string }) => file))],
      ['../other.yaml', '../prices.yaml'],
    );
    assert.equal(await baselineOf({ ...files, 'deep/base.json': baseline }), baseline);
  });

  it('preserves entries of files that were not checked, and removes those of deleted files', async () => {
    const baseline = await baselineOf({ ...files, 'gone.yaml': badPrices.replace('name: prices', 'name: gone') });
    const corrected = { ...files, 'prices.yaml': goodPrices, 'deep/base.json': baseline };
    const { findings } = JSON.parse(await baselineOf(corrected, 'prices.yaml'));
    assert.deepEqual([...new Set(findings.map(({ file }: { file: string }) => file))], ['../other.yaml']);
  });

  it('lists findings in files without objects once, as long as they exist', async () => {
    const broken = { 'kustomization.yaml': 'resources: [a.yaml, nowhere.yaml]\n', 'a.yaml': goodPrices };
    const baseline = await baselineOf(broken);
    assert.equal(JSON.parse(baseline).findings.length, 1);
    assert.equal(await baselineOf({ ...broken, 'deep/base.json': baseline }), baseline);
    const corrected = {
      'kustomization.yaml': 'resources: [a.yaml]\n',
      'a.yaml': goodPrices,
      'deep/base.json': baseline,
    };
    assert.deepEqual(JSON.parse(await baselineOf(corrected)).findings, []);
  });

  it('is written again if it is broken', async () => {
    assert.ok((await baselineOf({ ...files, 'deep/base.json': 'broken' })).startsWith('{'));
  });

  it('preserves entries of a file of which a run selects only some findings', async () => {
    const all = {
      'web.yaml': web,
      'service.yaml': service.replace('labels:', 'labels:\n    owner: Team Blue').replace(/app: web\n$/, 'app: webs\n'),
    };
    const whole = await baselineOf(all);
    assert.deepEqual(
      (JSON.parse(whole) as { findings: { rule: string }[] }).findings.map(({ rule }) => rule),
      ['label-value-syntax', 'selects-nothing'],
    );
    const options = { files: { ...all, 'deep/base.json': whole } };
    const { json } = await runInMemory(['check', '--format', 'json', 'web.yaml'], options);
    assert.deepEqual(
      (json as { diagnostics: { rule: string }[] }).diagnostics.map(({ rule }) => rule),
      ['selects-nothing'],
    );
    const { written } = await runInMemory([...update, 'web.yaml'], options);
    assert.equal(written['deep/base.json'], whole);
  });
});
