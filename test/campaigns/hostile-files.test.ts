/**
 * A campaign of 500 hostile folders with links, pipes, devices and odd names. Each command ends in time, reads nothing
 * outside of the workspace, prints no command, and still reports a healthy file.
 */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { checkFormats } from '../../server/src/cli/formats/all.ts';
import { built } from '../harness/built.ts';
import { campaignRuns } from './scale.ts';

const bundle = built('cli.js');

/** Text of a file outside: no output may contain it. */
const secret = 'token-9f8e7d6c';
const outside = `apiVersion: v1\nkind: Service\nmetadata: {name: ${secret}, labels: {a: "${secret} b"}}\nspec: {selector: {app: ${secret}}}\n`;

/** A healthy file, in a separate namespace, with one finding. */
const healthy = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: healthy, namespace: healthy, labels: {a: "x y"}}\n';

/** In milliseconds: a command needs half a second on an idle machine. */
const longest = 30_000;

const names = [
  ...[
    'a.yaml',
    'b.yml',
    'c.json',
    'kustomization.yaml',
    'Chart.yaml',
    'values.yaml',
    'templates',
    'base',
    'overlay',
    'x',
  ],
  ...[
    '.gitignore',
    '.gitattributes',
    '.selector-lens.yaml',
    '.git',
    'deploy.sh',
    'Makefile',
    '_helpers.tpl',
    'chart.tgz',
  ],
  ...[
    '::error::x.yaml',
    '##[group]x.yaml',
    '##vso[x]y.yaml',
    'esc\u001b[31m.yaml',
    'line\nend.yaml',
    ' ::warning::.yml',
  ],
  ...[
    '-',
    '--fix',
    '-x.yaml',
    '%2e%2e%2fx.yaml',
    '#x.yaml',
    '?x.yaml',
    '$(id).yaml',
    'ü\u202e.yaml',
    `${'n'.repeat(240)}.yaml`,
  ],
];

const texts = [
  '',
  healthy.replaceAll('healthy', 'other'),
  'resources: [../../outside/secret.yaml, ../outside.yaml, /etc/passwd, base, overlay, x, ., ..]\nconfigMapGenerator: [{name: a, files: [a.yaml, x, ../outside.yaml, /dev/stdin], envs: [b.yml]}]\n',
  'patches: [{path: a.yaml}, {path: ../../outside/secret.yaml}, {path: x}]\ntransformers: [x]\nconfigurations: [/dev/stdin, x]\n',
  'apiVersion: v2\nname: chart\nversion: 1.0.0\ndependencies: [{name: x, repository: "file://../../../outside"}]\n',
  'rules: {label-value-syntax: error}\nexclude: ["**/x"]\n',
  '*\n!a.yaml\n**/**/**/*a\n',
  'kind: Pod\napiVersion: v1\nmetadata: {name: "::error::a", labels: {"##vso[x]": "\\u001b[31m"}}\n',
  'kind: List\napiVersion: v1\nitems: [&a [*a]]\n',
];

const targets = [
  ...[
    '/dev/stdin',
    '/dev/zero',
    '/dev/tty',
    '/dev/fd/0',
    '/proc/self/environ',
    '/etc',
    '/',
    '.',
    '..',
    '../..',
    'x',
    'a.yaml',
  ],
  ...[
    'base',
    '../outside.yaml',
    '../../outside',
    'OUTSIDE',
    'OUTSIDE/secret.yaml',
    'OUTSIDE/pipe.yaml',
    'nowhere',
    '.gitignore',
  ],
];

type Thing =
  | { readonly kind: 'file'; readonly text: string }
  | { readonly kind: 'link'; readonly to: string }
  | { readonly kind: 'pipe' | 'socket' | 'locked' | 'deep' };

interface Placed {
  readonly folder: readonly string[];
  readonly name: string;
  readonly thing: Thing;
}

const thing: fc.Arbitrary<Thing> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: fc.constant('file' as const), text: fc.constantFrom(...texts) }) },
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('link' as const), to: fc.constantFrom(...targets) }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('pipe', 'socket', 'locked', 'deep') }) },
);
const placed: fc.Arbitrary<Placed> = fc.record({
  folder: fc.array(fc.constantFrom('base', 'overlay', 'x', 'templates', '::error::x.yaml'), { maxLength: 2 }),
  name: fc.constantFrom(...names),
  thing,
});

