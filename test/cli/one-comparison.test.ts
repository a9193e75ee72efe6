/** Tests that `review`, `diff`, `impact`, `check --base` and the view of the changes since HEAD state the same changes. */
import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { changesSince } from '../../server/src/features/pages/changes.ts';
import { Session } from '../../server/src/session.ts';
import type { Side } from '../../server/src/workspace/base.ts';
import { TestLog } from '../harness/bench.ts';
import { MemoryFiles } from '../harness/memory-files.ts';
import { service, web } from './manifests.ts';
import { home, runInMemory } from './memory-world.ts';

type Files = Readonly<Record<string, string>>;

const budget = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {tier: pod}}
`;
const policy = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web, namespace: shop}
spec:
  podSelector: {matchLabels: {app: web}}
`;
const job = (name: string) => `apiVersion: batch/v1
kind: Job
metadata: {name: load, namespace: shop}
spec:
  template:
    metadata: {labels: {job: load}}
    spec:
      restartPolicy: Never
      containers: [{name: a, image: a, envFrom: [{configMapRef: {name: ${name}}}]}]
`;
const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\n';
const keyed = job('settings').replace(
  /envFrom: .*/,
  'env: [{name: MODE, valueFrom: {configMapKeyRef: {name: settings, key: mode}}}]}]',
);
const mounting = (volumes: string) =>
  `${web}    spec: {${volumes}containers: [{name: a, image: a, volumeMounts: [{name: d, mountPath: /d}]}]}\n`;
const ported = (port: string): Files => ({
  'web.yaml': `${web}    spec: {containers: [{name: a, image: a, ports: [{name: ${port}, containerPort: 80}]}]}\n`,
  'service.yaml': `${service}  ports: [{port: 80, targetPort: http}]\n`,
});
const plain = { 'web.yaml': web, 'service.yaml': service, 'budget.yaml': budget, 'policy.yaml': policy };
const build = (base: Files, ...overlays: readonly (readonly [name: string, fields: string])[]): Files => ({
  ...Object.fromEntries(Object.entries(base).map(([path, text]) => [`base/${path}`, text])),
  'base/kustomization.yaml': `resources: [${Object.keys(base).join(', ')}]\n`,
  ...Object.fromEntries(
    overlays.map(([name, fields]) => [`${name}/kustomization.yaml`, `resources: [../base]\n${fields}`]),
  ),
});
const unlabelled = web.replace('tier: pod', 'tier: back');
const reselected = web
  .replaceAll('app: web\n      ', 'app: wob\n      ')
  .replace('matchLabels:\n      app: web', 'matchLabels:\n      app: wob');
const without = (files: Files, path: string): Files =>
  Object.fromEntries(Object.entries(files).filter(([each]) => each !== path));

const changes: Readonly<Record<string, readonly [old: Files, fresh: Files]>> = {
  'of a label of the pods': [plain, { ...plain, 'web.yaml': unlabelled }],
  'of a selector': [plain, { ...plain, 'service.yaml': service.replace(/app: web\n$/, 'app: wob\n') }],
  'of an immutable selector': [plain, { ...plain, 'web.yaml': reselected }],
  'that removes a policy': [plain, without(plain, 'policy.yaml')],
  'that adds a budget': [without(plain, 'budget.yaml'), plain],
  'that removes what a Job reads': [
    { ...plain, 'job.yaml': job('settings'), 'settings.yaml': settings },
    { ...plain, 'job.yaml': job('settings') },
  ],
  'of the name that a Job reads': [
    { ...plain, 'job.yaml': job('settings'), 'settings.yaml': settings },
    { ...plain, 'job.yaml': job('setting'), 'settings.yaml': settings },
  ],
  'of a base': [
    build(plain, ['a', 'namePrefix: a-\n'], ['b', 'namespace: b\n']),
    build({ ...plain, 'web.yaml': unlabelled }, ['a', 'namePrefix: a-\n'], ['b', 'namespace: b\n']),
  ],
  'of the labels of an overlay': [
    build(plain, ['a', 'commonLabels: {team: a}\n']),
    build(plain, ['a', 'commonLabels: {team: b}\n']),
  ],
  'of a key that a Job reads': [
    { ...plain, 'job.yaml': keyed, 'settings.yaml': `${settings}data: {mode: a}\n` },
    { ...plain, 'job.yaml': keyed, 'settings.yaml': `${settings}data: {MODE: a}\n` },
  ],
  'of a port that a Service targets': [ported('http'), ported('web')],
  'of a volume that a container mounts': [
    { 'web.yaml': mounting('volumes: [{name: d}], ') },
    { 'web.yaml': mounting('') },
  ],
  'by which a template no longer matches its own selector': [
    plain,
    { ...plain, 'web.yaml': web.replace(/(template:.*?app:) web/s, '$1 wob') },
  ],
  'after which a file has a syntax error': [plain, { ...plain, 'service.yaml': service.replace('spec:', 'spec: [') }],
  'of text only': [plain, { ...plain, 'web.yaml': `# A comment.\n${web}` }],
};

