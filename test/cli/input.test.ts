/** Tests the inputs of commands: lists of files, standard input, namespaces, configurations. */
import assert from 'node:assert/strict';
import { badPrices, goodPrices, service, web } from './manifests.ts';
import { home, type MemoryOptions, runInMemory } from './memory-world.ts';

const files = { 'a/bad.yaml': badPrices, 'b/web.yaml': web, 'b/service.yaml': service };

async function filesWithFindings(words: readonly string[], options: MemoryOptions): Promise<readonly string[]> {
  const { json } = await runInMemory(['check', '--format', 'json', ...words], options);
  const { diagnostics } = json as { diagnostics: readonly { readonly file: string }[] };
  return [...new Set(diagnostics.map(({ file }) => file))];
}

describe('--files-from', () => {
  for (const [what, text] of Object.entries({
    lines: 'a/bad.yaml\r\nb/web.yaml\n',
    NULs: 'a/bad.yaml\0b/web.yaml\0',
  })) {
    it(`reads paths from standard input with ${what}`, async () => {
      const { json } = await runInMemory(['check', '--files-from', '-', '--format', 'json'], {
        files,
        standardInput: { text },
      });
      assert.equal((json as { summary: { files: number } }).summary.files, 2);
    });
  }

  it('reads paths from a file in addition to named ones', async () => {
    const all = { ...files, 'list.txt': 'b\n' };
    const { json } = await runInMemory(['check', 'a', '--files-from', 'list.txt', '--format', 'json'], { files: all });
    assert.equal((json as { summary: { files: number } }).summary.files, 3);
  });

  it('lists only files: one with the name - is not standard input', async () => {
    const all = { '-': badPrices, 'list.txt': '-\n', 'b/web.yaml': web };
    const { code, err } = await runInMemory(['check', '--files-from', 'list.txt'], { files: all });
    assert.deepEqual([code, err], [0, ['selector-lens: No Kubernetes objects in the given paths.']]);
  });

  it('reports that a list is empty or names no manifest, without failing', async () => {
    const all = { ...files, 'notes.md': 'apiVersion: {\n', 'ci.yaml': 'on: push\n' };
    for (const text of ['', 'notes.md\n', 'notes.md\nci.yaml\n']) {
      const { code, out, err } = await runInMemory(['check', '--files-from', '-'], {
        files: all,
        standardInput: { text },
      });
      assert.deepEqual([code, out, err], [0, [], ['selector-lens: No Kubernetes objects in the given paths.']]);
    }
  });

  it('names the manifests of a list that contain nothing', async () => {
    const all = { ...files, 'notes.md': 'apiVersion: {\n', 'ci.yaml': 'on: push\n' };
    const { err } = await runInMemory(['check', '--files-from', '-'], {
      files: all,
      standardInput: { text: 'notes.md\nci.yaml\nb/web.yaml\n' },
    });
    assert.deepEqual(err, ['selector-lens: Without Kubernetes objects: ci.yaml.']);
  });
});

describe('a pipe', () => {
  it('is read once, and its lines are shown nevertheless', async () => {
    // A file on disk has a size and time; this one has none, and is not listed.
    const { out, readAgain } = await runInMemory(['check', 'fd/63'], { files: { 'fd/63': badPrices } });
    assert.ok(out.includes('    6 |     owner: Team Blue'), out.join('\n'));
    assert.deepEqual(readAgain, []);
  });
});

