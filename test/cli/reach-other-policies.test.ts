/** Tests that answers about connections beside policies of other systems are unknown, or correct. */

import assert from 'node:assert/strict';
import { answerText, asked, calicoRule, isolating, policy, workload } from './policy-documents.ts';

describe('reach beside policies of other systems', () => {
  const shop = [workload('web'), workload('db'), workload('api'), isolating];

  const kinds: readonly (readonly [type: string, spec: string, web: string, db: string])[] = [
    // Cilium rejects a rule without any list, so that the policy has no effect.
    ['cilium.io/v2/CiliumNetworkPolicy', '{endpointSelector: {}}', 'allowed', 'denied'],
    ['cilium.io/v2/CiliumNetworkPolicy', '{endpointSelector: {}, ingress: [{fromOthers: [{}]}]}', 'unknown', 'unknown'],
    ['cilium.io/v2/CiliumClusterwideNetworkPolicy', '{endpointSelector: {}, ingress: [{}]}', 'denied', 'denied'],
    ['projectcalico.org/v3/NetworkPolicy', "{selector: app == 'db'}", 'allowed', 'denied'],
    ['crd.projectcalico.org/v1/GlobalNetworkPolicy', '{}', 'denied', 'denied'],
    ['crd.projectcalico.org/v1/GlobalNetworkPolicy', "{selector: app = 'db'}", 'unknown', 'unknown'],
    ['policy.networking.k8s.io/v1alpha1/AdminNetworkPolicy', '{}', 'unknown', 'unknown'],
    [
      'policy.networking.k8s.io/v1alpha1/AdminNetworkPolicy',
      '{subject: {namespaces: {matchLabels: {kubernetes.io/metadata.name: mail}}}}',
      'allowed',
      'denied',
    ],
    [
      'policy.networking.k8s.io/v1alpha1/BaselineAdminNetworkPolicy',
      '{subject: {pods: {namespaceSelector: {}, podSelector: {matchLabels: {app: db}}}}}',
      'allowed',
      'unknown',
    ],
    [
      'policy.networking.k8s.io/v1alpha1/AdminNetworkPolicy',
      '{subject: {pods: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: mail}}, podSelector: {}}}}',
      'allowed',
      'denied',
    ],
    ['crd.antrea.io/v1beta1/NetworkPolicy', '{}', 'unknown', 'unknown'],
    // A policy of a mesh can only deny more.
    ['security.istio.io/v1/AuthorizationPolicy', '{}', 'unknown', 'denied'],
    ['security.istio.io/v1/AuthorizationPolicy', '{selector: {matchLabels: {app: db}}}', 'allowed', 'denied'],
    ['policy.linkerd.io/v1beta3/Server', '{podSelector: {matchLabels: {app: api}}, port: 80}', 'unknown', 'denied'],
    ['consul.hashicorp.com/v1alpha1/ServiceIntentions', '{destination: {name: api}}', 'unknown', 'denied'],
    ['kuma.io/v1alpha1/MeshTrafficPermission', '{targetRef: {kind: Mesh}}', 'unknown', 'denied'],
    ['access.smi-spec.io/v1alpha3/TrafficTarget', '{destination: {kind: ServiceAccount}}', 'unknown', 'denied'],
    ['network.openshift.io/v1/EgressNetworkPolicy', '{egress: []}', 'unknown', 'denied'],
    // Rejected, so that only an earlier version may be in effect: numbers of ports need a protocol with ports, and the names of
    // actions and protocols have one spelling.
    [
      'projectcalico.org/v3/NetworkPolicy',
      calicoRule('action: Allow, destination: {ports: [80]}'),
      'unknown',
      'unknown',
    ],
    [
      'projectcalico.org/v3/NetworkPolicy',
      calicoRule('action: Allow, destination: {notPorts: [8]}'),
      'unknown',
      'unknown',
    ],
    [
      'projectcalico.org/v3/NetworkPolicy',
      calicoRule('action: Deny, protocol: ICMP, destination: {ports: [80]}'),
      'unknown',
      'denied',
    ],
    ['projectcalico.org/v3/NetworkPolicy', calicoRule('action: allow'), 'unknown', 'unknown'],
    [
      'projectcalico.org/v3/NetworkPolicy',
      calicoRule('action: Allow, protocol: tcp, destination: {ports: [80]}'),
      'allowed',
      'allowed',
    ],
    [
      'cilium.io/v2/CiliumNetworkPolicy',
      '{endpointSelector: {}, ingress: [{toPorts: [{ports: [{port: "80", protocol: tcp}]}]}]}',
      'unknown',
      'unknown',
    ],
    ...[
      'action: Allow, source: {nets: [10.0.0.0/8, "fd00::/8"]}',
      'action: Allow, source: {nets: [10.0.0.0/8]}, destination: {notNets: ["fd00::/8"]}',
      'action: Allow, ipVersion: 6, source: {nets: [10.0.0.0/8]}',
      'action: Allow, source: {nets: [10.1.2.3]}',
      'action: Allow, source: {nets: [10.1.2.3/8]}',
      'action: Allow, protocol: TCP, destination: {ports: ["0:80"]}',
      'action: Allow, protocol: TCP, destination: {ports: [Web_Port]}',
      'action: Allow, protocol: TCP, source: {ports: ["9:1"]}',
      'action: Allow, source: {ports: [80]}',
      'action: Allow, icmp: {type: 8}',
      'action: Allow, source: {services: {name: web}, selector: all()}',
      'action: Allow, source: {services: {}}',
      'action: Allow, destination: {services: {name: web}}',
    ].map((rule) => ['projectcalico.org/v3/NetworkPolicy', calicoRule(rule), 'unknown', 'unknown'] as const),
    ...[
      'action: Log, source: {nets: [here]}',
      'action: Allow, protocol: TCPP',
      'action: Allow, protocol: 0',
      'action: Allow, protocol: TCP, destination: {ports: [0]}',
      'action: Allow, protocol: TCP, destination: {ports: [100000]}',
      'action: Deny, http: {methods: [GET]}',
    ].map((rule) => ['projectcalico.org/v3/NetworkPolicy', calicoRule(rule), 'unknown', 'denied'] as const),
    ['projectcalico.org/v3/NetworkPolicy', '{types: [Ingress, Ingress]}', 'unknown', 'denied'],
    [
      'cilium.io/v2/CiliumNetworkPolicy',
      '{endpointSelector: {}, ingress: [{toPorts: [{ports: [{port: "80", endPort: 70000}]}]}]}',
      'unknown',
      'unknown',
    ],
    // Only new versions of Calico reject a rule that excludes all addresses. It matches nothing in older versions.
    [
      'projectcalico.org/v3/NetworkPolicy',
      calicoRule('action: Allow, source: {notNets: [0.0.0.0/0]}'),
      'unknown',
      'denied',
    ],
    // Staged policies are not enforced.
    ['projectcalico.org/v3/StagedNetworkPolicy', '{}', 'allowed', 'denied'],
  ];
  for (const [type, spec, toApi, toDb] of kinds)
    it(`is ${toApi} and ${toDb} beside ${type} with ${spec}`, async () => {
      const documents = [...shop, policy(type, spec)];
      assert.equal(answerText(await asked('web', 'api', documents)), toApi);
      assert.equal(answerText(await asked('web', 'db', documents)), toDb);
    });

  const everyNamespace = '"{{request.object.metadata.name}}"';
  const generate = (target: string) => `{rules: [{name: deny, match: {}, generate: {${target}}}]}`;
  const creators: readonly (readonly [type: string, spec: string, toApi: string, toDb: string])[] = [
    [
      'kyverno.io/v1/ClusterPolicy',
      generate(`kind: NetworkPolicy, namespace: ${everyNamespace}`),
      'unknown',
      'unknown',
    ],
    ['kyverno.io/v1/ClusterPolicy', generate('kind: NetworkPolicy, namespace: shop'), 'unknown', 'unknown'],
    ['kyverno.io/v1/ClusterPolicy', generate('kind: NetworkPolicy, namespace: mail'), 'allowed', 'denied'],
    ['kyverno.io/v1/ClusterPolicy', generate(`kind: Secret, namespace: ${everyNamespace}`), 'allowed', 'denied'],
    ['kyverno.io/v1/ClusterPolicy', generate('kind: CiliumNetworkPolicy'), 'unknown', 'unknown'],
    ['kyverno.io/v1/ClusterPolicy', generate('foreach: [{kind: NetworkPolicy}]'), 'unknown', 'unknown'],
    [
      'kyverno.io/v1/ClusterPolicy',
      generate('cloneList: {namespace: base, kinds: [v1/Secret, networking.k8s.io/v1/NetworkPolicy]}'),
      'unknown',
      'unknown',
    ],
    ['kyverno.io/v1/ClusterPolicy', generate('cloneList: {namespace: base, kinds: [v1/Secret]}'), 'allowed', 'denied'],
    [
      'kyverno.io/v1/ClusterPolicy',
      '{rules: [{name: a, match: {any: [{resources: {kinds: [NetworkPolicy]}}]}, validate: {pattern: {}}}]}',
      'allowed',
      'denied',
    ],
    ['kyverno.io/v1/Policy', generate('kind: NetworkPolicy'), 'unknown', 'unknown'],
    [
      'policies.kyverno.io/v1alpha1/GeneratingPolicy',
      "{generate: [{expression: \"generator.Apply(ns, [{'kind': dyn('NetworkPolicy')}])\"}]}",
      'unknown',
      'unknown',
    ],
    ['capsule.clastix.io/v1beta2/Tenant', '{networkPolicies: {items: [{podSelector: {}}]}}', 'unknown', 'unknown'],
    ['capsule.clastix.io/v1beta2/Tenant', '{networkPolicies: {items: []}}', 'allowed', 'denied'],
    [
      'hnc.x-k8s.io/v1alpha2/HNCConfiguration',
      '{resources: [{resource: networkpolicies, group: networking.k8s.io, mode: Propagate}]}',
      'unknown',
      'unknown',
    ],
    [
      'hnc.x-k8s.io/v1alpha2/HNCConfiguration',
      '{resources: [{resource: networkpolicies, group: networking.k8s.io, mode: Ignore}]}',
      'allowed',
      'denied',
    ],
    ['config.openshift.io/v1/Project', '{projectRequestTemplate: {name: request}}', 'unknown', 'unknown'],
  ];
  for (const [type, spec, toApi, toDb] of creators)
    it(`is ${toApi} and ${toDb} beside ${type} with ${spec}, which may create policies`, async () => {
      const documents = [...shop, policy(type, spec)];
      assert.equal(answerText(await asked('web', 'api', documents)), toApi);
      assert.equal(answerText(await asked('web', 'db', documents)), toDb);
    });

  it('names the object that creates policies', async () => {
    const kyverno = policy('kyverno.io/v1/ClusterPolicy', generate('kind: NetworkPolicy, namespace: shop'));
    assert.deepEqual((await asked('web', 'api', [...shop, kyverno])).reasons, [
      'unknown: ClusterPolicy other creates network policies, which may concern these pods',
    ]);
    const elsewhere = policy('kyverno.io/v1/Policy', generate('kind: NetworkPolicy'), 'mail');
    assert.equal(answerText(await asked('web', 'api', [...shop, elsewhere])), 'allowed');
  });

  it('names the policy', async () => {
    const antrea = policy('crd.antrea.io/v1beta1/NetworkPolicy', '{}');
    assert.deepEqual((await asked('web', 'api', [...shop, antrea])).reasons, [
      'unknown: NetworkPolicy shop/other may concern these pods, and its rules are not evaluated',
    ]);
  });

  it('is unknown beside policies of Cilium and of Calico', async () => {
    const cilium = policy('cilium.io/v2/CiliumNetworkPolicy', '{endpointSelector: {}, ingress: [{}]}');
    const calico = policy('projectcalico.org/v3/NetworkPolicy', "{selector: app == 'db'}");
    assert.deepEqual((await asked('web', 'api', [...shop, cilium, calico])).reasons, [
      'unknown: CiliumNetworkPolicy shop/other may concern these pods, but which network plugin runs is unknown: there are policies of Cilium and of Calico',
    ]);
    const elsewhere = policy('projectcalico.org/v3/NetworkPolicy', '{}', 'mail');
    assert.equal(answerText(await asked('web', 'api', [...shop, cilium, elsewhere])), 'unknown');
  });

  it('is certain beside a policy of another namespace', async () => {
    const antrea = policy('crd.antrea.io/v1beta1/NetworkPolicy', '{}', 'mail');
    assert.equal(answerText(await asked('web', 'api', [...shop, antrea])), 'allowed');
  });

  const istio = (namespace: string) => policy('security.istio.io/v1/AuthorizationPolicy', '{}', namespace);
  const meshes: readonly (readonly [title: string, mesh: string, system: string, mail: string])[] = [
    // By default, the root namespace is istio-system.
    ['no mesh configuration', '', 'unknown', 'allowed'],
    [
      'the ConfigMap of a mesh',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: istio, namespace: istio-system}\ndata: {mesh: "accessLogFile: /dev/stdout"}\n',
      'unknown',
      'allowed',
    ],
    [
      'the ConfigMap of a revision with a root namespace',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: istio-canary, namespace: mesh}\ndata:\n  mesh: |-\n    enableTracing: true\n    rootNamespace: "mail"\n',
      'unknown',
      'unknown',
    ],
    [
      'an IstioOperator with a root namespace',
      'apiVersion: install.istio.io/v1alpha1\nkind: IstioOperator\nmetadata: {name: mesh}\nspec: {meshConfig: {rootNamespace: mail}}\n',
      'unknown',
      'unknown',
    ],
    [
      'an IstioOperator',
      'apiVersion: install.istio.io/v1alpha1\nkind: IstioOperator\nmetadata: {name: mesh}\nspec: {values: {global: {istioNamespace: mesh}}}\n',
      'unknown',
      'allowed',
    ],
    [
      'an Istio of the Sail operator',
      'apiVersion: sailoperator.io/v1\nkind: Istio\nmetadata: {name: default}\nspec: {namespace: mail}\n',
      'unknown',
      'unknown',
    ],
    [
      'an unrelated ConfigMap',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: prices, namespace: shop}\ndata: {mesh: ""}\n',
      'unknown',
      'allowed',
    ],
  ];
  for (const [title, mesh, system, mail] of meshes)
    it(`is ${system} and ${mail} beside a policy of Istio in other namespaces with ${title}`, async () => {
      const documents = [...shop, ...(mesh === '' ? [] : [mesh])];
      assert.equal(answerText(await asked('web', 'api', [...documents, istio('istio-system')])), system);
      assert.equal(answerText(await asked('web', 'api', [...documents, istio('mail')])), mail);
    });

  it('states that the namespace of a policy may be the root namespace of Istio', async () => {
    const sidecar = policy('networking.istio.io/v1/Sidecar', '{}', 'mail');
    assert.deepEqual((await asked('web', 'api', [...shop, sidecar])).reasons, [
      "unknown: Sidecar mail/other may concern these pods ('mail' may be the root namespace of Istio), and its rules are not evaluated",
    ]);
  });

  it('is unknown if TLS settings or intercepted ports decide whether a policy of Istio applies', async () => {
    const strict =
      'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {istio-injection: enabled}}\n---\n' +
      'apiVersion: security.istio.io/v1\nkind: PeerAuthentication\nmetadata: {name: strict, namespace: shop}\nspec: {mtls: {mode: STRICT}}\n';
    const workloads = [workload('web'), workload('db'), workload('api')];
    assert.equal(answerText(await asked('web', 'api', [...workloads, strict])), 'allowed');
    const rule = (policy: string) =>
      `apiVersion: networking.istio.io/v1\nkind: DestinationRule\nmetadata: {name: api, namespace: shop}\nspec: {host: api, trafficPolicy: {${policy}}}\n`;
    assert.equal(
      answerText(await asked('web', 'api', [...workloads, strict, rule('tls: {mode: DISABLE}')])),
      'unknown',
    );
    const pool = rule('connectionPool: {tcp: {maxConnections: 1}}');
    assert.equal(answerText(await asked('web', 'api', [...workloads, strict, pool])), 'allowed');
    const annotated = workload('api').replace(
      'metadata: {labels:',
      'metadata: {annotations: {traffic.sidecar.istio.io/excludeInboundPorts: "80"}, labels:',
    );
    const denied = policy('security.istio.io/v1/AuthorizationPolicy', '{}');
    const others = [workload('web'), workload('db'), strict, denied];
    assert.equal(answerText(await asked('web', 'api', [...others, workload('api')])), 'denied');
    assert.equal(answerText(await asked('web', 'api', [...others, annotated])), 'unknown');
  });

  const linkerd = (value: string) => `{config.linkerd.io/default-inbound-policy: ${value}}`;
  const withAnnotation = (value: string) =>
    workload('api').replace('metadata: {labels:', `metadata: {annotations: ${linkerd(value)}, labels:`);

  it('is unknown for pods with a default policy of Linkerd', async () => {
    const others = [workload('web'), workload('db'), isolating];
    for (const value of ['deny', 'all-authenticated', 'cluster-authenticated', 'cluster-unauthenticated', '"$(X)"']) {
      const { reasons, ...answer } = await asked('web', 'api', [...others, withAnnotation(value)]);
      assert.equal(answerText({ ...answer, reasons }), 'unknown', value);
      assert.deepEqual(reasons, [
        'unknown: Deployment shop/api sets the default inbound policy of Linkerd, which is not evaluated',
      ]);
      // Connections from the pods are not concerned, and a mesh can only deny more.
      assert.equal(answerText(await asked('api', 'web', [...others, withAnnotation(value)])), 'allowed');
      assert.equal(answerText(await asked('api', 'db', [...others, withAnnotation(value)])), 'denied');
    }
    assert.equal(answerText(await asked('web', 'api', [...others, withAnnotation('all-unauthenticated')])), 'allowed');
  });

  it('is unknown if the values with which Linkerd is installed contain a default policy', async () => {
    const chart = '{chart: linkerd-control-plane, sourceRef: {kind: HelmRepository, name: linkerd}}';
    const flux = (value: string) =>
      policy(
        'helm.toolkit.fluxcd.io/v2/HelmRelease',
        `{interval: 1h, chart: {spec: ${chart}}, values: {proxy: {defaultInboundPolicy: ${value}}}}`,
        'linkerd',
      );
    const argo = (value: string) =>
      policy(
        'argoproj.io/v1alpha1/Application',
        `{project: default, destination: {namespace: linkerd}, source: {helm: {values: "proxy:\\n  defaultInboundPolicy: ${value}\\n"}}}`,
        'argocd',
      );
    for (const install of [flux, argo]) {
      const { reasons, ...answer } = await asked('web', 'api', [...shop, install('deny')]);
      assert.equal(answerText({ ...answer, reasons }), 'unknown', reasons.join('\n'));
      assert.match(reasons.join(), /other sets the default inbound policy of Linkerd, which is not evaluated/);
      assert.equal(answerText(await asked('web', 'api', [...shop, install('all-unauthenticated')])), 'allowed');
      assert.equal(
        answerText(await asked('web', 'db', [workload('web'), workload('db'), isolating, install('deny')])),
        'denied',
      );
    }
  });

  it('is denied for addresses of the other family than the blocks that a rule of Calico excludes', async () => {
    const rule = calicoRule('action: Allow, source: {notNets: [10.0.0.0/8]}');
    const documents = [...shop, policy('projectcalico.org/v3/NetworkPolicy', rule)];
    assert.equal(answerText(await asked('ip:192.0.2.1', 'api', documents)), 'allowed');
    assert.equal(answerText(await asked('ip:10.0.0.1', 'api', documents)), 'denied');
    assert.equal(answerText(await asked('ip:2001:db8::1', 'api', documents)), 'denied');
  });

  it('is unknown for conditions that are not evaluated, which the reasons name', async () => {
    for (const rule of [
      'action: Allow, protocol: TCP, source: {ports: [80]}',
      'action: Allow, http: {methods: [GET]}',
    ]) {
      const documents = [...shop, policy('projectcalico.org/v3/NetworkPolicy', calicoRule(rule))];
      const { reasons, ...answer } = await asked('web', 'api', documents);
      assert.equal(answerText({ ...answer, reasons }), 'unknown');
      assert.match(reasons.join(), /rule 1 of NetworkPolicy shop\/other has conditions that are not evaluated/);
    }
  });

  it('is unknown for SCTP beside policies of Cilium, which drops it by default', async () => {
    const from = (entity: string) =>
      `{endpointSelector: {matchLabels: {app: api}}, ingress: [{fromEntities: [${entity}]}]}`;
    const beside = (entity: string) => [...shop, policy('cilium.io/v2/CiliumNetworkPolicy', from(entity))];
    for (const [target, entity, udp, sctp] of [
      ['api', 'cluster', 'allowed', 'unknown'],
      ['api', 'world', 'denied', 'denied'],
      // No policy selects these pods.
      ['web', 'cluster', 'allowed', 'unknown'],
    ] as const) {
      const source = target === 'api' ? 'web' : 'api';
      assert.equal(answerText(await asked(source, target, beside(entity), 'UDP')), udp, target);
      const { reasons, ...answer } = await asked(source, target, beside(entity), 'SCTP');
      assert.equal(answerText({ ...answer, reasons }), sctp, target);
      if (sctp === 'unknown')
        assert.deepEqual(reasons, ['unknown: Cilium drops SCTP unless it is enabled in its settings']);
    }
  });

  it('is unknown for pods in a namespace with a default policy of Linkerd', async () => {
    const namespace = (name: string, value: string) =>
      `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${name}, annotations: ${linkerd(value)}}\n`;
    const { reasons, ...answer } = await asked('web', 'api', [...shop, namespace('shop', 'deny')]);
    assert.equal(answerText({ ...answer, reasons }), 'unknown');
    assert.deepEqual(reasons, [
      'unknown: Namespace shop sets the default inbound policy of Linkerd, which is not evaluated',
    ]);
    assert.equal(answerText(await asked('web', 'api', [...shop, namespace('mail', 'deny')])), 'allowed');
    assert.equal(answerText(await asked('web', 'api', [...shop, namespace('shop', 'audit')])), 'allowed');
  });
});
