/** Tests that the published package runs every command, in a folder without other packages. */
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { commands } from '../../server/src/cli/commands/all.ts';
import { badPrices, service, web } from './manifests.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** A command line for each command, and its result. */
const lines: Readonly<Record<string, readonly [words: readonly string[], code: number, described: RegExp]>> = {
  check: [['check', '.'], 1, /^prices\.yaml:6:12: error: /],
  match: [['match', '-l', 'app=web', '.'], 0, /Deployment\/web in shop/],
  explain: [['explain', '-l', 'app=web', '--object', 'deploy/web'], 0, /✓ app=web/],
  'who-selects': [['who-selects', '--object', 'deploy/web'], 0, /Service\/web selects its pods/],
  impact: [['impact', 'proposal.json'], 1, /no longer/],
  'rename-plan': [['rename-plan', '--object', 'deploy/web', '--label', 'app=web', '--to', 'x'], 0, /edits; nothing/],
  adopt: [['adopt'], 0, /^Stage 1 would change 2 objects/],
  labels: [['labels'], 0, /^\d+ label keys on 1 pod/],
  objects: [['objects', '--format', 'json'], 0, /"kind": "Deployment"/],
  uses: [['uses', 'deploy/web'], 0, /Deployment\/web/],
  review: [['review', '--help'], 0, /States what a change means/],
  diff: [['diff', 'web.yaml', 'web.yaml'], 0, /No match is certainly lost or new/],
  graph: [['graph'], 0, /^flowchart LR/],
  reach: [['reach', '--to', 'web'], 0, /-> shop\/Deployment\/web: all ports/],
  rule: [['rule', 'selects-nothing'], 0, /^selects-nothing \(hint\)/],
  init: [['init'], 0, /^$/],
  completion: [['completion', 'bash'], 0, /^# Completion of selector-lens/],
};

const proposal = JSON.stringify({ files: [{ path: 'web.yaml', text: null }] });

/** What a clone contains after the next commit, with the packages that `npm install` brings. */
function copySources(clone: string): void {
  const listed = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root });
  assert.equal(listed.status, 0, String(listed.stderr));
  for (const path of listed.stdout.toString().split('\0')) {
    const isBuilt = !/^(?:test|bench|examples|docs)\//.test(path) && path !== '';
    if (isBuilt && existsSync(join(root, path))) cpSync(join(root, path), join(clone, path));
  }
  symlinkSync(join(root, 'node_modules'), join(clone, 'node_modules'), 'junction');
}

function tarballIn(folder: string): string {
  return readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
}

describe('the published package', () => {
  let folder: string;
  const env = () => ({ ...process.env, XDG_CACHE_HOME: join(folder, 'cache'), npm_config_cache: join(folder, 'npm') });
  const npm = (cwd: string, ...words: readonly string[]) => {
    const ran = spawnSync('npm', [...words, '--offline', '--no-audit', '--no-fund'], {
      cwd,
      env: env(),
      encoding: 'utf8',
      shell: process.platform === 'win32',
    });
    assert.equal(ran.status, 0, ran.stderr);
    return ran.stdout;
  };

  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'selector-lens-package-')));
    mkdirSync(join(folder, 'project'));
    copySources(join(folder, 'clone'));
    npm(join(folder, 'clone'), 'pack', '--pack-destination', folder);
    const tarball = tarballIn(folder);
    writeFileSync(join(folder, 'project/package.json'), '{}');
    npm(join(folder, 'project'), 'install', join(folder, tarball));
    for (const [name, text] of Object.entries({
      'prices.yaml': badPrices,
      'web.yaml': web,
      'service.yaml': service,
      'proposal.json': proposal,
    }))
      writeFileSync(join(folder, 'project', name), text);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('has no dependencies', () => {
    assert.deepEqual(
      readdirSync(join(folder, 'project/node_modules')).filter((name) => !name.startsWith('.')),
      ['selector-lens'],
    );
  });

  it('is the hook of pre-commit, which installs it from a clone', () => {
    npm(folder, 'install', '--global', '--prefix', join(folder, 'global'), join(folder, tarballIn(folder)));
    const hooks = load(readFileSync(join(root, '.pre-commit-hooks.yaml'), 'utf8'));
    const [hook] = hooks as readonly [{ entry: string; args: readonly string[] }]; // the only one
    const bin = join(folder, 'global', process.platform === 'win32' ? '' : 'bin');
    // The name of a file may look like an option.
    const files = ['--exclude=*.yaml', 'prices.yaml', 'service.yaml', 'package.json'];
    writeFileSync(join(folder, 'project', '--exclude=*.yaml'), '');
    const ran = spawnSync(`${hook.entry} ${[...hook.args, ...files].map((word) => `'${word}'`).join(' ')}`, {
      cwd: join(folder, 'project'),
      env: { ...env(), PATH: [bin, process.env['PATH']].join(delimiter) },
      encoding: 'utf8',
      shell: true,
    });
    assert.equal(ran.status, 1, ran.stderr);
    assert.match(ran.stdout, /^prices\.yaml:6:12: error: /);
  });

  it('is a plugin of kubectl', () => {
    const words = ['--offline', '--no', 'kubectl-lens', '--version'];
    const { status, stdout } = spawnSync('npx', words, { cwd: join(folder, 'project'), env: env(), encoding: 'utf8' });
    assert.deepEqual([status, /^\d+\.\d+\.\d+\n$/.test(stdout)], [0, true]);
  });

  it('runs by npx', () => {
    const words = ['--offline', '--no', 'selector-lens', 'check', '.'];
    const { status, stdout } = spawnSync('npx', words, { cwd: join(folder, 'project'), env: env(), encoding: 'utf8' });
    assert.equal(status, 1);
    assert.match(stdout, /^prices\.yaml:6:12: error: /);
  });

  for (const { name } of commands) {
    // test/agents/mcp.test.ts runs the server for agents.
    if (name === 'lsp' || name === 'mcp') continue;
    it(`runs ${name}`, () => {
      const [words, code, described] = lines[name] ?? [[name], Number.NaN, /^never$/];
      const program = join(folder, 'project/node_modules/selector-lens/dist/cli.js');
      const options = { cwd: join(folder, 'project'), env: env(), encoding: 'utf8' } as const;
      const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], options);
      assert.deepEqual([status, stderr], [code, name === 'init' ? 'Wrote .selector-lens.yaml.\n' : '']);
      assert.match(stdout, described);
    });
  }

  it('runs lsp', async () => {
    const program = join(folder, 'project/node_modules/selector-lens/dist/cli.js');
    const words = ['lsp', '--stdio', `--clientProcessId=${process.pid}`];
    const child = spawn(process.execPath, [program, ...words], { cwd: join(folder, 'project'), env: env() });
    let out = '';
    child.stdout.setEncoding('utf8');
    const send = (message: object) => {
      const text = JSON.stringify({ jsonrpc: '2.0', ...message });
      child.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
    };
    const answered = new Promise<void>((resolve) => {
      child.stdout.on('data', (piece: string) => {
        out += piece;
        if (out.includes('"id":1')) resolve();
      });
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    send({ id: 1, method: 'initialize', params: { processId: null, rootUri: null, capabilities: {} } });
    await answered;
    assert.match(out, /"serverInfo":\{"name":"selector-lens"/);
    send({ method: 'initialized', params: {} });
    send({ id: 2, method: 'shutdown' });
    send({ method: 'exit' });
    assert.equal(await ended, 0);
  });
});
