/** Tests the meaning of policies and the validation of the API server in cases without a vector. */

import assert from 'node:assert/strict';
import {
  type Answer,
  addressText,
  cidrsOf,
  everyAddress,
  markOpen,
  parseAddress,
  parseCidr,
  portsByProtocol,
  Reachability,
  type ReachPod,
  type ReachPolicy,
  readClusterNetworkPolicy,
  readNetworkPolicy,
} from '../../../server/src/engine/index.ts';
import { rangeOf } from './objects.ts';

const web: ReachPod = { namespace: 'shop', labels: { labels: { app: 'web' } } };
const db: ReachPod = {
  namespace: 'shop',
  labels: { labels: { app: 'db' } },
  ports: [{ name: 'sql', number: 5432, protocol: 'TCP' }],
};

function sound(read: ReturnType<typeof readNetworkPolicy>): ReachPolicy {
  assert.ok(read.ok, read.ok ? '' : read.problems.map(({ message }) => message).join('; '));
  return read.value;
}

const inShop = (spec: object) => sound(readNetworkPolicy('shop', spec));
const anyPod = { namespaces: {} };

function cluster(tier: string, priority: number, ingress: readonly object[], subject: object = anyPod) {
  return sound(readClusterNetworkPolicy({ tier, priority, subject, ingress }));
}

/** Whether `web` may connect to TCP 5432 of `db`. */
function answer(policies: readonly ReachPolicy[], pods: readonly ReachPod[] = [web, db]): Answer {
  const reachability = new Reachability({ pods, namespaces: [], policies });
  const [from, to] = [reachability.classOf(0), reachability.classOf(1)];
  assert.ok(from && to);
  return reachability.answer(from, to, 'TCP', 5432);
}

describe('tiers of policies', () => {
  const deny = { action: 'Deny', from: [anyPod] };
  const accept = { action: 'Accept', from: [anyPod] };
  const pass = { action: 'Pass', from: [anyPod] };
  const isolated = inShop({ podSelector: {} });
  const open = inShop({ podSelector: {}, ingress: [{}] });

  for (const [what, policies, expected] of [
    ['no policy', [], 'yes'],
    ['Admin accepts before a NetworkPolicy', [cluster('Admin', 1, [accept]), isolated], 'yes'],
    ['Admin denies before a NetworkPolicy', [cluster('Admin', 1, [deny]), open], 'no'],
    ['Pass leads to the NetworkPolicy', [cluster('Admin', 1, [pass, deny]), open], 'yes'],
    ['Pass skips policies of a higher number', [cluster('Admin', 1, [pass]), cluster('Admin', 2, [deny]), open], 'yes'],
    ['the lowest number comes first', [cluster('Admin', 2, [deny]), cluster('Admin', 1, [accept])], 'yes'],
    ['a NetworkPolicy decides before Baseline', [cluster('Baseline', 1, [deny]), open], 'yes'],
    ['Baseline denies what no NetworkPolicy isolates', [cluster('Baseline', 1, [deny])], 'no'],
    ['Baseline passes to the default', [cluster('Baseline', 1, [pass, deny])], 'yes'],
    [
      'a subject that is somewhere else',
      [cluster('Admin', 1, [deny], { namespaces: { matchLabels: { a: 'b' } } })],
      'yes',
    ],
    ['equal numbers that differ', [cluster('Admin', 1, [deny]), cluster('Admin', 1, [accept])], 'maybe'],
    ['equal numbers that agree', [cluster('Admin', 1, [deny]), cluster('Admin', 1, [deny])], 'no'],
    [
      'a rule with a peer of a later version denies everything',
      [cluster('Admin', 1, [{ action: 'Pass', from: [{ moon: {} }] }])],
      'no',
    ],
    [
      'a rule with a peer of a later version accepts nothing',
      [cluster('Admin', 1, [{ action: 'Accept', from: [{ moon: {} }] }]), isolated],
      'no',
    ],
    [
      'a tier that is not known',
      [sound(readClusterNetworkPolicy({ tier: { unknown: 't' }, priority: 1, subject: anyPod, ingress: [deny] }))],
      'maybe',
    ],
    ['a named port', [cluster('Admin', 1, [{ ...accept, protocols: [{ destinationNamedPort: 'sql' }] }, deny])], 'yes'],
    [
      'another port',
      [cluster('Admin', 1, [{ ...accept, protocols: [{ tcp: { destinationPort: { number: 80 } } }] }, deny])],
      'no',
    ],
  ] as const)
    it(`${what}: ${expected}`, () => assert.equal(answer(policies), expected));

  it('include pods in networks', () => {
    const to = (cidr: string) =>
      sound(
        readClusterNetworkPolicy({
          tier: 'Admin',
          priority: 1,
          subject: anyPod,
          egress: [{ action: 'Deny', to: [{ networks: [cidr] }] }],
        }),
      );
    assert.equal(answer([to('0.0.0.0/0')]), 'no');
    assert.equal(answer([to('10.0.0.0/8')]), 'maybe');
  });

  it('never include pods of the host network', () => {
    const host: ReachPod = { ...db, hostNetwork: 'yes' };
    assert.equal(answer([cluster('Admin', 1, [deny])], [web, host]), 'yes');
    assert.equal(answer([isolated], [web, host]), 'maybe');
    // Its node, from which traffic is always allowed, may be the one of the other pod.
    assert.equal(answer([isolated], [{ ...web, hostNetwork: 'yes' }, db]), 'maybe');
  });
});

