/** Tests which findings every format shows, in which order, and which of them fail a check. */
import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';

/** An error on the last line, a warning on the one above. */
const mixed = `apiVersion: v1
kind: ConfigMap
metadata:
  name: mixed
  labels:
    owner:
    tier: 1.10
`;
const warned = mixed.replace('    tier: 1.10\n', '').replace('mixed', 'warned');
const files = { 'a/warned.yaml': warned, 'b/mixed.yaml': mixed, 'c/good.yaml': mixed.replace(/ {2}labels:\n.*/s, '') };

const check = (...words: readonly string[]) => runInMemory(['check', ...words], { files });
const shown = async (...words: readonly string[]) => (await check(...words)).out.join('\n');

describe('check --severity', () => {
  const rules = 'label-value-null|label-value-type';
  const counts: Readonly<Record<string, RegExp>> = {
    text: new RegExp(`\\[(?:${rules})\\]`, 'g'),
    json: new RegExp(`"rule": "(?:${rules})"`, 'g'),
    sarif: new RegExp(`"ruleId": "(?:${rules})"`, 'g'),
    github: new RegExp(`^::(?:error|warning) .*title=(?:${rules})::`, 'gm'),
    junit: new RegExp(`<failure type="(?:${rules})"`, 'g'),
  };

  for (const [format, pattern] of Object.entries(counts)) {
    it(`hides less severe findings as ${format}`, async () => {
      const found = async (...words: readonly string[]) =>
        (await shown('--format', format, ...words)).match(pattern)?.length;
      assert.equal(await found(), 3);
      assert.equal(await found('--severity', 'hint'), 3);
      assert.equal(await found('--severity', 'warning'), 3);
      assert.equal(await found('--severity', 'error'), 1);
    });
  }

  it('counts only shown findings', async () => {
    assert.match(await shown('--severity', 'error'), /\n1 error in 3 objects, 3 files\.$/);
    assert.match(await shown(), /\n1 error, 2 warnings in 3 objects, 3 files\.$/);
    const { summary } = (await check('--severity', 'error', '--format', 'json')).json as { summary: object };
    assert.deepEqual(
      { ...summary, skipped: [] },
      {
        files: 3,
        objects: 3,
        error: 1,
        warning: 0,
        information: 0,
        hint: 0,
        skipped: [],
      },
    );
    const junit = await shown('--severity', 'error', '--format', 'junit');
    assert.deepEqual(junit.match(/failures="\d+"/g), ['failures="1"', 'failures="0"', 'failures="0"']);
  });

  it('counts only the baseline entries that it would show', async () => {
    const caught = await runInMemory(['check', '--baseline', 'old.json', '--update-baseline'], { files });
    const known = { ...files, ...caught.written };
    const { out } = await runInMemory(['check', '--severity', 'error', '--baseline', 'old.json'], { files: known });
    assert.deepEqual(out, [
      'No new problems in 3 objects, 3 files.',
      '1 finding that the baseline lists is not shown.',
    ]);
  });
});

describe('check --fail-on', () => {
  const codes = (words: readonly string[]) =>
    Promise.all(['a', 'b', 'c'].map(async (path) => (await check(path, ...words)).code));

  it('decides which of the shown findings fail', async () => {
    assert.deepEqual(await codes([]), [0, 1, 0]);
    assert.deepEqual(await codes(['--fail-on', 'warning']), [1, 1, 0]);
    assert.deepEqual(await codes(['--severity', 'warning']), [1, 1, 0]);
    assert.deepEqual(await codes(['--severity', 'hint', '--fail-on', 'error']), [0, 1, 0]);
    assert.deepEqual(await codes(['--severity', 'error', '--fail-on', 'warning']), [0, 1, 0]);
  });

  it('applies to a dry run as well', async () => {
    assert.deepEqual(await codes(['--fix', '--dry-run']), [0, 1, 0]);
    assert.deepEqual(await codes(['--fix', '--dry-run', '--fail-on', 'warning']), [1, 1, 0]);
  });
});

describe('the order of findings', () => {
  it('begins with the most severe finding, and groups files in text and JUnit', async () => {
    const heads = (await check()).out.filter((line) => /^\S+:\d+:\d+: /.test(line));
    assert.deepEqual(
      heads.map((line) => line.split(' ').slice(0, 2).join(' ')),
      ['b/mixed.yaml:7:11: error:', 'b/mixed.yaml:6:5: warning:', 'a/warned.yaml:6:5: warning:'],
    );
    const suites = (await shown('--format', 'junit')).match(/(?<=<testsuite id="\d+" name=")[^"]+/g);
    assert.deepEqual(suites, ['b/mixed.yaml', 'a/warned.yaml', 'c/good.yaml']);
  });

  it('is by severity alone for programs', async () => {
    const { diagnostics } = (await check('--format', 'json')).json as {
      diagnostics: readonly { file: string; severity: string }[];
    };
    assert.deepEqual(
      diagnostics.map(({ file, severity }) => `${severity} ${file}`),
      ['error b/mixed.yaml', 'warning a/warned.yaml', 'warning b/mixed.yaml'],
    );
  });
});

describe('paths for other tools', () => {
  const options = {
    files: { 'x y/mixed.yaml': mixed, 'dark.yaml': { skipped: 'it is dark' } },
    repositories: ['/home/ada'],
  };

  it('begin at the repository in SARIF, which names its location', async () => {
    const { out } = await runInMemory(['check', '--format', 'sarif'], options);
    const [run] = JSON.parse(out.join('\n')).runs;
    assert.deepEqual(run.originalUriBaseIds, { '%SRCROOT%': { uri: 'file:///home/ada/' } });
    assert.deepEqual(run.results[0].locations[0].physicalLocation.artifactLocation, {
      uri: 'shop/x%20y/mixed.yaml',
      uriBaseId: '%SRCROOT%',
    });
  });

  it('begin at the repository in annotations', async () => {
    const { out } = await runInMemory(['check', '--format', 'github'], options);
    assert.match(out[0] ?? '', /^::error file=shop\/x y\/mixed\.yaml,line=7,.*::shop\/x y\/mixed\.yaml:7:11: /);
    assert.equal(out.at(-1), '::notice file=shop/dark.yaml::Skipped: it is dark');
  });

  it('begin at the current folder outside of a repository', async () => {
    const { out } = await runInMemory(['check', '--format', 'github'], { files: options.files });
    assert.match(out[0] ?? '', /^::error file=x y\/mixed\.yaml,/);
    const sarif = await runInMemory(['check', '--format', 'sarif'], { files: options.files });
    const [run] = JSON.parse(sarif.out.join('\n')).runs;
    assert.deepEqual(run.originalUriBaseIds, { '%SRCROOT%': { uri: 'file:///home/ada/shop/' } });
  });
});
