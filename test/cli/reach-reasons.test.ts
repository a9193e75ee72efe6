/** Tests the reasons that reach names for its answers beside policies of network plugins. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';
import { answerText, asked, calicoRule, policy, workload } from './policy-documents.ts';

describe('the reasons of reach', () => {
  const textOf = async (from: string, to: string, documents: readonly string[]) => {
    const files = { 'all.yaml': documents.join('\n---\n') };
    return (await runInMemory(['reach', from, to, '--port', '80'], { files })).out.join('\n');
  };

  it('name a policy that only some versions of its system enforce', async () => {
    for (const [type, spec] of [
      ['projectcalico.org/v3/NetworkPolicy', calicoRule('action: Deny, source: {notNets: [0.0.0.0/0]}')],
      [
        'cilium.io/v2/CiliumNetworkPolicy',
        '{endpointSelector: {}, egress: [{toServices: [{k8sService: {serviceName: a, namespace: shop}}], toPorts: [{ports: [{port: "1"}]}]}]}',
      ],
    ] as const) {
      const text = await textOf('web', 'api', [workload('web'), workload('api'), policy(type, spec)]);
      const kind = type.slice(type.lastIndexOf('/') + 1);
      const reason = `the version or the settings of its system determine whether ${kind} shop/other is enforced`;
      assert.ok(text.includes(`unknown: ${reason}`), text);
    }
  });

  it('name a policy whose file has a syntax error', async () => {
    for (const spec of ["{selector: !has(canary) && app == 'api'}", "{selector: app in {'api'}, egress: []}"]) {
      const broken = policy('projectcalico.org/v3/NetworkPolicy', spec);
      const files = { 'web.yaml': workload('web'), 'api.yaml': workload('api'), 'broken.yaml': broken };
      const { code, out } = await runInMemory(['reach', 'web', 'api', '--port', '80'], { files });
      const text = out.join('\n');
      assert.equal(code, 2);
      assert.match(text, /, TCP 80: unknown\n/);
      assert.match(text, /unknown: the file of NetworkPolicy shop\/other has a syntax error/);
    }
  });

  it('name policies of Calico of equal order that its versions sort differently', async () => {
    const calico = (name: string, kind: string, action: string) =>
      `apiVersion: projectcalico.org/v3\nkind: ${kind}\nmetadata: {name: ${name}${kind === 'NetworkPolicy' ? ', namespace: shop' : ''}}\nspec: {order: 5, selector: app == 'api', ingress: [{action: ${action}}]}\n`;
    for (const [global, own, expected] of [
      // Older versions sort \`default.zz\` before \`shop/default.aa\`.
      ['zz', 'aa', 'unknown'],
      ['aa', 'zz', 'denied'],
    ] as const)
      for (const [first, second] of [
        ['Deny', 'Allow'],
        ['Deny', 'Deny'],
      ] as const) {
        const policies = [calico(global, 'GlobalNetworkPolicy', first), calico(own, 'NetworkPolicy', second)];
        const answer = await asked('web', 'api', [workload('web'), workload('api'), ...policies]);
        const isUnknown = expected === 'unknown' && first !== second;
        assert.equal(answerText(answer), isUnknown ? 'unknown' : 'denied', `${global} ${own} ${first} ${second}`);
        if (isUnknown)
          assert.deepEqual(answer.reasons, [
            'unknown: it is not known in which order NetworkPolicy shop/aa is evaluated',
            'unknown: it is not known in which order GlobalNetworkPolicy zz is evaluated',
          ]);
      }
  });

  it('do not name a policy for labels that other controllers add', async () => {
    const deployments = [workload('web'), workload('api')];
    for (const [key, expected] of [
      ['batch.kubernetes.io/job-name', 'allowed'],
      ['statefulset.kubernetes.io/pod-name', 'allowed'],
      ['pod-template-hash', 'denied'],
      ['topology.kubernetes.io/zone', 'unknown'],
    ] as const) {
      const calico = policy('projectcalico.org/v3/NetworkPolicy', `{selector: has(${key}), types: [Egress]}`);
      assert.equal(answerText(await asked('web', 'api', [...deployments, calico])), expected, key);
    }
  });

  it('name the requirements of Cilium that only some versions evaluate', async () => {
    const spec =
      '{endpointSelector: {matchLabels: {app: api}}, ingress: [{fromRequires: [{matchLabels: {app: db}}], fromEndpoints: [{matchLabels: {app: web}}]}]}';
    const documents = [
      workload('web'),
      workload('api'),
      workload('db'),
      policy('cilium.io/v2/CiliumNetworkPolicy', spec),
    ];
    const text = await textOf('web', 'api', documents);
    assert.match(text, /: unknown\n/);
    assert.match(
      text,
      /unknown: ingress rule 1 of CiliumNetworkPolicy shop\/other has conditions that are not evaluated$/m,
    );
    assert.doesNotMatch(text, /template/);
    // The requirements can only narrow what the rule allows.
    assert.match(await textOf('db', 'api', documents), /: denied\n/);
    assert.match(await textOf('ip:192.0.2.1', 'api', documents), /: denied\n/);
  });

  it('name the node of the source', async () => {
    const agent = workload('agent').replace('spec: {containers', 'spec: {hostNetwork: true, containers');
    for (const [type, spec] of [
      ['cilium.io/v2/CiliumNetworkPolicy', '{endpointSelector: {}, ingress: [{}]}'],
      ['projectcalico.org/v3/NetworkPolicy', '{types: [Ingress]}'],
      ['networking.k8s.io/v1/NetworkPolicy', '{podSelector: {}, policyTypes: [Ingress]}'],
    ] as const) {
      const text = await textOf('agent', 'api', [agent, workload('api'), policy(type, spec)]);
      assert.match(text, /: unknown\n/, type);
      assert.match(text, /unknown: the node of a pod may connect to it, and the source is on a node/, type);
    }
  });

  it('name the rule that passes a connection to the profile of the namespace', async () => {
    const rule =
      "{selector: app == 'web', types: [Egress], egress: [{action: Pass, destination: {nets: [192.0.2.0/24]}}]}";
    const documents = [workload('web'), policy('projectcalico.org/v3/NetworkPolicy', rule)];
    const text = await textOf('web', 'ip:192.0.2.1', documents);
    assert.match(text, /: allowed\n/);
    assert.match(
      text,
      /egress: passed by egress rule 1 of NetworkPolicy shop\/other \(.*\); without a further rule, the profile of the namespace allows it/,
    );
    assert.match(await textOf('web', 'ip:198.51.100.1', documents), /: denied\n/);
  });

  it('name a namespace without an object instead of its labels', async () => {
    const rule = '{podSelector: {}, ingress: [{from: [{namespaceSelector: {matchLabels: {env: edge}}}]}]}';
    const documents = [workload('web', 'edge'), workload('api'), policy('networking.k8s.io/v1/NetworkPolicy', rule)];
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: edge, labels: {team: a}}\n';
    assert.match(
      await textOf('web', 'api', documents),
      /wants env=edge, but the files contain no Namespace object of this namespace/,
    );
    assert.match(await textOf('web', 'api', [...documents, namespace]), /wants env=edge, but the namespace has no env/);
  });
});

describe('reach for rules of Calico with a version of addresses', () => {
  it('is certain for addresses and unknown for pods', async () => {
    const rule = calicoRule('action: Allow, ipVersion: 4, protocol: TCP');
    const documents = [workload('web'), workload('api'), policy('projectcalico.org/v3/NetworkPolicy', rule)];
    for (const [from, expected] of [
      ['ip:192.0.2.1', 'allowed'],
      ['ip:2001:db8::1', 'denied'],
      ['web', 'unknown'],
    ] as const)
      assert.equal(answerText(await asked(from, 'api', documents)), expected, from);
  });
});

describe('the reasons of a denied connection', () => {
  it('name the requirement on the namespace that a peer of Cilium excludes', async () => {
    const rule = (operator: string) =>
      `{endpointSelector: {}, ingress: [{fromEndpoints: [{matchExpressions: [{key: io.kubernetes.pod.namespace, operator: ${operator}, values: [mail]}]}]}]}`;
    for (const [operator, namespace, text] of [
      [
        'NotIn',
        'mail',
        'its selector wants io.kubernetes.pod.namespace notin (mail), but the pods have io.kubernetes.pod.namespace=mail',
      ],
      ['In', 'bank', 'it allows only namespace mail, not bank'],
    ] as const) {
      const documents = [
        workload('web', namespace),
        workload('api'),
        policy('cilium.io/v2/CiliumNetworkPolicy', rule(operator)),
      ];
      const { out } = await runInMemory(['reach', 'web', 'api', '--port', '80'], {
        files: { 'all.yaml': documents.join('\n---\n') },
      });
      assert.ok(out.join('\n').includes(text), out.join('\n'));
    }
  });
});
