/** The index of the objects around a selector finds the same objects as a comparison with each of them. */

import assert from 'node:assert/strict';
import { subjectOf } from '../../bench/growth-operations.ts';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { underOtherKey } from '../../server/src/rules/helpers/labels-elsewhere.ts';
import { namesakeOf } from '../../server/src/rules/helpers/namesake.ts';
import type { NearMiss } from '../../server/src/rules/helpers/near-miss.ts';
import { uniqueNearMiss } from '../../server/src/rules/helpers/unique-near-miss.ts';
import type { ObjectInFile } from '../../server/src/workspace/model.ts';
import { neighbours } from '../../server/src/workspace/selection/around.ts';
import { type CandidatesAround, candidatesAround } from '../../server/src/workspace/selection/candidates-around.ts';
import { Comparisons } from '../../server/src/workspace/selection/comparison-budget.ts';
import { effectiveSelector } from '../../server/src/workspace/selection/effective-selector.ts';
import { nearMissesOf } from '../../server/src/workspace/selection/near-misses.ts';
import { byDistance } from '../../server/src/workspace/selection/nearness.ts';
import { selectionOf } from '../../server/src/workspace/selection/selection.ts';
import { campaignRuns } from '../campaigns/scale.ts';

type Next = (limit: number) => number;

function random(seed: number): Next {
  let state = seed;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const keys = ['app', 'ap', 'app.kubernetes.io/name', 'tier', 'tiers', 'component', 'name'];
const words = [
  'web',
  'webshop',
  'webshops',
  'web-1',
  'web-2',
  'basket',
  'baskte',
  'cache-ro',
  'cache-rw',
  'payments',
  '"true"',
];

const oneOf = (next: Next, list: readonly string[]): string => list[next(list.length)] ?? '';

/** Returns labels in which one value in ten is from a template, which the parser cannot know. */
function labels(next: Next, most: number): string {
  const chosen = new Set(Array.from({ length: 1 + next(most) }, () => oneOf(next, keys)));
  return [...chosen].map((key) => `${key}: ${next(10) === 0 ? '{{ .Values.x }}' : oneOf(next, words)}`).join('\n');
}

const indented = (text: string, by: number): string => text.replaceAll(/^/gm, ' '.repeat(by));

function selectorOf(next: Next): string {
  if (next(3) > 0) return `matchLabels:\n${indented(labels(next, 2), 2)}`;
  const operator = oneOf(next, ['Exists', 'DoesNotExist', 'In', 'NotIn']);
  const values = operator.endsWith('n') ? `, values: [${oneOf(next, words)}, ${oneOf(next, words)}]` : '';
  return `matchExpressions: [{key: ${oneOf(next, keys)}, operator: ${operator}${values}}]`;
}

function workspaceOf(next: Next) {
  const budgets = Array.from(
    { length: 12 },
    (_, number) =>
      `apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: ${oneOf(next, words)}-${number}}\nspec:\n  selector:\n${indented(selectorOf(next), 4)}\n`,
  );
  const workloads = Array.from(
    { length: 60 },
    (_, number) =>
      `apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: ${oneOf(next, words)}-${number % 20}\n  namespace: ${oneOf(next, ['shop', 'other'])}\n  labels:\n${next(9) === 0 ? indented(labels(next, 2), 4) : '    x: y'}\nspec:\n  template:\n    metadata:\n      labels:\n${indented(labels(next, 3), 8)}\n`,
  );
  return subjectOf([
    ['a.yaml', budgets.join('---\n')],
    ['b.yaml', workloads.join('---\n')],
  ]);
}

const named = (near: NearMiss | undefined) =>
  near &&
  `${near.by} ${near.miss.object.name?.text} ${near.miss.object.kindSpan.start} ${JSON.stringify(near.correction)}`;

describe('An index of the objects around a selector', () => {
  it('finds the same near misses as a comparison with each object', async function () {
    this.timeout(3_600_000);
    let found = 0;
    for (let seed = 1; seed <= campaignRuns(500); seed++) {
      const { session } = await workspaceOf(random(seed));
      const workspace = session.snapshot();
      const file = [...workspace.files.values()].find(({ uri }) => uri.endsWith('a.yaml'));
      assert.ok(file);
      for (const object of file.manifest.objects) {
        const where: ObjectInFile = { file, object };
        const [site] = object.selectorSites;
        const selector = site && effectiveSelector(site);
        if (site === undefined || selector === undefined) continue;
        const around = candidatesAround(workspace, catalogue, where, site);
        const each: CandidatesAround = { ...around, filter: (isWanted) => around.filter(isWanted) };
        const context = { workspace, catalogue, comparisons: new Comparisons() };
        const [indexed, compared] = [around, each].map((candidates) => [
          named(uniqueNearMiss(context, where, site, selector, candidates, () => true)),
          named(underOtherKey(selector, candidates)),
          named(namesakeOf(where, selector, candidates)),
          named(namesakeOf(where, selector, candidates, () => 'web')),
        ]);
        assert.deepEqual(indexed, compared, `${seed} ${JSON.stringify(selector)}`);
        found += indexed?.filter((one) => one !== undefined).length ?? 0;
      }
    }
    assert.ok(found > 10, `${found}`);
  });

  it('finds the same closest objects as a comparison with each object', async function () {
    this.timeout(3_600_000);
    let found = 0;
    for (let seed = 1; seed <= campaignRuns(500); seed++) {
      const { session } = await workspaceOf(random(1_000 + seed));
      const workspace = session.snapshot();
      const [file] = [...workspace.files.values()].filter(({ uri }) => uri.endsWith('a.yaml'));
      assert.ok(file);
      const here = neighbours(workspace, workspace.scopes().filesAround(file.uri), ['/Pod']);
      for (const object of file.manifest.objects) {
        const [site] = object.selectorSites;
        const selector = site && effectiveSelector(site);
        if (site === undefined || selector === undefined) continue;
        const { nearMisses } = selectionOf(workspace, catalogue, { file, object }, site);
        const compared = nearMissesOf({ workspace, selector, here, outOfReach: [], nearest: byDistance(file.uri) });
        assert.deepEqual(
          nearMisses.map(({ id, reasons }) => [id.object, reasons]),
          compared.map(({ id, reasons }) => [id.object, reasons]),
          `${seed} ${JSON.stringify(selector)}`,
        );
        found += nearMisses.length;
      }
    }
    assert.ok(found > 20, `${found}`);
  });
});
