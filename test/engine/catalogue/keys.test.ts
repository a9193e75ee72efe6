/** Tests that the catalogue contains common keys, and the fields of field selectors. */

import assert from 'node:assert/strict';
import { catalogue } from '../../../server/src/engine/catalogue/index.ts';
import { describeKey } from '../../../server/src/engine/catalogue/key-descriptions.ts';
import { matchesPattern } from '../../../server/src/engine/catalogue/keys.ts';

describe('well-known keys', () => {
  it('offers the recommended ones first', () => {
    assert.deepEqual(
      catalogue
        .keys()
        .slice(0, 6)
        .map((fact) => `${fact.key} ${fact.status}`),
      [
        'app.kubernetes.io/name recommended',
        'app.kubernetes.io/instance recommended',
        'app.kubernetes.io/version recommended',
        'app.kubernetes.io/component recommended',
        'app.kubernetes.io/part-of recommended',
        'app.kubernetes.io/managed-by recommended',
      ],
    );
    assert.ok(catalogue.keys().length > 1000);
  });

  it('returns the meaning of a key', () => {
    const name = catalogue.key('kubernetes.io/metadata.name');
    assert.equal(name?.type, 'label');
    assert.deepEqual(name?.kinds, ['Namespace']);
    const spec = catalogue.key('apf.kubernetes.io/autoupdate-spec');
    assert.deepEqual(
      [spec?.type, spec?.kinds, spec?.values],
      ['annotation', ['FlowSchema', 'PriorityLevelConfiguration'], ['true', 'false']],
    );
  });

  it('describes a key as a label and as an annotation', () => {
    const described = (key: string, as: 'label' | 'annotation') => {
      const fact = catalogue.key(key, as);
      return fact && describeKey(fact);
    };
    assert.deepEqual(described('apf.kubernetes.io/autoupdate-spec', 'annotation')?.example, 'true');
    const [label, annotation] = (['label', 'annotation'] as const).map((as) =>
      described('sidecar.istio.io/inject', as),
    );
    assert.match(label?.description ?? '', /\w/);
    assert.notDeepEqual(label, annotation);
    for (const fact of catalogue.keys()) assert.notEqual(describeKey(fact).description, '', fact.key);
  });

  it('returns the replacement of a deprecated key', () => {
    const zone = catalogue.key('failure-domain.beta.kubernetes.io/zone');
    assert.equal(zone?.status, 'deprecated');
    assert.equal(zone?.replacement, 'topology.kubernetes.io/zone');
  });

  it('distinguishes label, annotation and taint of one name', () => {
    const inject = 'sidecar.istio.io/inject';
    assert.equal(catalogue.key(inject)?.type, 'label');
    assert.deepEqual(
      [catalogue.key(inject, 'annotation')?.type, catalogue.key(inject, 'annotation')?.status],
      ['annotation', 'deprecated'],
    );
    assert.equal(catalogue.key('node-role.kubernetes.io/control-plane')?.type, 'label');
    assert.equal(catalogue.key('app.kubernetes.io/name', 'annotation')?.type, 'label');
    assert.equal(catalogue.key('node.kubernetes.io/not-ready')?.type, 'taint');
  });

  it('finds keys by their patterns', () => {
    for (const key of [
      'node-role.kubernetes.io/gpu',
      'feature.node.kubernetes.io/cpu-model.family',
      'container.apparmor.security.beta.kubernetes.io/main',
      'notifications.argoproj.io/subscribe.on-sync-failed.slack',
    ]) {
      assert.equal(catalogue.key(key)?.pattern, true, key);
    }
    assert.equal(catalogue.key('node-role.kubernetes.io/'), undefined);
    assert.equal(catalogue.key('example.com/mine'), undefined);
  });

  it('marks values that are selectors themselves', () => {
    assert.ok(catalogue.keys().some((fact) => fact.valueIs === 'selector'));
    assert.ok(catalogue.keys().some((fact) => fact.valueIs === 'labelKey'));
  });

  it('matches patterns in linear time', () => {
    assert.equal(matchesPattern('a*c', 'abc'), true);
    assert.equal(matchesPattern('a*c', 'ac'), false);
    assert.equal(matchesPattern('a*b*c', 'a1b2c'), true);
    assert.equal(matchesPattern('a*b*c', 'a1c2b'), false);
    assert.equal(matchesPattern('*.tree.x/depth', 'ns.tree.x/depth'), true);
    assert.equal(matchesPattern('abc', 'abc'), true);
    const long = `${'ab'.repeat(500_000)}!`;
    assert.equal(matchesPattern('ab*ab*ab*ab*ac', long), false);
  });
});

describe('field selectors', () => {
  const names = (group: string, kind: string) => catalogue.fields(group, kind).fields.map((fact) => fact.field);

  it('contains the fields of pods and an old spelling', () => {
    assert.ok(names('', 'Pod').includes('spec.nodeName'));
    assert.equal(catalogue.fields('', 'Pod').aliases['spec.host'], 'spec.nodeName');
    const phase = catalogue.fields('', 'Pod').fields.find((fact) => fact.field === 'status.phase');
    assert.deepEqual(phase?.values, ['Pending', 'Running', 'Succeeded', 'Failed', 'Unknown']);
  });

  it('every kind has its name and namespace; nodes and namespaces have no namespace', () => {
    assert.deepEqual(names('example.com', 'Widget'), ['metadata.name', 'metadata.namespace']);
    assert.equal(names('', 'Node').includes('metadata.namespace'), false);
    assert.equal(names('', 'Namespace').includes('metadata.namespace'), false);
  });

  it('a ReplicaSet has no status.replicas, unlike the documentation, and a Job has status.successful', () => {
    assert.deepEqual(names('apps', 'ReplicaSet'), ['metadata.name', 'metadata.namespace']);
    assert.ok(names('batch', 'Job').includes('status.successful'));
  });

  it('contains the selectable fields of custom resources', () => {
    assert.ok(names('cert-manager.io', 'Certificate').includes('spec.issuerRef.name'));
  });
});
