/** Tests that `check` reports the findings that the editor shows for the same files. */
import assert from 'node:assert/strict';
import { home, runInMemory } from '../cli/memory-world.ts';
import { type Bench, bench, benchOver, isAtBase, storyDay } from '../harness/bench.ts';
import { readStories } from '../harness/folders.ts';
import type { MarkedFile } from '../harness/margin.ts';

interface Found {
  readonly diagnostics: readonly {
    readonly rule: string;
    readonly severity: string;
    readonly file: string;
    readonly message: string;
    readonly range: { readonly start: { readonly line: number; readonly column: number } };
  }[];
}

/** `before` are the files that differ at HEAD. */
async function inTerminal(b: Bench, before: readonly MarkedFile[] = []): Promise<readonly string[]> {
  const files = Object.fromEntries(b.files.map(({ name, text }) => [name, text]));
  const old = Object.fromEntries(before.map(({ name, text }) => [name.slice('at-base/'.length), text]));
  const { json } = await runInMemory(['check', '--format', 'json', ...(before.length > 0 ? ['--base', 'HEAD'] : [])], {
    files,
    today: storyDay,
    commits: { HEAD: { ...files, ...old } },
    repositories: [home],
  });
  return (json as Found).diagnostics
    .map(({ rule, severity, file, message, range: { start } }) =>
      [file, `${start.line}:${start.column}`, severity, rule, message].join(' '),
    )
    .toSorted();
}

function inEditor(b: Bench): readonly string[] {
  return b.files
    .flatMap(({ name, text }) =>
      b.findings(name).map(({ rule, severity, message, span }) => {
        const before = text.slice(0, span.start).split('\n');
        return [name, `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`, severity, rule, message].join(' ');
      }),
    )
    .toSorted();
}

describe('check finds what the editor shows', () => {
  for (const { name, files } of readStories()) {
    it(`in the stories of ${name}`, async () => {
      const b = await benchOver(files, {});
      assert.deepEqual(await inTerminal(b, files.filter(isAtBase)), inEditor(b));
    });
  }

  const commands = `
    ==> deploy/web.yaml <==
    apiVersion: batch/v1
    kind: CronJob
    metadata:
      name: web
    spec:
      schedule: "* * * * *"
      jobTemplate:
        spec:
          template:
            spec:
              restartPolicy: Never
              containers:
                - name: wait
                  image: bitnami/kubectl
                  command: [kubectl, wait, pod, -l, "app in (web"]
                - name: get
                  image: alpine
                  args: ["sh", "-c", "kubectl get pods -l app=we!b"]
    ==> .github/workflows/build.yml <==
    on: push
    jobs:
      build:
        steps:
          - run: kubectl get pods -l 'app in (x'
          # selector-lens-disable-next-line selector-syntax: shown on purpose
          - run: kubectl get pods -l 'app=a=b'
    ==> README.md <==
    # Web

    \`\`\`sh
    kubectl get pods -l 'tier in (a,'
    \`\`\`
    ==> scripts/logs.sh <==
    kubectl logs -l 'app=web,=x'
    # selector-lens-disable-next-line selector-syntax
    kubectl logs -l '=x'
    # selector-lens-disable-next-line selector-syntax
    kubectl logs -l 'x'
    ==> Makefile <==
    pods:
    	kubectl get pods -l "app in"
    ==> notes.txt <==
    Nothing about selectors.
    ==> one.selector <==
    app in (
  `;

  it('in commands of manifests, workflows, scripts, Makefiles and pages', async () => {
    const b = await bench(commands);
    const found = await inTerminal(b);
    assert.deepEqual(found, inEditor(b));
    for (const { name } of b.files) {
      const isFound = found.some((line) => line.startsWith(`${name} `) && line.includes('selector-syntax'));
      assert.equal(isFound, name !== 'notes.txt', name);
    }
    assert.ok(found.some((line) => line.includes('unused-suppression')));
  });

  it('in a named script or page', async () => {
    const b = await bench(commands);
    const files = Object.fromEntries(b.files.map(({ name, text }) => [name, text]));
    for (const path of ['README.md', 'scripts/logs.sh', 'scripts', 'Makefile', 'one.selector']) {
      const { code, err, out } = await runInMemory(['check', path], { files });
      assert.deepEqual({ code, err }, { code: 1, err: [] }, path);
      assert.match(out.join('\n'), /\[selector-syntax\]/, path);
    }
  });

  it('and names paths on standard error that contain nothing to check', async () => {
    const b = await bench(commands);
    const files = Object.fromEntries(b.files.map(({ name, text }) => [name, text]));
    const { err } = await runInMemory(['check', 'deploy', 'notes.txt'], { files });
    assert.deepEqual(err, ['selector-lens: Without Kubernetes objects: notes.txt.']);
  });

  it('also with a cached report after a change of a script', async () => {
    const caches = new Map();
    const script = {
      'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n',
      'x.sh': 'kubectl get po -l a=b\n',
    };
    assert.equal((await runInMemory(['check'], { files: script, caches })).code, 0);
    const changed = { ...script, 'x.sh': 'kubectl get po -l a==\\!b\n' };
    assert.equal((await runInMemory(['check'], { files: changed, caches })).code, 1);
  });
});
