/** Tests the texts of the view "Selector Matches". */
import assert from 'node:assert/strict';
import './vscode.ts';
import type { Preview, PreviewGroup } from '../../server/src/protocol.ts';

const { countOf } = await import('../../client/src/matches-rows.ts');

/** A list of Deployments in the files. */
function group(kind: PreviewGroup['kind'], ...files: readonly string[]): PreviewGroup {
  const range = { start: { line: 0, character: 0 }, end: { line: 0, character: 1 } };
  const items = files.map((file) => ({
    group: 'apps',
    kind: 'Deployment',
    name: 'web',
    uri: `file:///shop/${file}`,
    range,
    labels: {},
  }));
  return { kind, title: kind, total: items.length, items, kinds: [] };
}

function preview(...groups: readonly PreviewGroup[]): Preview {
  return { about: 'selector', selector: 'app=web', description: '', groups, kinds: [], problems: [], complete: true };
}

describe('the number of matches in the title of the view', () => {
  it('counts the matches', () => {
    assert.equal(countOf(preview(group('matches', 'a.yaml')), undefined), '1 match');
    assert.equal(countOf(preview(group('matches', 'a.yaml', 'b.yaml')), ['Pod']), '2 matches, only Pod');
    assert.equal(countOf(preview(), undefined), '0 matches');
    assert.equal(countOf({ ...preview(), isUnknown: true }, undefined), 'matches unknown');
  });

  it('states where matches outside the scope are, if there are no others', () => {
    const inProd = group('elsewhere', 'apps/prod/a.yaml', 'apps/prod/b.yaml', 'apps/prod/c.yaml');
    assert.equal(countOf(preview(inProd), undefined), '0 here, 3 in apps/prod');
    const inTwo = group('elsewhere', 'apps/prod/a.yaml', 'apps/test/b.yaml', 'apps/prod/c.yaml');
    assert.equal(countOf(preview(inTwo), undefined), '0 here, 3 in apps/prod, apps/test');
    assert.equal(countOf(preview(group('elsewhere', 'apps/prod/a.yaml')), undefined), '0 here, 1 in apps/prod/a.yaml');
    const inMany = group('elsewhere', 'a/x.yaml', 'b/x.yaml', 'c/x.yaml');
    assert.equal(countOf(preview(inMany), ['Pod']), '0 here, 3 in 3 folders, only Pod');
    assert.equal(countOf(preview(group('matches', 'a.yaml'), inProd), undefined), '1 match');
  });

  it('names the scope', () => {
    const scoped = { ...preview(group('elsewhere', 'apps/prod/a.yaml')), scope: { name: 'base', path: 'base' } };
    assert.equal(countOf(scoped, undefined), '0 here in base, 1 in apps/prod/a.yaml');
  });
});
