/** Tests of the GitHub Action and of the pre-commit hook. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { load } from 'js-yaml';
import { check } from '../../server/src/cli/commands/check.ts';
import { readArguments } from '../../server/src/cli/options/arguments.ts';
import { root } from './sources.ts';

interface Action {
  readonly inputs: Readonly<Record<string, { readonly description: string; readonly default: string }>>;
  readonly runs: {
    readonly steps: readonly { readonly env: Readonly<Record<string, string>>; readonly run: string }[];
  };
}

const action = load(readFileSync(join(root, 'action.yml'), 'utf8')) as Action; // what the tests below look at
const [step] = action.runs.steps;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string };

/** Runs the step's script with inputs, over an `npx` that tells what it was given and answers a code. */
function runStep(inputs: Readonly<Record<string, string>>, code = 0, prepare: (folder: string) => void = () => {}) {
  const folder = mkdtempSync(join(tmpdir(), 'selector-lens-action-'));
  try {
    mkdirSync(join(folder, 'aside'));
    prepare(folder);
    writeFileSync(join(folder, 'npx'), `#!/bin/sh\nfor word in "$@"; do echo "$word"; done\nexit ${code}\n`);
    chmodSync(join(folder, 'npx'), 0o755);
    const values = Object.entries(step?.env ?? {}).map(([name, value]) => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1] ?? '';
      return [name, inputs[input] ?? action.inputs[input]?.default ?? ''];
    });
    const env = {
      ...Object.fromEntries(values),
      PATH: [folder, process.env['PATH']].join(delimiter),
      GITHUB_OUTPUT: join(folder, 'output'),
      GITHUB_STEP_SUMMARY: join(folder, 'summary'),
      GITHUB_ACTION_PATH: root,
      RUNNER_TEMP: join(folder, 'aside'),
    };
    const ran = spawnSync('bash', ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', step?.run ?? 'exit 9'], {
      cwd: folder,
      env,
      encoding: 'utf8',
    });
    const written = inputs['output'] ? readFileSync(join(folder, inputs['output']), 'utf8') : ran.stdout;
    return {
      status: ran.status,
      err: ran.stderr,
      words: written.split('\n').slice(0, -1),
      output: readFileSync(join(folder, 'output'), 'utf8'),
      summary: inputs['base'] ? readFileSync(join(folder, 'summary'), 'utf8').split('\n').slice(0, -1) : [],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the GitHub Action', () => {
  it('describes every input, passes each on, and puts none into the script itself', () => {
    const passed = Object.values(step?.env ?? {}).map((value) => /inputs\.([\w-]+)/.exec(value)?.[1]);
    assert.deepEqual(passed.toSorted(), Object.keys(action.inputs).toSorted());
    for (const { description } of Object.values(action.inputs)) assert.ok(description.length > 0);
    assert.ok(!step?.run.includes('${{'));
  });

  it('runs a command line that the command takes', () => {
    const { status, err, words, output } = runStep({
      paths: 'deploy\na b\n\n',
      baseline: 'x.json',
      severity: 'warning',
      'fail-on': 'error',
    });
    assert.deepEqual([status, err, output], [0, '', 'exit-code=0\n']);
    assert.equal(basename(words[2] ?? ''), 'aside');
    assert.deepEqual(words.toSpliced(2, 1).slice(0, 4), ['--yes', '--prefix', `selector-lens@${version}`, 'check']);
    assert.ok(runStep({ version: '1.2.3' }).words.includes('selector-lens@1.2.3'));
    const { paths, values } = readArguments(words.slice(5), check);
    assert.deepEqual(paths, ['deploy', 'a b']);
    assert.deepEqual(Object.fromEntries(values), {
      format: 'github',
      severity: 'warning',
      'fail-on': 'error',
      baseline: 'x.json',
    });
    assert.deepEqual(Object.fromEntries(readArguments(runStep({}).words.slice(4), check).values), { format: 'github' });
  });

  it('compares with a base, and shows the difference in the summary of the job', () => {
    const { status, words, summary, output } = runStep({ base: 'origin/main' });
    assert.match(output, /^changes=.*selector-lens-changes\.md$/m);
    assert.equal(status, 0);
    assert.equal(readArguments(words.slice(4), check).values.get('base'), 'origin/main');
    assert.deepEqual(summary.slice(4), ['diff', '--format=markdown', '--', 'origin/main']);
    assert.deepEqual(runStep({}).summary, []);
    assert.equal(runStep({ base: 'x' }, 1).status, 1);
  });

  it('answers with the exit code of the command, also where it writes a file', () => {
    assert.equal(runStep({}, 1).status, 1);
    const { status, words, output } = runStep({ output: 'out.sarif', format: 'sarif' }, 2);
    assert.deepEqual([status, output, words.length > 0], [2, 'exit-code=2\n', true]);
  });

  it('writes its output by no link that the repository contains', () => {
    const outputs = ['link.sarif', 'out/x.sarif', './out/deep/x.sarif'];
    for (const output of outputs) {
      const { status, err, words } = runStep({ output }, 0, (folder) => {
        mkdirSync(join(folder, 'kept/deep'), { recursive: true });
        for (const name of ['link.sarif', 'x.sarif', 'deep/x.sarif'])
          writeFileSync(join(folder, 'kept', name), 'kept\n');
        symlinkSync('kept/link.sarif', join(folder, 'link.sarif'));
        symlinkSync('kept', join(folder, 'out'));
      });
      assert.deepEqual([status, words], [2, ['kept']]);
      assert.match(err, /^selector-lens: The output must not be a symbolic link/);
    }
    const real = runStep({ output: 'real/x.sarif' }, 1, (folder) => mkdirSync(join(folder, 'real')));
    assert.deepEqual([real.status, real.err, real.words.includes('check')], [1, '', true]);
  });

  it('takes what stands in an input for nothing but itself', () => {
    const { words } = runStep({ paths: '$(touch pwned); `id`\n--fix' });
    assert.deepEqual(words.slice(-3), ['--', '$(touch pwned); `id`', '--fix']);
  });
});

describe('the hook of pre-commit', () => {
  it('runs a command that the package has', () => {
    const hooks = load(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as readonly {
      readonly entry: string;
    }[]; // a list by its format
    const { bin }: { bin: object } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    assert.equal(hooks.length, 1);
    const [program, ...words] = hooks[0]?.entry.split(' ') ?? [];
    assert.ok(program !== undefined && program in bin);
    assert.equal(words[0], 'check');
    // It passes any changed file.
    assert.ok(readArguments(words.slice(1), check).flags.has('allow-empty'));
  });
});