describe('NetworkPolicies', () => {
  const peers = (...from: readonly object[]) => inShop({ podSelector: {}, ingress: [{ from }] });

  for (const [what, policies, expected] of [
    ['an ipBlock may include pods', [peers({ ipBlock: { cidr: '10.0.0.0/8' } })], 'maybe'],
    ['a policy that may exist', [], 'maybe'],
    ['a list of rules that may have more', [inShop({ podSelector: {}, ingress: markOpen([]) })], 'maybe'],
    ['a rule beside others that may be there', [inShop({ podSelector: {}, ingress: markOpen([{}]) })], 'yes'],
    [
      'a port that is not known',
      [inShop({ podSelector: {}, ingress: [{ ports: [{ port: { unknown: 'p' } }] }] })],
      'maybe',
    ],
    [
      'a UDP port that is not known',
      [inShop({ podSelector: {}, ingress: [{ ports: [{ protocol: 'UDP', port: { unknown: 'p' } }] }] })],
      'no',
    ],
  ] as const)
    it(`${what}: ${expected}`, () => {
      const isOpen = policies.length === 0;
      const reachability = new Reachability({ pods: [web, db], namespaces: [], policies, policiesOpen: isOpen });
      const [from, to] = [reachability.classOf(0), reachability.classOf(1)];
      assert.ok(from && to);
      assert.equal(reachability.answer(from, to, 'TCP', 5432), expected);
    });

  it('have near misses, the closest first', () => {
    const policies = [
      peers(
        { podSelector: { matchLabels: { app: 'api', role: 'frontend' } } },
        { podSelector: { matchLabels: { app: 'web', role: 'frontend' } } },
      ),
      inShop({ podSelector: {}, ingress: [{ ports: [{ port: 80 }] }] }),
    ];
    const reachability = new Reachability({ pods: [web, db], namespaces: [], policies });
    const [from, to] = [reachability.podEnd(0), reachability.podEnd(1)];
    assert.ok(from && to);
    const { nearMisses, deniedBy } = reachability.prove(from, to, 'TCP', 5432);
    assert.deepEqual(
      deniedBy,
      [0, 1].map((policy) => ({ policy, direction: 'ingress' })),
    );
    assert.deepEqual(
      nearMisses.map(({ policy, peer, lacks }) => [
        policy,
        peer,
        lacks.map((lack) =>
          'requirement' in lack ? lack.requirement.key : lack.what === 'port' ? portsByProtocol(lack.ports) : lack.what,
        ),
      ]),
      [
        [0, 1, ['role']],
        [1, undefined, [[{ protocol: 'TCP', ports: '80' }]]],
        [0, 0, ['app', 'role']],
      ],
    );
  });

  it('have near misses that name the labels and namespace of the pod itself, not of its class', () => {
    const policies = [
      { podSelector: { matchLabels: { app: 'client' } }, namespaceSelector: { matchLabels: { team: 'shop' } } },
      { podSelector: { matchLabels: { role: 'client' } } },
    ].map((peer) => inShop({ podSelector: { matchLabels: { app: 'db' } }, ingress: [{ from: [peer] }] }));
    const pods: readonly ReachPod[] = [
      db,
      web,
      { namespace: 'other', labels: { labels: { app: 'client', role: 'client' } } },
      { namespace: 'shop', labels: { labels: { app: 'client', role: 'admin' } } },
    ];
    const reachability = new Reachability({ pods, namespaces: [], policies });
    const lacks = [1, 2, 3].map((pod) => {
      const [from, to] = [reachability.podEnd(pod), reachability.podEnd(0)];
      assert.ok(from && to);
      assert.equal(from.peer, reachability.classOf(1));
      const { nearMisses } = reachability.prove(from, to, 'TCP', 5432);
      return nearMisses
        .toSorted((a, b) => a.policy - b.policy)
        .map(({ lacks: all }) =>
          all.map((lack) =>
            lack.what === 'port' ? '' : `${'requirement' in lack ? lack.requirement.key : lack.what}: ${lack.value}`,
          ),
        );
    });
    assert.deepEqual(lacks, [
      [['team: undefined', 'app: web'], ['role: undefined']],
      [['team: undefined'], ['namespace: other']],
      [['team: undefined'], ['role: admin']],
    ]);
  });

  it('divide addresses into classes', () => {
    const policies = [peers({ ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } })];
    const { addressClasses } = new Reachability({ pods: [db], namespaces: [], policies });
    assert.deepEqual(
      addressClasses.map(({ ranges }) => cidrsOf(ranges).length),
      [10, 8],
    );
  });
});

