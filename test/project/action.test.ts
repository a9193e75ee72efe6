/** Tests of the GitHub Action and of the pre-commit hook. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
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

const action = load(readFileSync(join(root, 'action.yml'), 'utf8')) as Action; // used below
const [step] = action.runs.steps;

/** The step's script with inputs, over an `npx`, or a built command, that prints its arguments and exits with a code. */
function runStep(inputs: Readonly<Record<string, string>>, code = 0, prepare: (folder: string) => void = () => {}) {
  const folder = mkdtempSync(join(tmpdir(), 'selector-lens-action-'));
  try {
    mkdirSync(join(folder, 'aside'));
    prepare(folder);
    writeFileSync(join(folder, 'npx'), `#!/bin/sh\nfor word in "$@"; do echo "$word"; done\nexit ${code}\n`);
    writeFileSync(join(folder, 'npm'), '#!/bin/sh\necho installed > node_modules\n');
    for (const name of ['npx', 'npm']) chmodSync(join(folder, name), 0o755);
    const sources = join(folder, 'action');
    mkdirSync(join(sources, 'dist'), { recursive: true });
    const build = `for (const word of process.argv.slice(2)) console.log(word); process.exitCode = ${code};`;
    writeFileSync(
      join(sources, 'prepare.mjs'),
      `import { copyFileSync, readFileSync } from 'node:fs'; readFileSync('node_modules'); copyFileSync('cli.mjs', 'dist/cli.js');`,
    );
    writeFileSync(join(sources, 'package.json'), '{ "type": "module" }');
    writeFileSync(join(sources, 'cli.mjs'), build);
    const values = Object.entries(step?.env ?? {}).map(([name, value]) => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1] ?? '';
      return [name, inputs[input] ?? action.inputs[input]?.default ?? ''];
    });
    const env = {
      ...Object.fromEntries(values),
      PATH: [folder, process.env['PATH']].join(delimiter),
      GITHUB_OUTPUT: join(folder, 'output'),
      GITHUB_STEP_SUMMARY: join(folder, 'summary'),
      GITHUB_ACTION_PATH: sources,
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
      summary: existsSync(join(folder, 'summary'))
        ? readFileSync(join(folder, 'summary'), 'utf8').split('\n').slice(0, -1)
        : [],
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe('the GitHub Action', () => {
  it('describes and passes every input, and puts none into the script itself', () => {
    const passed = Object.values(step?.env ?? {}).map((value) => /inputs\.([\w-]+)/.exec(value)?.[1]);
    assert.deepEqual(passed.toSorted(), Object.keys(action.inputs).toSorted());
    for (const { description } of Object.values(action.inputs)) assert.ok(description.length > 0);
    assert.ok(!step?.run.includes('${{'));
  });

  it('runs a valid command line', () => {
    const { status, err, words, output } = runStep({
      paths: 'deploy\na b\n\n',
      baseline: 'x.json',
      severity: 'warning',
      'fail-on': 'error',
    });
    assert.deepEqual([status, err, output], [0, '', 'exit-code=0\n']);
    assert.equal(words[0], 'check');
    const { words: released } = runStep({ version: '1.2.3' });
    assert.equal(basename(released[2] ?? ''), 'aside');
    assert.deepEqual(released.toSpliced(2, 1).slice(0, 4), ['--yes', '--prefix', 'selector-lens@1.2.3', 'check']);
    const { paths, values } = readArguments(words.slice(1), check);
    assert.deepEqual(paths, ['deploy', 'a b']);
    assert.deepEqual(Object.fromEntries(values), {
      format: 'github',
      severity: 'warning',
      'fail-on': 'error',
      baseline: 'x.json',
    });
    assert.deepEqual(Object.fromEntries(readArguments(runStep({}).words.slice(1), check).values), {
      format: 'github',
      'fail-on': 'warning',
    });
  });

  it('installs nothing if it contains the built command', () => {
    const { status, words } = runStep({}, 0, (folder) => {
      mkdirSync(join(folder, 'action/dist'), { recursive: true });
      const built = "console.log('built before'); for (const word of process.argv.slice(2)) console.log(word);";
      writeFileSync(join(folder, 'action/dist/cli.js'), built);
    });
    assert.deepEqual([status, ...words.slice(0, 2)], [0, 'built before', 'check']);
  });

  it('compares with a base, and shows the difference in the summary of the job', () => {
    const { status, words, summary, output } = runStep({ base: 'origin/main' });
    assert.match(output, /^changes=.*selector-lens-changes\.md$/m);
    assert.equal(status, 0);
    assert.equal(readArguments(words.slice(1), check).values.get('base'), 'origin/main');
    const [review, findings] = [summary.slice(0, 4), summary.slice(4)];
    assert.deepEqual(review, ['review', '--format=markdown', '--', 'origin/main']);
    assert.deepEqual(findings, ['check', '--format=markdown', ...words.slice(2)]);
    assert.deepEqual(runStep({}).summary, ['check', '--format=markdown', '--fail-on=warning', '--', '.']);
    assert.equal(runStep({ base: 'x' }, 1).status, 1);
  });

  it('posts the review as a comment, with a token that only this program gets', () => {
    const prepare = (folder: string) => {
      const place = join(folder, 'action/integrations/review');
      mkdirSync(place, { recursive: true });
      const program = `import { readFileSync } from 'node:fs'; const [system, file] = process.argv.slice(2); console.log('posted', system, process.env.TOKEN, readFileSync(file, 'utf8').split('\\n').length);`;
      writeFileSync(join(place, 'post-comment.mjs'), program);
    };
    const { status, err, summary } = runStep({ review: 'true', token: 'secret' }, 0, prepare);
    assert.deepEqual([status, err], [0, 'posted github secret 4\n']);
    assert.deepEqual(summary.slice(0, 3), ['review', '--format=markdown', '--']);
    assert.equal(runStep({ token: 'secret' }, 0, prepare).err, '');
    // A comment that cannot be posted does not decide about the exit code.
    assert.equal(runStep({ review: 'true' }).status, 0);
    assert.match(step?.run ?? '', /^token=\$TOKEN\nunset TOKEN$/m);
  });

  it('returns the exit code of the command, also if it writes a file', () => {
    assert.equal(runStep({}, 1).status, 1);
    const { status, words, output } = runStep({ output: 'out.sarif', format: 'sarif' }, 2);
    assert.deepEqual([status, output, words.length > 0], [2, 'exit-code=2\n', true]);
    assert.equal(runStep({ output: 'reports/new/x.sarif', format: 'sarif' }).words[0], 'check');
  });

  it('writes its output through no link of the repository', () => {
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

  it('never interprets the text of an input', () => {
    const { words } = runStep({ paths: '$(touch pwned); `id`\n--fix' });
    assert.deepEqual(words.slice(-3), ['--', '$(touch pwned); `id`', '--fix']);
  });
});

describe('the hook of pre-commit', () => {
  it('runs an existing command of the package', () => {
    const hooks = load(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8')) as readonly {
      readonly entry: string;
    }[]; // a list by its format
    const { bin }: { bin: object } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    assert.equal(hooks.length, 1);
    const [program, ...words] = hooks[0]?.entry.split(' ') ?? [];
    assert.ok(program !== undefined && program in bin);
    assert.equal(words[0], 'check');
    // It accepts any changed file.
    assert.ok(readArguments(words.slice(1), check).flags.has('allow-empty'));
  });
});
