/** Tests the limits of `diff` for files with thousands of objects. */
import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';

describe('diff of very large files', () => {
  const documents = (count: number, text: (number: number) => string) =>
    Array.from({ length: count }, (_, number) => text(number)).join('---\n');
  const services = (count: number, selector = 'app: x') =>
    documents(
      count,
      (n) => `apiVersion: v1\nkind: Service\nmetadata: {name: s${n}}\nspec: {selector: {${selector}}}\n`,
    );
  const pods = (count: number, label = 'app: x') =>
    documents(count, (n) => `apiVersion: v1\nkind: Pod\nmetadata: {name: p${n}, labels: {${label}}}\n`);
  const diffOf = (old: string, fresh: string) =>
    runInMemory(['diff', 'old', 'new'], { files: { 'old/all.yaml': old, 'new/all.yaml': fresh } });

  it('compares equal selectors once', async () => {
    const text = `${services(2000)}---\n${pods(2000)}`;
    const same = await diffOf(text, text);
    assert.deepEqual([same.code, same.out, same.err], [0, ['No match is certainly lost or new.'], []]);
    const relabelled = await diffOf(text, text.replace('{name: p7, labels: {app: x}}', '{name: p7, labels: {app: y}}'));
    assert.equal(relabelled.code, 1);
    assert.equal(relabelled.out.at(-1), '2000 lost matches, 0 new.');
    assert.deepEqual(relabelled.err, []);
  });

  it('limits the number of listed changes, and states that', async () => {
    const { code, out, err } = await diffOf(
      `${services(150)}---\n${pods(150)}`,
      `${services(150)}---\n${pods(150, 'app: y')}`,
    );
    assert.deepEqual([code, out.at(-1)], [1, '20000 lost matches, 0 new.']);
    assert.deepEqual(err, ['selector-lens: Only the first 20000 changes of each kind are listed.']);
  });

  it('leaves out comparisons that would take too long, states that and fails', async () => {
    // Different selectors are compared one by one.
    const unlike = documents(
      750,
      (n) =>
        `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: n${n}}\nspec: {podSelector: {matchExpressions: [{key: app, operator: NotIn, values: [v${n}]}]}}\n`,
    );
    const { code, err } = await diffOf(`${unlike}---\n${pods(750)}`, `${unlike}---\n${pods(750)}`);
    assert.equal(code, 1);
    assert.match(
      err.join('\n'),
      /^selector-lens: Too many selectors and matching objects: \d+ selectors were not compared\.$/,
    );
  });
});
