/**
 * Tests what an editor shows about network policies: hovers, lenses, the rules for a pod, and the page about an object.
 */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';

const shop = `
  ==> pods.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  #     ^ web
  metadata: {name: web, namespace: shop}
  spec:
    selector: {matchLabels: {app: web}}
    template:
      metadata: {labels: {app: web}}
      spec: {containers: [{name: web}]}
  ---
  apiVersion: apps/v1
  kind: Deployment
  #     ^ db
  metadata: {name: db, namespace: shop}
  spec:
    selector: {matchLabels: {app: db}}
    template:
      metadata: {labels: {app: db}}
      spec: {containers: [{name: db, ports: [{name: sql, containerPort: 5432}]}]}
  ==> policy.yaml <==
  apiVersion: networking.k8s.io/v1
  kind: NetworkPolicy
  #     ^ policy
  metadata: {name: db, namespace: shop}
  spec:
    podSelector: {matchLabels: {app: db}}
    ingress:
    # ^ ingress
      - from:
        #  ^ rule
        #<^ first
          - podSelector: {matchLabels: {app: web}}
          - ipBlock: {cidr: 10.0.0.0/8}
          # ^ block
        ports:
          - port: sql
          # ^ port
          - port: 9187
      - from: [{podSelector: {matchLabels: {app: web}}}]
      #   ^ second
        ports: [{port: 5432}]
`;

const from = ['', '| From | Ports | Why |', '| :-- | :-- | :-- |'];

