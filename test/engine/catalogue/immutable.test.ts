/**
 * Tests the changes of immutable fields that the catalogue finds in updates. The vectors are checked in
 * `vectors.test.ts`.
 */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { catalogue, immutableChanges } from '../../../server/src/engine/catalogue/index.ts';
import { amountOf } from '../../../server/src/engine/quantity.ts';

type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const vectors: readonly { readonly old: Json; readonly new: Json; readonly refused: readonly string[] }[] =
  readFileSync(new URL('../../vectors/immutable.jsonl', import.meta.url), 'utf8')
    .split('\n')
    .flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));

function manifest(apiVersion: string, kind: string, rest: object): object {
  return { apiVersion, kind, metadata: { name: 'web' }, ...rest };
}

function deployment(selector: unknown): object {
  return manifest('apps/v1', 'Deployment', { spec: { selector, template: {} } });
}

function statefulSet(spec: object): object {
  return manifest('apps/v1', 'StatefulSet', { spec });
}

function job(spec: object, podSpec: object = {}): object {
  return manifest('batch/v1', 'Job', { spec: { ...spec, template: { spec: podSpec } } });
}

/** The changes as `path: position`. */
function changed(old: unknown, fresh: unknown, version?: string): readonly string[] {
  return catalogue.immutableChanges(old, fresh, version).map(({ path, at }) => `${path}: ${at.join('/')}`);
}