/** A change as all interfaces can state it. */
type Stated = readonly [kind: string, owner: string, path: string, target: string];

interface Named {
  readonly kind: string;
  readonly name: string;
  readonly namespace?: string | undefined;
}

const nameOf = (named: Named | undefined) =>
  named === undefined ? '' : `${named.namespace ?? ''}/${named.kind}/${named.name}`;

function sorted(stated: readonly Stated[]): readonly string[] {
  return [...new Set(stated.map((each) => each.join(' ')))].toSorted();
}

interface Change {
  readonly kind: string;
  readonly owner: Named;
  readonly path: string;
  readonly target?: Named;
}

async function ofCommand(
  command: 'diff' | 'review',
  [old, fresh]: readonly [Files, Files],
): Promise<readonly Stated[]> {
  const words = [command, 'main', '--format', 'json'];
  const { json } = await runInMemory(words, { files: fresh, repositories: [home], commits: { main: old } });
  return statedIn(json);
}

function statedIn(json: unknown): readonly Stated[] {
  const { changes: found } = json as { readonly changes: readonly Change[] }; // by its schema
  return found.map(({ kind, owner, path, target }) => [kind, nameOf(owner), path, nameOf(target)]);
}

/** Returns the changes that `impact` states if the fresh state is proposed for the old one. */
async function ofImpact([old, fresh]: readonly [Files, Files]): Promise<readonly Stated[]> {
  const paths = Object.keys({ ...old, ...fresh }).filter((path) => old[path] !== fresh[path]);
  const proposal = { files: paths.map((path) => ({ path, text: fresh[path] ?? null })) };
  const standardInput = { text: JSON.stringify(proposal) };
  const { json } = await runInMemory(['impact', '-', '--format', 'json'], { files: old, standardInput });
  return statedIn(json);
}

async function sideOf(files: Files): Promise<Side> {
  const session = new Session({ catalogue, log: new TestLog() });
  const texts = new Map(Object.entries(files).map(([path, text]) => [`file://${home}/${path}`, text]));
  await session.workspace.load(
    new MemoryFiles(texts),
    [`file://${home}`],
    () => undefined,
    () => false,
  );
  return {
    workspace: session.snapshot(),
    catalogueOf: (uri) => session.workspace.catalogueOf(uri),
    textOf: (uri) => texts.get(uri),
  };
}

async function ofView([old, fresh]: readonly [Files, Files]): Promise<readonly Stated[]> {
  const now = await sideOf(fresh);
  const base = { name: 'HEAD', side: await sideOf(old), textNow: now.textOf };
  return changesSince({ base, now }).scopes.flatMap(({ groups }) =>
    groups.flatMap(({ kind, items }) =>
      items.map(
        ({ object, path, target }): Stated => [
          kind === 'recreate' ? 'immutable' : kind,
          nameOf(object),
          path,
          nameOf(target),
        ],
      ),
    ),
  );
}

/** The rules of `check --base`, by the changes that they report. */
const rules: Readonly<Record<string, string>> = {
  'immutable-selector-changed': 'immutable',
  'immutable-field-changed': 'immutable',
  'match-lost': 'lost',
  // It replaces the finding about the loss if nothing else matches.
  'selects-nothing': 'lost',
};

async function ofCheck([old, fresh]: readonly [Files, Files]): Promise<readonly string[]> {
  const words = ['check', '--base', 'main', '--severity', 'hint', '--format', 'json'];
  const { json } = await runInMemory(words, { files: fresh, repositories: [home], commits: { main: old } });
  const { diagnostics } = json as { readonly diagnostics: readonly { readonly rule: string }[] }; // by its schema
  return [...new Set(diagnostics.flatMap(({ rule }) => rules[rule] ?? []))].toSorted();
}

describe('the changes of two states', () => {
  for (const [title, trees] of Object.entries(changes))
    it(`are the same in the review, the diff, the impact, the check and the view: a change ${title}`, async () => {
      const diff = await ofCommand('diff', trees);
      assert.deepEqual(sorted(await ofCommand('review', trees)), sorted(diff));
      assert.deepEqual(sorted(await ofView(trees)), sorted(diff));
      assert.deepEqual(sorted(await ofImpact(trees)), sorted(diff));
      const [, fresh] = trees;
      // A check reports a loss only at an edit of the selector or of the labels, not if an object is new or gone.
      const isEdited = ([kind, , , target]: Stated) =>
        kind === 'immutable' ||
        (kind === 'lost' && Object.keys(fresh).length === Object.keys(trees[0]).length && target !== '');
      const kinds = new Set(diff.filter(isEdited).map(([kind]) => kind));
      assert.deepEqual(await ofCheck(trees), [...kinds].toSorted());
    });
});