describe('hover of network policies', () => {
  it('names the pods of every cluster that a rule allows as targets, with the ports', async () => {
    const b = await bench(`
      ==> dns.yaml <==
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      metadata: {name: dns, namespace: shop}
      spec:
        podSelector: {}
        policyTypes: [Egress]
        egress:
        # ^ egress
          - to:
              - namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: kube-system}}
                podSelector: {matchLabels: {k8s-app: kube-dns}}
            ports: [{protocol: UDP, port: 53}]
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: web, namespace: shop, labels: {app: web}}
      spec: {containers: [{name: web}]}
    `);
    assert.match(b.hover('egress'), /Egress of Pod\/web: DNS \(UDP 53\) to Pod\/coredns-&#42; \(in every cluster\)\./);
  });

  for (const [at, expected] of [
    [
      'block',
      [
        'Ingress of Deployment/db from 10.0.0.0/8, TCP 5432,9187. There may be more.',
        '',
        '**Sources that the policy allows** (1)',
        ...from,
        '| `10.0.0.0/8`&emsp; | TCP 5432,9187&emsp; | ingress rule 1 of shop/db |',
      ],
    ],
    [
      'port',
      [
        'Ingress of Deployment/db from Deployment/web and 10.0.0.0/8, TCP 5432. There may be more.',
        '',
        '**Sources that the policy allows** (2)',
        ...from,
        '| [Deployment/web](<pods.yaml#L3,18>) in `shop`&emsp; | TCP 5432&emsp; | ingress rule 1 of shop/db |',
        '| `10.0.0.0/8`&emsp; | TCP 5432&emsp; | ingress rule 1 of shop/db |',
      ],
    ],
    [
      'second',
      [
        'Deployment/web may connect to Deployment/db on TCP 5432.',
        '',
        'Everything that this rule allows is also allowed by ingress rule 1 of shop/db.',
        '',
        '**Sources that the policy allows** (1)',
        ...from,
        '| [Deployment/web](<pods.yaml#L3,18>) in `shop`&emsp; | TCP 5432&emsp; | ingress rule 2 of shop/db |',
      ],
    ],
  ] as const)
    it(`of a ${at} shows what it allows`, async () => {
      const b = await bench(shop);
      assert.deepEqual(b.hover(at).split('\n').slice(2), expected);
    });

  it('contains no connections if only pods of a custom resource are selected', async () => {
    const b = await bench(`
      ==> prometheus.yaml <==
      apiVersion: monitoring.coreos.com/v1
      kind: Prometheus
      metadata: {name: k8s, namespace: monitoring, labels: {app: prometheus}}
      spec: {podMetadata: {labels: {app: prometheus}}}
      ---
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      #     ^ policy
      metadata: {name: prometheus, namespace: monitoring}
      spec:
        podSelector: {matchLabels: {app: prometheus}}
        ingress: [{ports: [{port: 9090}]}]
        egress: [{}]
        policyTypes: [Ingress, Egress]
    `);
    const text = b.hover('policy');
    assert.match(text, /Prometheus\/k8s/);
    assert.doesNotMatch(text, /may connect|Ingress of|Egress of/);
  });

  it('of a workload shows what reaches it, if policies isolate it', async () => {
    const b = await bench(shop);
    const text = b.hover('db').split('\n');
    const only = 'Ingress: only the connections below are allowed (NetworkPolicy/db).';
    assert.deepEqual(text.slice(text.indexOf(only)), [
      only,
      '',
      '**Reachable from** (2)',
      ...from,
      '| [Deployment/web](<pods.yaml#L3,18>) in `shop`&emsp; | TCP 5432&emsp; | ingress rule 1 of shop/db, ingress rule 2 of shop/db |',
      '| [Deployment/web](<pods.yaml#L3,18>) in `shop`&emsp; | TCP 9187&emsp; | ingress rule 1 of shop/db |',
      '| `10.0.0.0/8`&emsp; | TCP 5432,9187&emsp; | ingress rule 1 of shop/db |',
    ]);
    assert.doesNotMatch(b.hover('web'), /are allowed|may connect/);
  });
});

describe('hover of a workload beside an object that creates network policies', () => {
  it('states that connections are unknown', async () => {
    const b = await bench(`${shop}
  ==> kyverno.yaml <==
  apiVersion: kyverno.io/v1
  kind: ClusterPolicy
  metadata: {name: deny-by-default}
  spec: {rules: [{name: deny, generate: {kind: NetworkPolicy, namespace: shop}}]}
`);
    const why = 'ClusterPolicy deny-by-default creates network policies, which may concern these pods';
    for (const [place, policies] of [
      ['db', 'Ingress: only the connections below are allowed or unknown (NetworkPolicy/db).\n\n'],
      ['web', ''],
    ] as const) {
      const text = b.hover(place);
      assert.ok(text.includes(`\n\n${policies}Connections are unknown: ${why}.\n`), text);
      assert.equal(text.includes('are allowed or unknown'), policies !== '');
      assert.ok(text.includes(`| unknown: all ports&emsp; | ${why} |`), text);
    }
  });
});

const workloads = `
      apiVersion: v1
      kind: Pod
      metadata: {name: web, labels: {app: web}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: job, labels: {app: job}}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: db, labels: {app: db}}
      ---`;

describe('rules of one policy', () => {
  it('are not united if their ports and sources differ', async () => {
    const b = await bench(`${workloads}
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      #     ^ policy
      metadata: {name: db}
      spec:
        podSelector: {matchLabels: {app: db}}
        ingress:
          - from: [{podSelector: {matchLabels: {app: web}}}]
            ports: [{port: 5556}, {port: 5557}]
          - from: [{podSelector: {}}]
            ports: [{port: 5558}]
    `);
    const text = b.hover('policy') ?? '';
    assert.match(text, /^3 workloads may connect to Pod\/db on different ports\.$/m);
    assert.match(text, /Pod\/web\].*&emsp; \| TCP 5556-5557&emsp; \| ingress rule 1 of default\/db \|$/m);
    assert.match(text, /Pod\/web\].*&emsp; \| TCP 5558&emsp; \| ingress rule 2 of default\/db \|$/m);
    assert.match(text, /Pod\/job\].*&emsp; \| TCP 5558&emsp; \| ingress rule 2 of default\/db \|$/m);
  });

  it('are described by their actions, one by one, in the tiers of administrators', async () => {
    const b = await bench(`${workloads}
      apiVersion: policy.networking.k8s.io/v1alpha2
      kind: ClusterNetworkPolicy
      #     ^ policy
      metadata: {name: db}
      spec:
        tier: Admin
        priority: 10
        subject: {pods: {namespaceSelector: {}, podSelector: {matchLabels: {app: db}}}}
        ingress:
          - {action: Pass, from: [{pods: {namespaceSelector: {}, podSelector: {matchLabels: {app: web}}}}]}
          - {action: Deny, from: [{namespaces: {}}]}
    `);
    const text = b.hover('policy') ?? '';
    assert.match(
      text,
      /^Rule 1: Leaves connections of Pod\/web to Pod\/db on all ports to the policies of developers\.$/m,
    );
    assert.match(
      text,
      /^Rule 2: Denies connections of every pod in the cluster \(3 workloads here\) to Pod\/db on all ports\.$/m,
    );
    assert.doesNotMatch(text, /may connect/);
  });
});

