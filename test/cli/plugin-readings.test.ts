/** Tests that a NetworkPolicy beside policies of network plugins is certain only if Kubernetes and the plugins read it alike. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';

interface PodParts {
  readonly namespace?: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly spec?: object;
}

function pod(name: string, { namespace = 's', labels = {}, spec = {} }: PodParts = {}) {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace, labels: { app: name, ...labels } },
    spec: { ...spec, containers: [{ name: 'c', image: 'i', ...('ports' in spec && { ports: spec.ports }) }] },
  };
}

function network(spec: object) {
  return { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: { name: 'own', namespace: 's' }, spec };
}

function cilium(spec: object) {
  return { apiVersion: 'cilium.io/v2', kind: 'CiliumNetworkPolicy', metadata: { name: 'own', namespace: 's' }, spec };
}

const namespaces = ['s', 'g'].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }));
/** Objects that tell which network plugin runs. */
const ofCilium = {
  apiVersion: 'cilium.io/v2',
  kind: 'CiliumNetworkPolicy',
  metadata: { name: 'other', namespace: 'other' },
  spec: { endpointSelector: { matchLabels: { app: 'other' } }, ingress: [{}] },
};
const ofCalico = {
  apiVersion: 'projectcalico.org/v3',
  kind: 'NetworkPolicy',
  metadata: { name: 'other', namespace: 'other' },
  spec: { selector: "app == 'other'", types: ['Ingress'] },
};
const ofCiliumEverywhere = { ...ofCilium, kind: 'CiliumClusterwideNetworkPolicy', metadata: { name: 'every' } };
const groupOfCilium = {
  apiVersion: 'cilium.io/v2',
  kind: 'CiliumCIDRGroup',
  metadata: { name: 'office' },
  spec: { externalCIDRs: ['192.0.2.0/24'] },
};

