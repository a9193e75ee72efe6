/**
 * Tests the selection of tests by `npm run test:fast -- WORDS`, and that only tests that need the bundles build them.
 */
import assert from 'node:assert/strict';
import { chooseTests, fastTests, namedTests } from '../harness/choose-tests.ts';
import { sourcesIn } from './sources.ts';

const files = ['test/cli/check.test.ts', 'test/features/hover.test.ts', 'test/rules/stories.test.ts'];
const rules = ['name-syntax', 'selects-nothing'];
const choose = (...words: readonly string[]) => chooseTests(words, files, rules);

describe('the choice of tests', () => {
  it('is every fast test without a word', () => {
    assert.deepEqual(choose(), { ok: true, files, stories: [] });
    const all = fastTests();
    assert.ok(all.includes('test/project/choose-tests.test.ts') && all.includes('test/rules/stories.test.ts'));
    assert.ok(all.every((path) => !/^test\/(?:campaigns|corpus|host)\//.test(path)));
    assert.ok(namedTests().includes('test/campaigns/requests.test.ts'));
  });

  it('is the files whose path contains a word, or that path', () => {
    const hover = { ok: true, files: ['test/features/hover.test.ts'], stories: [] };
    for (const word of ['hover', 'features/', './test/features/hover.test.ts', 'test\\features\\hover.test.ts'])
      assert.deepEqual(choose(word), hover, word);
    assert.deepEqual(choose('hover', 'check'), { ok: true, files: files.slice(0, 2), stories: [] });
  });

  it('is the stories of a rule, by its name or the path of a story', () => {
    const stories = { ok: true, files: ['test/rules/stories.test.ts'], stories: ['selects-nothing'] };
    assert.deepEqual(choose('selects-nothing'), stories);
    assert.deepEqual(choose('test/rules/selects-nothing/near.yaml'), stories);
    assert.deepEqual(choose('selects-nothing', 'stories'), { ...stories, stories: [] });
  });

  it('is an error for an unknown word, with similar names', () => {
    assert.deepEqual(choose('hover', 'hovr'), {
      ok: false,
      problem: "No fast test file contains 'hovr' in its path, and no rule is called so. Near names: hover.",
    });
    assert.deepEqual(choose('select-nothing'), {
      ok: false,
      problem:
        "No fast test file contains 'select-nothing' in its path, and no rule is called so. Near names: selects-nothing.",
    });
    assert.deepEqual(choose('zzzzzz'), {
      ok: false,
      problem: "No fast test file contains 'zzzzzz' in its path, and no rule is called so.",
    });
  });
});

describe('the tests that need the bundles', () => {
  it('get them from test/harness/built.ts, which builds them', () => {
    const direct = sourcesIn('test')
      .filter(({ path }) => !path.startsWith('test/host/') && !path.startsWith('test/harness/built'))
      .filter(({ text }) => /\.\.\/dist\/|join\(root, '(?:\.\/)?dist\b/.test(text));
    assert.deepEqual(
      direct.map(({ path }) => path),
      [],
    );
  });
});