describe('standard input', () => {
  const config = 'rules: { label-value-syntax: off, label-key-syntax: off }\n';
  const standardInput = { text: badPrices };

  it('is shown by its given name', async () => {
    const options = { files, standardInput };
    assert.deepEqual(await filesWithFindings(['-', '--stdin-filename', 'out/x.yaml'], options), ['out/x.yaml']);
  });

  it('uses the configuration of the current folder, or of its given name', async () => {
    const here = { files: { '.selector-lens.yaml': config }, standardInput };
    assert.deepEqual(await filesWithFindings(['-'], here), []);
    const there = { files: { 'out/.selector-lens.yaml': config }, standardInput };
    assert.deepEqual(await filesWithFindings(['-'], there), ['-']);
    assert.deepEqual(await filesWithFindings(['-', '--stdin-filename', 'out/x.yaml'], there), []);
  });

  it('uses the configuration above, up to the root of the repository', async () => {
    const repositories = ['/home/ada/shop'];
    const above = { files: { '.selector-lens.yaml': config }, standardInput, repositories };
    assert.deepEqual(await filesWithFindings(['-', '--stdin-filename', 'a/b/x.yaml'], above), []);
    const outside = { files: { '/home/ada/.selector-lens.yaml': config }, standardInput, repositories };
    assert.deepEqual(await filesWithFindings(['-'], outside), ['-']);
  });
});

describe('--namespace', () => {
  const bare = service.replace('  namespace: shop\n', '');

  it('applies to objects that name none', async () => {
    const options = { files: { 'web.yaml': web, 'service.yaml': bare } };
    const edges = async (...words: readonly string[]) => {
      const { json } = await runInMemory(['graph', '--format', 'json', ...words], options);
      return (json as { edges: readonly { certain: boolean }[] }).edges.map(({ certain }) => certain);
    };
    assert.deepEqual(await edges(), [false]);
    assert.deepEqual(await edges('--namespace', 'shop'), [true]);
    assert.deepEqual(await edges('--namespace', 'other'), []);
  });

  it('applies to objects that a kustomization builds without one', async () => {
    const files = {
      'web.yaml': web,
      'service.yaml': bare,
      'kustomization.yaml': 'resources: [web.yaml, service.yaml]\n',
    };
    const { json } = await runInMemory(['graph', '--format', 'json', '-n', 'shop'], { files });
    assert.deepEqual(
      (json as { edges: readonly { certain: boolean }[] }).edges.map(({ certain }) => certain),
      [true],
    );
  });
});

