/** Tests of the built command among pipes, paths and bytes of every kind. */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
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
import { join } from 'node:path';
import { built } from '../harness/built.ts';
import { badPrices, goodPrices, service, web } from './manifests.ts';

const bundle = built('cli.js');

interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** Runs the command with a limit of about 1024 bytes for files, as on a full disk; its output goes into `out`. */
function runWithoutRoom(folder: string, words: readonly string[]) {
  const line = 'ulimit -f "$1"; shift; exec "$@" > out';
  // The unit is 512 bytes in some shells and 1024 in others.
  return spawnSync('sh', ['-c', line, 'sh', '2', process.execPath, bundle, ...words, '--no-cache'], {
    cwd: folder,
    encoding: 'utf8',
  });
}

/**
 * Runs the command in a folder. Standard input stays open if `input` is null. With `listen: false`, the reader of its
 * output disconnects after the first chunk.
 */
function runCommand(
  folder: string,
  words: readonly string[],
  input: string | null = '',
  listen = true,
): Promise<Ended> {
  const child = spawn(process.execPath, [bundle, ...words], { cwd: folder });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
    if (!listen) child.stdout.destroy();
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  child.stdin.on('error', () => undefined);
  if (input !== null) child.stdin.end(input);
  return new Promise((resolve) =>
    child.once('close', (code) => {
      child.stdin.destroy();
      resolve({ code, out, err });
    }),
  );
}