describe('policies that the API server rejects', () => {
  const rule = (ingress: unknown) => ({ podSelector: {}, ingress: [ingress] });
  const port = (item: object) => rule({ ports: [item] });
  const peer = (item: object) => rule({ from: [item] });
  for (const [what, spec, at] of [
    ['a quoted number', port({ port: '80' }), 'spec.ingress.0.ports.0.port'],
    ['a port that is too large', port({ port: 65536 }), 'spec.ingress.0.ports.0.port'],
    ['endPort without port', port({ endPort: 80 }), 'spec.ingress.0.ports.0.endPort'],
    ['endPort with a name', port({ port: 'http', endPort: 80 }), 'spec.ingress.0.ports.0.endPort'],
    ['endPort below port', port({ port: 81, endPort: 80 }), 'spec.ingress.0.ports.0.endPort'],
    ['a protocol in lower case', port({ protocol: 'tcp' }), 'spec.ingress.0.ports.0.protocol'],
    ['an empty peer', peer({}), 'spec.ingress.0.from.0'],
    ['a peer with null selectors', peer({ podSelector: null }), 'spec.ingress.0.from.0'],
    ['an ipBlock with a selector', peer({ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }), 'spec.ingress.0.from.0'],
    ['no CIDR', peer({ ipBlock: {} }), 'spec.ingress.0.from.0.ipBlock'],
    ['an address for a CIDR', peer({ ipBlock: { cidr: '10.0.0.1' } }), 'spec.ingress.0.from.0.ipBlock.cidr'],
    [
      'an exception outside',
      peer({ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] } }),
      'spec.ingress.0.from.0.ipBlock.except.0',
    ],
    [
      'an exception of everything',
      peer({ ipBlock: { cidr: '10.0.0.0/8', except: ['10.0.0.0/8'] } }),
      'spec.ingress.0.from.0.ipBlock.except.0',
    ],
    ['a type in lower case', { podSelector: {}, policyTypes: ['ingress'] }, 'spec.policyTypes.0'],
    [
      'a selector with a wrong operator',
      { podSelector: { matchExpressions: [{ key: 'a', operator: 'Equals' }] } },
      'spec.podSelector.matchExpressions.0.operator',
    ],
    ['rules that are no list', { podSelector: {}, ingress: {} }, 'spec.ingress'],
  ] as const)
    it(what, () => {
      const read = readNetworkPolicy('shop', spec);
      assert.deepEqual(read.ok ? [] : read.problems.map(({ path }) => path?.join('.')), [at]);
    });

  const valid = { tier: 'Admin', priority: 1, subject: anyPod };
  const denied = (more: object) => ({ ...valid, egress: [{ action: 'Deny', to: [anyPod], ...more }] });
  for (const [what, spec, at] of [
    ['no tier', { priority: 1, subject: anyPod }, 'spec'],
    ['another tier', { ...valid, tier: 'Middle' }, 'spec.tier'],
    ['a priority that is too large', { ...valid, priority: 1001 }, 'spec.priority'],
    ['an empty subject', { ...valid, subject: {} }, 'spec.subject'],
    ['no peers', { ...valid, egress: [{ action: 'Deny' }] }, 'spec.egress.0'],
    ['no action', { ...valid, egress: [{ to: [anyPod] }] }, 'spec.egress.0'],
    ['two fields in a peer', denied({ to: [{ ...anyPod, networks: ['10.0.0.0/8'] }] }), 'spec.egress.0.to.0'],
    ['an empty protocol', denied({ protocols: [{}] }), 'spec.egress.0.protocols.0'],
    [
      'a range of one port',
      denied({ protocols: [{ tcp: { destinationPort: { range: { start: 80, end: 80 } } } }] }),
      'spec.egress.0.protocols.0.tcp.destinationPort',
    ],
    [
      'a named port with networks',
      denied({ to: [{ networks: ['10.0.0.0/8'] }], protocols: [{ destinationNamedPort: 'a' }] }),
      'spec.egress.0',
    ],
  ] as const)
    it(`${what} in a ClusterNetworkPolicy`, () => {
      const read = readClusterNetworkPolicy(spec);
      assert.deepEqual(read.ok ? [] : read.problems.map(({ path }) => path?.join('.')), [at]);
    });
});