describe('a broken configuration', () => {
  const wrong = goodPrices.replace('tier: data', 'tier: y');
  const faults = ['rules: [', 'rulez: {}', 'rules: 3\nscopes: 4\n', 'x: [', 'rules: {foo: 5}', 'placeholders: [NAME]'];

  it('that cannot be read fails only a check to which it applies', async () => {
    const unread = {
      'a/.selector-lens.yaml': { skipped: 'it is cold' },
      'a/b/prices.yaml': goodPrices,
      'c.yaml': goodPrices,
    };
    const asked = async (words: readonly string[], files: MemoryOptions['files'] = unread) => {
      const { code, out } = await runInMemory(['check', ...words], { files, repositories: [home] });
      return [code, ...out.filter((line) => line.includes('error'))];
    };
    const says =
      "a/.selector-lens.yaml:1:1: error: '.selector-lens.yaml' cannot be read: it is cold. [invalid-configuration]";
    assert.deepEqual(await asked(['a/b']), [1, says, '1 error in 1 object, 1 file.']);
    assert.deepEqual(await asked(['c.yaml']), [0]);
    assert.deepEqual(await asked(['a/b'], { ...unread, 'a/b/.selector-lens.yaml': 'rules: {}\n' }), [0]);
    assert.equal((await asked(['a/b'], { ...unread, '.selector-lens.yaml': 'rules: {}\n' }))[0], 1);
    assert.equal((await asked([]))[0], 1);
  });

  it('is a finding like others, in every format, and the check fails', async () => {
    for (const text of faults) {
      const all = { 'other/a.yaml': wrong, 'sub/a.yaml': goodPrices, 'sub/.selector-lens.yaml': text };
      const { code, out, err } = await runInMemory(['check'], { files: all });
      assert.deepEqual([code, err], [1, []], text);
      assert.match(out.join('\n'), /^sub\/\.selector-lens\.yaml:1:\d+: error: /m, text);
      assert.match(out.join('\n'), /^other\/a\.yaml:\d+:\d+: error: .*\[label-value-type\]$/m, text);
      const { json } = await runInMemory(['check', '--format', 'json'], { files: all });
      const rules = (
        json as { diagnostics: readonly { readonly rule: string; readonly file: string }[] }
      ).diagnostics.map(({ rule, file }) => `${file} ${rule}`);
      assert.ok(rules.includes('other/a.yaml label-value-type'), rules.join());
      assert.ok(
        rules.some((each) => each.startsWith('sub/.selector-lens.yaml ')),
        rules.join(),
      );
    }
  });

  it('cannot hide its faults by its own content', async () => {
    for (const text of ['rulez: 1\ngenerated: ["**"]\n', 'rulez: 1\nignore: [{rule: all, files: ["**"]}]\n']) {
      const { code, out } = await runInMemory(['check'], {
        files: { 'a.yaml': goodPrices, '.selector-lens.yaml': text },
      });
      assert.equal(code, 1, text);
      assert.match(out.join('\n'), /error: The key 'rulez' is unknown/);
    }
  });

  it('is named by other commands, which exit with 1', async () => {
    const all = { 'a.yaml': goodPrices, 'sub/a.yaml': goodPrices, 'sub/.selector-lens.yaml': 'rulez: 1\n' };
    const commands = [
      ['objects'],
      ['graph'],
      ['match', '-l', 'app'],
      ['explain', '-l', 'app', '--object', 'ConfigMap/prices'],
    ];
    for (const words of commands) {
      const { code, out, err } = await runInMemory(words, { files: all });
      assert.deepEqual([code, err.length], [1, 1], words[0]);
      assert.match(err[0] ?? '', /^selector-lens: sub\/\.selector-lens\.yaml:1:1: The key 'rulez' is unknown/);
      assert.notEqual(out.join(''), '', words[0]);
    }
    const { code, out, err } = await runInMemory(['diff', 'a.yaml', 'sub'], { files: all });
    assert.deepEqual([code, out, err.length], [1, ['No changes found in the objects that could be compared.'], 1]);
  });

  it('prevents changes of files to which it applies', async () => {
    const all = { 'a.yaml': wrong, 'sub/a.yaml': wrong, 'sub/.selector-lens.yaml': 'generated: "*"\n' };
    const { out } = await runInMemory(['check', '--fix', '--dry-run'], { files: all });
    assert.deepEqual(
      out.filter((line) => line.startsWith('+++')),
      ['+++ b/a.yaml'],
    );
  });

  it('is a warning if it only names an undeclared scope', async () => {
    const text = 'scopes:\n- {name: b, paths: [b/], with: [platform]}\n';
    const ran = await runInMemory(['check', 'b'], { files: { ...files, 'b/.selector-lens.yaml': text } });
    assert.deepEqual([ran.code, ran.err], [0, []]);
    assert.match(
      ran.out.join('\n'),
      /b\/\.selector-lens\.yaml:2:33: warning: No scope of this file is called 'platform'\./,
    );
  });

  it('matters only if it applies to checked files, also from outside of the paths', async () => {
    const all = { ...files, 'b/.selector-lens.yaml': 'rulez: {}', 'b/c/web.yaml': goodPrices };
    const codeFor = async (path: string) => {
      const { code, out } = await runInMemory(['check', path], { files: all, repositories: [home] });
      return [code, /\.selector-lens\.yaml:1:1: error/.test(out.join('\n'))];
    };
    assert.deepEqual(await codeFor('a'), [1, false]);
    assert.deepEqual(await codeFor('b/web.yaml'), [1, true]);
    assert.deepEqual(await codeFor('b/c'), [1, true]);
  });

  it('applies to standard input', async () => {
    const given = { files: { '.selector-lens.yaml': 'rulez: {}\n' }, standardInput: { text: goodPrices } };
    const { code, out } = await runInMemory(['check', '-'], given);
    assert.equal(code, 1);
    assert.match(out.join('\n'), /^\.selector-lens\.yaml:1:1: error: The key 'rulez' is unknown/m);
  });
});

