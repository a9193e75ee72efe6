/** `check --base` and `diff` with commits of git. */

import assert from 'node:assert/strict';
import { service, web } from './manifests.ts';
import { home, runInMemory } from './memory-world.ts';

const relabeled = web.replaceAll('app: web', 'app: site');
const before = { 'deploy/web.yaml': web, 'deploy/service.yaml': service };
const after = { 'deploy/web.yaml': relabeled, 'deploy/service.yaml': service };

function run(words: readonly string[], files: Readonly<Record<string, string>> = after, currentFolder = home) {
  return runInMemory(words, {
    files,
    commits: { main: before, empty: {}, notes: { 'notes.md': '' } },
    repositories: [home],
    currentFolder,
  });
}

/** The rules of the findings with their positions, and the related positions. */
async function found(words: readonly string[], files?: Readonly<Record<string, string>>): Promise<readonly string[]> {
  const { json } = await run(['check', '--format', 'json', ...words], files);
  const { diagnostics } = json as { diagnostics: readonly Shown[] };
  return diagnostics.map(({ rule, severity, file, related }) =>
    [severity, rule, file, ...related.map(({ message }) => message)].join(' | '),
  );
}

interface Shown {
  readonly rule: string;
  readonly severity: string;
  readonly file: string;
  readonly related: readonly { readonly message: string }[];
}

const rejected =
  'warning | immutable-selector-changed | deploy/web.yaml | At main: app=web. To apply the change, delete and recreate Deployment/web: its pods are deleted and recreated, its Services have no endpoints in the meantime, and the rollout history is lost.';

describe('check --base', () => {
  it('reports changes since a commit that the API server rejects', async () => {
    const findings = await found(['--base', 'main']);
    assert.ok(findings.includes(rejected), findings.join('\n'));
    assert.deepEqual(await found(['--base', 'main'], before), []);
    assert.deepEqual(await found(['--base', 'empty'], before), []);
  });

  it('names the files that cannot be read at the commit', async () => {
    const commits = { main: { ...before, 'deploy/web.yaml': { skipped: 'git has only a pointer to its content' } } };
    const { err } = await runInMemory(['check', '--base', 'main'], { files: after, commits, repositories: [home] });
    assert.deepEqual(err, [
      'selector-lens: deploy/web.yaml was not compared with main: git has only a pointer to its content.',
    ]);
  });

  it('reports nothing without the option, also after a check with it', async () => {
    const isRejected = (line: string) => line.includes('immutable');
    assert.deepEqual((await found([])).filter(isRejected), []);
  });

  it('is limited to paths and can be disabled like all findings', async () => {
    assert.ok((await found(['--base', 'main', 'deploy/web.yaml'])).includes(rejected));
    const disabled = relabeled.replace('spec:', '# selector-lens-disable-file immutable-selector-changed: new\nspec:');
    assert.deepEqual(await found(['--base', 'main', 'deploy/web.yaml'], { 'deploy/web.yaml': disabled }), []);
  });

  it('reports a helper of a chart that changes selectors at its definition', async () => {
    const template = web
      .replace('name: web', 'name: {{ .Release.Name }}-web')
      .replace(/matchLabels:\n\s+app: web/, 'matchLabels: {{- include "labels" . | nindent 6 }}')
      .replace(/labels:\n\s+app: web/, 'labels: {{- include "labels" . | nindent 8 }}');
    const chart = (label: string) => ({
      'web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'web/templates/web.yaml': template,
      'web/templates/_helpers.tpl': `{{- define "labels" -}}\n${label}\n{{- end }}\n`,
    });
    const files = chart('app: site');
    const { json } = await runInMemory(['check', '--format', 'json', '--base', 'main'], {
      files,
      commits: { main: chart('app: web') },
      repositories: [home],
    });
    const { diagnostics } = json as { diagnostics: readonly Shown[] };
    assert.deepEqual(
      diagnostics.filter(({ rule }) => rule === 'immutable-selector-changed').map(({ file }) => file),
      ['web/templates/_helpers.tpl'],
    );
  });

  it('is rejected without a repository, for an unknown commit and for standard input', async () => {
    const outside = await runInMemory(['check', '--base', 'main'], { files: after });
    assert.deepEqual([outside.code, outside.out], [2, []]);
    assert.match(outside.err.join('\n'), /there is no git repository\. As an alternative, compare two folders/);
    const unknown = await run(['check', '--base', 'none']);
    assert.equal(unknown.code, 2);
    assert.match(unknown.err.join('\n'), /'none' cannot be read: there is no commit 'none' in this repository/);
    assert.match((await run(['check', '--base', 'main', '-'])).err.join('\n'), /'--base' does not apply to it/);
  });
});