describe('the words for a policy', () => {
  for (const [what, spec, lens, hover] of [
    [
      'without rules',
      'policyTypes: [Ingress]',
      'denies all ingress of 3 workloads',
      'Denies all ingress of 3 workloads',
    ],
    [
      'without any rules',
      'policyTypes: [Ingress, Egress]',
      'denies all traffic of 3 workloads',
      'Denies all egress of',
    ],
    [
      'that opens everything',
      'ingress: [{}]',
      'ingress from anywhere, all ports',
      'Ingress of 3 workloads from anywhere',
    ],
    [
      'for DNS',
      'policyTypes: [Egress], egress: [{ports: [{port: 53}, {port: 53, protocol: UDP}]}]',
      'egress: DNS (port 53) to anywhere',
      'Egress of 3 workloads: DNS (port 53) to anywhere.',
    ],
    [
      'for DNS over UDP',
      'policyTypes: [Egress], egress: [{ports: [{port: 53, protocol: UDP}]}]',
      'egress: DNS (UDP 53) to anywhere',
      'Egress of 3 workloads: DNS (UDP 53) to anywhere.',
    ],
    [
      'for a block',
      'ingress: [{from: [{ipBlock: {cidr: 10.0.0.0/8}}], ports: [{port: 80}]}]',
      'ingress from 10.0.0.0/8',
      'Ingress of 3 workloads from 10.0.0.0/8, TCP 80.',
    ],
    [
      'for one workload',
      'ingress: [{from: [{podSelector: {matchLabels: {app: web}}}], ports: [{port: 5556}]}]',
      'Pod/web may connect on TCP 5556',
      'Pod/web may connect to 3 workloads on TCP 5556.',
    ],
    [
      'for all namespaces',
      'ingress: [{from: [{namespaceSelector: {}}]}]',
      'any pod may connect on all ports',
      'Every pod in the cluster (3 workloads here) may connect',
    ],
    [
      'for no known client',
      'ingress: [{from: [{podSelector: {matchLabels: {app: x}}}]}]',
      'no known workload may connect',
      'No known workload may connect to 3 workloads.',
    ],
  ] as const)
    it(`${what} are the same in its lens and its hover`, async () => {
      const b = await bench(`${workloads}
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      #     ^ policy
      metadata: {name: all}
      spec: {podSelector: {}, ${spec}}
    `);
      assert.equal(b.lenses(), `16 spec.podSelector: selects 3 Pods; ${lens}`);
      assert.ok(b.hover('policy').includes(hover), b.hover('policy'));
      assert.ok(b.explain('policy').includes(hover));
    });

  it('escape bars of a table in code', async () => {
    const b = await bench(`${workloads}
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      #     ^ policy
      metadata: {name: "a|b", namespace: "c|d"}
      spec: {podSelector: {}, ingress: [{}]}
      ---
      {apiVersion: v1, kind: Pod, metadata: {name: x, namespace: "c|d"}}
    `);
    assert.match(
      b.hover('policy'),
      /^\| \[Pod\/x\].* in `c\\\|d`&emsp; \| all ports&emsp; \| ingress rule 1 of c&#124;d\/a&#124;b \|$/m,
    );
  });
});

