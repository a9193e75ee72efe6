/** Tests the completions of shells with the generated scripts. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { commands } from '../../server/src/cli/commands/all.ts';
import { allRules } from '../../server/src/rules/all.ts';
import { runInMemory } from './memory-world.ts';

async function scriptFor(shell: string): Promise<string> {
  const { code, out, err } = await runInMemory(['completion', shell]);
  assert.deepEqual([code, err], [0, []]);
  return out.join('\n');
}

describe('completion', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'selector-lens-completion-'));
  });
  after(() => rmSync(folder, { recursive: true }));

  for (const shell of ['bash', 'zsh', 'fish']) {
    it(`knows every command and option for ${shell}`, async () => {
      const script = await scriptFor(shell);
      for (const { name, options } of commands) {
        assert.ok(script.includes(name), name);
        for (const option of options)
          assert.ok(script.includes(shell === 'fish' ? `-l ${option.name}` : `--${option.name}`));
      }
      for (const { id } of allRules) assert.ok(script.includes(id), id);
    });

    it(`is a script that ${shell} can parse, if it is installed`, async () => {
      // fish does not read from a socket, which is the standard input of child processes here.
      const script = join(folder, shell);
      writeFileSync(script, await scriptFor(shell));
      const read = spawnSync(shell, ['-n', script], { encoding: 'utf8' });
      const isMissing = read.error !== undefined && 'code' in read.error && read.error.code === 'ENOENT';
      assert.ok(isMissing || read.status === 0, read.stderr);
    });
  }

  it('completes in bash', async () => {
    const script = await scriptFor('bash');
    const complete = (line: string) => {
      const ask = `COMP_LINE='${line}'; COMP_WORDS=(${line} ''); COMP_CWORD=$(( \${#COMP_WORDS[@]} - 1 ))
        last="\${COMP_LINE##* }"; if [ -n "$last" ]; then COMP_CWORD=$(( COMP_CWORD - 1 )); fi
        _selector_lens selector-lens "$last" "\${COMP_WORDS[COMP_CWORD-1]}"; printf '%s\\n' "\${COMPREPLY[@]}"`;
      const { stdout, stderr } = spawnSync('bash', ['-c', `${script}\n${ask}`], { encoding: 'utf8' });
      assert.equal(stderr, '');
      return stdout.trim().split('\n');
    };
    assert.deepEqual(complete('selector-lens ch'), ['check']);
    assert.deepEqual(complete('selector-lens check --format s'), ['sarif']);
    assert.deepEqual(complete('selector-lens check --up'), ['--update-baseline']);
    assert.deepEqual(complete('selector-lens rule selects-n'), ['selects-nothing']);
    assert.deepEqual(complete('selector-lens completion '), ['bash', 'zsh', 'fish']);
    assert.deepEqual(complete('selector-lens match pack'), ['package.nls.json', 'package-lock.json', 'package.json']);
    assert.deepEqual(complete('selector-lens match -n '), ['']);
    assert.deepEqual(complete('selector-lens match --root serv'), ['server']);
    assert.deepEqual(complete('selector-lens match --root pack'), ['']);
    assert.deepEqual(complete('selector-lens help gr'), ['graph']);
    // For bash, `=` is a word.
    assert.deepEqual(complete('selector-lens check --format = s'), ['sarif']);
  });

  it('completes names with blanks in bash', async () => {
    writeFileSync(join(folder, 'a b.yaml'), '');
    const ask = `COMP_WORDS=(selector-lens check a); COMP_CWORD=2; _selector_lens selector-lens a check; printf '%s\\n' "\${COMPREPLY[@]}"`;
    const script = `${await scriptFor('bash')}\n${ask}`;
    const { stdout } = spawnSync('bash', ['-c', script], { cwd: folder, encoding: 'utf8' });
    assert.equal(stdout, 'a b.yaml\n');
  });
});
