/** Tests that `--fix` applies exactly the safe fixes. */
import assert from 'node:assert/strict';
import { lines } from '../harness/margin.ts';
import { badPrices, goodPrices } from './manifests.ts';
import { runInMemory } from './memory-world.ts';

const twice = `# kept
apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  annotations:
    count: 1   # kept
    on: yes
`;
const files = { 'bad.yaml': badPrices, 'twice.yaml': twice, 'good.yaml': goodPrices };

describe('check --fix', () => {
  it('applies fixes that cannot change matches, and reports the remaining findings', async () => {
    const { code, out, err, written } = await runInMemory(['check', '--fix'], { files });
    assert.equal(code, 1);
    assert.deepEqual(Object.keys(written), ['twice.yaml']);
    const text = written['twice.yaml'] ?? '';
    assert.match(text, /^# kept\n(?:.*\n)* {4}count: "1" {3}# kept\n {4}"?on"?: "yes"\n$/);
    assert.match(err.join(), /^Fixed 3 findings in 1 file\.$/);
    assert.ok(out.every((line) => !line.startsWith('twice.yaml')));
    assert.equal(out.at(-1), '3 errors in 3 objects, 3 files.');
    const again = await runInMemory(['check', '--fix'], { files: { 'twice.yaml': text } });
    assert.deepEqual([again.code, again.written], [0, {}]);
  });

  it('preserves line ends', async () => {
    const crlf = { 'twice.yaml': twice.replaceAll('\n', '\r\n') };
    const { written } = await runInMemory(['check', '--fix'], { files: crlf });
    assert.equal((written['twice.yaml'] ?? '').replaceAll('\r\n', '').includes('\n'), false);
  });

  it('changes only reported files', async () => {
    const { written } = await runInMemory(['check', '--fix', 'bad.yaml', 'good.yaml'], { files });
    assert.deepEqual(written, {});
  });
});

describe('check --fix --unsafe-fixes', () => {
  const workload = (name: string, track: string, selected = track) =>
    lines(`
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: ${name}}
      spec:
        selector: {matchLabels: {app: ${name.split('-')[0]}, track: ${selected}}}
        template: {metadata: {labels: {app: ${name.split('-')[0]}, track: ${track}}}}
    `);
  const fixed = async (all: Readonly<Record<string, string>>) =>
    (await runInMemory(['check', '--fix', '--unsafe-fixes'], { files: all })).written;

  it('corrects a misspelled label instead of the correct selector', async () => {
    const sibling = { 'api.yaml': workload('api-new', 'canary') };
    const [right, wrong] = [workload('web-new', 'canary'), workload('web-new', 'cnary', 'canary')];
    assert.deepEqual(await fixed({ ...sibling, 'web.yaml': wrong }), { 'web.yaml': right });
    // The name of the workload is sufficient evidence.
    const named = workload('web-canary', 'cnary', 'canary');
    assert.deepEqual(await fixed({ 'web.yaml': named }), { 'web.yaml': workload('web-canary', 'canary') });
  });

  it('reports no finding in a template whose helper it fixed', async () => {
    const files = {
      'Chart.yaml': 'apiVersion: v2\nname: oven\nversion: 1.0.0\n',
      'templates/_helpers.tpl': '{{- define "oven.labels" -}}\nBad.Prefix/x: v\n{{- end }}\n',
      'templates/oven.yaml':
        'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: oven\n  labels:\n    {{- include "oven.labels" . | nindent 4 }}\n',
    };
    const { code, out, written } = await runInMemory(['check', '--fix', '--unsafe-fixes'], { files });
    assert.match(written['templates/_helpers.tpl'] ?? '', /^bad\.prefix\/x: v$/m);
    assert.deepEqual([code, out.at(-1)], [0, 'No problems in 1 object, 1 file.']);
  });

  it('gives no two parts of a pod the same name', async () => {
    const pod = (...names: readonly string[]) =>
      `apiVersion: v1\nkind: Pod\nmetadata: {name: oven}\nspec:\n  containers:\n${names.map((name) => `    - {name: ${name}, image: a}\n`).join('')}`;
    assert.deepEqual(await fixed({ 'pod.yaml': pod('Web_1', 'WEB-1', 'Web_2') }), {
      'pod.yaml': pod('web-1', 'WEB-1', 'web-2'),
    });
  });

  it('corrects a misspelled selector', async () => {
    const sibling = { 'api.yaml': workload('api-new', 'canary') };
    const wrong = workload('web-new', 'canary', 'cnary');
    assert.deepEqual(await fixed({ ...sibling, 'web.yaml': wrong }), { 'web.yaml': workload('web-new', 'canary') });
  });

  it('does not exchange variants of a name', async () => {
    const selecting = async (name: string, label: string) => {
      const service = `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\nspec: {selector: {app: ${name}}}\n`;
      const pods = workload('web', 'new').replaceAll('app: web, track: new', `app: ${label}`);
      return (await fixed({ 'a.yaml': `${pods}\n---\n${service}` }))['a.yaml'];
    };
    for (const name of ['worker-a', 'worker', 'worker-1']) assert.equal(await selecting('worker-b', name), undefined);
    assert.match((await selecting('wroker-blue', 'worker-blue')) ?? '', /selector: \{app: worker-blue\}/);
  });

  it('does not adapt a Service to a misspelled label', async () => {
    const service = lines(`
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec: {selector: {app: web, track: canary}}
    `);
    const loose = workload('web-new', 'cnary').replace(', track: cnary}}\n  template', '}}\n  template');
    assert.ok(!loose.includes('matchLabels: {app: web, track'));
    const sibling = { 'api.yaml': workload('api-new', 'canary') };
    assert.deepEqual(await fixed({ ...sibling, 'service.yaml': service, 'web.yaml': loose }), {});
    const both = await fixed({ ...sibling, 'web.yaml': `${loose}\n---\n${service}` });
    assert.equal(both['web.yaml'], `${loose.replace('cnary', 'canary')}\n---\n${service}`);
  });
});

describe('check --fix in pages and scripts', () => {
  const page = { 'page.md': `# Prices\n\n\`\`\`yaml\n${twice}\`\`\`\n`, 'good.yaml': goodPrices };

  it('fixes the manifests of a page', async () => {
    const { written, out } = await runInMemory(['check', '--fix'], { files: page });
    assert.match(
      written['page.md'] ?? '',
      /^# Prices\n\n```yaml\n(?:.*\n)* {4}count: "1" {3}# kept\n {4}"?on"?: "yes"\n```\n$/,
    );
    assert.ok(out.every((line) => !line.startsWith('page.md')));
    const again = await runInMemory(['check', '--fix'], { files: written });
    assert.deepEqual(again.written, {});
  });

  const script = {
    'logs.sh':
      "kubectl get pods -l 'a===b'\nkubectl label pods web 'my app=web'\nkubectl get pods -l 'app in web' # kept\n",
    Makefile: "logs:\n\tkubectl logs -l 'a===b'\n",
    Dockerfile: 'RUN kubectl get pods -l "a===b"\n',
    'good.yaml': goodPrices,
  };
  const right = {
    'logs.sh':
      "kubectl get pods -l 'a==b'\nkubectl label pods web 'my-app=web'\nkubectl get pods -l 'app in (web)' # kept\n",
    Makefile: "logs:\n\tkubectl logs -l 'a==b'\n",
    Dockerfile: 'RUN kubectl get pods -l "a==b"\n',
  };

  it('changes commands only if unsafe fixes are requested, because selectors may match something else', async () => {
    assert.deepEqual((await runInMemory(['check', '--fix'], { files: script })).written, {});
    const { written, out } = await runInMemory(['check', '--fix', '--unsafe-fixes'], { files: script });
    assert.deepEqual(written, right);
    assert.ok(out.every((line) => !line.includes('selector-syntax')));
  });

  it('shows the changes without making them', async () => {
    const words = ['check', '--fix', '--unsafe-fixes', '--dry-run'];
    const { written, out } = await runInMemory(words, { files: script });
    assert.deepEqual(written, {});
    assert.ok(out.includes("-kubectl get pods -l 'a===b'") && out.includes("+kubectl get pods -l 'a==b'"));
    assert.deepEqual((await runInMemory(words, { files: right })).out, []);
  });
});

describe('safe fixes that check --fix does not apply', () => {
  const broken = { 'twice.yaml': twice, '.selector-lens.yaml': 'rules: { duplicate-key: loud }\n' };

  it('are listed with the reason', async () => {
    for (const words of [['--fix'], ['--fix', '--dry-run']]) {
      const { err, written } = await runInMemory(['check', ...words], { files: broken });
      assert.deepEqual(written, {});
      assert.match(
        err.join('\n'),
        /Not applied: safe fixes of 3 findings in twice\.yaml: the '\.selector-lens\.yaml' .*has errors\./,
      );
    }
  });

  it('include unsafe fixes if these are requested', async () => {
    const bad = { 'bad.yaml': badPrices, 'words.yaml': badPrices.replace('🦊 a', 'a b') };
    const { err } = await runInMemory(['check', '--fix', '--unsafe-fixes'], { files: bad });
    assert.deepEqual(
      err.filter((line) => line.includes('Not applied')),
      [
        'selector-lens: Not applied: fixes of 1 finding in bad.yaml: no fix is preferred, or the fixes change other files.',
      ],
    );
  });

  it('are not those in kustomizations without objects', async () => {
    const kustomization =
      'kind: Kustomization\napiVersion: kustomize.config.k8s.io/v1beta1\ncommonLabels:\n  count: 1\n';
    const { err, written } = await runInMemory(['check', '--fix'], { files: { 'kustomization.yaml': kustomization } });
    assert.match(written['kustomization.yaml'] ?? '', /count: "1"/);
    assert.deepEqual(err, ['Fixed 1 finding in 1 file.']);
  });

  it('are as many as JSON offers', async () => {
    for (const other of [broken, files]) {
      const { json, err } = await runInMemory(['check', '--fix', '--format', 'json'], { files: other });
      const { diagnostics } = json as { diagnostics: readonly { fixes: readonly { safe: boolean }[] }[] };
      const offered = diagnostics.filter(({ fixes }) => fixes.some(({ safe }) => safe)).length;
      const listed = [...err.join('\n').matchAll(/safe fixes of (\d+) finding/g)];
      assert.equal(
        listed.reduce((sum, [, count]) => sum + Number(count), 0),
        offered,
      );
    }
  });

  it('are not listed if only other rules are reported', async () => {
    const { err } = await runInMemory(['check', '--fix', '--rule', 'selects-nothing'], { files: broken });
    assert.doesNotMatch(err.join('\n'), /Not applied/);
  });
});

describe('check --fix --dry-run', () => {
  it('shows a diff, changes nothing, and exits as the check does', async () => {
    const { code, out, err, written } = await runInMemory(['check', '--fix', '--dry-run'], { files });
    assert.deepEqual([code, written], [1, {}]);
    assert.deepEqual(out.slice(0, 3), ['--- a/twice.yaml', '+++ b/twice.yaml', '@@ -4,5 +4,5 @@']);
    assert.ok(out.includes('-    count: 1   # kept') && out.includes('+    count: "1"   # kept'), out.join('\n'));
    assert.match(err.join(), /^Would fix /);
  });

  it('reports that there is nothing to fix', async () => {
    const { code, out, err } = await runInMemory(['check', '--fix', '--dry-run'], {
      files: { 'good.yaml': goodPrices },
    });
    assert.deepEqual({ code, out, err }, { code: 0, out: [], err: ['No safe fixes.'] });
  });

  it('escapes terminal commands, and nothing else', async () => {
    const evil = { 'a.yaml': twice.replace('1   # kept', '1   # \u001B]0;evil\u0007') };
    const shown = await runInMemory(['check', '--fix', '--dry-run'], { files: evil, columns: 80 });
    assert.ok(!shown.out.join('').includes('\u001B'));
    const written = await runInMemory(['check', '--fix', '--dry-run'], { files: evil });
    assert.ok(written.out.join('').includes('\u001B]0;evil'));
  });

  it('supports standard input', async () => {
    const standardInput = { text: twice };
    const { out } = await runInMemory(['check', '--fix', '--dry-run', '-'], { standardInput });
    assert.equal(out[0], '--- a/-');
  });
});
