/** Tests that a key which a template writes in alternative branches has no certain value before the chart is executed. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';

const pod = (name: string, labels: string) =>
  `apiVersion: v1\nkind: Pod\nmetadata: {name: ${name}, labels: {${labels}}}\nspec: {containers: [{name: a, image: a}]}\n`;

interface Found {
  readonly name: string;
  readonly answer: 'yes' | 'maybe';
}

/** Returns the pods that a Service selects whose spec is given, such as `one two?`. */
async function selected(spec: string): Promise<string> {
  const service = `apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  ports: [{port: 80}]\n${spec}`;
  const { json } = await runInMemory(['match', 'Service/web', '--format', 'json', 'a'], {
    files: {
      'a/Chart.yaml': 'name: a\nversion: 1.0.0\n',
      'a/values.yaml': 'legacy: true\nselector: {app: one}\n',
      'a/templates/web.yaml': [service, pod('one', 'app: one'), pod('two', 'app: two, tier: back')].join('---\n'),
    },
  });
  const [{ matches }] = (json as { selectors: readonly [{ matches: readonly Found[] }] }).selectors;
  return matches.map(({ name, answer }) => `${name}${answer === 'yes' ? '' : '?'}`).join(' ');
}

const either = (one: string, other: string) =>
  `  {{- if .Values.legacy }}\n${one}  {{- else }}\n${other}  {{- end }}\n`;

describe('a selector in both branches of a template', () => {
  it('is unknown where the branches differ', async () => {
    assert.equal(await selected(either('  selector: {app: one}\n', '  selector: {app: two}\n')), 'one? two?');
    assert.equal(await selected(either('  selector: {app: one}\n', '  selector: {tier: back}\n')), 'one? two?');
    assert.equal(await selected(either('  selector: {app: two, tier: x}\n', '  selector: {app: two}\n')), 'two?');
  });

  it('is unknown if one branch writes it by an action', async () => {
    const branches =
      '  {{- with .Values.selector }}\n  selector: {{- toYaml . | nindent 4 }}\n  {{- else }}\n  selector: {app: two}\n  {{- end }}\n';
    assert.match(await selected(branches), /two\?/);
  });

  it('is unknown in two blocks with opposite conditions', async () => {
    const blocks =
      '  {{- if .Values.legacy }}\n  selector: {app: one}\n  {{- end }}\n  {{- if not .Values.legacy }}\n  selector: {app: two}\n  {{- end }}\n';
    assert.equal(await selected(blocks), 'one? two?');
  });
});
