/** Tests how the owners of files are read from CODEOWNERS. */
import assert from 'node:assert/strict';
import { readCodeOwners } from '../../server/src/cli/review/code-owners.ts';

describe('CODEOWNERS', () => {
  it('is read as on GitHub and GitLab', () => {
    const of = readCodeOwners(`# comment
* @all
*.yaml @yaml # trailing comment
/apps/ @apps
docs/* @docs
nested/ @nested
/apps/free/
^[Security][2] @security
/apps/secrets.yaml
`);
    assert.deepEqual(of('readme.md'), ['@all']);
    assert.deepEqual(of('a/b.yaml'), ['@yaml']);
    assert.deepEqual(of('apps/a/b.yaml'), ['@apps']);
    assert.deepEqual(of('docs/a.md'), ['@docs']);
    assert.deepEqual(of('docs/a/b.md'), ['@all']);
    assert.deepEqual(of('x/nested/a.md'), ['@nested']);
    assert.deepEqual(of('apps/free/a.yaml'), []);
    assert.deepEqual(of('apps/secrets.yaml'), ['@apps', '@security']);
  });
});