describe('fields that cannot change', () => {
  it('are reported with the first difference, the message of the server and the consequence', () => {
    const web = { matchLabels: { app: 'web', tier: 'front' } };
    assert.deepEqual(immutableChanges(deployment(web), deployment({ matchLabels: { app: 'site', tier: 'front' } })), [
      {
        path: 'spec.selector',
        at: ['spec', 'selector', 'matchLabels', 'app'],
        message: 'field is immutable',
        recreate:
          'its pods are deleted and recreated, its Services have no endpoints in the meantime, and the rollout history is lost',
      },
    ]);
  });

  it('have their default if they are absent or empty', () => {
    const crd = (spec: object) => manifest('apiextensions.k8s.io/v1beta1', 'CustomResourceDefinition', { spec });
    assert.deepEqual(changed(crd({ scope: '' }), crd({ scope: 'Namespaced' })), []);
    assert.deepEqual(changed(crd({}), crd({ scope: 'Namespaced' })), []);
    assert.deepEqual(changed(crd({ scope: '' }), crd({ scope: 'Cluster' })), ['spec.scope: spec/scope']);
  });

  it('are compared by structure: another form of an equal selector is a change', () => {
    const inWeb = { key: 'app', operator: 'In', values: ['web', 'site'] };
    const forms = [
      [{ matchLabels: { app: 'web' } }, { matchExpressions: [{ ...inWeb, values: ['web'] }] }],
      [{ matchExpressions: [inWeb] }, { matchExpressions: [{ ...inWeb, values: ['site', 'web'] }] }],
      [{ matchExpressions: [inWeb] }, { matchExpressions: [inWeb, inWeb] }],
    ];
    for (const [old, fresh] of forms) assert.equal(immutableChanges(deployment(old), deployment(fresh)).length, 1);
  });

  it('do not change by an empty or null part', () => {
    const web = { matchLabels: { app: 'web' } };
    assert.deepEqual(changed(deployment(web), deployment({ ...web, matchExpressions: [] })), []);
    assert.deepEqual(changed(deployment(web), deployment({ ...web, matchExpressions: null })), []);
  });

  it('do not change by an explicit default, or by other units of an amount', () => {
    const claim = (storage: unknown, more = {}) => [{ spec: { resources: { requests: { storage } }, ...more } }];
    const old = { volumeClaimTemplates: claim('1Gi') };
    const same = {
      volumeClaimTemplates: claim('1024Mi', { volumeMode: 'Filesystem' }),
      podManagementPolicy: 'OrderedReady',
      serviceName: '',
    };
    assert.deepEqual(changed(statefulSet(old), statefulSet(same)), []);
    assert.deepEqual(changed(statefulSet(old), statefulSet({ volumeClaimTemplates: claim('1G') })), [
      'spec.volumeClaimTemplates: spec/volumeClaimTemplates/0/spec/resources/requests/storage',
    ]);
  });

  it('do not change by values that a server may have set', () => {
    const pod = { containers: [{ name: 'a', image: 'a:1' }] };
    const explicit = {
      containers: [
        { name: 'a', image: 'a:1', imagePullPolicy: 'IfNotPresent', ports: [], terminationMessagePolicy: 'File' },
      ],
    };
    assert.deepEqual(changed(job({}, pod), job({}, explicit)), []);
    assert.deepEqual(
      changed(job({}, pod), job({ completions: 1, parallelism: 1, completionMode: 'NonIndexed' }, pod)),
      [],
    );
    assert.deepEqual(changed(job({ parallelism: 2 }, pod), job({ parallelism: 2, completions: 2 }, pod)), [
      'spec.completions: spec/completions',
    ]);
  });

  it('include the service account of a Job, which has two names', () => {
    const at = (spec: object) => job({}, { containers: [{ name: 'a', image: 'a:1' }], ...spec });
    const [none, name, alias] = [at({}), at({ serviceAccountName: 'a' }), at({ serviceAccount: 'a' })];
    const inTemplate = (field: string) => [`spec.template: spec/template/spec/${field}`];
    assert.deepEqual(changed(none, name), inTemplate('serviceAccountName'));
    assert.deepEqual(changed(none, alias), inTemplate('serviceAccount'));
    assert.deepEqual(changed(name, at({ serviceAccountName: 'b' })), inTemplate('serviceAccountName'));
    assert.deepEqual(changed(name, at({ serviceAccount: 'b' })), inTemplate('serviceAccountName'));
    assert.deepEqual(changed(alias, at({ serviceAccountName: 'b' })), inTemplate('serviceAccountName'));
    const open = manifest('batch/v1', 'Job', {
      spec: { template: { spec: { unknown: 'include "pod"', entries: { serviceAccountName: 'a' } } } },
    });
    assert.deepEqual(
      changed(open, manifest('batch/v1', 'Job', { spec: { template: { spec: { serviceAccount: 'a' } } } })),
      [],
    );
    // The API server stores both names. `serviceAccountName` wins, and stays until it is set.
    for (const [old, fresh] of [
      [name, alias],
      [alias, name],
      [name, none],
      [alias, none],
      [alias, at({ serviceAccount: 'b' })],
    ] as const)
      assert.deepEqual(changed(old, fresh), []);
  });

  it('are silent if both values may be equal', () => {
    const release = { unknown: '{{ .Release.Name }}' };
    const labels = (app: unknown) => deployment({ matchLabels: { app } });
    assert.deepEqual(changed(labels(release), labels('web')), []);
    assert.deepEqual(changed(labels(release), labels({ unknown: '{{ .Chart.Name }}' })), []);
    assert.equal(changed(labels({ ...release, pattern: 'web-*' }), labels('site')).length, 1);
    const open = (entries: object, unknown = 'include "labels"') => deployment({ matchLabels: { unknown, entries } });
    assert.deepEqual(changed(open({ app: 'web' }), deployment({ matchLabels: { app: 'web', tier: 'x' } })), []);
    assert.equal(changed(open({ app: 'web' }), open({ app: 'site' }, 'other')).length, 1);
    assert.equal(changed(open({ app: 'web' }), deployment({ matchLabels: { tier: 'x' } })).length, 1);
  });

  it('are silent if an unknown value may decide whether they can change', () => {
    const suspended = (suspend: unknown, image: string) =>
      manifest('batch/v1', 'Job', {
        spec: { unknown: 'spec', entries: { suspend, template: { metadata: { labels: { app: image } } } } },
      });
    assert.equal(changed(suspended(false, 'a'), suspended(false, 'b')).length, 1);
    assert.deepEqual(changed(suspended(undefined, 'a'), suspended(undefined, 'b')), []);
    const open = (entries: object) => statefulSet({ unknown: 'spec', entries });
    assert.deepEqual(changed(open({ serviceName: 'a' }), open({ podManagementPolicy: 'Parallel' })), []);
    assert.equal(changed(open({ serviceName: 'a' }), open({ serviceName: 'b' })).length, 1);
  });

  it('depend on the release that made a field mutable', () => {
    const [old, fresh] = [statefulSet({}), statefulSet({ revisionHistoryLimit: 3 })];
    assert.deepEqual(changed(old, fresh), []);
    assert.deepEqual(changed(old, fresh, '1.36'), []);
    assert.deepEqual(changed(old, fresh, '1.31'), ['spec.revisionHistoryLimit: spec/revisionHistoryLimit']);
  });

  it('are not compared with a state that no object can have', () => {
    // The API server fills in a missing selector in old versions, and rejects it in new ones.
    const none = { apiVersion: 'apps/v1beta1', kind: 'Deployment', metadata: { name: 'web' }, spec: { template: {} } };
    const web = { matchLabels: { app: 'web' } };
    assert.deepEqual(changed(none, deployment(web)), []);
    assert.deepEqual(changed({ ...none, apiVersion: 'apps/v1' }, deployment(web)), []);
    assert.deepEqual(changed(statefulSet({}), statefulSet({ selector: web })), []);
    const env = (value: unknown) => job({}, { containers: [{ name: 'a', env: [{ name: 'N', value }] }] });
    assert.deepEqual(changed(env(5), env('5')), []);
    assert.equal(changed(env('5'), env('6')).length, 1);
  });

  it('belong to one object', () => {
    const old = deployment({ matchLabels: { app: 'web' } });
    const fresh = deployment({ matchLabels: { app: 'site' } });
    assert.deepEqual(changed(old, { ...fresh, metadata: { name: 'site' } }), []);
    assert.deepEqual(changed(old, { ...fresh, kind: 'DaemonSet' }), []);
    assert.deepEqual(changed(old, { ...fresh, metadata: { generateName: 'web-' } }), []);
    assert.deepEqual(changed(old, { ...fresh, apiVersion: 'apps/v1beta1' }), []);
  });

  it('are known by kind and path', () => {
    assert.equal(catalogue.isImmutable('apps', 'Deployment', 'spec.selector'), true);
    assert.equal(catalogue.isImmutable('apps', 'StatefulSet', 'spec.selector'), true);
    assert.equal(catalogue.isImmutable('apps', 'StatefulSet', 'spec.template.metadata.labels'), false);
    assert.equal(catalogue.isImmutable('', 'ReplicationController', 'spec.selector'), false);
    assert.equal(catalogue.isImmutable('', 'Namespace', 'metadata.labels'), false);
    assert.equal(catalogue.decidesImmutability('batch', 'Job', 'spec.suspend'), true);
    assert.equal(catalogue.decidesImmutability('batch', 'Job', 'spec.backoffLimit'), false);
  });
});

