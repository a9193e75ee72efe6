/** Tests the answers of reach about addresses: of hosts, of pods, and of neither. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';
import { type Answer, answerText, asked, isolating, policy, workload } from './policy-documents.ts';

/** Objects with addresses. */
const objects: readonly (readonly [name: string, object: string, addresses: readonly string[]])[] = [
  [
    'Service/api',
    'apiVersion: v1\nkind: Service\nmetadata: {name: api, namespace: shop}\nspec: {clusterIP: 10.96.0.7, clusterIPs: [10.96.0.7, "fd00::7"], externalIPs: [192.0.2.9], selector: {app: api}, ports: [{port: 80}]}\nstatus: {loadBalancer: {ingress: [{ip: 198.51.100.4}]}}\n',
    ['10.96.0.7', 'fd00:0::7', '192.0.2.9', '198.51.100.4'],
  ],
  [
    'Pod/one',
    'apiVersion: v1\nkind: Pod\nmetadata: {name: one, namespace: shop}\nspec: {containers: [{name: main, image: example}]}\nstatus: {podIP: 10.244.1.5, podIPs: [{ip: 10.244.1.5}, {ip: "fd01::5"}]}\n',
    ['10.244.1.5', 'fd01::5'],
  ],
  [
    'Node/node-1',
    'apiVersion: v1\nkind: Node\nmetadata: {name: node-1}\nspec: {podCIDR: 10.244.3.0/24}\nstatus: {addresses: [{type: InternalIP, address: 192.0.2.21}, {type: Hostname, address: node-1}]}\n',
    ['192.0.2.21', '10.244.3.9', '10.244.3.128/25'],
  ],
  [
    'IPPool/pods',
    'apiVersion: projectcalico.org/v3\nkind: IPPool\nmetadata: {name: pods}\nspec: {cidr: 10.244.0.0/16}\n',
    ['10.244.7.7'],
  ],
  [
    'Pod/fixed',
    'apiVersion: v1\nkind: Pod\nmetadata: {name: fixed, namespace: shop, annotations: {cni.projectcalico.org/ipAddrs: \'["10.65.0.5", "fd02::5"]\', cni.projectcalico.org/floatingIPs: \'["192.0.2.77"]\'}}\nspec: {containers: [{name: main, image: example}]}\n',
    ['10.65.0.5', 'fd02::5', '192.0.2.77'],
  ],
  [
    'StatefulSet/fixed',
    'apiVersion: apps/v1\nkind: StatefulSet\nmetadata: {name: fixed, namespace: shop}\nspec: {selector: {matchLabels: {app: fixed}}, template: {metadata: {labels: {app: fixed}, annotations: {cni.projectcalico.org/ipAddrsNoIpam: \'["10.66.0.5"]\', cni.projectcalico.org/ipv4pools: \'["10.67.0.0/24", "some-pool"]\'}}, spec: {containers: [{name: main, image: example}]}}}\n',
    ['10.66.0.5', '10.67.0.9'],
  ],
  [
    'Namespace/pooled',
    'apiVersion: v1\nkind: Namespace\nmetadata: {name: pooled, annotations: {cni.projectcalico.org/ipv6pools: \'["fd03::/64"]\'}}\n',
    ['fd03::7'],
  ],
  [
    'Service/balanced',
    'apiVersion: v1\nkind: Service\nmetadata: {name: balanced, namespace: shop, annotations: {lbipam.cilium.io/ips: "192.0.2.61,192.0.2.62"}}\nspec: {type: LoadBalancer, selector: {app: api}, ports: [{port: 80}]}\n',
    ['192.0.2.61', '192.0.2.62'],
  ],
  [
    'Installation/default',
    'apiVersion: operator.tigera.io/v1\nkind: Installation\nmetadata: {name: default}\nspec: {calicoNetwork: {ipPools: [{cidr: 192.168.0.0/16}]}}\n',
    ['192.168.3.4'],
  ],
  [
    'BGPConfiguration/default',
    'apiVersion: projectcalico.org/v3\nkind: BGPConfiguration\nmetadata: {name: default}\nspec: {serviceLoadBalancerIPs: [{cidr: 203.0.113.0/28}]}\n',
    ['203.0.113.4'],
  ],
  [
    'CiliumPodIPPool/some',
    'apiVersion: cilium.io/v2alpha1\nkind: CiliumPodIPPool\nmetadata: {name: some}\nspec: {ipv4: {cidrs: [10.10.0.0/16], maskSize: 24}, ipv6: {cidrs: ["fd04::/64"], maskSize: 96}}\n',
    ['10.10.1.5', 'fd04::1'],
  ],
  [
    'CiliumLoadBalancerIPPool/some',
    'apiVersion: cilium.io/v2\nkind: CiliumLoadBalancerIPPool\nmetadata: {name: some}\nspec: {blocks: [{cidr: 172.20.0.0/24}, {start: 172.21.0.5, stop: 172.21.0.9}, {start: 172.22.0.1}]}\n',
    ['172.20.0.5', '172.21.0.7', '172.22.0.1'],
  ],
  [
    'CiliumLocalRedirectPolicy/dns',
    'apiVersion: cilium.io/v2\nkind: CiliumLocalRedirectPolicy\nmetadata: {name: dns, namespace: shop}\nspec: {redirectFrontend: {addressMatcher: {ip: 192.0.2.53, toPorts: [{port: "80", protocol: TCP}]}}, redirectBackend: {localEndpointSelector: {matchLabels: {app: api}}, toPorts: [{port: "80", protocol: TCP}]}}\n',
    ['192.0.2.53'],
  ],
  [
    'IPAddressPool/some',
    'apiVersion: metallb.io/v1beta1\nkind: IPAddressPool\nmetadata: {name: some, namespace: metallb-system}\nspec: {addresses: [192.0.2.200-192.0.2.210, 192.0.2.224/28]}\n',
    ['192.0.2.205', '192.0.2.225'],
  ],
  [
    'ConfigMap/cilium-config',
    'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: cilium-config, namespace: kube-system}\ndata: {cluster-pool-ipv4-cidr: "10.11.0.0/16 10.12.0.0/16"}\n',
    ['10.12.0.4'],
  ],
];

