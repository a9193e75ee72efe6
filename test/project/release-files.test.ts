/** Tests the container image and the archives of a release: they run from exactly the files that are copied into them. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
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
import { built } from '../harness/built.ts';
import { root } from './sources.ts';

describe('the files of a release', () => {
  let folder = '';
  before(() => void built('.'));
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'selector-lens-release-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  it('suffice to run the container image', () => {
    const { entry, variables } = copyImage(folder);
    const work = join(folder, 'work');
    cpSync(join(root, 'examples'), work, { recursive: true });
    const run = (...words: readonly string[]) => {
      const env = { ...process.env, ...variables };
      const { status, stdout, stderr } = spawnSync(process.execPath, [entry, ...words], {
        cwd: work,
        encoding: 'utf8',
        env,
      });
      assert.equal(stderr, '', words.join(' '));
      return { status, stdout };
    };
    const { version }: { version: string } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    assert.deepEqual(run('--version'), { status: 0, stdout: `${version}\n` });
    const checked = run('check', '--format', 'json', '--exit-zero', 'shop');
    assert.ok(JSON.parse(checked.stdout).summary.objects > 0);
    assert.match(run('graph', '--format', 'svg', 'shop').stdout, /^<svg .*<\/svg>\n$/s);
  });

  it('are in the archive of an executable, with the licenses', () => {
    const node = join(folder, 'node');
    mkdirSync(join(node, 'bin'), { recursive: true });
    copyFileSync(process.execPath, join(node, 'bin', basename(process.execPath)));
    writeFileSync(join(node, 'LICENSE'), 'The license of Node.js');
    const clone = join(folder, 'clone');
    mkdirSync(join(clone, 'dist'), { recursive: true });
    for (const file of ['LICENSE', 'dist/NOTICES.txt']) copyFileSync(join(root, file), join(clone, file));
    symlinkSync(join(root, 'examples'), join(clone, 'examples'), 'junction');
    // Making a real executable needs a program from the network.
    const script = `#!/bin/sh\nexec node '${built('cli.js')}' "$@"\n`;
    writeFileSync(
      join(clone, 'executable.mjs'),
      `import { mkdirSync, writeFileSync } from 'node:fs';
mkdirSync('out');
writeFileSync(process.argv[2], ${JSON.stringify(script)}, { mode: 0o755 });`,
    );
    const PATH = `${join(node, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`;
    const env = { ...process.env, PATH, FILE: 'kubectl-lens', TARGET: 'linux-amd64' };
    const made = spawnSync('bash', ['-e', '-o', 'pipefail', '-c', archiveCommands()], {
      cwd: clone,
      encoding: 'utf8',
      env,
    });
    assert.deepEqual([made.stderr, made.status], ['', 0]);
    const archive = 'kubectl-lens-linux-amd64.tar.gz';
    const unpacked = spawnSync('tar', ['-xvzf', archive, '-C', node], { cwd: clone, encoding: 'utf8' });
    const names = unpacked.stdout.trimEnd().split('\n');
    assert.deepEqual(names, ['kubectl-lens', 'LICENSE', 'NOTICES.txt', 'LICENSE-node.txt']);
    const read = (name: string) => readFileSync(join(node, name), 'utf8');
    assert.equal(read('LICENSE-node.txt'), 'The license of Node.js');
    assert.match(read('NOTICES.txt'), /@noble\/hashes/);
  });
});

/** Copies the files that the Dockerfile copies into the image, and returns its entry point and its variables. */
function copyImage(folder: string): { readonly entry: string; readonly variables: Readonly<Record<string, string>> } {
  const last =
    readFileSync(join(root, 'Dockerfile'), 'utf8')
      .split(/^FROM /m)
      .at(-1) ?? '';
  for (const [, list = ''] of last.matchAll(/^COPY --from=build (.+)$/gm)) {
    const paths = list.split(' ');
    const target = join(folder, paths.pop() ?? '');
    mkdirSync(target, { recursive: true });
    for (const path of paths) copyFileSync(join(root, path.replace(/^\/src\//, '')), join(target, basename(path)));
  }
  const [, program = '', entry = ''] = /^ENTRYPOINT \["([^"]+)", "([^"]+)"\]$/m.exec(last) ?? [];
  assert.equal(program, '/nodejs/bin/node');
  const variables = [...last.matchAll(/^ENV (\w+)="(.*)"$/gm)].map(([, name = '', value = '']) => [name, value]);
  assert.ok(variables.length > 0);
  return { entry: join(folder, entry), variables: Object.fromEntries(variables) };
}

/** The commands of the workflow that make the archive. */
function archiveCommands(): string {
  const workflow = load(readFileSync(join(root, '.github/workflows/release.yml'), 'utf8')) as {
    readonly jobs: { readonly executables: { readonly steps: readonly { readonly run?: string }[] } };
  }; // what the next line looks at
  return workflow.jobs.executables.steps.find(({ run }) => run?.includes('tar -czf'))?.run ?? '';
}
