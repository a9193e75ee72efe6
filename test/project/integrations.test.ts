/** Tests that the configurations for agents start commands that exist. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { commands } from '../../server/src/cli/commands/all.ts';

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
    assert.equal(started.length, 6);
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
