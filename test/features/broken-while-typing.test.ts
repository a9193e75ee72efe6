/** Tests that only the line that is typed is affected while it breaks the YAML of its document. */
import assert from 'node:assert/strict';
import { type Bench, bench } from '../harness/bench.ts';

const files = `
  ==> web.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  metadata:
    name: web
    annotations:
      note: something
      owner: Team Blue
  spec:
    selector:
      matchLabels:
        app: web
    template:
      metadata:
        labels:
          app: web
          tier: front
          owner: Team Blue
      spec:
        containers:
          - name: web
            args: ["--a", "--b"]
            image: web
  ---
  apiVersion: v1
  kind: Service
  metadata:
    name: web
  spec:
    selector:
      app: web
  ==> others.yaml <==
  apiVersion: v1
  kind: Service
  metadata:
    name: wrong
  spec:
    selector:
      app: webs
      tier: front
  ---
  apiVersion: v1
  kind: Service
  metadata:
    name: front
  spec:
    selector:
      tier: front
`;

/** Lenses, and findings by their subject, without those of the line that is typed. */
function shown(b: Bench, typed: string): readonly string[] {
  return b.files.flatMap(({ name }) => [
    `${name} ${b.lenses(name)}`,
    ...b.findings(name).flatMap(({ rule, message, span }) => {
      const line = textAt(b, name, span.start);
      return rule === 'syntax-error' || line.includes(typed) ? [] : [`${name} ${line.trim()} ${rule} ${message}`];
    }),
  ]);
}

function textAt(b: Bench, name: string, at: number): string {
  const text = b.session.workspace.textOf(b.uriOf(name)) ?? '';
  const end = text.indexOf('\n', at);
  return text.slice(text.lastIndexOf('\n', at - 1) + 1, end === -1 ? text.length : end);
}

describe('while the typed line cannot be parsed', () => {
  /** The lines that are typed, by their complete form. */
  const typing: Readonly<Record<string, readonly [finished: string, ...begun: readonly string[]]>> = {
    'a quoted value': ['note: "something else"', 'note: "', 'note: "some', "note: '", "note: 'some", 'note: "a: b'],
    'a quoted value before a comment': ['note: "x" # y', 'note: "x # y', "note: 'x # y"],
    'a list in brackets': ['args: ["--a", "--b"]', 'args: [', 'args: ["--a', 'args: ["--a",', 'args: ["--a", "--b"'],
    'a map in braces': ['note: {}', 'note: {', 'note: {a: b', 'note: {a: "b'],
  };

  for (const [what, [finished, ...begun]] of Object.entries(typing)) {
    for (const each of begun) {
      it(`of ${what}, everything else is unchanged: ${each}`, async () => {
        const b = await bench(files);
        const uri = b.uriOf('web.yaml');
        const { text } = b.file('web.yaml');
        const line = finished.startsWith('args') ? 'args: ["--a", "--b"]' : 'note: something';
        const before = shown(b, line);
        assert.ok(before.some((found) => found.includes('selects-nothing')) && before.length === 4, before.join('\n'));
        // Padded to the original length, so that the line numbers of the lenses stay equal.
        b.session.workspace.edit(uri, text.replace(line, each.padEnd(line.length)));
        assert.deepEqual(shown(b, each), before);
        assert.equal(b.findings('web.yaml').filter(({ rule }) => rule === 'syntax-error').length, 1);
        b.session.workspace.edit(uri, text.replace(line, finished));
        assert.deepEqual(
          b.findings('web.yaml').filter(({ rule }) => rule === 'syntax-error'),
          [],
        );
      });
    }
  }

  it('a label with an unclosed quote has its value so far', async () => {
    const b = await bench(files);
    const uri = b.uriOf('web.yaml');
    const { text } = b.file('web.yaml');
    const before = shown(b, 'tier: front');
    b.session.workspace.edit(uri, text.replace('tier: front', 'tier: "front'));
    assert.deepEqual(shown(b, 'tier: "front'), before);
  });

  it('a key without its colon hides no other key', async () => {
    const b = await bench(files);
    const uri = b.uriOf('web.yaml');
    const { text } = b.file('web.yaml');
    const before = b.lenses('web.yaml');
    for (const key of ['t', 'te', 'team:x', 'team x']) {
      b.session.workspace.edit(uri, text.replace('        tier: front', `        ${key}\n        tier: front`));
      assert.equal(b.lenses('web.yaml').replaceAll(/\d+ /g, ''), before.replaceAll(/\d+ /g, ''), key);
    }
  });
});