const commands = [
  ...checkFormats.map(({ name }) => ['check', '--format', name]),
  ...[
    ['check', '--fix'],
    ['match', '-l', ''],
    ['objects'],
    ['graph'],
    ['explain', '-l', 'a', '--object', 'ConfigMap/healthy'],
  ],
  ...[
    ['check', '--baseline', 'x', '--update-baseline'],
    ['check', '--files-from', 'x'],
    ['check', 'x', 'a.yaml'],
  ],
];

/** Commands of a CI system at the start of a line, or within it, and control characters. */
const harmful = [/^\s*::(?!(?:error|warning|notice) file=)/m, /##[a-z]*\[/i, /(?!\n)\p{Cc}/u];

interface Ended {
  readonly code: number | null;
  readonly text: string;
}

/** Runs a command whose standard input stays open. */
function runCommand(folder: string, words: readonly string[]): Promise<Ended> {
  const env = { ...process.env, XDG_CACHE_HOME: join(folder, '../cache') };
  const child = spawn(process.execPath, [bundle, ...words], {
    cwd: folder,
    env,
    timeout: longest,
    killSignal: 'SIGKILL',
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk));
  return new Promise((resolve) => {
    child.once('close', (code) => {
      child.stdin.destroy();
      resolve({ code, text });
    });
  });
}

async function put(folder: string, { folder: way, name, thing: made }: Placed, servers: Server[]): Promise<void> {
  const path = join(folder, ...way, name);
  try {
    mkdirSync(join(folder, ...way), { recursive: true });
    // A folder on the way may be a link: nothing is made outside of the test.
    if (!`${realpathSync(join(folder, ...way))}/`.startsWith(`${folder}/`)) return;
    if (made.kind === 'file') writeFileSync(path, made.text, { flag: 'wx' });
    else if (made.kind === 'link') symlinkSync(made.to.replace('OUTSIDE', join(folder, '../outside')), path);
    else if (made.kind === 'deep')
      mkdirSync(join(path, ...Array.from({ length: 120 }, () => 'deep')), { recursive: true });
    else if (made.kind === 'pipe') await makePipe(path);
    else if (made.kind === 'locked') {
      writeFileSync(path, healthy, { flag: 'wx' });
      chmodSync(path, 0);
    } else servers.push(await listen(path));
  } catch {
    // Another file has this name, or the path is too long for its kind.
  }
}

function makePipe(path: string): Promise<unknown> {
  return new Promise((resolve) => spawn('mkfifo', [path], { stdio: 'ignore' }).once('close', resolve));
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(path, () => resolve(server));
  });
}

describe('campaign: hostile files', () => {
  it('neither stop a command nor change its result for a valid file', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(placed, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(...commands),
        fc.boolean(),
        async (things, words, isRepository) => {
          const top = realpathSync(mkdtempSync(join(tmpdir(), 'selector-lens-hostile-')));
          const servers: Server[] = [];
          try {
            mkdirSync(join(top, 'outside'));
            writeFileSync(join(top, 'outside/secret.yaml'), outside);
            await makePipe(join(top, 'outside/pipe.yaml'));
            writeFileSync(join(top, 'outside.yaml'), outside);
            const folder = join(top, 'work');
            mkdirSync(join(folder, isRepository ? '.git' : ''), { recursive: true });
            mkdirSync(join(folder, 'healthy'));
            writeFileSync(join(folder, 'healthy/healthy.yaml'), healthy);
            for (const each of things) await put(folder, each, servers);
            const { code, text } = await runCommand(folder, words);
            assert.ok(code === 0 || code === 1 || code === 2, `exit code ${code}`);
            // A path that the user names may be a link to anywhere.
            const isNamed = things.some(({ folder, name }) => words.includes([...folder, name].join('/')));
            assert.ok(isNamed || !text.includes(secret), 'read outside of the workspace');
            assert.ok(!text.includes('This should not happen'), text);
            for (const pattern of harmful) assert.doesNotMatch(text, pattern);
            const isReported = text.includes('healthy');
            if (words[0] === 'check' && words[1] === '--format' && code !== 2) assert.ok(isReported, text);
          } finally {
            for (const server of servers) server.close();
            rmSync(top, { recursive: true, force: true });
          }
        },
      ),
      { numRuns: campaignRuns(500), ignoreEqualValues: false },
    );
  });
});