describe('updates, whatever they are', () => {
  const anyJson = fc.jsonValue();

  it('never throw', () => {
    const vector = fc.constantFrom(...vectors);
    fc.assert(
      fc.property(vector, anyJson, fc.string(), (line, value, key) => {
        const spec = { ...Object(Object(line.new).spec), [key]: value };
        immutableChanges(line.old, { ...Object(line.new), spec });
        immutableChanges({ ...Object(line.old), spec: value }, line.new);
        immutableChanges(value, line.new);
        immutableChanges(line.old, value);
      }),
    );
    const cycle: Record<string, unknown> = {};
    cycle['self'] = cycle;
    assert.deepEqual(changed(statefulSet(cycle), statefulSet({ ...cycle, self: { ...cycle } })), []);
  });

  it('change nothing from an object to itself, in whatever order its keys are', () => {
    for (const { old, new: fresh } of vectors) {
      for (const each of [old, fresh]) assert.deepEqual(immutableChanges(each, reversed(each)), []);
      assert.deepEqual(
        immutableChanges(reversed(old), fresh)
          .map(({ path }) => path)
          .toSorted(),
        immutableChanges(old, fresh)
          .map(({ path }) => path)
          .toSorted(),
      );
    }
  });

  it('change a selector both ways or not at all', () => {
    const label = fc.constantFrom('a', 'b');
    const selector = fc.record({ matchLabels: fc.dictionary(label, label, { maxKeys: 2 }) });
    fc.assert(
      fc.property(selector, selector, (one, other) => {
        const isChanged = changed(deployment(one), deployment(other)).length > 0;
        assert.equal(changed(deployment(other), deployment(one)).length > 0, isChanged);
        assert.equal(
          isChanged,
          JSON.stringify(Object.entries(one.matchLabels).sort()) !==
            JSON.stringify(Object.entries(other.matchLabels).sort()),
        );
      }),
    );
  });
});

/** The value with the keys of its maps in the opposite order. */
function reversed(value: Json): Json {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, each]) => [key, reversed(each)]),
  );
}

describe('quantities', () => {
  it('are equal by their amounts', () => {
    const equal = [
      ['1', 1, '1000m', '1e0', '1000000u', '1.0', '+1', '01'],
      ['1Gi', '1024Mi', '1048576Ki', 1073741824],
      ['1G', '1000M', '1e9', '1E9', '0.001T'],
      ['1E', '1000P', '1e18'],
      ['0', '-0', '.0m', '0Ki'],
      ['0.0000000001', '1n'],
    ];
    for (const group of equal) assert.equal(new Set(group.map(amountOf)).size, 1, group.join(' '));
    assert.equal(new Set(equal.map(([first]) => amountOf(first))).size, equal.length);
  });

  it('are different for any other values', () => {
    for (const text of ['', '.', '1 Gi', '1gi', '1KI', 'Gi', '1e', '1Ee3', '1e999', '0x10', '1'.repeat(50), null, {}])
      assert.equal(amountOf(text), undefined, String(text));
  });
});
