/** Tests that the diagnostics of a workspace with GitOps objects that share a cluster equal those of a full check, also those about changes since HEAD. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { folder, Watched } from './watched-problems.ts';

interface Choice {
  readonly app: string;
  readonly tier: string;
  readonly team: string;
}

const flux = (name: string, path: string) => `---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec: {interval: 10m, prune: true, path: ./${path}, sourceRef: {kind: GitRepository, name: fleet}}
`;

const deployment = (name: string, { app, tier }: Choice) => `---
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}, namespace: shop}
spec:
  selector: {matchLabels: {name: ${name}}}
  template:
    metadata: {labels: {name: ${name}, app: ${app}, tier: ${tier}}}
    spec: {containers: [{name: main, image: example.com/main}]}
`;

/** Files by path. Each contains objects with the same names for every choice, since a new name causes a full check. */
const files: Readonly<Record<string, (choice: Choice) => string>> = {
  'clusters/prod/kustomization.yaml': () => 'resources: [all.yaml]\n',
  'clusters/prod/all.yaml': () => ['web', 'network', 'teams'].map((name) => flux(name, name)).join(''),
  'clusters/dev/kustomization.yaml': () => 'resources: [all.yaml]\n',
  'clusters/dev/all.yaml': () => ['web', 'network'].map((name) => flux(name, name)).join(''),
  'web/web.yaml': (choice) => deployment('web', choice),
  'web/service.yaml': ({ app }) => `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop, labels: {app: ${app}}}
spec: {selector: {app: ${app}}, ports: [{port: 80}]}
`,
  'network/services.yaml': ({ app, tier }) => `apiVersion: v1
kind: Service
metadata: {name: front, namespace: shop, labels: {app: ${app}}}
spec: {selector: {app: ${app}, tier: ${tier}}, ports: [{port: 80}]}
`,
  'network/policies.yaml': ({ app, tier, team }) => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: front, namespace: bank}
spec:
  podSelector: {matchLabels: {app: ${app}}}
  ingress: [{from: [{namespaceSelector: {matchLabels: {team: ${team}}}, podSelector: {matchLabels: {tier: ${tier}}}}]}]
`,
  'network/monitor.yaml': ({ app }) => `apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: all, namespace: bank}
spec: {selector: {matchLabels: {app: ${app}}}, namespaceSelector: {any: true}, endpoints: [{port: http}]}
`,
  'network/budget.yaml': ({ tier }) => `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: front, namespace: shop}
spec: {minAvailable: 1, selector: {matchLabels: {tier: ${tier}}}}
`,
  'teams/api.yaml': (choice) => deployment('api', choice),
  'teams/namespaces.yaml': ({ team }) => `apiVersion: v1
kind: Namespace
metadata: {name: shop, labels: {team: ${team}}}
---
apiVersion: v1
kind: Namespace
metadata: {name: bank, labels: {team: red}}
`,
};

const names = Object.keys(files);

const choice: fc.Arbitrary<Choice> = fc.record({
  app: fc.constantFrom('basket', 'baskets', 'cart'),
  tier: fc.constantFrom('front', 'frnot', 'rear'),
  team: fc.constantFrom('red', 'blue'),
});

/** Writes files in turn, and compares the diagnostics with those of a new check. */
async function assertUpdated(start: readonly Choice[], steps: readonly (readonly [name: string, Choice])[]) {
  const texts = new Map(
    names.flatMap((name, index) => {
      const each = start[index];
      return each === undefined ? [] : [[`${folder}/${name}`, files[name]?.(each) ?? ''] as const];
    }),
  );
  const watched = await (await new Watched(texts).load()).compareWith(texts);
  await watched.run();
  for (const [name, chosen] of steps) {
    await watched.write(`${folder}/${name}`, files[name]?.(chosen) ?? '');
    await watched.run();
  }
  const anew = await (await new Watched(watched.source.texts).load()).compareWith(texts);
  const sorted = (lines: ReadonlyMap<string, readonly string[]>) => [...lines].toSorted();
  const expected = sorted(await anew.run());
  assert.deepEqual(sorted(watched.ofOpenFiles()), expected, 'open files');
  assert.deepEqual(sorted(watched.found), expected);
  return expected.flatMap(([, lines]) => lines);
}

describe('the problems of a workspace with clusters', () => {
  const all = (each: Choice) => names.map(() => each);
  const [front, rear] = (['front', 'rear'] as const).map((tier) => ({ app: 'cart', tier, team: 'red' }));

  it('no longer contain a lost match after an edit of the selector in another GitOps object', async () => {
    assert.ok(front !== undefined && rear !== undefined);
    const isLost = (line: string) =>
      line.includes('match-lost') && /Service\/front .*Deployment\/web|Deployment\/web .*Service\/front/.test(line);
    const lost = await assertUpdated(all(front), [['web/web.yaml', rear]]);
    assert.ok(lost.some(isLost), lost.join('\n'));
    const found = await assertUpdated(all(front), [
      ['web/web.yaml', rear],
      ['network/services.yaml', rear],
    ]);
    assert.ok(!found.some(isLost), found.join('\n'));
  });

  it('equal those of a new check after any changes', async () => {
    const start = fc.array(choice, { minLength: names.length, maxLength: names.length });
    const step = fc.tuple(fc.constantFrom(...names), choice);
    let found = 0;
    await fc.assert(
      fc.asyncProperty(start, fc.array(step, { minLength: 1, maxLength: 5 }), async (chosen, steps) => {
        found += (await assertUpdated(chosen, steps)).length;
      }),
      { numRuns: 20 },
    );
    assert.ok(found > 0, 'nothing was ever found');
  });
});