describe('the built command', () => {
  let folder: string;
  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'selector-lens-cli-')));
    mkdirSync(join(folder, 'repository/.git'), { recursive: true });
    mkdirSync(join(folder, 'repository/app one'));
    const files = { 'prices.yaml': badPrices, 'app one/web.yaml': web, 'app one/service.yaml': service };
    for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, 'repository', name), text);
    writeFileSync(join(folder, 'repository/zeros.yaml'), Uint8Array.of(0, 1, 2));
    const many = Array.from({ length: 2000 }, (_, index) => badPrices.replace('prices', `prices-${index}`));
    mkdirSync(join(folder, 'many'));
    writeFileSync(join(folder, 'many/many.yaml'), many.join('---\n'));
  });
  after(() => rmSync(folder, { recursive: true }));

  it('checks the current folder', async () => {
    const { code, out, err } = await runCommand(join(folder, 'repository'), ['check']);
    assert.equal(err, '');
    assert.equal(code, 1);
    assert.match(out, /^prices\.yaml:6:12: error: /);
    assert.match(out, /^zeros\.yaml: skipped: it is not text$/m);
    assert.match(out, /^3 errors in 3 objects, 3 files\.\n$/m);
  });

  it('creates no cache folder with --no-cache', () => {
    const cache = join(folder, 'no-cache');
    const env = { ...process.env, XDG_CACHE_HOME: cache, HOME: cache, LOCALAPPDATA: cache };
    const words = [bundle, 'check', '--no-cache', 'prices.yaml'];
    const { status } = spawnSync(process.execPath, words, { cwd: join(folder, 'repository'), env });
    assert.deepEqual([status, existsSync(cache)], [1, false]);
  });

  it('finds the repository of a single file, and shows paths relative to the current folder', async () => {
    const words = ['check', 'web.yaml', '--format', 'json'];
    const { code, out } = await runCommand(join(folder, 'repository/app one'), words);
    assert.equal(code, 0);
    assert.equal(JSON.parse(out).summary.files, 1);
    const upward = await runCommand(join(folder, 'repository/app one'), ['check', '..']);
    assert.match(upward.out, /^\.\.\/prices\.yaml:6:12: /);
  });

  it('prints matches, and reports files that could not be read', async () => {
    const { code, out, err } = await runCommand(folder, ['match', '-l', 'app=web', '--kind', 'Service']);
    assert.deepEqual(
      { code, err },
      { code: 0, err: 'selector-lens: repository/zeros.yaml was skipped: it is not text.\n' },
    );
    assert.equal(out, 'repository/app one/service.yaml:2: Service/web in shop\n');
  });

  it('compares folders, and reports a syntax error in one of them', () => {
    for (const [name, text] of Object.entries({ old: service, new: service.replace('selector:', 'selector: [') })) {
      mkdirSync(join(folder, name), { recursive: true });
      writeFileSync(join(folder, name, 'service.yaml'), text);
    }
    const { stderr, status } = spawnSync(process.execPath, [bundle, 'diff', 'old', 'new', '--no-cache'], {
      cwd: folder,
      encoding: 'utf8',
    });
    assert.match(stderr, /new\/service\.yaml:\d+:\d+: YAML syntax error/);
    assert.equal(status, 2);
  });

  it('reads standard input, with and without a byte order mark', async () => {
    for (const mark of ['', '\uFEFF']) {
      const good = await runCommand(folder, ['match', '-l', 'app', '-'], mark + goodPrices);
      assert.deepEqual(good, { code: 0, out: '-:2: ConfigMap/prices\n', err: '' });
      const bad = await runCommand(folder, ['check', '-'], mark + badPrices);
      assert.equal(bad.code, 1);
      assert.match(bad.out, /^-:6:12: error: /);
    }
    const none = await runCommand(folder, ['check', '-']);
    assert.deepEqual(none, { code: 2, out: '', err: 'selector-lens: No Kubernetes objects in standard input.\n' });
  });

  it('resolves a link to its target', async () => {
    symlinkSync('app one', join(folder, 'repository/link'));
    symlinkSync(join(folder, 'repository/app one'), join(folder, 'beside'));
    const json = ['--format', 'json'];
    const expected = await runCommand(join(folder, 'repository'), ['objects', 'app one', ...json]);
    assert.equal(JSON.parse(expected.out).objects.length, 2);
    for (const path of ['link', 'link/', join(folder, 'beside'), '../beside'])
      assert.deepEqual(await runCommand(join(folder, 'repository'), ['objects', path, ...json]), expected, path);
    const file = await runCommand(join(folder, 'repository'), ['objects', 'link/web.yaml', ...json]);
    assert.deepEqual(file, await runCommand(join(folder, 'repository'), ['objects', 'app one/web.yaml', ...json]));
    rmSync(join(folder, 'repository/link'));
  });

  it('rejects standard input that is not text', async () => {
    const { code, out, err } = await runCommand(folder, ['check', '-'], 'kind\0apiVersion');
    assert.deepEqual({ code, out }, { code: 2, out: '' });
    assert.equal(err, 'selector-lens: Standard input cannot be read: it is not text.\n');
  });

  it('prints one line without a stack about an invalid command line', async () => {
    for (const words of [['chek'], ['check', 'nowhere'], ['match', '-l', 'a=b=c']]) {
      const { code, out, err } = await runCommand(folder, words);
      assert.deepEqual({ code, out }, { code: 2, out: '' });
      assert.match(err, /^selector-lens: .*[.?]\n$/);
    }
  });

  it('exits quietly when its reader closes the pipe', async () => {
    for (const words of [['check'], ['match', '-l', '']]) {
      const all = await runCommand(join(folder, 'many'), words);
      assert.equal(all.err, '');
      const { code, out, err } = await runCommand(join(folder, 'many'), words, '', false);
      assert.equal(err, '', words.join(' '));
      assert.equal(code, 0, words.join(' '));
      assert.ok(out.length < all.out.length);
    }
  });

  it('reports output that does not fit on the disk', () => {
    const { status, stderr } = runWithoutRoom(join(folder, 'many'), ['check', '--format', 'json']);
    assert.match(stderr, /^selector-lens: Standard output cannot be written: .+ \(EFBIG\)\.\n$/);
    assert.equal(status, 2);
  });

  it('leaves a file unchanged if its new text does not fit on the disk', () => {
    const full = join(folder, 'full');
    mkdirSync(full);
    const number = badPrices.replace('Team Blue', '1.10');
    const many = Array.from({ length: 100 }, (_, index) => number.replace('prices', `prices-${index}`)).join('---\n');
    writeFileSync(join(full, 'many.yaml'), many);
    const fixed = runWithoutRoom(full, ['check', '--fix']);
    assert.match(fixed.stderr, /^selector-lens: 'many\.yaml' cannot be changed: .+ \(EFBIG\)\.\n$/);
    assert.equal(fixed.status, 2);
    assert.equal(readFileSync(join(full, 'many.yaml'), 'utf8'), many);
    const listed = runWithoutRoom(full, ['check', '--baseline', 'new.json', '--update-baseline']);
    assert.match(listed.stderr, /^selector-lens: The baseline 'new\.json' cannot be written: .+ \(EFBIG\)\.\n$/);
    assert.deepEqual(readdirSync(full), ['many.yaml', 'out']);
  });

  it('shows fixes as a diff for git, also if the first line begins with a byte order mark', async () => {
    const marked = join(folder, 'marked');
    mkdirSync(marked);
    writeFileSync(
      join(marked, 'a b.yaml'),
      '\uFEFFmetadata: {name: a, labels: {n: 1}}\nkind: ConfigMap\napiVersion: v1\n',
    );
    const { out } = await runCommand(marked, ['check', '--fix', '--dry-run']);
    const { status, stderr } = spawnSync('git', ['apply', '-'], { cwd: marked, input: out, encoding: 'utf8' });
    assert.deepEqual({ status, stderr }, { status: 0, stderr: '' });
    assert.match(readFileSync(join(marked, 'a b.yaml'), 'utf8'), /^\uFEFFmetadata: \{name: a, labels: \{n: "1"\}\}\n/);
  });

  it('runs for a user without a home, and writes nothing into the checked folder', async () => {
    const bare = join(folder, 'bare');
    mkdirSync(bare);
    writeFileSync(join(bare, 'prices.yaml'), badPrices);
    for (const env of [{ HOME: '' }, { XDG_CACHE_HOME: 'relative', HOME: 'relative' }]) {
      const { status, stderr } = spawnSync(process.execPath, [bundle, 'check'], { cwd: bare, env, encoding: 'utf8' });
      assert.deepEqual({ status, stderr }, { status: 1, stderr: '' });
      assert.deepEqual(readdirSync(bare), ['prices.yaml']);
    }
  });

  it('does not wait for pipes and terminals in place of files, and reports the skipped files', async () => {
    const odd = join(folder, 'odd');
    mkdirSync(odd);
    execFileSync('mkfifo', [join(odd, 'pipe.yaml'), join(odd, 'rules')]);
    for (const [name, target] of Object.entries({ '.gitignore': '/dev/stdin', 'zero.yaml': '/dev/zero' }))
      symlinkSync(target, join(odd, name));
    writeFileSync(join(odd, 'prices.yaml'), badPrices);
    const { code, out } = await runCommand(odd, ['check', '--no-cache'], null);
    assert.equal(code, 1);
    assert.match(out, /^\.gitignore: skipped: it is a link, which git does not follow$/m);
    assert.match(out, /^pipe\.yaml: skipped: it is a named pipe, not a regular file$/m);
    assert.match(out, /^zero\.yaml: skipped: it is a link that leads outside of the workspace or nowhere$/m);
    const isPipe = 'cannot be read: it is a named pipe, not a regular file.\n';
    for (const words of [
      ['check', 'rules'],
      ['check', '--baseline', 'rules'],
      ['check', '--files-from', 'rules'],
    ]) {
      const refused = await runCommand(odd, words, null);
      assert.equal(refused.code, 2);
      assert.ok(refused.err.endsWith(`'rules' ${isPipe}`), refused.err);
    }
    const device = await runCommand(odd, ['check', 'zero.yaml'], null);
    assert.equal(device.err, "selector-lens: 'zero.yaml' cannot be read: it is a device, not a regular file.\n");
  });

  it('reads named files, also by a link that leads outside, and pipes of the shell', async () => {
    const linked = join(folder, 'linked');
    mkdirSync(join(linked, '.git'), { recursive: true });
    symlinkSync('../repository/prices.yaml', join(linked, 'prices.yaml'));
    const named = await runCommand(linked, ['check', 'prices.yaml']);
    assert.match(named.out, /^prices\.yaml:6:12: error: /);
    const script = 'exec "$0" "$1" check --format json <(cat prices.yaml) --files-from <(echo prices.yaml)';
    const { stdout, stderr } = spawnSync('bash', ['-c', script, process.execPath, bundle], {
      cwd: linked,
      encoding: 'utf8',
    });
    assert.equal(stderr, '');
    assert.equal(JSON.parse(stdout).summary.files, 2);
  });

  it('preserves UTF-16 when it fixes a file', async () => {
    const wide = join(folder, 'wide');
    mkdirSync(wide);
    const text = 'metadata: {name: a, labels: {n: 1}}\nkind: ConfigMap\napiVersion: v1\n';
    const encoded = (what: string) => Buffer.from(`\uFEFF${what}`, 'utf16le');
    writeFileSync(join(wide, 'a.yaml'), encoded(text));
    const { err } = await runCommand(wide, ['check', '--fix']);
    assert.equal(err, 'Fixed 1 finding in 1 file.\n');
    assert.deepEqual(readFileSync(join(wide, 'a.yaml')), encoded(text.replace('n: 1', 'n: "1"')));
  });

  it('skips a file of 50 MB with a message, and checks its neighbors', async () => {
    const large = join(folder, 'large');
    mkdirSync(large);
    writeFileSync(join(large, 'large.yaml'), Buffer.alloc(50_000_000, 'a: b\n'));
    writeFileSync(join(large, 'prices.yaml'), badPrices);
    const { code, out } = await runCommand(large, ['check', '--no-cache']);
    assert.equal(code, 1);
    assert.match(out, /^prices\.yaml:6:12: error: /);
    assert.match(out, /^large\.yaml: skipped: it is larger than 5000000 bytes$/m);
  });

  it('does not use a cache folder that others can write to, and reports that once', async () => {
    const cache = join(folder, 'shared-cache');
    mkdirSync(join(cache, 'selector-lens'), { recursive: true });
    chmodSync(join(cache, 'selector-lens'), 0o777);
    const env = { ...process.env, XDG_CACHE_HOME: cache };
    const options = { cwd: join(folder, 'repository'), env, encoding: 'utf8' } as const;
    const { status, stderr } = spawnSync(process.execPath, [bundle, 'check'], options);
    assert.equal(status, 1);
    assert.match(stderr, /^selector-lens: The cache folder '.+' is not used: other users can write to it .+\n$/);
    assert.deepEqual(readdirSync(join(cache, 'selector-lens')), []);
  });

  it('writes long output completely into a pipe', async () => {
    const { code, out } = await runCommand(join(folder, 'many'), ['check', '--format', 'json']);
    assert.equal(code, 1);
    assert.equal(JSON.parse(out).diagnostics.length, 6_000);
  });
});
