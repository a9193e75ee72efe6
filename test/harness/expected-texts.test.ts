/** Tests that `npm run approve` rewrites exactly the expected texts of failed assertions. */
import assert from 'node:assert/strict';
import { rewriteExpected } from './expected-texts.ts';

/** A placeholder of a template. */
const placeholder = ['$', '{b}'].join('');

/** Rewrites an assertion in the second line. */
function rewrite(assertion: string, ...actual: readonly unknown[]) {
  const failed = actual.map((each) => ({ line: 2, column: 'assert.'.length + 3, actual: each }));
  const { text, count } = rewriteExpected(`it(() => {\n  ${assertion}\n});\n`, failed);
  return { count, assertion: text.slice('it(() => {\n  '.length, -'\n});\n'.length) };
}

describe('the expected texts of assertions', () => {
  it('are updated if they are literals', () => {
    const { assertion } = rewrite("assert.equal(a('x'), 'old');", "it's new");
    assert.equal(assertion, "assert.equal(a('x'), \"it's new\");");
    assert.equal(
      rewrite('assert.equal(a, `old`, b);', `a ${placeholder} \`c\` \\`).assertion,
      `assert.equal(a, \`a \\${placeholder} \\\`c\\\` \\\\\`, b);`,
    );
    assert.equal(rewrite("assert.deepEqual(a, ['b', `c`]);", ['d']).assertion, 'assert.deepEqual(a, ["d"]);');
  });

  it('stay indented in lines()', () => {
    const { assertion } = rewrite('assert.equal(a, lines(`\n    old\n  `));', 'new\n\n  `more`');
    assert.equal(assertion, 'assert.equal(a, lines(`\n    new\n\n      \\`more\\`\n  `));');
  });

  it('stay if their indentation would change them', () => {
    assert.equal(rewrite('assert.equal(a, lines(`\n    old\n  `));', '  new').count, 0);
  });

  it('stay if they are computed, or not text', () => {
    for (const expected of ['b', `\`${placeholder}\``, `lines(\`${placeholder}\`)`, 'f(`old`)', '3', "[b, 'old']"])
      assert.equal(rewrite(`assert.equal(a, ${expected});`, 'new').count, 0, expected);
    assert.equal(rewrite("assert.equal(a, 'old');", 3).count, 0);
    assert.equal(rewrite("assert.match(a, 'old');", 'new').count, 0);
  });

  it('stay if the call failed with several values', () => {
    assert.equal(rewrite("assert.equal(a, 'old');", 'new', 'new').count, 1);
    assert.equal(rewrite("assert.equal(a, 'old');", 'new', 'newer').count, 0);
  });
});
