/** The changes since a base after any edits are those of a comparison without an earlier one. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { changesSince } from '../../server/src/features/pages/changes.ts';
import { Session } from '../../server/src/session.ts';
import type { Base, Side } from '../../server/src/workspace/base.ts';
import type { LiveWorkspace } from '../../server/src/workspace/live/live-workspace.ts';
import { TestLog } from '../harness/bench.ts';
import { MemoryFiles } from '../harness/memory-files.ts';

const folder = 'file:///work';

interface Choice {
  readonly app: string;
  readonly key: string;
  readonly lines: number;
  readonly isThere: boolean;
}

const deployment = (name: string, { app, key }: Choice) =>
  `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: ${name}}\nspec:\n  selector:\n    matchLabels: {${key}: ${app}}\n  template:\n    metadata:\n      labels: {${key}: ${app}}\n`;
const service = (name: string, { app, key }: Choice) =>
  `apiVersion: v1\nkind: Service\nmetadata: {name: ${name}}\nspec:\n  selector: {${key}: ${app}}\n`;

/** By name. */
const files: Readonly<Record<string, (choice: Choice) => string>> = {
  'base/kustomization.yaml': ({ isThere }) => `resources: [web.yaml, ${isThere ? 'service.yaml' : ''}]\n`,
  'base/web.yaml': (choice) => `${deployment('web', choice)}---\n${deployment('other', { ...choice, app: 'other' })}`,
  'base/service.yaml': (choice) => service('web', choice),
  'dev/kustomization.yaml': ({ app, isThere }) =>
    `resources: [../base]\nnamePrefix: dev-\n${isThere ? `commonLabels: {team: ${app}}\n` : ''}`,
  'prod/kustomization.yaml': () =>
    'resources: [../base]\npatches: [{path: patch.yaml}]\nconfigurations: [fields.yaml]\n',
  'prod/patch.yaml': ({ app, key }) =>
    `apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  selector: {${key}: ${app}}\n`,
  'prod/fields.yaml': () => 'namePrefix: []\n',
  'plain/web.yaml': (choice) => deployment('plain', choice),
  'plain/service.yaml': (choice) => (choice.isThere ? service('plain', choice) : 'a: b\n'),
};
const names = Object.keys(files);

const choice: fc.Arbitrary<Choice> = fc.record({
  app: fc.constantFrom('web', 'site'),
  key: fc.constantFrom('app', 'app', 'component'),
  lines: fc.nat({ max: 2 }),
  isThere: fc.boolean(),
});

const textOf = (name: string, chosen: Choice) => `${'\n'.repeat(chosen.lines)}${files[name]?.(chosen) ?? ''}`;

function sideOf(workspace: LiveWorkspace, texts: ReadonlyMap<string, string>): Side {
  return {
    workspace: workspace.snapshot(),
    catalogueOf: (uri) => workspace.catalogueOf(uri),
    textOf: (uri) => texts.get(uri),
  };
}

describe('the changes since a base', () => {
  it('equal those of a new comparison after any edits of both states', async () => {
    const step = fc.record({ name: fc.constantFrom(...names), chosen: choice, isBase: fc.boolean() });
    const start = fc.array(choice, { minLength: names.length, maxLength: names.length });
    let found = 0;
    await fc.assert(
      fc.asyncProperty(start, fc.array(step, { minLength: 1, maxLength: 8 }), async (chosen, steps) => {
        const texts = new Map(
          names.map((name, index) => [`${folder}/${name}`, textOf(name, chosen[index] as Choice)] as const), // one for each
        );
        const [nowFiles, oldFiles] = [new MemoryFiles(texts), new MemoryFiles(texts)];
        const session = new Session({ catalogue, log: new TestLog() });
        const ignored = () => undefined;
        await session.workspace.load(nowFiles, [folder], ignored, () => false);
        const fork = session.workspace.clone();
        const client = {};
        for (const { name, chosen: other, isBase } of steps) {
          const uri = `${folder}/${name}` as const;
          const source = isBase ? oldFiles : nowFiles;
          source.texts.set(uri, textOf(name, other));
          await (isBase ? fork : session.workspace).refresh(source, [{ uri, gone: false }]);
          const changed = new Set(names.map((each) => `${folder}/${each}`));
          const side = sideOf(fork, oldFiles.texts);
          const now = sideOf(session.workspace, nowFiles.texts);
          const base: Base = { name: 'HEAD', side, textNow: ignored, changed, client };
          const { client: _, ...alone } = base;
          const incremental = changesSince({ base, now });
          found += incremental.scopes.length;
          assert.deepEqual(incremental, changesSince({ base: alone, now }));
        }
      }),
      { numRuns: 150 },
    );
    assert.ok(found > 0, 'nothing ever changed');
  });

  /** The messages after each edit of a workspace, which is compared with the first texts. */
  async function messagesAfter(
    texts: Readonly<Record<string, string>>,
    edits: readonly (readonly [name: string, before: string, after: string])[],
  ): Promise<readonly (readonly string[])[]> {
    const first = new Map(Object.entries(texts).map(([name, text]) => [`${folder}/${name}`, text] as const));
    const current = new MemoryFiles(first);
    const { workspace } = new Session({ catalogue, log: new TestLog() });
    const ignored = () => undefined;
    await workspace.load(current, [folder], ignored, () => false);
    const changed = new Set(first.keys());
    const base: Base = { name: 'HEAD', side: sideOf(workspace.clone(), first), textNow: ignored, changed, client: {} };
    const found: (readonly string[])[] = [];
    for (const [name, before, after] of edits) {
      const uri = `${folder}/${name}`;
      current.texts.set(uri, current.texts.get(uri)?.replace(before, after) ?? '');
      await workspace.refresh(current, [{ uri, gone: false }]);
      const { scopes } = changesSince({ base, now: sideOf(workspace, current.texts) });
      found.push(scopes.flatMap(({ groups }) => groups.flatMap(({ items }) => items.map(({ message }) => message))));
    }
    return found;
  }

  it('follow the labels of a Namespace in another scope', async () => {
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop, labels: {app: api}}\n';
    const policy = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: web, namespace: bank}
spec:
  podSelector: {}
  ingress:
  - from: [{namespaceSelector: {matchLabels: {team: red}}, podSelector: {matchLabels: {app: web}}}]
`;
    const texts = {
      'cluster/shop.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {team: red}}\n',
      'app/kustomization.yaml': 'resources: [pod.yaml, policy.yaml]\n',
      'app/pod.yaml': pod,
      'app/policy.yaml': policy,
    };
    const gained = ['NetworkPolicy/web in bank now allows connections from Pod/web in shop.'];
    assert.deepEqual(
      await messagesAfter(texts, [
        ['app/pod.yaml', 'app: api', 'app: web'],
        ['cluster/shop.yaml', 'team: red', 'team: blue'],
        ['cluster/shop.yaml', 'team: blue', 'team: red'],
      ]),
      [gained, [], gained],
    );
    const selected = { ...texts, 'app/pod.yaml': pod.replace('app: api', 'app: web') };
    assert.deepEqual(await messagesAfter(selected, [['cluster/shop.yaml', 'team: red', 'team: blue']]), [
      ['NetworkPolicy/web in bank no longer allows connections from Pod/web in shop.'],
    ]);
  });
});
