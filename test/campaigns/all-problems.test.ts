/**
 * Tests that the diagnostics of a workspace after a change equal those of a full check, and that few files are checked.
 */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { generateFiles } from '../../bench/generate-workspace.ts';
import { evaluate } from '../../server/src/engine/index.ts';
import { labeledObjectsOf } from '../../server/src/manifests/label-sets.ts';
import { kindKey } from '../../server/src/workspace/index/file-outline.ts';
import type { Workspace } from '../../server/src/workspace/model.ts';
import { effectiveSelector } from '../../server/src/workspace/selection/effective-selector.ts';
import { isWithin } from '../../server/src/workspace/uri.ts';
import { manyClusters } from '../cli/many-clusters.ts';
import { changesOfReferences, references } from '../cli/many-references.ts';
import { changed, changes, differing, type Files, pools } from '../cli/random-histories.ts';
import { folder, Watched } from '../features/watched-problems.ts';
import { campaignRuns } from './scale.ts';

const values = ['shop', 'shopp', 'basket', 'baskets', 'cart'];

interface Choice {
  readonly app: string;
  readonly own: string;
  readonly key: string;
  readonly comment: boolean;
}

/** Files by name; each contains objects with the same names for every choice, since a new name causes a full check. */
const files: Readonly<Record<string, (choice: Choice) => string>> = {
  'one/web.yaml': ({ app, own, key }) =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: web\n  labels: {app: ${own}}\nspec:\n  selector:\n    matchLabels: {${key}: ${app}}\n  template:\n    metadata:\n      labels: {${key}: ${app}, tier: ${own}}\n    spec:\n      containers: [{name: a, ports: [{name: ${own}, containerPort: 80}]}]\n`,
  'one/batch.yaml': ({ app, own }) =>
    `apiVersion: batch/v1\nkind: Job\nmetadata: {name: batch}\nspec:\n  template:\n    metadata:\n      labels: {app: ${app}, tier: ${own}}\n`,
  'one/service.yaml': ({ app, own, key }) =>
    `apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec:\n  selector: {${key}: ${app}}\n  ports: [{port: 80, targetPort: ${own}}]\n`,
  'one/budget.yaml': ({ app }) =>
    `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web}\nspec:\n  selector:\n    matchLabels: {app: ${app}}\n`,
  'one/other-budget.yaml': ({ own }) =>
    `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: other}\nspec:\n  selector:\n    matchLabels: {tier: ${own}}\n`,
  'one/kustomization.yaml': () => 'resources: [web.yaml, batch.yaml, service.yaml, budget.yaml, other-budget.yaml]\n',
  'two/web.yaml': ({ app, own }) =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: elsewhere}\nspec:\n  selector:\n    matchLabels: {app: ${app}}\n  template:\n    metadata:\n      labels: {app: ${app}, tier: ${own}}\n`,
  'three/kustomization.yaml': () => 'resources: [service.yaml, web.yaml]\npatches: [{path: patch.yaml}]\n',
  'three/service.yaml': ({ app }) =>
    `apiVersion: v1\nkind: Service\nmetadata: {name: patched}\nspec:\n  selector: {app: ${app}}\n`,
  'three/web.yaml': ({ own }) =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: third}\nspec:\n  selector:\n    matchLabels: {tier: ${own}}\n  template:\n    metadata:\n      labels: {tier: ${own}}\n`,
  'three/patch.yaml': () =>
    'apiVersion: v1\nkind: Service\nmetadata: {name: patched}\nspec:\n  selector: {app: cart}\n',
  'four/kustomization.yaml': () =>
    'resources: [web.yaml, service.yaml]\nlabels: [{pairs: {tier: cart}}]\nconfigurations: [fields.yaml]\nreplacements: [{path: copy.yaml}]\n',
  'four/web.yaml': () =>
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: cart}\nspec:\n  selector:\n    matchLabels: {app: cart}\n  template:\n    metadata:\n      labels: {app: cart}\n',
  'four/service.yaml': ({ own }) =>
    `apiVersion: v1\nkind: Service\nmetadata: {name: cart}\nspec:\n  selector: {app: ${own}}\n`,
  'four/fields.yaml': ({ key, app }) =>
    `labels: [{path: spec/${app === 'cart' ? 'selector' : key}, create: true, kind: Service}]\n`,
  'four/copy.yaml': ({ app }) =>
    `source: {kind: Deployment, fieldPath: metadata.name}\ntargets: [{select: {kind: Service}, fieldPaths: [spec.selector.${app === 'shop' ? 'app' : 'name'}], options: {create: true}}]\n`,
  'five/kustomization.yaml': () =>
    'resources: [web.yaml, service.yaml]\ntransformers:\n- |-\n  apiVersion: builtin\n  kind: PatchTransformer\n  metadata: {name: p}\n  path: ../six/label.yaml\n',
  'five/web.yaml': () =>
    'apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: five}\nspec:\n  selector:\n    matchLabels: {app: five}\n  template:\n    metadata:\n      labels: {app: five}\n',
  'five/service.yaml': ({ own }) =>
    `apiVersion: v1\nkind: Service\nmetadata: {name: five}\nspec:\n  selector: {app: five, tier: ${own}}\n`,
  'six/label.yaml': ({ app }) =>
    `apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: five}\nspec:\n  template:\n    metadata:\n      labels: {tier: ${app}}\n`,
  'two/service.yaml': ({ app, key }) =>
    `apiVersion: v1\nkind: Service\nmetadata: {name: elsewhere}\nspec:\n  selector: {${key}: ${app}}\n`,
};

const names = Object.keys(files);

const choice: fc.Arbitrary<Choice> = fc.record({
  app: fc.constantFrom(...values),
  own: fc.constantFrom(...values),
  key: fc.constantFrom('app', 'app', 'app', 'component'),
  comment: fc.boolean(),
});

function textOf(name: string, chosen: Choice): string {
  return `${chosen.comment ? '# said before\n\n' : ''}${files[name]?.(chosen) ?? ''}`;
}

describe('the problems of a workspace', () => {
  it('equal those of a new check after any changes', async () => {
    const step = fc.record({ name: fc.constantFrom(...names), chosen: choice });
    const start = fc.array(choice, { minLength: names.length, maxLength: names.length });
    let found = 0;
    await fc.assert(
      fc.asyncProperty(start, fc.array(step, { minLength: 1, maxLength: 6 }), async (chosen, steps) => {
        const texts = names.flatMap((name, index) => {
          const each = chosen[index];
          return each === undefined ? [] : [[`${folder}/${name}`, textOf(name, each)] as const];
        });
        const watched = await new Watched(texts).load();
        await watched.run();
        for (const { name, chosen: each } of steps) {
          await watched.write(`${folder}/${name}`, textOf(name, each));
          await watched.run();
        }
        const anew = await (await new Watched(watched.source.texts).load()).run();
        found += anew.size;
        const sorted = (lines: ReadonlyMap<string, readonly string[]>) => [...lines].toSorted();
        assert.deepEqual(sorted(watched.found), sorted(anew));
      }),
      { numRuns: 150 },
    );
    assert.ok(found > 0, 'nothing was ever found');
  });

  it('equal those of a new check after any changes in workspaces with kustomizations, charts and GitOps objects', async () => {
    const uriOf = (path: string) => `${folder}/${path}`;
    const loaded = (files: Files) => new Watched([...files].map(([path, text]) => [uriOf(path), text])).load();
    await fc.assert(
      fc.asyncProperty(pools, fc.array(changes, { minLength: 1, maxLength: 5 }), async (pool, steps) => {
        let now: Files = new Map(pool);
        const watched = await loaded(now);
        await watched.run();
        for (const made of steps) {
          const next = changed(now, pool, made);
          for (const path of differing(now, next)) {
            const text = next.get(path);
            await (text === undefined ? watched.delete(uriOf(path)) : watched.write(uriOf(path), text));
          }
          now = next;
          const anew = await (await loaded(now)).run();
          assert.deepEqual([...(await watched.run())].toSorted(), [...anew].toSorted());
        }
      }),
      { numRuns: campaignRuns(500) },
    );
  }).timeout(3_600_000);

  it('change in a GitOps object with the values that a template of its chart reads', async () => {
    const template = (value: string) =>
      `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: web}\ndata: {a: "{{ .Values.${value} }}"}\n`;
    const uri = `${folder}/web/templates/map.yaml`;
    const watched = await new Watched([
      [`${folder}/web/Chart.yaml`, 'apiVersion: v2\nname: web\nversion: 1.0.0\n'],
      [uri, template('replicas')],
      [
        `${folder}/argocd/web.yaml`,
        'apiVersion: argoproj.io/v1alpha1\nkind: Application\nmetadata: {name: web}\nspec: {source: {repoURL: https://git.example.com/shop.git, path: web, helm: {valuesObject: {replcias: 1}}}, destination: {namespace: shop}}\n',
      ],
    ]).load();
    const rules = async () =>
      [...(await watched.run()).values()].flat().filter((each) => each.includes('gitops-values'));
    assert.equal((await rules()).length, 1);
    await watched.write(uri, template('image'));
    assert.equal((await rules()).length, 0);
    await watched.write(uri, template('replicas'));
    assert.equal((await rules()).length, 1);
  });

  it('change with the objects to which others refer', async () => {
    const texts = Object.entries(references).map(([path, text]) => [`${folder}/${path}`, text] as const);
    for (const [what, path, before, after] of changesOfReferences) {
      const watched = await new Watched(texts).load();
      const [uri, text] = [`${folder}/${path}`, references[path] ?? ''];
      const first = await watched.run();
      await watched.write(uri, text.replaceAll(before, after));
      const changed = await new Watched([
        ...texts.filter(([each]) => each !== uri),
        [uri, text.replaceAll(before, after)],
      ]).load();
      assert.deepEqual(await watched.run(), await changed.run(), what);
      await watched.write(uri, text);
      assert.deepEqual(await watched.run(), first, what);
    }
  });

  it('change with the policies of other GitOps objects of the cluster', async () => {
    const texts = Object.entries(manyClusters).map(([path, text]) => [`${folder}/${path}`, text] as const);
    const watched = await new Watched(texts).load();
    const rules = async () => {
      const found = [...(await watched.run())].filter(([, lines]) => lines.some((each) => each.includes('policy-dns')));
      return found.map(([uri]) => uri.slice(folder.length + 1));
    };
    assert.deepEqual(await rules(), ['bank/api.yaml']);
    const uri = `${folder}/platform/policies.yaml`;
    const text = manyClusters['platform/policies.yaml'] ?? '';
    await watched.write(uri, text.replace('port: 53', 'port: 54'));
    assert.deepEqual((await rules()).toSorted(), ['bank/api.yaml', 'shop/policies.yaml']);
    await watched.write(uri, text);
    assert.deepEqual(await rules(), ['bank/api.yaml']);
  });

  it('change with the budgets and workloads of other GitOps objects of the cluster', async () => {
    const texts = Object.entries(manyClusters).map(([path, text]) => [`${folder}/${path}`, text] as const);
    const watched = await new Watched(texts).load();
    const rules = async () => {
      const all = [...(await watched.run())].flatMap(([uri, lines]) =>
        lines.filter((each) => each.includes('overlapping')).map(() => uri.slice(folder.length + 1)),
      );
      return all.toSorted();
    };
    const budgets = ['bank/budgets.yaml', 'shop/budget.yaml'];
    const workloads = ['bank/again.yaml', 'shop/api.yaml'];
    assert.deepEqual(await rules(), [...workloads, ...budgets].toSorted());
    const edit = async (path: string, from: string, to: string) => {
      const text = watched.source.texts.get(`${folder}/${path}`) ?? '';
      await watched.write(`${folder}/${path}`, text.replaceAll(from, to));
    };
    await edit('bank/budgets.yaml', 'tier: front', 'tier: fronts');
    assert.deepEqual(await rules(), workloads);
    await edit('shop/web.yaml', 'tier: front', 'tier: fronts');
    assert.deepEqual(await rules(), [...workloads, ...budgets].toSorted());
    await edit('bank/again.yaml', 'app: api', 'app: again');
    assert.deepEqual(await rules(), budgets);
    await edit('bank/again.yaml', 'app: again', 'app: api');
    assert.deepEqual(await rules(), [...workloads, ...budgets].toSorted());
  });

  it('are computed again, in a thousand files, only where one changed label can matter', async () => {
    const texts = generateFiles(1_000).map(({ path, text }) => [`${folder}/${path}`, text] as const);
    const watched = await new Watched(texts).load();
    const { session } = watched;
    await watched.run();
    const [uri, text] = texts.find(([name]) => name.endsWith('base/workload.yaml')) ?? ['', ''];
    const edited = (tier: string) => text.replace(/^( {8}tier: ).*$/m, `$1${tier}`);
    session.workspace.edit(uri, text);
    session.findings(uri);
    const all = selectorsOf(session.snapshot());
    assert.ok(all.length > 1_000, `${all.length} selectors`);

    const again = async (tier: string) => {
      const before = session.snapshot();
      const [updates, lookups] = [before.indexUpdates(), before.indexLookups()];
      session.workspace.edit(uri, edited(tier));
      session.findings(uri);
      const after = session.snapshot();
      // The cost of the open file: the file itself, and the lookups of its own selectors and labels by a few rules.
      assert.equal(after.indexUpdates() - updates, 1);
      assert.ok(after.indexLookups() - lookups < 50, `${after.indexLookups() - lookups} lookups`);
      await watched.run();
      return { affected: new Set(watched.checked), ...changedMatches(before, after, uri) };
    };

    // No selector matches this workload.
    const lonely = await again('worker');
    const few = all.filter(({ where }) => lonely.affected.has(where));
    assert.ok(few.length < 60, `${few.length} selectors`);
    assert.ok(lonely.otherwise.length > 0);
    sameProblems(watched, lonely.otherwise);

    // Policies of many teams allow this workload: only files with selectors that concern the label are checked.
    const wanted = await again('frontend');
    assert.ok(wanted.otherwise.length > few.length);
    sameProblems(watched, wanted.otherwise);
    const around = session.snapshot().scopes().filesAround(uri);
    const app = uri.slice(0, uri.indexOf('/base/'));
    const speaking = new Set(
      selectorsOf(session.snapshot()).flatMap(({ where, site }) => {
        const selector = effectiveSelector(site);
        return selector?.kind === 'all' && selector.requirements.some(({ key }) => key === 'tier') ? [where] : [];
      }),
    );
    const others = [...wanted.affected].filter(
      (where) => !(around.has(where) || isWithin(where, app) || speaking.has(where)),
    );
    // The check that first computes a result for all files depends on everything that it read for it.
    assert.ok(others.length <= 2, others.join(' '));
    // A policy that matches another workload remains correct, whether it matches this one or not.
    const more = wanted.affected.size - lonely.affected.size;
    assert.ok(more <= 2, `${more} files`);
  });
});

/** Asserts that the problems of closed files among some files are those of a new check. */
function sameProblems(watched: Watched, uris: readonly string[]): void {
  const fresh = watched.ofOpenFiles(uris);
  const closed = uris.filter((uri) => !watched.session.workspace.isOpen(uri));
  assert.ok(closed.length > 0);
  for (const uri of closed) assert.deepEqual(watched.found.get(uri), fresh.get(uri), uri);
}

function selectorsOf(workspace: Workspace) {
  return [...workspace.files].flatMap(([where, file]) =>
    file.manifest.objects.flatMap(({ selectorSites }) => selectorSites.map((site) => ({ where, site }))),
  );
}

/** Returns the files with a selector that matches the objects of a file differently in two states, by evaluating every selector. */
function changedMatches(before: Workspace, after: Workspace, uri: string) {
  const labeledObjectsIn = (workspace: Workspace) =>
    workspace.files.get(uri)?.manifest.objects.flatMap(labeledObjectsOf) ?? [];
  const [was, is] = [labeledObjectsIn(before), labeledObjectsIn(after)];
  const otherwise: string[] = [];
  for (const { where, site } of selectorsOf(after)) {
    const selector = effectiveSelector(site);
    if (selector?.kind !== 'all') continue;
    const kinds = new Set(site.fact.targets.map(kindKey));
    const answers = (labeledObjects: typeof was) =>
      labeledObjects.filter(({ target }) => kinds.has(kindKey(target))).map((each) => evaluate(selector, each));
    const [then, now] = [answers(was), answers(is)];
    if (`${then}` !== `${now}`) otherwise.push(where);
  }
  return { otherwise };
}