async function verdict(objects: readonly object[], from: string, to: string, port = 80): Promise<string> {
  const items = [...namespaces, ...objects];
  const files = { 'all.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) };
  const { json } = await runInMemory(['reach', from, to, '--port', `${port}`, '--format', 'json'], { files });
  const { allowed, unknown } = json as { readonly allowed: boolean; readonly unknown?: boolean };
  return unknown ? 'unknown' : allowed ? 'allowed' : 'denied';
}

const named = (name: string, containerPort: number) => ({ spec: { ports: [{ name, containerPort }] } });
const fromPeers = (...from: readonly object[]) => ({ podSelector: { matchLabels: { app: 'b' } }, ingress: [{ from }] });
const toName = {
  podSelector: { matchLabels: { app: 'a' } },
  policyTypes: ['Egress'],
  egress: [{ ports: [{ port: 'web' }] }],
};

describe('NetworkPolicies beside policies of Cilium', () => {
  const cases: readonly (readonly [title: string, objects: readonly object[], plain: string, beside: string])[] = [
    [
      'a peer with a label that Cilium ignores',
      [
        pod('a', { labels: { 'k8s.io/role': 'fe' } }),
        pod('b'),
        network(fromPeers({ podSelector: { matchLabels: { 'k8s.io/role': 'fe' } } })),
      ],
      'allowed',
      'unknown',
    ],
    [
      'a subject with a label that Cilium ignores',
      [
        pod('a'),
        pod('b', { labels: { 'k8s.io/role': 'fe' } }),
        network({ podSelector: { matchLabels: { 'k8s.io/role': 'fe' } } }),
      ],
      'denied',
      'unknown',
    ],
    [
      'a label that Cilium keeps',
      [
        pod('a', { labels: { 'app.kubernetes.io/name': 'a' } }),
        pod('b'),
        network(fromPeers({ podSelector: { matchLabels: { 'app.kubernetes.io/name': 'a' } } })),
      ],
      'allowed',
      'allowed',
    ],
    [
      'a label that the cluster adds',
      [
        pod('a', { spec: { serviceAccountName: 'w' } }),
        pod('b'),
        network(fromPeers({ podSelector: { matchLabels: { 'io.cilium.k8s.policy.serviceaccount': 'w' } } })),
      ],
      'denied',
      'unknown',
    ],
    [
      'the label of the cluster',
      [
        pod('a'),
        pod('b'),
        network(fromPeers({ podSelector: { matchLabels: { 'io.cilium.k8s.policy.cluster': 'default', app: 'a' } } })),
      ],
      'denied',
      'unknown',
    ],
    [
      'the label of the cluster, with another requirement that fails',
      [
        pod('a'),
        pod('b'),
        network(fromPeers({ podSelector: { matchLabels: { 'io.cilium.k8s.policy.cluster': 'default', app: 'c' } } })),
      ],
      'denied',
      'denied',
    ],
    [
      'a name that all pods give one port',
      [pod('a'), pod('b', named('web', 80)), network(toName)],
      'allowed',
      'allowed',
    ],
    [
      'a name that pods give different ports',
      [pod('a'), pod('b', named('web', 80)), pod('c', named('web', 81)), network(toName)],
      'allowed',
      'unknown',
    ],
    [
      'a name that the target lacks',
      [pod('a'), pod('b'), pod('c', named('web', 80)), network(toName)],
      'denied',
      'unknown',
    ],
    [
      'a name in a policy of Cilium that the target lacks',
      [
        pod('a'),
        pod('b'),
        pod('c', named('web', 80)),
        cilium({
          endpointSelector: { matchLabels: { app: 'a' } },
          egress: [{ toEndpoints: [{}], toPorts: [{ ports: [{ port: 'web' }] }] }],
        }),
      ],
      'unknown',
      'unknown',
    ],
  ];
  for (const [title, objects, plain, beside] of cases)
    it(title, async () => {
      assert.equal(await verdict(objects, 's/Pod/a', 's/Pod/b'), plain);
      assert.equal(await verdict([...objects, ofCilium], 's/Pod/a', 's/Pod/b'), beside);
      assert.equal(await verdict([...objects, groupOfCilium], 's/Pod/a', 's/Pod/b'), beside);
      assert.equal(await verdict([...objects, ofCilium, ofCalico], 's/Pod/a', 's/Pod/b'), beside);
    });

  it('peers beside an empty list of peers are unknown', async () => {
    const rule = { fromEndpoints: [{ matchLabels: { app: 'a' } }], fromCIDR: [] };
    const objects = [pod('a'), pod('b'), cilium({ endpointSelector: {}, ingress: [rule] })];
    assert.equal(await verdict(objects, 's/Pod/a', 's/Pod/b'), 'unknown');
  });

  it('a peer that excludes namespaces may include addresses and nodes', async () => {
    const isNot = { matchExpressions: [{ key: 'team', operator: 'NotIn', values: ['x'] }] };
    const objects = [
      pod('b'),
      pod('h', { spec: { hostNetwork: true } }),
      network(fromPeers({ namespaceSelector: isNot })),
    ];
    assert.equal(await verdict(objects, 'ip:192.0.2.1', 's/Pod/b'), 'denied');
    assert.equal(await verdict([...objects, ofCilium], 'ip:192.0.2.1', 's/Pod/b'), 'unknown');
    assert.equal(await verdict([...objects, ofCilium], 's/Pod/h', 's/Pod/b'), 'unknown');
  });
});

describe('NetworkPolicies beside policies of Calico', () => {
  const cases: readonly (readonly [title: string, peer: object, plain: string, beside: string])[] = [
    [
      'the name of a namespace',
      { namespaceSelector: { matchLabels: { 'projectcalico.org/name': 's' } } },
      'denied',
      'unknown',
    ],
    [
      'the name of another namespace',
      { namespaceSelector: { matchLabels: { 'projectcalico.org/name': 'g' } } },
      'denied',
      'denied',
    ],
    [
      'a service account',
      { podSelector: { matchLabels: { 'projectcalico.org/serviceaccount': 'w' } } },
      'denied',
      'unknown',
    ],
    [
      'a namespace of pods',
      { podSelector: { matchLabels: { 'projectcalico.org/namespace': 's' } } },
      'denied',
      'unknown',
    ],
    ['a label that Cilium ignores', { podSelector: { matchLabels: { 'k8s.io/role': 'fe' } } }, 'allowed', 'allowed'],
  ];
  for (const [title, peer, plain, beside] of cases)
    it(title, async () => {
      const source = pod('a', { labels: { 'k8s.io/role': 'fe' }, spec: { serviceAccountName: 'w' } });
      const objects = [source, pod('b'), network(fromPeers(peer))];
      assert.equal(await verdict(objects, 's/Pod/a', 's/Pod/b'), plain);
      assert.equal(await verdict([...objects, ofCalico], 's/Pod/a', 's/Pod/b'), beside);
    });
});

describe('reach of objects without a namespace', () => {
  const files = (...items: readonly object[]) => ({
    'all.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items }),
  });
  const bare = (name: string) => ({ ...pod(name), metadata: { name } });
  const args = ['reach', 'Pod/a', 'Pod/b', '--port', '80'];

  it('names the assumed namespace beside objects with a namespace', async () => {
    const given = { files: files(bare('a'), pod('b')) };
    const { json, err } = await runInMemory([...args, '--format', 'json'], given);
    assert.equal((json as { readonly assumedNamespace?: string }).assumedNamespace, 'default');
    assert.match(err.join(), /'default' is assumed/);
    const list = await runInMemory(['reach', '--format', 'json'], given);
    assert.equal((list.json as { readonly assumedNamespace?: string }).assumedNamespace, 'default');
  });

  it('needs no namespace if it is given, or if no object or every object sets one', async () => {
    const worlds = [
      files(bare('a'), bare('b')),
      files(pod('a'), pod('b')),
      files(pod('a'), pod('b'), ofCiliumEverywhere),
    ];
    for (const each of worlds) assert.deepEqual((await runInMemory(args, { files: each })).err, []);
    const mixed = files(bare('a'), pod('b'));
    assert.deepEqual((await runInMemory([...args, '-n', 'x'], { files: mixed })).err, []);
  });
});

describe('policies of Calico in charts', () => {
  const workload = (name: string) => `
apiVersion: apps/v1
kind: Deployment
metadata: {name: ${name}}
spec:
  selector: {matchLabels: {app: ${name}, of: {{ .Release.Name }}}}
  template:
    metadata: {labels: {app: ${name}, of: {{ .Release.Name }}}}
    spec: {containers: [{name: c, image: i}]}
---`;
  const connectionsWith = async (selector: string) => {
    const policy = `
apiVersion: projectcalico.org/v3
kind: NetworkPolicy
metadata: {name: db}
spec:
  selector: ${selector}
  types: [Ingress]`;
    const files = {
      'chart/Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
      'chart/templates/all.yaml': `${workload('db')}${workload('web')}${policy}`,
    };
    const { json } = await runInMemory(['reach', '--format', 'json'], { files });
    const { connections } = json as { readonly connections: readonly { readonly to: { readonly name?: string } }[] };
    return connections.flatMap(({ to, ...rest }) => (to.name === undefined ? [] : [`${to.name}${'unknown' in rest}`]));
  };
  const sources = 3;

  it('evaluate values from templates in strings', async () => {
    const toWeb = Array.from({ length: sources }, () => 'webfalse');
    assert.deepEqual(await connectionsWith("app == 'db' && of == '{{ .Release.Name }}'"), toWeb);
    assert.deepEqual(await connectionsWith("of == '{{ .Release.Name }}' && app == 'db'"), toWeb);
  });

  it('are unknown where a value may differ', async () => {
    const found = await connectionsWith("app == 'db' && of == '{{ .Values.of }}'");
    assert.deepEqual(found.toSorted(), ['dbtrue', 'dbtrue', 'dbtrue', 'webfalse', 'webfalse', 'webfalse']);
  });
});

describe('check of a peer whose pods use the network of their node', () => {
  it('names the network as the reason', async () => {
    const policy = {
      ...ofCalico,
      metadata: { name: 'p', namespace: 's' },
      spec: { selector: "app == 'b'", ingress: [{ action: 'Allow', source: { selector: "app == 'a'" } }] },
    };
    const items = [pod('a', { spec: { hostNetwork: true } }), pod('b'), policy];
    const files = { 'all.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) };
    const { out } = await runInMemory(['check', '--level', 'strict'], { files });
    assert.match(out.join('\n'), /Pod\/a \(its pods use the network of their node\)/);
  });
});

describe('policies that versions of network plugins read differently, or may reject', () => {
  const pods = [pod('a'), pod('b')];
  const into = (rule: object, list = 'ingress') =>
    cilium({ endpointSelector: { matchLabels: { app: 'b' } }, [list]: [rule] });
  const fromA = { fromEndpoints: [{ matchLabels: { app: 'a' } }] };
  const ports = (port: string, rules?: object) => [{ ports: [{ port, protocol: 'TCP' }], ...(rules && { rules }) }];
  const outOf = (rule: object) => cilium({ endpointSelector: { matchLabels: { app: 'a' } }, egress: [rule] });
  const onOther = (rules: object) => into({ toPorts: ports('81', rules) });
  const ofRule = (rule: object) => ({
    ...calico('rule'),
    spec: { selector: "app == 'b'", types: ['Ingress'], ingress: [{ action: 'Allow', ...rule }] },
  });
  const fromC = { fromEndpoints: [{ matchLabels: { app: 'c' } }] };
  const ofHttp = (request: object) => ({ ...fromC, toPorts: ports('80', { http: [request] }) });
  const ofDns = (name: object) => ({
    toPorts: [{ ports: [{ port: '53', protocol: 'ANY' }], rules: { dns: [name] } }],
  });
  const ofIcmp = (type: unknown) => ({ icmps: [{ fields: [{ family: 'IPv4', type }] }] });
  const withDefaultDeny = (enableDefaultDeny: unknown) =>
    cilium({ endpointSelector: { matchLabels: { app: 'b' } }, enableDefaultDeny, ingress: [fromC] });
  const withFields = (fields: object) =>
    cilium({ endpointSelector: { matchLabels: { app: 'b' } }, ingress: [fromC], ...fields });
  const withSwitch = (doNotTrack: unknown) => ({
    ...calico('switch'),
    kind: 'GlobalNetworkPolicy',
    metadata: { name: 'switch' },
    spec: { selector: "app == 'b'", types: ['Ingress'], doNotTrack },
  });
  const inBoth = (denied: object) =>
    cilium({ endpointSelector: { matchLabels: { app: 'b' } }, ingress: [fromA], ingressDeny: [denied] });
  const calico = (name: string, tier?: string) => ({
    apiVersion: 'projectcalico.org/v3',
    kind: 'NetworkPolicy',
    metadata: { name, namespace: 's' },
    spec: { ...(tier && { tier }), selector: "app == 'b'", types: ['Ingress'] },
  });
  const tier = { apiVersion: 'projectcalico.org/v3', kind: 'Tier', metadata: { name: 'sec' }, spec: { order: 1 } };

  const cases: readonly (readonly [title: string, objects: readonly object[], expected: string])[] = [
    ['a peer', [into(fromA)], 'allowed'],
    ['a peer beside an empty list', [into({ ...fromA, fromCIDR: [] })], 'unknown'],
    ['an empty list of groups with ports', [into({ fromGroups: [], toPorts: ports('80') })], 'unknown'],
    ['an empty list of names with ports', [outOf({ toFQDNs: [], toPorts: ports('80') })], 'unknown'],
    ['a name', [outOf({ toFQDNs: [{ matchName: 'example.com' }] })], 'denied'],
    ['a name with a star', [outOf({ toFQDNs: [{ matchName: '*.example.com' }] })], 'unknown'],
    ['a family of addresses', [into({ icmps: [{ fields: [{ family: 'IPv4', type: 8 }] }] })], 'denied'],
    ['no family of addresses', [into({ icmps: [{ fields: [{ family: 'IPv5', type: 8 }] }] })], 'unknown'],
    ['requests on every port', [into({ ...fromA, toPorts: ports('0', { http: [{ path: '/' }] }) })], 'unknown'],
    ['no port', [into({ ...fromA, toPorts: [{ ports: [] }] })], 'denied'],
    ['no port to deny', [inBoth({ ...fromA, toPorts: [{ ports: [] }] })], 'allowed'],
    ['every port to deny', [inBoth(fromA)], 'denied'],
    ['an entry without fields', [into({ ...fromA, toPorts: [{}] })], 'denied'],
    ['no port beside a port', [into({ ...fromA, toPorts: [{ ports: [] }, ...ports('80')] })], 'allowed'],
    [
      'no port with requests',
      [into({ ...fromA, toPorts: [{ ports: [], rules: { http: [{ path: '/' }] } }] })],
      'unknown',
    ],
    ['requests with TCP', [into({ ...fromA, toPorts: ports('80', { http: [{ path: '/' }] }) })], 'unknown'],
    [
      'requests with UDP',
      [into({ toPorts: [{ ports: [{ port: '80', protocol: 'UDP' }], rules: { http: [{ path: '/' }] } }] })],
      'unknown',
    ],
    [
      'requests with any protocol',
      [into({ toPorts: [{ ports: [{ port: '81' }], rules: { http: [{ path: '/' }] } }] })],
      'unknown',
    ],
    [
      'names with UDP',
      [outOf({ toPorts: [{ ports: [{ port: '53', protocol: 'UDP' }], rules: { dns: [{ matchPattern: '*' }] } }] })],
      'denied',
    ],
    [
      'requests of two kinds',
      [into({ toPorts: ports('81', { http: [{ path: '/' }], kafka: [{ topic: 'x' }] }) })],
      'unknown',
    ],
    [
      'a listener for ingress',
      [into({ toPorts: [{ ...ports('81')[0], listener: { name: 'x', envoyConfig: { name: 'y' } } }] })],
      'unknown',
    ],
    ...['*', '/(?!admin).*', '/a[1', 'a{2000}', '+'].map(
      (path) => [`requests with the path ${path}`, [onOther({ http: [{ path }] })], 'unknown'] as const,
    ),
    ...['/', '/a/.*', '^/v[0-9]+/(a|b)$', '/a\\-b', '\\d{1,3}'].map(
      (path) => [`requests with the path ${path}`, [onOther({ http: [{ path }] })], 'denied'] as const,
    ),
    ['requests with the method *', [onOther({ http: [{ method: '*' }] })], 'unknown'],
    ['requests with a number', [onOther({ http: [{ path: 5 }] })], 'unknown'],
    ['requests with a header', [onOther({ http: [{ headerMatches: [{ name: 'A', value: 'b' }] }] })], 'denied'],
    ['requests with a header without a name', [onOther({ http: [{ headerMatches: [{ value: 'b' }] }] })], 'unknown'],
    ['a listener that is null', [into({ ...fromA, toPorts: [{ ...ports('80')[0], listener: null }] })], 'allowed'],
    ['authentication that is null', [into({ ...fromA, authentication: null })], 'allowed'],
    ['no default deny', [cilium({ endpointSelector: {}, ingress: [{}], enableDefaultDeny: false })], 'unknown'],
    ['a large type of a message', [into({ icmps: [{ fields: [{ type: 300 }] }] })], 'unknown'],
    ['a named port of Calico without a protocol', [ofRule({ destination: { ports: ['web'] } })], 'unknown'],
    ['a number of a port of Calico', [ofRule({ protocol: 'TCP', destination: { ports: [81] } })], 'denied'],
    ['a protocol in lower case that Calico excludes', [ofRule({ notProtocol: 'tcp' })], 'unknown'],
    ['a message of a different version', [ofRule({ protocol: 'ICMP', ipVersion: 6 })], 'unknown'],
    ['a code of a message without a type', [ofRule({ protocol: 'ICMP', icmp: { code: 0 } })], 'unknown'],
    ['no namespace', [ofRule({ source: { namespaceSelector: '!all()' } })], 'denied'],
    ['each namespace', [ofRule({ source: { namespaceSelector: 'all()' } })], 'allowed'],
    ['a path of characters that are not validated', [into(ofHttp({ path: '/\\p{Greek}' }))], 'unknown'],
    ['a valid path', [into(ofHttp({ path: '/(?:a|b)/[^/]+(\\.html)?' }))], 'denied'],
    ['a valid method', [into(ofHttp({ method: 'GET|HEAD' }))], 'denied'],
    ['an action for headers', [into(ofHttp({ headerMatches: [{ name: 'x', mismatch: 'LOG' }] }))], 'denied'],
    ['no action for headers', [into(ofHttp({ headerMatches: [{ name: 'x', mismatch: 'FOO' }] }))], 'unknown'],
    ['the name of a request with a star', [outOf(ofDns({ matchName: '*.example.com' }))], 'unknown'],
    ['the name of a request', [outOf(ofDns({ matchName: 'example.com' }))], 'denied'],
    ['the name of a type of ICMP', [into(ofIcmp('EchoRequest'))], 'denied'],
    ['no name of a type of ICMP', [into(ofIcmp('echorequest'))], 'unknown'],
    ['default deny of a direction of the wrong type', [withDefaultDeny({ ingress: 'false' })], 'unknown'],
    ['default deny', [withDefaultDeny({ ingress: true })], 'denied'],
    ['fields that are null', [into({ ...fromC, authentication: null, other: null })], 'denied'],
    ['no requirements of peers', [into({ ...fromC, fromRequires: [] })], 'denied'],
    ['requirements of peers', [into({ ...fromA, fromRequires: [{ matchLabels: { app: 'c' } }] })], 'unknown'],
    ['labels of a rule that are a map', [withFields({ labels: { a: 'b' } })], 'unknown'],
    ['labels of a rule', [withFields({ labels: [{ key: 'a', value: 'b', source: 'c' }] })], 'denied'],
    ['a description that is a number', [withFields({ description: 5 })], 'unknown'],
    ['a description', [withFields({ description: 'five' })], 'denied'],
    ['an invalid name', [{ ...into(fromC), metadata: { name: 'My_Policy', namespace: 's' } }], 'unknown'],
    ['a version that Cilium does not serve', [{ ...into(fromC), apiVersion: 'cilium.io/v1' }], 'unknown'],
    ['a version that Calico does not serve', [{ ...calico('deny'), apiVersion: 'projectcalico.org/v1' }], 'unknown'],
    ['a switch of Calico that is a string', [withSwitch('true')], 'unknown'],
    ['a switch of Calico', [withSwitch(false)], 'denied'],
    ['a name of Calico', [calico('deny'), tier], 'denied'],
    ['a name of Calico with the tier', [calico('sec.deny', 'sec'), tier], 'denied'],
    ['a name of Calico without the tier', [calico('deny', 'sec'), tier], 'unknown'],
    ['a name of Calico with a different tier', [calico('sec.deny'), tier], 'unknown'],
    ['a name of Calico with several dots', [calico('default.a.b'), tier], 'unknown'],
  ];
  for (const [title, objects, expected] of cases)
    it(`are ${expected}: ${title}`, async () => {
      assert.equal(await verdict([...pods, ...objects], 's/Pod/a', 's/Pod/b'), expected);
    });

  it('are named as the reason, with the field', async () => {
    const items = [...namespaces, ...pods, into(ofHttp({ path: '*' }))];
    const files = { 'all.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items }) };
    const { out, err } = await runInMemory(['reach', 's/Pod/a', 's/Pod/b', '--port', '80'], { files });
    const field = 'spec.ingress.0.toPorts.0.rules.http.0.path';
    assert.match(out.join('\n'), new RegExp(`Cilium rejects CiliumNetworkPolicy s/own \\(${field}: must be a regular`));
    assert.match(err.join('\n'), /CiliumNetworkPolicy\/own in all.json has no effect, unless an earlier version/);
  });

  it('are certain about pods on the network of their node if they allow the own node and all others', async () => {
    const ofNode = pod('n', { spec: { hostNetwork: true } });
    for (const [entities, expected] of [
      [['host', 'remote-node'], 'allowed'],
      [['world', 'remote-node', 'host'], 'allowed'],
      [['host'], 'unknown'],
      [['remote-node'], 'unknown'],
    ] as const) {
      const policies = [into({ fromEntities: entities }), outOf({ toEntities: entities })];
      assert.equal(await verdict([...pods, ofNode, policies[0] ?? {}], 's/Pod/n', 's/Pod/b'), expected);
      assert.equal(await verdict([...pods, ofNode, policies[1] ?? {}], 's/Pod/a', 's/Pod/n'), expected);
      assert.equal(await verdict([...pods, ofNode, policies[0] ?? {}], 's/Pod/a', 's/Pod/b'), 'denied');
    }
  });
});
