/** Tests that `impact` reports exactly the findings that checks without and with the proposal differ by. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { campaignRuns } from '../campaigns/scale.ts';
import { service, web } from './manifests.ts';
import { manyApplications, manyFluxes } from './many-gitops.ts';
import { manyNames } from './many-names.ts';
import { manyNamespaces } from './many-namespaces.ts';
import { manyScopes } from './many-scopes.ts';
import { manySiblings, manyStructures } from './many-structures.ts';
import { runInMemory } from './memory-world.ts';
import { changeKinds, changeOne, nameKinds, related, visibleKinds } from './random-changes.ts';
import { structureKinds } from './structure-changes.ts';

type Files = ReadonlyMap<string, string>;

interface Finding {
  readonly file: string;
  readonly rule: string;
  readonly message: string;
  readonly fingerprint: string;
}

interface Proposed {
  readonly path: string;
  readonly text: string | null;
}

async function findingsIn(files: Files, paths: readonly string[]): Promise<readonly Finding[]> {
  const { json } = await runInMemory(['check', '--format', 'json', ...paths], { files: Object.fromEntries(files) });
  const { diagnostics } = json as { readonly diagnostics: readonly Finding[] }; // docs/schemas/check.schema.json
  return diagnostics.filter(({ file }) => !file.endsWith('.sh'));
}

async function impactOf(files: Files, proposal: readonly Proposed[]) {
  const standardInput = { text: JSON.stringify({ files: proposal }) };
  const options = { files: Object.fromEntries(files), standardInput };
  const { json } = await runInMemory(['impact', '-', '--format', 'json'], options);
  return json as Effects;
}

/** The answer of `impact`, as docs/schemas/impact.schema.json describes it. */
interface Effects {
  readonly findings: readonly Finding[];
  readonly resolved: readonly Finding[];
  readonly changes: readonly unknown[];
  readonly complete: boolean;
}

function proposalOf(before: Files, after: Files): readonly Proposed[] {
  const paths = [...new Set([...before.keys(), ...after.keys()])];
  return paths.flatMap((path) => {
    const text = after.get(path);
    return text === before.get(path) ? [] : [{ path, text: text ?? null }];
  });
}

const keyOf = ({ file, rule, message, fingerprint }: Finding) => [file, rule, message, fingerprint].join('\n');
const shortKeyOf = ({ file, rule, message }: Finding) => [file, rule, message].join('\n');

/** The findings of a check of some paths that are not in a list of all findings. */
function notIn(found: readonly Finding[], all: readonly Finding[]): readonly Finding[] {
  const known = new Set(all.map(keyOf));
  return found.filter((each) => !known.has(keyOf(each)));
}

const sorted = (texts: readonly string[]) => texts.toSorted();

