/** Tests that the configurations for agents start commands that exist. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { commands } from '../../server/src/cli/commands/all.ts';
import { check } from '../../server/src/cli/commands/check.ts';
import { readArguments } from '../../server/src/cli/options/arguments.ts';

const folder = fileURLToPath(new URL('../../integrations', import.meta.url));
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'));

describe('the integrations for agents', () => {
  it('start the command with a subcommand that it has', () => {
    const started = files
      .filter((path) => /\.(?:json|toml)$/.test(path))
      .flatMap((path) => {
        const text = readFileSync(join(folder, path), 'utf8');
        const found = [...text.matchAll(/"?command"?\s*[:=]\s*"([^"]+)",?\s*"?args"?\s*[:=]\s*\[\s*"([^"]+)"/g)];
        return found.map(([, program, command]) => [path, program, command] as const);
      });
    assert.equal(started.length, 7);
    for (const [path, program, command] of started) {
      assert.equal(program, 'selector-lens', path);
      assert.ok(
        commands.some(({ name }) => name === command),
        path,
      );
    }
  });

  it('have valid JSON and a valid skill', () => {
    for (const path of files.filter((each) => each.endsWith('.json')))
      JSON.parse(readFileSync(join(folder, path), 'utf8'));
    const [, header = ''] = readFileSync(join(folder, 'claude-code/skills/selector-lens/SKILL.md'), 'utf8').split(
      '---\n',
    );
    const read = load(header);
    assert.deepEqual(Object.keys(read ?? {}), ['name', 'description']);
  });
});

describe('the integrations for editors and CI systems', () => {
  const read = (path: string) => readFileSync(join(folder, path), 'utf8');
  const { version, mcpName } = JSON.parse(readFileSync(join(folder, '../package.json'), 'utf8'));

  it('name the version of the package', () => {
    const named = files
      .filter((path) => /\.(?:ya?ml|json|toml)$/.test(path))
      .flatMap((path) => [...read(path).matchAll(/selector-lens@(\d[\w.-]*)/g)].map(([, found]) => `${path} ${found}`));
    assert.ok(named.length >= 3);
    assert.deepEqual(
      named.filter((each) => !each.endsWith(` ${version}`)),
      [],
    );
    const server = JSON.parse(read('registries/server.json'));
    assert.deepEqual([server.name, server.version, server.packages[0].version], [mcpName, version, version]);
    assert.ok(server.description.length <= 100);
    assert.match(read('editors/zed/extension.toml'), new RegExp(`^version = "${version}"$`, 'm'));
    assert.match(read('ci/gitlab/templates/selector-lens.yml'), new RegExp(`default: ${version}$`, 'm'));
  });

  it('use options that the command has', () => {
    const { linters } = load(read('ci/megalinter/selector-lens.megalinter-descriptor.yml')) as Descriptor; // checked below
    const words = linters[0]?.cli_lint_extra_args ?? [];
    assert.equal(words[0], 'check');
    const trunk = /run: selector-lens check (.*) \$\{target\}/.exec(read('ci/trunk/plugin.yaml'))?.[1] ?? '';
    const gitlab = /selector-lens check (--format gitlab --output \S+ --fail-on )/.exec(
      read('ci/gitlab/templates/selector-lens.yml'),
    )?.[1];
    const reviewdog = /selector-lens check (.*) \|/.exec(read('ci/reviewdog/README.md'))?.[1] ?? '';
    for (const line of [words.slice(1).join(' '), trunk, `${gitlab}warning`, reviewdog]) {
      assert.notEqual(line, '');
      readArguments(line.split(' '), check);
    }
  });

  it('name a schema that exists', () => {
    const { url } = JSON.parse(read('registries/schemastore.json'));
    const [, path = ''] = /\/main\/(.*)$/.exec(url) ?? [];
    assert.ok(JSON.parse(readFileSync(join(folder, '..', path), 'utf8')).properties);
  });
});

interface Descriptor {
  readonly linters: readonly { readonly cli_lint_extra_args: readonly string[] }[];
}
