/** Tests each way to install the command as a user does: from a registry, and from there to the first finding. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { npm, type Registry, startRegistry } from './registry.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const manifest = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {selector: {app: "x y"}}\n';
const finding = /manifests\.yaml:4:24: error: Label value must not contain ' '/;

interface Hook {
  readonly entry: string;
  readonly args: readonly string[];
  readonly additional_dependencies?: readonly string[];
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default: string }>>;
  readonly runs: {
    readonly steps: readonly { readonly env: Readonly<Record<string, string>>; readonly run: string }[];
  };
}

describe('an installation', () => {
  const folder = mkdtempSync(join(tmpdir(), 'selector-lens-install-'));
  const work = join(folder, 'work');
  let registry: Registry;

  before(async () => {
    mkdirSync(work);
    writeFileSync(join(work, 'manifests.yaml'), manifest);
    registry = await startRegistry(folder);
  });
  after(() => {
    registry?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a program in the folder with the manifest; `bin` is searched first, and `input` is standard input. */
  const run = (program: string, words: readonly string[], bin = '', more: NodeJS.ProcessEnv = {}, input = '') => {
    const path = [bin, dirname(process.execPath), process.env['PATH']].filter((each) => each !== '').join(delimiter);
    const started = performance.now();
    const ran = spawnSync(program, words, {
      cwd: work,
      env: { ...registry.env, PATH: path, ...more },
      encoding: 'utf8',
      input,
    });
    return { ...ran, milliseconds: Math.round(performance.now() - started) };
  };
  const binOf = (prefix: string) => (process.platform === 'win32' ? prefix : join(prefix, 'bin'));

  it('with `npm install -g` finds the first problem; its size and the time of its first run are reported', () => {
    const prefix = join(folder, 'global');
    npm(['install', '--global', '--prefix', prefix, 'selector-lens'], folder, registry.env);
    const first = run('selector-lens', ['check'], binOf(prefix));
    assert.match(first.stdout, finding);
    assert.equal(first.status, 1);
    const again = run('selector-lens', ['check'], binOf(prefix));
    const bytes = sizeOf(prefix);
    console.log(
      `      ${bytes} bytes installed; first run ${first.milliseconds} ms, next run ${again.milliseconds} ms`,
    );
    assert.ok(bytes < 8_000_000, `${bytes} bytes`);
    assert.equal(readdirSync(join(prefix, 'lib/node_modules')).join(), 'selector-lens');
  });

  it('of the kubectl plugin runs as `kubectl lens`', () => {
    const bin = binOf(join(folder, 'global'));
    const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
    const { stdout } = hasKubectl ? run('kubectl', ['lens', 'check'], bin) : run('kubectl-lens', ['check'], bin);
    assert.match(stdout, finding);
  });

  it('with `npx` needs no other step', () => {
    const { status, stdout, stderr } = run('npx', ['--yes', 'selector-lens', 'check']);
    assert.match(stdout, finding, stderr);
    assert.equal(status, 1);
  });

  it('by pre-commit, from the mirror, runs the hook', () => {
    const mirror = join(folder, 'mirror');
    cpSync(join(root, 'integrations/pre-commit-mirror'), mirror, { recursive: true });
    const [hook] = load(readFileSync(join(mirror, '.pre-commit-hooks.yaml'), 'utf8')) as readonly Hook[]; // checked below
    assert.deepEqual(hook?.additional_dependencies, [`selector-lens@${version}`]);
    // The steps of pre-commit for `language: node`: pack the mirror, and install it with the packages of the hook.
    npm(['pack', '--pack-destination', folder], mirror, registry.env);
    const packed = readdirSync(folder).find((name) => name.includes('mirror') && name.endsWith('.tgz')) ?? '';
    const prefix = join(folder, 'pre-commit');
    const packages = [join(folder, packed), ...(hook?.additional_dependencies ?? [])];
    npm(['install', '--global', '--prefix', prefix, ...packages], folder, registry.env);
    const [program = '', ...words] = hook?.entry.split(' ') ?? [];
    const { status, stdout } = run(program, [...words, ...(hook?.args ?? []), 'manifests.yaml'], binOf(prefix));
    assert.match(stdout, finding);
    assert.equal(status, 1);
  });

  it('by the Action with a version runs its script', () => {
    const action = load(readFileSync(join(root, 'action.yml'), 'utf8')) as Action; // used below
    const [step] = action.runs.steps;
    const inputs: Readonly<Record<string, string>> = { version, format: 'text' };
    const values = Object.entries(step?.env ?? {}).map(([name, value]) => {
      const input = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value)?.[1] ?? '';
      return [name, inputs[input] ?? action.inputs[input]?.default ?? ''];
    });
    const aside = join(folder, 'runner');
    mkdirSync(aside);
    const { status, stdout, stderr } = run('bash', ['-e', '-o', 'pipefail', '-c', step?.run ?? 'exit 9'], '', {
      ...Object.fromEntries(values),
      GITHUB_OUTPUT: join(aside, 'output'),
      GITHUB_STEP_SUMMARY: join(aside, 'summary'),
      GITHUB_ACTION_PATH: root,
      RUNNER_TEMP: aside,
    });
    assert.match(stdout, finding, stderr);
    assert.equal(status, 1);
    assert.match(readFileSync(join(aside, 'summary'), 'utf8'), /label-value-syntax/);
  });

  it('is found by Neovim with its entry, which starts the language server', () => {
    const bin = binOf(join(folder, 'global'));
    const entry = join(root, 'integrations/editors/neovim');
    const [, command = ''] = /cmd = \{([^}]*)\}/.exec(readFileSync(join(entry, 'selector_lens.lua'), 'utf8')) ?? [];
    const [program = '', ...words] = [...command.matchAll(/'([^']*)'/g)].map(([, word = '']) => word);
    const hasNeovim = spawnSync('nvim', ['--version']).status === 0;
    const script = [
      '--headless',
      '--clean',
      'manifests.yaml',
      '-c',
      `luafile ${join(entry, 'try.lua')}`,
      '-c',
      'cquit 2',
    ];
    const { stdout, stderr } = hasNeovim
      ? run('nvim', script, bin)
      : run(program, words, bin, {}, message({ id: 1, method: 'initialize', params: { capabilities: {} } }));
    assert.match(stdout, hasNeovim ? /4:24: Label value must not contain ' '/ : /"capabilities"/, stderr);
  });

  it('of the executable needs no Node.js', () => {
    const file = join(folder, 'bin/kubectl-lens');
    const made = spawnSync(process.execPath, ['executable.mjs', file], { cwd: root, encoding: 'utf8' });
    assert.equal(made.status, 0, `${made.stdout}${made.stderr}`);
    const ran = spawnSync(file, ['check'], { cwd: work, env: { HOME: folder, PATH: '' }, encoding: 'utf8' });
    assert.match(ran.stdout, finding, ran.stderr);
    assert.ok(existsSync(file));
  });
});

/** Returns a message of the base protocol of LSP. */
function message(content: object): string {
  const text = JSON.stringify({ jsonrpc: '2.0', ...content });
  return `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`;
}

/** The size of the files in a folder, in bytes. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
}