describe('impact', () => {
  it('does not report a finding that exists without the proposal, although only the proposal selects its file', async () => {
    const other = (text: string) => text.replaceAll('shop', 'bank').replaceAll('app: web', 'app: api');
    const before = new Map([
      ['a/one/web.yaml', web],
      ['b/two/api.yaml', other(web).replace('tier: pod', 'tier: bakc')],
      ['b/two/service.yaml', other(service).replace(/app: api\n$/, 'app: api\n    tier: back\n')],
    ]);
    const after = new Map([...before, ['a/one/web.yaml', web.replaceAll('app: web', 'app: api')]]);
    for (const [now, proposed] of [
      [before, after],
      [after, before],
    ] as const) {
      const { findings, resolved } = await impactOf(now, proposalOf(now, proposed));
      assert.deepEqual([findings, resolved], [[], []]);
    }
    assert.equal((await findingsIn(before, ['.'])).length, 1);
  });

  it('reports a finding that it causes in a file that only the proposal selects', async () => {
    const kustomization = (name: string) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec: {interval: 10m, prune: true, path: ./${name}, sourceRef: {kind: GitRepository, name: flux-system}}
`;
    const api = web.replaceAll('web', 'api');
    const before = new Map([
      ['cluster/all.yaml', ['cluster', 'shop', 'bank'].map(kustomization).join('---\n')],
      ['shop/web.yaml', web],
      ['bank/api.yaml', api],
    ]);
    const after = new Map([...before, ['bank/api.yaml', web]]);
    const { findings } = await impactOf(before, proposalOf(before, after));
    const owned = findings.filter(({ rule }) => rule === 'gitops-double-owner');
    assert.deepEqual(sorted(owned.map(({ file }) => file)), ['bank/api.yaml', 'shop/web.yaml']);
  });

  it('reports references by name that lose their target, as diff does', async () => {
    const scaler = `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}, maxReplicas: 3}
`;
    const built = {
      'base/kustomization.yaml': 'resources: [web.yaml, scaler.yaml]\n',
      'base/web.yaml': web,
      'base/scaler.yaml': scaler,
      'dev/kustomization.yaml': 'resources: [../base]\nnamePrefix: dev-\n',
      'prod/kustomization.yaml': 'resources: [../base]\n',
    };
    const brokenBy = async (files: Readonly<Record<string, string>>, path: string, text: string | null) => {
      const standardInput = { text: JSON.stringify({ files: [{ path, text }] }) };
      const { code, out } = await runInMemory(['impact', '-'], { files, standardInput });
      const broken = out.filter((line) => line.startsWith('!'));
      assert.ok(broken.length === 0 || code === 1);
      return broken;
    };
    const renamed = web.replace('name: web', 'name: site');
    const line = '! HorizontalPodAutoscaler/web in shop names Deployment/web, which no longer exists.';
    assert.deepEqual(await brokenBy(built, 'base/web.yaml', renamed), [
      '! HorizontalPodAutoscaler/dev-web in shop (dev) names Deployment/web, which no longer exists.',
      line.replace('in shop', 'in shop (prod)'),
    ]);
    const plain = { 'web.yaml': web, 'scaler.yaml': scaler };
    assert.deepEqual(await brokenBy(plain, 'web.yaml', renamed), [line]);
    assert.deepEqual(await brokenBy(plain, 'web.yaml', null), [line]);
    assert.deepEqual(await brokenBy(plain, 'scaler.yaml', scaler.replace('name: web}, max', 'name: wb}, max')), [
      '! HorizontalPodAutoscaler/web in shop names Deployment/wb, which does not exist.',
    ]);
    assert.deepEqual(await brokenBy(plain, 'web.yaml', web.replace('replicas', 'copies')), []);
    assert.deepEqual(await brokenBy(plain, 'web.yaml', `${renamed}  "`), []);
  });

  it('lists matches that end because a Namespace in another scope gets other labels', async () => {
    const before = new Map(Object.entries(manyNamespaces));
    const text = before.get('cluster/shop.yaml')?.replace('team: red', 'team: blue') ?? '';
    const { changes } = await impactOf(before, [{ path: 'cluster/shop.yaml', text }]);
    const messages = (changes as readonly { readonly message: string }[]).map(({ message }) => message); // as in the schema
    assert.deepEqual(messages, ['NetworkPolicy/web in bank no longer allows connections from Pod/web in shop.']);
  });

  it('lists all changes of a scope, of which an editor lists only some', async () => {
    const services = Array.from({ length: 250 }, (_, index) => service.replace('name: web', `name: web-${index}`));
    const before = new Map([
      ['web.yaml', web],
      ['services.yaml', services.join('---\n')],
    ]);
    const { changes, complete } = await impactOf(before, [{ path: 'web.yaml', text: null }]);
    assert.deepEqual([changes.length, complete], [250, true]);
  });

  it('reports the differences between checks of the files without and with a proposal', async () => {
    const pools = fc.constantFrom(
      ...[related, manyScopes, manyNames, manyStructures, manySiblings, manyApplications, manyFluxes].map((files) =>
        Object.entries(files),
      ),
    );
    const kinds = [...visibleKinds, ...nameKinds, ...nameKinds, ...structureKinds, ...changeKinds];
    const change = fc.record({ file: fc.nat(), kind: fc.constantFrom(...kinds), seed: fc.nat() });
    const changes = fc.array(change, { minLength: 1, maxLength: 3 });
    let compared = 0;
    await fc.assert(
      fc.asyncProperty(pools, changes, changes, async (pool, earlier, proposed) => {
        const before = new Map(pool);
        for (const { file, kind, seed } of earlier) changeOne(before, pool, file, kind, seed);
        const after = new Map(before);
        for (const { file, kind, seed } of proposed) changeOne(after, pool, file, kind, seed);
        const proposal = proposalOf(before, after);
        if (proposal.length === 0 || after.size === 0) return;
        const { findings, resolved } = await impactOf(before, proposal);
        const [allBefore, allAfter] = [await findingsIn(before, ['.']), await findingsIn(after, ['.'])];
        const [isNew, isGone] = [notIn(allAfter, allBefore), notIn(allBefore, allAfter)];
        compared += isNew.length + isGone.length;
        const paths = proposal.map(({ path }) => path).filter((path) => !path.endsWith('.sh'));
        const isInPlace = paths.every((path) => before.has(path) && after.has(path));
        if (paths.length > 0 && isInPlace) {
          const [some, others] = [await findingsIn(before, paths), await findingsIn(after, paths)];
          const selected = new Set(others.map(keyOf));
          assert.deepEqual(sorted(findings.map(keyOf)), sorted(isNew.map(keyOf).filter((each) => selected.has(each))));
          const selectedBefore = new Set(some.map(keyOf));
          const gone = isGone.filter((each) => selectedBefore.has(keyOf(each)));
          assert.deepEqual(sorted(resolved.map(shortKeyOf)), sorted(gone.map(shortKeyOf)));
        } else {
          assert.deepEqual(notIn(findings, isNew), []);
          const known = new Set(isGone.map(shortKeyOf));
          assert.deepEqual(
            resolved.filter((each) => !known.has(shortKeyOf(each))),
            [],
          );
          const own = isNew.filter(({ file }) => paths.includes(file) && after.has(file));
          assert.deepEqual(notIn(own, findings), []);
        }
      }),
      { numRuns: campaignRuns(2000) },
    );
    assert.ok(compared > 0, `${compared} changed findings`);
  }).timeout(3_600_000);
});
