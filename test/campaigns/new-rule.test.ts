/** Tests that `npm run new-rule` creates a rule that meets all requirements of rules, in a copy of the repository. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { storiesVariable } from '../harness/choose-tests.ts';
import { filesOfRule, problemOfPath } from '../project/new-rule.ts';
import { root } from '../project/sources.ts';

const name = 'quite-new-2-rule';
const path = `labels/${name}`;
/** The parts of the repository that the rule, its tests and the generated files need. */
const copied = [
  ...[
    'server',
    'client/package.json',
    'client/src',
    'syntaxes',
    'docs',
    'examples',
    'integrations',
    'bench',
    'playground',
    'test',
    '.gitignore',
    '.mocharc.json',
  ],
  ...['README.md', 'CHANGELOG.md', 'package.json', 'package.nls.json', 'l10n', 'tsconfig.json', 'biome.json'],
];

describe('npm run new-rule', () => {
  let copy: string;
  // A choice of stories would exclude those of the new rule.
  const env = { ...process.env, [storiesVariable]: '' };
  const run = (...words: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync(process.execPath, words, { cwd: copy, env, encoding: 'utf8' });
    return { status, stderr, described: `${stdout}${stderr}` };
  };
  const succeeds = (...words: readonly string[]) => {
    const { status, described } = run(...words);
    assert.equal(status, 0, `${words.join(' ')}\n${described}`);
    return described;
  };
  const mocha = (...words: readonly string[]) => succeeds('node_modules/mocha/bin/mocha.js', ...words);

  before(() => {
    copy = mkdtempSync(join(tmpdir(), 'selector-lens-new-rule-'));
    for (const path of copied) cpSync(join(root, path), join(copy, path), { recursive: true });
    symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction');
    assert.match(
      succeeds('test/project/new-rule.ts', path),
      /^server\/src\/rules\/labels\/quite-new-2-rule\.ts\n[\s\S]*Next:/,
    );
    succeeds('test/project/generate.ts');
  });
  after(() => rmSync(copy, { recursive: true }));

  it('writes code that the compiler and the linter accept', () => {
    succeeds('node_modules/typescript/bin/tsc', '-b', 'server');
    const files = [...filesOfRule(path, readFileSync(join(root, 'server/src/rules/all.ts'), 'utf8')).keys()];
    const sources = files.filter((path) => path.endsWith('.ts'));
    succeeds('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', ...sources);
  });

  it('writes a complete rule, with valid examples and stories', () => {
    assert.match(mocha('test/rules/examples.test.ts', '-g', name), /\b3 passing/);
    assert.match(mocha('test/rules/stories.test.ts', '-g', `stories ${name} `), /\b3 passing/);
    assert.match(mocha('test/project/rules.test.ts', '-g', name), /\b6 passing/);
    assert.match(succeeds('test/harness/approve.ts', name), /^0 /m);
  });

  it('leaves the project in a state that its tests accept', () => {
    for (const test of ['generated', 'layers', 'opening-comments', 'safety']) mocha(`test/project/${test}.test.ts`);
  });

  it('rejects an existing name', () => {
    const { status, stderr } = run('test/project/new-rule.ts', path);
    assert.equal(status, 2);
    assert.match(
      stderr,
      /^The name 'quite-new-2-rule' is taken: server\/src\/rules\/labels\/quite-new-2-rule\.ts exists\.$/m,
    );
  });
});

describe('the path of a new rule', () => {
  it('is a family and two or more words in kebab-case', () => {
    for (const good of ['labels/label-value', 'kustomize/a-b2-c'])
      assert.equal(
        problemOfPath(good, () => false),
        undefined,
        good,
      );
    for (const bad of [
      'labels/',
      'labels/label',
      'nodes/Label-value',
      'names/label_value',
      'labels/label-',
      'labels/2-a',
    ])
      assert.match(problemOfPath(bad, () => false) ?? '', /must be two or more words in kebab-case/, bad);
    for (const bad of ['', 'label-value', '/label-value', 'fixes/label-value', '../a-b', 'a-b.ts'])
      assert.match(problemOfPath(bad, () => false) ?? '', /must start with a family: objects, labels, names, /, bad);
  });

  it('is not that of an existing file, stories or page', () => {
    for (const taken of ['server/src/rules/nodes/a-b.ts', 'test/rules/a-b', 'docs/rules/a-b.md'])
      assert.equal(
        problemOfPath('labels/a-b', (each) => each === taken),
        `The name 'a-b' is taken: ${taken} exists.`,
      );
  });
});
