/** Tests of the constraints of policies of Kyverno with CEL, and of the rules that it generates for controllers. */

import assert from 'node:assert/strict';
import {
  type ConstrainedKind,
  constrainedKind,
  constraintsAnswer,
} from '../../../server/src/engine/policies/kyverno-constraints.ts';

const pods = { apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], operations: ['CREATE', 'UPDATE'] };

function answer(spec: unknown, resource: string, kind: ConstrainedKind = 'ValidatingPolicy'): string {
  const group = resource === 'pods' ? '' : resource.endsWith('jobs') ? 'batch' : 'apps';
  const found = constraintsAnswer(kind, spec, {
    operation: 'CREATE',
    group,
    version: 'v1',
    resource,
    name: 'web',
    namespace: 'shop',
    labels: { labels: { app: 'web' } },
    namespaceLabels: { labels: { team: 'blue' } },
  });
  return found.isGenerated ? `${found.answer}, generated` : found.answer;
}

const ofPods = { matchConstraints: { resourceRules: [pods] } };

describe('constraints of policies of Kyverno', () => {
  it('apply to the resources, and through generated rules to the controllers of pods', () => {
    assert.equal(answer(ofPods, 'pods'), 'yes');
    for (const resource of ['deployments', 'daemonsets', 'replicasets', 'statefulsets', 'jobs', 'cronjobs'])
      assert.equal(answer(ofPods, resource), 'yes, generated', resource);
    assert.equal(answer(ofPods, 'controllerrevisions'), 'no');
  });

  it('are generated only for plain rules for pods, for the chosen controllers and for policies that look at pods', () => {
    const selector = { matchConstraints: { resourceRules: [pods], objectSelector: { matchLabels: { app: 'web' } } } };
    assert.equal(answer(selector, 'deployments'), 'no');
    assert.equal(answer(selector, 'pods'), 'yes');
    const empty = { matchConstraints: { resourceRules: [pods], objectSelector: {} } };
    assert.equal(answer(empty, 'deployments'), 'yes, generated');
    for (const rule of [
      { ...pods, resources: ['pods', 'services'] },
      { ...pods, apiVersions: ['*'] },
      { ...pods, resourceNames: ['web'] },
    ])
      assert.equal(answer({ matchConstraints: { resourceRules: [rule] } }, 'deployments'), 'no', JSON.stringify(rule));
    const excluded = {
      matchConstraints: { resourceRules: [pods], excludeResourceRules: [{ ...pods, resourceNames: ['x'] }] },
    };
    assert.equal(answer(excluded, 'deployments'), 'no');
    const chosen = { ...ofPods, autogen: { podControllers: { controllers: ['deployments'] } } };
    assert.equal(answer(chosen, 'deployments'), 'yes, generated');
    assert.equal(answer(chosen, 'jobs'), 'no');
    assert.equal(answer(ofPods, 'deployments', 'MutatingPolicy'), 'yes, generated');
    assert.equal(answer(ofPods, 'deployments', 'GeneratingPolicy'), 'no');
  });

  it('keep the selector of namespaces in generated rules', () => {
    const of = (team: string) => ({
      matchConstraints: { resourceRules: [pods], namespaceSelector: { matchLabels: { team } } },
    });
    assert.equal(answer(of('blue'), 'deployments'), 'yes, generated');
    assert.equal(answer(of('red'), 'deployments'), 'no');
  });

  it('are unknown with conditions, without resources, and if only the background is evaluated', () => {
    assert.equal(
      answer({ ...ofPods, matchConditions: [{ name: 'a', expression: 'true' }] }, 'deployments'),
      'maybe, generated',
    );
    assert.equal(answer({ matchConstraints: {} }, 'pods'), 'maybe');
    assert.equal(answer({}, 'pods'), 'maybe');
    assert.equal(answer({ ...ofPods, evaluation: { admission: { enabled: false } } }, 'pods'), 'maybe');
    assert.equal(answer({ ...ofPods, evaluation: { mode: 'JSON' } }, 'pods'), 'no');
  });

  it('ignore operations in a DeletingPolicy, which looks at objects on a schedule', () => {
    const deleted = { matchConstraints: { resourceRules: [{ ...pods, operations: ['DELETE'] }] } };
    assert.equal(answer(deleted, 'pods', 'DeletingPolicy'), 'yes');
    assert.equal(answer(deleted, 'pods'), 'no');
  });

  it('belong to the kinds of the cluster and of one namespace', () => {
    assert.equal(constrainedKind('NamespacedMutatingPolicy'), 'MutatingPolicy');
    assert.equal(constrainedKind('ImageValidatingPolicy'), 'ImageValidatingPolicy');
    assert.equal(constrainedKind('PolicyException'), undefined);
  });
});
