/** Tests of the evaluation of manifests and selectors in the playground, without a browser. */
import assert from 'node:assert/strict';
import { evaluate } from '../../playground/evaluate.ts';
import { example } from '../../playground/example.ts';
import { filesIn } from '../../playground/files.ts';

describe('the playground', () => {
  it('lists matches, near misses with their reason, and findings', async () => {
    const { objects, groups, findings, problems } = await evaluate({ id: 1, ...example });
    assert.deepEqual([objects, problems], [3, []]);
    assert.deepEqual(
      groups.map(({ title, items }) => [title, items.map(({ name, reason }) => [name, reason ?? ''])]),
      [
        ['Matches', [['Deployment/web (spec.template)', '']]],
        ['Near misses', [['Deployment/admin (spec.template)', "`tier` is 'fronts', but the selector wants 'front'"]]],
      ],
    );
    assert.deepEqual(
      findings.map(({ severity, rule, line }) => [severity, rule, line]),
      [
        ['error', 'label-value-type', 16],
        ['warning', 'selects-nothing', 7],
      ],
    );
  });

  it('returns all ranges in the text of the page, also in the second file', async () => {
    const pod = (name: string) => `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, labels: {app: "x y"}}\n`;
    const manifests = `# first\n==> a/one.yaml <==\n${pod('one')}==> two.yaml <==\n${pod('two')}`;
    const { findings } = await evaluate({ id: 1, manifests, selector: '' });
    assert.deepEqual(
      findings.map(({ start, end, line }) => [manifests.slice(start, end), line]),
      [
        ['"x y"', 5],
        ['"x y"', 9],
      ],
    );
  });

  it('never leaves its folder, whatever the name of a file is', () => {
    const files = filesIn('==> ../../etc/passwd <==\na\n==> .. <==\nb\n==> ./x.yaml <==\nc\n');
    assert.deepEqual(
      [...files.keys()],
      ['file:///playground/etc/passwd', 'file:///playground/manifests.yaml', 'file:///playground/x.yaml'],
    );
  });

  it('accepts any text, and an invalid selector', async () => {
    for (const manifests of ['', '\0', '{'.repeat(5000), '==> a <==', '- '.repeat(2000), '\ud800: \udc00'])
      assert.equal((await evaluate({ id: 7, manifests, selector: 'a in (' })).id, 7);
    assert.match((await evaluate({ id: 1, manifests: '', selector: 'a in (' })).problems.join(), /must be closed/);
  });
});