describe('other results about network policies', () => {
  it('are the rules for a workload', async () => {
    const b = await bench(shop);
    assert.equal(b.implementation('db'), 'policy.yaml:7 f\npolicy.yaml:13 f');
  });

  it('are in the lens of a policy', async () => {
    const b = await bench(shop);
    assert.equal(b.lenses('policy.yaml'), '5 spec.podSelector: ingress from Deployment/web and 10.0.0.0/8');
  });

  it('are in the page about an object', async () => {
    const b = await bench(shop);
    assert.ok(
      b.explain('policy').includes('## Network\n\nIngress of Deployment/db from Deployment/web and 10.0.0.0/8'),
    );
  });

  it('are the ports of the selected pods, at the port of a policy', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: Pod
      metadata: {name: db, labels: {app: db}}
      spec: {containers: [{name: db, ports: [{name: sql, containerPort: 5432}, {containerPort: 9187}]}]}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: web, labels: {app: web}}
      spec: {containers: [{name: web, ports: [{name: http, containerPort: 8080}]}]}
      ---
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      metadata: {name: db}
      spec:
        podSelector: {matchLabels: {app: db}}
        ingress:
          - ports:
              - port: s
              #        ^ named
    `);
    assert.deepEqual(b.completion('named'), ['- port: sql', '- port: 5432', '- port: 9187']);
  });

  it('are the ports of a protocol, at a port of a ClusterNetworkPolicy', async () => {
    const b = await bench(`
      apiVersion: v1
      kind: Pod
      metadata: {name: dns, labels: {app: dns}}
      spec:
        containers:
          - name: dns
            ports: [{name: dns, containerPort: 53, protocol: UDP}, {name: metrics, containerPort: 9153}]
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: web, labels: {app: web}}
      spec: {containers: [{name: web, ports: [{name: http, containerPort: 8080}]}]}
      ---
      apiVersion: policy.networking.k8s.io/v1alpha2
      kind: ClusterNetworkPolicy
      metadata: {name: dns}
      spec:
        tier: Admin
        priority: 10
        subject: {pods: {namespaceSelector: {}, podSelector: {matchLabels: {app: dns}}}}
        ingress:
          - action: Accept
            from: [{namespaces: {}}]
            protocols:
              - tcp:
                  destinationPort:
                    number: 9
                    #        ^ number
              - udp:
                  destinationPort:
                    range: {start: 5, end: 60}
                    #              ^ start
              - destinationNamedPort: m
                #                      ^ named
    `);
    assert.deepEqual(b.completion('number'), ['number: 9153']);
    assert.deepEqual(b.completion('start'), ['range: {start: 53, end: 60}']);
    assert.deepEqual(b.completion('named'), ['- destinationNamedPort: dns', '- destinationNamedPort: metrics']);
  });
});

describe('network policies in a cluster with several GitOps objects', () => {
  const kustomization = (name: string) => `
      apiVersion: kustomize.toolkit.fluxcd.io/v1
      kind: Kustomization
      metadata: {name: ${name}, namespace: flux-system}
      spec: {interval: 10m, prune: true, path: ./${name}, sourceRef: {kind: GitRepository, name: fleet}}`;
  const files = `
      ==> clusters/prod/kustomization.yaml <==
      resources: [platform.yaml, shop.yaml]
      ==> clusters/prod/platform.yaml <==${kustomization('platform')}
      ==> clusters/prod/shop.yaml <==${kustomization('shop')}
      ==> platform/all.yaml <==
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      #     ^ deny
      metadata: {name: deny, namespace: shop}
      spec: {podSelector: {}, policyTypes: [Ingress]}
      ---
      apiVersion: v1
      kind: Pod
      metadata: {name: desk, namespace: office, labels: {app: desk}}
      spec: {containers: [{name: desk}]}
      ---
      apiVersion: v1
      kind: Namespace
      metadata: {name: office, labels: {zone: inside}}
      ==> shop/all.yaml <==
      apiVersion: v1
      kind: Pod
      #     ^ web
      metadata: {name: web, namespace: shop, labels: {app: web}}
      spec: {containers: [{name: web}]}
      ---
      apiVersion: networking.k8s.io/v1
      kind: NetworkPolicy
      metadata: {name: web, namespace: shop}
      spec:
        podSelector: {matchLabels: {app: web}}
        ingress:
          - from: [{namespaceSelector: {matchLabels: {zone: inside}}}]
          # ^ rule
            ports: [{port: 8080}]
  `;

  it('are described with the objects of all of them', async () => {
    const b = await bench(files);
    const desk = '[Pod/desk](<platform/all.yaml#L8,18>) in `office`';
    assert.match(
      b.hover('web') ?? '',
      /are allowed \(NetworkPolicy\/deny and 1 more\)\.\n\n\*\*Reachable from\*\* \(1\)\n\n.*\n.*\n\| \[Pod\/desk\].*&emsp; \| TCP 8080&emsp; \| ingress rule 1 of shop\/web \|$/m,
    );
    assert.equal(
      b.hover('rule'),
      `from\n---\nPod/desk may connect to Pod/web on TCP 8080.\n\n**Sources that the policy allows** (1)\n${from.join('\n')}\n| ${desk}&emsp; | TCP 8080&emsp; | ingress rule 1 of shop/web |`,
    );
    assert.match(b.hover('deny') ?? '', /^Denies all ingress of Pod\/web, except what other policies allow\.$/m);
    assert.equal(b.lenses('shop/all.yaml'), '10 spec.podSelector: selects Pod/web; Pod/desk may connect on TCP 8080');
  });
});