describe('reach with addresses', () => {
  const shop = [workload('web'), workload('db'), workload('api'), isolating];

  it('evaluates selectors in rules of Calico on the expected addresses of endpoints of hosts', async () => {
    const host =
      'apiVersion: projectcalico.org/v3\nkind: HostEndpoint\nmetadata: {name: node-1, labels: {role: worker}}\nspec: {node: node-1, expectedIPs: [192.0.2.1, "2001:db8::1"]}\n';
    for (const [rules, of, beside, pod] of [
      ["{action: Allow, destination: {selector: role == 'worker'}}", 'unknown', 'denied', 'denied'],
      ["{action: Deny, destination: {selector: role == 'worker'}}, {action: Allow}", 'denied', 'allowed', 'allowed'],
      ["{action: Allow, destination: {selector: '!has(projectcalico.org/namespace)'}}", 'unknown', 'denied', 'denied'],
      ['{action: Allow, destination: {namespaceSelector: global()}}', 'unknown', 'denied', 'denied'],
    ] as const) {
      const global = policy('projectcalico.org/v3/GlobalNetworkPolicy', `{selector: app == 'api', egress: [${rules}]}`);
      const documents = [...shop, global, host];
      assert.equal(answerText(await asked('api', 'ip:192.0.2.1', documents)), of, rules);
      assert.equal(answerText(await asked('api', 'ip:2001:db8::1', documents)), of, rules);
      assert.equal(answerText(await asked('api', 'ip:192.0.2.2', documents)), beside, rules);
      assert.equal(answerText(await asked('api', 'web', documents)), pod, rules);
    }
  });

  it('is unknown what addresses of endpoints of hosts may do, unless the policies of the pod deny it', async () => {
    const host =
      'apiVersion: projectcalico.org/v3\nkind: HostEndpoint\nmetadata: {name: node-1, labels: {role: worker}}\nspec: {node: node-1, expectedIPs: [192.0.2.1]}\n';
    const global = (spec: string) => policy('projectcalico.org/v3/GlobalNetworkPolicy', spec);
    const reason =
      'unknown: an end of the connection belongs to a HostEndpoint, and what policies and profiles allow there is not evaluated';
    for (const other of [
      [],
      [global("{selector: role == 'worker', ingress: [{action: Deny}]}")],
      [global("{selector: role == 'worker', egress: [{action: Deny}]}")],
      [global("{selector: app == 'api', ingress: [{action: Allow}], egress: [{action: Allow}]}")],
      [global("{selector: app == 'web', ingress: [{action: Deny, source: {selector: role == 'worker'}}]}")],
    ]) {
      const documents = [...shop, host, ...other];
      for (const [from, to] of [
        ['api', 'ip:192.0.2.1'],
        ['ip:192.0.2.1', 'api'],
      ] as const) {
        const answer = await asked(from, to, documents);
        assert.equal(answerText(answer), 'unknown', `${from} ${other.join()}`);
        assert.deepEqual(answer.reasons, [reason]);
      }
      assert.equal(answerText(await asked('api', 'ip:192.0.2.2', documents)), 'allowed');
    }
    const denying = global("{selector: app == 'api', types: [Ingress, Egress]}");
    assert.equal(answerText(await asked('api', 'ip:192.0.2.1', [...shop, host, denying])), 'denied');
    // The host may be the node of the pod, from which connections are always allowed.
    const { reasons, ...answer } = await asked('ip:192.0.2.1', 'api', [...shop, host, denying]);
    assert.equal(answerText({ ...answer, reasons }), 'unknown');
    assert.deepEqual(reasons, ['unknown: the node of a pod may connect to it, and the source is on a node', reason]);
  });

  it('is unknown if endpoints of hosts apply a policy of Calico to what they forward', async () => {
    const host = (labels: string) =>
      `apiVersion: projectcalico.org/v3\nkind: HostEndpoint\nmetadata: {name: node-1, labels: ${labels}}\nspec: {node: node-1}\n`;
    const spec = (fields: string) => `{selector: role == 'worker', types: [Ingress], ${fields}}`;
    for (const [fields, labels, expected] of [
      ['applyOnForward: true', '{role: worker}', 'unknown'],
      ['preDNAT: true, applyOnForward: true', '{role: worker}', 'unknown'],
      ['doNotTrack: true, applyOnForward: true', '{role: worker}', 'unknown'],
      ['applyOnForward: false', '{role: worker}', 'allowed'],
      ['applyOnForward: true', '{role: router}', 'allowed'],
    ] as const) {
      const global = policy('projectcalico.org/v3/GlobalNetworkPolicy', spec(fields));
      const { reasons, ...answer } = await asked('web', 'api', [...shop, global, host(labels)]);
      assert.equal(answerText({ ...answer, reasons }), expected, fields);
      if (expected === 'unknown')
        assert.deepEqual(reasons, [
          'unknown: endpoints of hosts apply GlobalNetworkPolicy other to connections that they forward, which is not evaluated',
        ]);
      assert.equal(answerText(await asked('web', 'db', [...shop, global, host(labels)])), 'denied');
      assert.equal(answerText(await asked('web', 'api', [...shop, global])), 'allowed');
    }
  });

  it('is unknown for addresses of objects in the cluster, and names the object', async () => {
    const documents = [...shop, ...objects.map(([, object]) => object)];
    const files = Object.fromEntries(documents.map((text, index) => [`${index}.yaml`, text]));
    for (const [name, , addresses] of objects)
      for (const address of addresses) {
        const word = `ip:${address}`;
        const { json, err } = await runInMemory(['reach', word, 'db', '--port', '80', '--format', 'json'], { files });
        assert.equal(answerText(json as Answer), 'unknown', word);
        assert.match(err.join('\n'), new RegExp(`${word} is an address of ${name} `));
        assert.equal(answerText(await asked('api', word, documents)), 'unknown', word);
      }
    for (const beside of ['192.0.2.10', '172.21.0.4', '172.22.0.2', '192.0.2.211', '10.13.0.4'])
      assert.equal(answerText(await asked(`ip:${beside}`, 'db', documents)), 'denied', beside);
    assert.equal(answerText(await asked('api', 'ip:10.0.0.0/8', documents)), 'allowed');
  });

  const networkPolicy = (spec: string) => policy('networking.k8s.io/v1/NetworkPolicy', spec);
  const calico = (spec: string) => policy('projectcalico.org/v3/GlobalNetworkPolicy', spec);
  const clusterPolicy = (rule: string) =>
    policy(
      'policy.networking.k8s.io/v1alpha2/ClusterNetworkPolicy',
      `{tier: Admin, priority: 1, subject: {namespaces: {}}, egress: [{action: Deny, to: [{networks: [${rule}]}]}]}`,
    );
  const set =
    'apiVersion: projectcalico.org/v3\nkind: GlobalNetworkSet\nmetadata: {name: meta, labels: {set: meta}}\nspec: {nets: [169.254.0.0/16]}\n';

  for (const [documents, pod, address] of [
    [
      [calico('{egress: [{action: Deny, destination: {nets: [169.254.169.254/32]}}, {action: Allow}]}')],
      'allowed',
      'denied',
    ],
    [
      [calico("{egress: [{action: Deny, destination: {selector: set == 'meta'}}, {action: Allow}]}"), set],
      'allowed',
      'denied',
    ],
    [[calico('{egress: [{action: Allow, destination: {nets: [169.254.0.0/16, 127.0.0.0/8]}}]}')], 'denied', 'allowed'],
    [[calico('{egress: [{action: Allow, destination: {nets: [169.254.0.0/16, 10.0.0.0/8]}}]}')], 'unknown', 'allowed'],
    [[calico("{egress: [{action: Allow, destination: {nets: ['fe80::/10', 'ff02::/16']}}]}")], 'denied', 'denied'],
    [[clusterPolicy('169.254.0.0/16')], 'allowed', 'denied'],
    [
      [networkPolicy('{podSelector: {}, egress: [{to: [{ipBlock: {cidr: 169.254.0.0/16}}]}], policyTypes: [Egress]}')],
      'denied',
      'allowed',
    ],
  ] as const)
    it(`is ${pod} for a pod and ${address} for an address beside ${documents[0].split('spec: ')[1]?.trim()}`, async () => {
      assert.equal(answerText(await asked('web', 'api', [...shop, ...documents])), pod);
      assert.equal(answerText(await asked('web', 'ip:169.254.169.254', [...shop, ...documents])), address);
    });
});