describe('diff with commits', () => {
  const lines = [
    "! The selector of Deployment/web in shop changed from 'app=web' to 'app=site' and is immutable: the API server rejects this. If the object is deleted and recreated, its pods are deleted and recreated, its Services have no endpoints in the meantime, and the rollout history is lost.",
    '- Service/web no longer selects Deployment/web in shop.',
  ];

  it('compares a commit with the current files', async () => {
    const { code, out } = await run(['diff', 'main']);
    assert.equal(code, 1);
    assert.deepEqual(
      out.filter((line) => /^[!-] /.test(line)),
      lines,
    );
    assert.deepEqual((await run(['diff', 'main'], before)).out, ['No match is certainly lost or new.']);
  });

  it('compares two commits, and a path with a commit', async () => {
    const { code, out } = await run(['diff', 'main', 'main']);
    assert.deepEqual([code, out], [0, ['No match is certainly lost or new.']]);
    const path = await run(['diff', 'main', 'deploy']);
    assert.equal(path.code, 1);
    assert.ok(path.out.includes(lines[1] ?? ''), path.out.join('\n'));
  });

  it('compares a commit without objects, unless there are none in the other either', async () => {
    const added = await run(['diff', 'notes', 'main']);
    assert.deepEqual([added.code, added.out.at(-1)], [0, '0 lost matches, 1 new.']);
    // Objects that are deleted together lose no match.
    const { code, out } = await run(['diff', 'main', 'notes']);
    assert.deepEqual([code, out], [0, ['No match is certainly lost or new.']]);
    const none = await run(['diff', 'notes', 'notes']);
    assert.deepEqual([none.code, none.err], [2, ["selector-lens: No Kubernetes objects in '.'."]]);
  });

  it('compares the folder in which it is started', async () => {
    const files = { ...after, 'other/web.yaml': web.replaceAll('web', 'other') };
    const { out } = await run(['diff', 'main'], files, `${home}/deploy`);
    assert.ok(out.includes(lines[1] ?? ''), out.join('\n'));
    assert.ok(!out.join('\n').includes('other'));
  });

  it('compares the folder that --root names', async () => {
    const files = { ...after, 'other/web.yaml': web.replaceAll('web', 'other') };
    const inFolder = await run(['diff', 'main'], files, `${home}/deploy`);
    const { code, out } = await run(['diff', 'main', '--root', 'deploy'], files);
    assert.deepEqual([code, out], [1, inFolder.out]);
    assert.deepEqual((await run(['diff', 'main', 'main', '--root', 'deploy'], files)).code, 0);
    const missing = await run(['diff', 'main', '--root', 'other'], files);
    assert.match(missing.err.join('\n'), /no file or folder 'other'/);
  });

  it('shows a change of another immutable field, but no value of a Secret', async () => {
    const secret = (type: string) => `apiVersion: v1\nkind: Secret\nmetadata: {name: s}\ntype: ${type}\n`;
    const claim = (mode: string) =>
      `apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: c}\nspec: {volumeMode: ${mode}}\n`;
    const { out } = await runInMemory(['diff', 'main'], {
      files: { 'all.yaml': `${secret('b/b')}---\n${claim('Block')}` },
      commits: { main: { 'all.yaml': `${secret('a/a')}---\n${claim('Filesystem')}` } },
      repositories: [home],
    });
    assert.deepEqual(out, [
      "! `spec.volumeMode` of PersistentVolumeClaim/c changed (it was 'Filesystem') and is immutable: the API server rejects this. If the object is deleted and recreated, the data is lost if the reclaim policy of the volume is Delete.",
      '! `type` of Secret/s changed and is immutable: the API server rejects this. If the object is deleted and recreated, new pods cannot use it in the meantime.',
      '',
      '0 lost matches, 0 new, 2 changes that the API server rejects.',
    ]);
  });

  it('reports a syntax error once if it is in both trees, and otherwise names the commit', async () => {
    const broken = web.replace('name: web', 'name: "web');
    const commits = { main: { 'same.yaml': broken, 'fixed.yaml': broken }, older: { 'same.yaml': broken } };
    const compared = async (...operands: readonly string[]) => {
      const files = { 'same.yaml': broken, 'fixed.yaml': web };
      const { code, err } = await runInMemory(['diff', ...operands], { files, commits, repositories: [home] });
      return [code, ...err.map((line) => line.replace(/:\d+:\d+: YAML syntax error.*$/, ''))];
    };
    const same = 'selector-lens: same.yaml';
    assert.deepEqual(await compared('main'), [2, 'selector-lens: In main: fixed.yaml', same]);
    assert.deepEqual(await compared('older', 'main'), [2, same, 'selector-lens: In main: fixed.yaml']);
    // An equal file with an error is not a reason to reject the change.
    assert.deepEqual(await compared('older'), [0, same]);
  });

  it('rejects an operand that is neither a path nor a commit', async () => {
    const alone = await run(['diff', 'nothing']);
    assert.deepEqual([alone.code, alone.out], [2, []]);
    assert.match(alone.err.join('\n'), /'nothing' cannot be read: there is no commit/);
    assert.match(
      (await run(['diff', 'nothing', 'deploy'])).err.join('\n'),
      /There is no file or folder 'nothing', and /,
    );
    assert.match((await run(['diff', 'deploy'])).err.join('\n'), /requires two paths, OLD and NEW, or a commit of git/);
    assert.match((await run(['diff'])).err.join('\n'), /requires two paths/);
  });
});