describe('a manifest with a syntax error', () => {
  it('is named by commands without findings, which exit with 2', async () => {
    const given = { files: { 'a.yaml': goodPrices, 'b.yaml': goodPrices.replace('name: ', 'name: "') } };
    const commands = [['objects'], ['graph'], ['match', '-l', 'no=such']];
    for (const words of commands) {
      const { code, err } = await runInMemory(words, given);
      assert.equal(code, 2, words[0]);
      assert.match(err[0] ?? '', /^selector-lens: b\.yaml:\d+:\d+: YAML syntax error: /, words[0]);
      if (words[0] === 'match') assert.equal(err.at(-1), 'No objects match in the files that could be read.');
    }
    // Both trees contain the same file with the error, so the comparison does not fail.
    const { code, out, err } = await runInMemory(['diff', '.', '.'], given);
    assert.deepEqual([code, out], [0, ['No changes found in the objects that could be compared.']]);
    assert.match(err[0] ?? '', /^selector-lens: b\.yaml:\d+:\d+: YAML syntax error: /);
    const piped = await runInMemory(['objects', '-'], { standardInput: { text: 'kind: Pod\napiVersion: "v1\n' } });
    assert.deepEqual([piped.code, piped.err.length], [2, 1]);
  });
});

describe('a path without Kubernetes objects', () => {
  it('is one line and exit code 2, for every command that reads files', async () => {
    const empty = {
      files: { 'docs/notes.yaml': 'a: b\n', 'a/prices.yaml': goodPrices, 'a/x.yaml': { skipped: 'it is not text' } },
      repositories: [home],
    };
    for (const words of [['check'], ['match', '-l', 'a'], ['objects'], ['graph']]) {
      const { code, err } = await runInMemory([...words, 'docs'], empty);
      assert.deepEqual([code, err], [2, ['selector-lens: No Kubernetes objects in the given paths.']], words[0]);
      assert.equal((await runInMemory([...words, 'docs', 'a'], empty)).code, 0);
      const file = await runInMemory([...words, 'docs/notes.yaml'], empty);
      assert.deepEqual([file.code, file.out.join(''), file.err], [2, emptyAnswer(words), err], words[0]);
      const piped = await runInMemory([...words, '-'], { ...empty, standardInput: { text: '' } });
      assert.deepEqual([piped.code, piped.err], [2, ['selector-lens: No Kubernetes objects in standard input.']]);
    }
  });

  it('is named if others contain objects', async () => {
    const mixed = { files: { 'docs/notes.yaml': 'a: b\n', 'a/prices.yaml': goodPrices }, repositories: [home] };
    const { code, out, err } = await runInMemory(['check', 'docs', 'a'], mixed);
    assert.deepEqual([code, out], [0, ['No problems in 1 object, 1 file.']]);
    assert.deepEqual(err, ['selector-lens: Without Kubernetes objects: docs.']);
  });

  it('does not fail with --allow-empty', async () => {
    const { code, out, err } = await runInMemory(['check', '--allow-empty', 'notes.yaml'], {
      files: { 'notes.yaml': 'a: b\n' },
    });
    assert.deepEqual([code, out, err], [0, [], ['selector-lens: No Kubernetes objects in the given paths.']]);
  });
});

/** The standard output of a command without input. */
function emptyAnswer([command]: readonly string[]): string {
  return command === 'graph' ? 'flowchart LR' : '';
}

describe('one file alone', () => {
  it('is reported with the number of indexed objects', async () => {
    const last = async (...words: readonly string[]) => {
      const { out } = await runInMemory(['check', ...words], { files, repositories: ['/home/ada/shop'] });
      return out.at(-1);
    };
    assert.equal(await last('b/web.yaml'), 'Context: 3 objects in 3 files.');
    assert.equal(await last('--root', 'a', 'a/bad.yaml'), 'Context: 1 object in 1 file.');
    assert.equal(await last('b'), 'No problems in 2 objects, 2 files.');
  });
});
