/**
 * Tests that the lists of requirements and the tests agree: each row of the first names tests that name the row, and each
 * row about GitOps names stories that exist.
 */

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

interface Row {
  readonly id: string;
  readonly servedBy: string;
  /** Paths from the root. */
  readonly tests: readonly string[];
}

const rows = readRows(readFileSync(join(root, 'test/requirements.md'), 'utf8'));

function readRows(text: string): readonly Row[] {
  return [...text.matchAll(/^\| ([A-Z]-?\d+b?) \| .* \| ([^|]*) \| ([^|]*) \|$/gm)].map(
    ([, id = '', by = '', shown = '']) => ({
      id,
      servedBy: by.trim(),
      tests: [...shown.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => `test/${path}`),
    }),
  );
}

/** The rows that each file of the tests names. */
function mentions(): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, readonly string[]>();
  for (const entry of readdirSync(join(root, 'test'), { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.(?:ts|ya?ml|json|sh|md)$/.test(entry.name)) continue;
    const path = join(entry.parentPath, entry.name);
    const named = [...readFileSync(path, 'utf8').matchAll(/\(requirements? ([A-Z][\w, -]*)\)/g)];
    if (named.length > 0)
      found.set(
        relative(root, path).replaceAll('\\', '/'),
        named.flatMap(([, ids = '']) => ids.split(', ')),
      );
  }
  return found;
}

describe('the list of requirements', () => {
  const named = mentions();

  it('contains every row once', () => {
    assert.equal(rows.length, 169);
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
  });

  it('names the serving part of a row exactly if tests show it', () => {
    const differing = rows.filter(({ servedBy, tests }) => (servedBy === '') !== (tests.length === 0));
    assert.deepEqual(differing, []);
  });

  it('names tests that name the row', () => {
    const silent = rows.flatMap(({ id, tests }) =>
      tests.filter((path) => !named.get(path)?.includes(id)).map((path) => `${id}: ${path}`),
    );
    assert.deepEqual(silent, []);
  });

  it('names every test that names a row', () => {
    const shown = new Map(rows.map(({ id, tests }) => [id, tests]));
    const missing = [...named].flatMap(([path, ids]) =>
      ids.filter((id) => !shown.get(id)?.includes(path)).map((id) => `${id}: ${path}`),
    );
    assert.deepEqual(missing, []);
  });
});

/** The statements about GitOps that no story shows yet. */
const withoutStory: readonly string[] = [];

describe('the list of statements about GitOps', () => {
  const text = readFileSync(join(root, 'test/gitops-statements.md'), 'utf8');
  const statements = [...text.matchAll(/^\| (\d+(?:\.\d+)+) \| .* \| ([^|]*)\|$/gm)].map(([, id = '', shown = '']) => ({
    id,
    // A manifest is a story without a title.
    stories: [...shown.matchAll(/\]\(([^)]+)\)(?: "([^"]+)")?/g)].map(([, path = '', title]) => ({
      path: `test/${path}`,
      title,
    })),
  }));

  it('contains every row once, in order', () => {
    const rows = text.match(/^\| \d.*$/gm) ?? [];
    assert.equal(statements.length, rows.length);
    const ids = statements.map(({ id }) => id);
    assert.deepEqual(ids, [...new Set(ids)].toSorted(new Intl.Collator('en', { numeric: true }).compare));
  });

  it('names stories for every row', () => {
    assert.deepEqual(
      statements.flatMap(({ id, stories }) => (stories.length === 0 ? [id] : [])),
      withoutStory,
    );
  });

  it('names stories that exist', () => {
    const missing = statements.flatMap(({ id, stories }) =>
      stories.flatMap(({ path, title }) => (isStory(path, title) ? [] : [`${id}: ${path} ${title}`])),
    );
    assert.deepEqual(missing, []);
  });
});

/** Whether a manifest exists, or a test with a title. */
function isStory(path: string, title: string | undefined): boolean {
  if (!existsSync(join(root, path))) return false;
  if (title === undefined) return !path.endsWith('.ts');
  const text = readFileSync(join(root, path), 'utf8');
  return [`it('${title}'`, `it("${title}"`, `it(\`${title}\``].some((start) => text.includes(start));
}
