/** Tests that no name and no content of a workspace becomes a command of a terminal or of a CI system. */

import assert from 'node:assert/strict';
import { checkFormats } from '../../server/src/cli/formats/all.ts';
import { runInMemory } from './memory-world.ts';

/**
 * Patterns that a line of a log must not match: commands of GitHub Actions, Azure Pipelines, TeamCity and terminals.
 */
const commands: readonly RegExp[] = [/^\s*::/, /##[a-z]*\[/i, /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u];

const attacks = ['::error::x', '##[group]x', '##vso[task.setvariable variable=a]b', "##teamcity[buildStatus text='x']"];

/** Manifests in which every name and text is an attack, in files and folders with such names. */
function hostile(attack: string): Readonly<Record<string, string>> {
  const quoted = JSON.stringify(`${attack}\u009b31m\u202e`);
  const odd = `${attack}\u001b[31m\u009b1m\u202e\n::warning::y`;
  return {
    [`${odd}/a.yaml`]: [
      'apiVersion: v1',
      'kind: Service',
      `metadata: {name: ${quoted}, namespace: ${quoted}, labels: {${quoted}: ${quoted}}}`,
      `spec: {selector: {app: ${quoted}}}`,
      '---',
      'apiVersion: v1',
      `kind: ${quoted}`,
      `metadata: {name: a, labels: {app: web, team: "x y"}} # ${attack}`,
      'spec: {selector: {matchLabels: {app: web}}}',
      '',
    ].join('\n'),
    [`${odd}.yaml`]: [
      'apiVersion: apps/v1',
      'kind: Deployment',
      `metadata: {name: ${quoted}}`,
      'spec:',
      `  selector: {matchLabels: {app: web, ${quoted}: a}}`,
      `  template: {metadata: {labels: {app: web, team: ${quoted}}}}`,
      '',
    ].join('\n'),
    ' ::notice::z.yaml': 'kind: Pod\napiVersion: v1\nmetadata: {labels: {a: "x y"}}\n',
    '::debug::broken.yaml': 'kind: Pod\napiVersion: v1\nmetadata: {labels: {a: b\n--- \n: [\n',
    'service.yaml': 'kind: Service\napiVersion: v1\nmetadata: {name: web}\nspec: {selector: {app: web}}\n',
  };
}

const lines: readonly (readonly string[])[] = [
  // The format `github` prints workflow commands: test/cli/formats.test.ts checks their content.
  ...checkFormats.filter(({ name }) => name !== 'github').map(({ name }) => ['check', '--format', name]),
  ['match', '-l', 'app=web', '--pods'],
  ['match', '-l', ''],
  ['match', '-l', '', '--format', 'json'],
  ['explain', '-l', 'app=web', '--object', '::error::x/a'],
  ['explain', '-l', 'app=web', '--object', 'Service/web'],
  ['explain', '-l', 'app=web', '--object', 'Service/web', '--format', 'json'],
  ['objects'],
  ['objects', '--format', 'json'],
  ['who-selects', '--object', 'Service/web'],
  ['who-selects', '--object', 'Deployment/::error::x'],
  ['uses', '--object', 'Service/web'],
  ['graph'],
  ['graph', '--format', 'dot'],
  ['graph', '--format', 'json'],
  ['check', '--baseline', '::b.json', '--update-baseline'],
];

function assertHarmless(output: readonly string[], of: string): void {
  for (const line of output.flatMap((each) => each.split('\n')))
    for (const command of commands) assert.doesNotMatch(line, command, of);
}

describe('names and texts of a workspace', () => {
  for (const words of lines) {
    it(`are only text in what '${words.join(' ')}' prints`, async () => {
      for (const attack of attacks) {
        const { code, out, err } = await runInMemory(words, {
          files: { ...hostile(attack), 'skipped\u001b.yaml': { skipped: 'x' } },
        });
        assert.ok(out.length + err.length > 0 && code !== undefined);
        assertHarmless([...out, ...err], words.join(' '));
      }
    });
  }

  it('are only text in a diff of two trees', async () => {
    for (const attack of attacks) {
      const files = Object.entries(hostile(attack));
      const old = files.map(([path, text]) => [`old/${path}`, text]);
      const fresh = files.map(([path, text]) => [`new/${path}`, text.replaceAll('app: web', 'app: other')]);
      for (const format of ['text', 'json', 'markdown']) {
        const words = ['diff', '--format', format, 'old', 'new'];
        const { out, err } = await runInMemory(words, { files: Object.fromEntries([...old, ...fresh]) });
        assert.ok(out.length > 0);
        const shown = format === 'markdown' ? out.filter((line) => !line.startsWith('#')) : out;
        assertHarmless([...shown, ...err], words.join(' '));
      }
    }
  });

  it('are complete and exact in JSON', async () => {
    const { json } = await runInMemory(['objects', '--format', 'json'], { files: hostile('##[group]x') });
    const { objects } = json as { readonly objects: readonly { readonly name: string; readonly file: string }[] };
    const service = objects.find(({ file }) => file.endsWith('/a.yaml'));
    assert.equal(service?.name, '##[group]x\u009b31m\u202e');
    assert.equal(service?.file, '##[group]x\u001b[31m\u009b1m\u202e\n::warning::y/a.yaml');
  });

  it('neither end nor begin a workflow command', async () => {
    for (const attack of attacks) {
      const { out } = await runInMemory(['check', '--format', 'github'], { files: hostile(attack) });
      assert.ok(out.length > 3);
      for (const line of out) {
        assert.match(
          line,
          /^::(?:error|warning|notice) file=[^:,\r\n]+(?:,(?:line|endLine|col|endColumn)=\d+)*(?:,title=[a-z-]+)?::/,
        );
        for (const command of commands.slice(1)) assert.doesNotMatch(line, command);
      }
    }
  });

  it('are no links in messages of SARIF', async () => {
    const files = { '[x](mailto:a).yaml': { skipped: 'it is not text' } };
    const { json } = await runInMemory(['check', '--format', 'sarif'], { files });
    const [run] = (json as Sarif).runs;
    const texts = run?.invocations[0]?.toolExecutionNotifications.map(({ message }) => message.text);
    assert.deepEqual(texts, ['[x]\u2060(mailto:a).yaml was skipped: it is not text.']);
  });
});

interface Sarif {
  readonly runs: readonly {
    readonly invocations: readonly {
      readonly toolExecutionNotifications: readonly { readonly message: { readonly text: string } }[];
    }[];
  }[];
}