describe('addresses', () => {
  it('are formatted as they are parsed', () => {
    for (const text of ['0.0.0.0', '192.0.2.255', '::', '::1', '2001:db8::1:0:0:1', 'fe80::', '1:2:3:4:5:6:7:8']) {
      const address = parseAddress(text);
      assert.ok(address);
      assert.equal(addressText(address), text);
    }
    assert.equal(cidrsOf([rangeOf('::ffff:192.0.2.1')])[0], '::ffff:c000:201/128');
  });

  it('are rejected if they are malformed', () => {
    for (const text of ['', '1.2.3', '1.2.3.256', '1.2.3.4.5', '1:2', '::1::', '1:2:3:4:5:6:7:8:9', 'g::', '01.2.3.4'])
      assert.equal(parseAddress(text), undefined, text);
    for (const text of ['10.0.0.0', '10.0.0.0/33', '::/129', '10.0.0.0/', '/8', '10.0.0.0/08', 'x/8'])
      assert.equal(parseCidr(text), undefined, text);
  });

  it('are joined into the fewest blocks', () => {
    assert.deepEqual(cidrsOf([rangeOf('10.0.0.0/9'), rangeOf('10.128.0.0/9')]), ['10.0.0.0/8']);
    assert.deepEqual(cidrsOf([everyAddress(6), everyAddress(4)]), ['0.0.0.0/0', '::/0']);
  });
});
