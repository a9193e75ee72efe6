/** Tests that every rule is complete: a file, a page, stories, examples of both kinds, and texts. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { allRules } from '../../server/src/rules/all.ts';
import type { Rule } from '../../server/src/rules/framework/rule.ts';
import { benchOver } from '../harness/bench.ts';
import { readStories } from '../harness/folders.ts';
import { readMargin } from '../harness/margin.ts';
import { ruleFamilies } from './new-rule.ts';
import { root } from './sources.ts';

const pages = join(root, 'docs/rules');
const stories = join(root, 'test/rules');
const folders = readStories();

async function fixesExample({ id, bad }: Rule): Promise<boolean> {
  for (const { text, file, settings } of bad) {
    const chosen = { rules: { [id]: 'hint' as const }, ...settings };
    const asked = await benchOver([readMargin(file ?? 'example.yaml', text.split('\n'))], { settings: chosen });
    if (asked.findings().some((finding) => finding.fixes().length > 0)) return true;
  }
  return false;
}

describe('every rule', () => {
  for (const rule of allRules) {
    const { id } = rule;

    it(`${id} has a name in kebab-case, which is that of its file in one family`, () => {
      assert.match(id, /^[a-z]+(?:-[a-z0-9]+)*$/);
      const files = ruleFamilies.map((family) => join(root, `server/src/rules/${family}/${id}.ts`));
      assert.equal(files.filter((file) => existsSync(file)).length, 1);
    });

    it(`${id} has a page with its examples (update: npm run generate)`, () => {
      const page = readFileSync(join(pages, `${id}.md`), 'utf8');
      assert.ok(page.includes(`# ${id}\n`) || page.includes(`# \`${id}\`\n`), 'the page does not begin with its name');
      for (const { title } of [...rule.bad, ...rule.good]) assert.ok(page.includes(title), title);
    });

    it(`${id} has stories`, () => {
      const found = readdirSync(join(stories, id), { encoding: 'utf8', recursive: true }).filter((name) =>
        /\.(?:ya?ml|json|sh)$/.test(name),
      );
      assert.ok(found.length > 0, `test/rules/${id} holds no story`);
    });

    it(`${id} has bad and good examples, each with a sentence`, () => {
      assert.ok(rule.bad.length > 0 && rule.good.length > 0);
      for (const { title, text, file } of [...rule.bad, ...rule.good]) {
        assert.match(title, /^[A-Z`'"].*\.$/);
        if (file === undefined) assert.match(text, /^(?:apiVersion|kind|---|#|\{|==>)/);
        assert.ok(text.endsWith('\n'), `${title} does not end with a line end`);
      }
    });

    it(`${id} has a fix in a story or an example, or its page states why it has none`, async () => {
      const told = folders.find(({ name }) => name === id)?.files.flatMap(({ findings }) => findings) ?? [];
      const inStory = told.some(({ rule: found, fixes }) => found === id && fixes.length > 0);
      assert.equal(inStory || (await fixesExample(rule)), rule.withoutFix === undefined);
      assert.match(rule.withoutFix ?? 'It mends.', /^[A-Z`].*\.$/);
    });

    it(`${id} has complete sentences`, () => {
      assert.match(rule.summary, /^[A-Z`].*\.$/);
      assert.ok(rule.summary.length <= 120, 'the summary is one short sentence');
      assert.match(rule.why, /^[A-Z`].*\.$/s);
    });
  }

  it('has a unique name', () => {
    const names = allRules.map(({ id }) => id);
    assert.deepEqual([...new Set(names)], names);
  });
});

describe('the pages and stories of rules', () => {
  const names = new Set(allRules.map(({ id }) => id));

  it('have no page of a nonexistent rule', () => {
    const found = readdirSync(pages).filter((name) => name.endsWith('.md') && name !== 'README.md');
    assert.deepEqual(
      found.filter((name) => !names.has(name.slice(0, -'.md'.length))),
      [],
    );
  });

  it('have no stories of a nonexistent rule', () => {
    const folders = readdirSync(stories, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    assert.deepEqual(
      folders.map(({ name }) => name).filter((name) => !names.has(name)),
      [],
    );
  });
});
