/** Tests that `match --object` lists what the selectors of an object match. */

import assert from 'node:assert/strict';
import { runInMemory } from './memory-world.ts';

const overlays = {
  'base/kustomization.yaml': 'resources: [all.yaml]\n',
  'base/all.yaml': `apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}, ports: [{port: 80}]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: []}}
`,
  'dev/kustomization.yaml': 'namePrefix: dev-\nresources: [../base]\n',
  'prod/kustomization.yaml': `resources: [../base]
patches:
  - target: {kind: Service}
    patch: '[{op: replace, path: /spec/selector/app, value: shop}]'
`,
};

describe('match with an object', () => {
  it('lists the matches of its selectors in each scope', async () => {
    const { out, err, code } = await runInMemory(['match', '--object', 'svc/web'], { files: overlays });
    assert.deepEqual([code, err], [0, []]);
    assert.deepEqual(out, [
      'base/all.yaml:4: Service/web, as built by the kustomization in prod: spec.selector (app=shop)',
      '  It matches nothing in its scope.',
      'base/all.yaml:4: Service/dev-web, as built by the kustomization in dev: spec.selector (app=web)',
      '  matches the pods of Deployment/dev-web  base/all.yaml:7',
    ]);
  });

  it('counts the matches in other scopes that may share the cluster', async () => {
    const files = {
      'apps/api.yaml': `apiVersion: v1\nkind: Pod\nmetadata: {name: api, namespace: data, labels: {app: api}}\n`,
      'db/policy.yaml': `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: pg, namespace: data}
spec:
  podSelector: {}
  ingress: [{from: [{podSelector: {matchLabels: {app: api}}}]}]
`,
    };
    const { out } = await runInMemory(['match', 'NetworkPolicy/pg'], { files });
    assert.deepEqual(out.slice(1), [
      '  It matches nothing in its scope.',
      'db/policy.yaml:6: NetworkPolicy/pg in data: spec.ingress[0].from[0].podSelector (app=api)',
      '  It matches nothing in its scope.',
      '  1 object in another scope matches: Pod/api  apps/api.yaml:2',
    ]);
    const webhook = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: prices}
webhooks:
  - name: prices.example.com
    namespaceSelector: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: NotIn, values: [shop]}]}
`;
    const { out: namespaces } = await runInMemory(['match', 'ValidatingWebhookConfiguration/prices'], {
      files: { 'webhook.yaml': webhook },
    });
    assert.deepEqual(
      namespaces.filter((line) => line.includes('other scope')),
      [],
    );
    const { out: selectors } = await runInMemory(['who-selects', 'Pod/api'], { files });
    assert.deepEqual(selectors, [
      'apps/api.yaml:2: Pod/api in data',
      '  No selector in its scope matches it.',
      '  1 selector in another scope matches: NetworkPolicy/pg  db/policy.yaml:2',
    ]);
  });

  it('considers the rules of a webhook', async () => {
    const files = {
      'all.yaml': `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: prices}
webhooks:
  - name: prices.example.com
    objectSelector: {matchLabels: {app: web}}
    rules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}]
---
apiVersion: v1
kind: ConfigMap
metadata: {name: web, labels: {app: web}}
---
apiVersion: v1
kind: ConfigMap
metadata: {name: api, labels: {app: api}}
---
apiVersion: v1
kind: Secret
metadata: {name: web, labels: {app: web}}
`,
    };
    assert.deepEqual((await runInMemory(['match', 'ValidatingWebhookConfiguration/prices'], { files })).out.slice(1), [
      '  matches ConfigMap/web  all.yaml:10',
    ]);
  });

  it('states what is not considered for Nodes', async () => {
    const node = 'apiVersion: v1\nkind: Node\nmetadata: {name: n1, labels: {disk: ssd}}\nspec: {unschedulable: true}\n';
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec: {nodeSelector: {disk: ssd}, containers: []}\n';
    const files = { 'all.yaml': `${node}---\n${pod}` };
    const { out } = await runInMemory(['match', '--object', 'Pod/x'], { files });
    assert.deepEqual(out, [
      'all.yaml:9: Pod/x: spec.nodeSelector (disk=ssd)',
      '  matches Node/n1  all.yaml:2: the pod does not fit (the node is unschedulable)',
      '  Not considered: resources.',
    ]);
    const { json } = await runInMemory(['match', '--object', 'Pod/x', '--format', 'json'], { files });
    const { selectors } = json as { readonly selectors: readonly { readonly notConsidered?: string }[] };
    assert.deepEqual(
      selectors.map(({ notConsidered }) => notConsidered),
      ['resources'],
    );
  });

  it('has no such note for other selectors of Nodes', async () => {
    const node = 'apiVersion: v1\nkind: Node\nmetadata: {name: n1, labels: {disk: ssd}}\n';
    const policy =
      'apiVersion: cilium.io/v2\nkind: CiliumClusterwideNetworkPolicy\nmetadata: {name: x}\nspec: {nodeSelector: {matchLabels: {disk: ssd}}}\n';
    const files = { 'all.yaml': `${node}---\n${policy}` };
    const { out } = await runInMemory(['match', '--object', 'CiliumClusterwideNetworkPolicy/x'], { files });
    assert.match(out.join('\n'), /matches Node\/n1/);
    assert.doesNotMatch(out.join('\n'), /Not considered/);
  });

  it('is limited to scopes and paths', async () => {
    for (const words of [['--scope', 'dev'], ['dev']]) {
      const { out } = await runInMemory(['match', '--object', 'Service/web', ...words], { files: overlays });
      assert.deepEqual(
        out.map((line) => line.trim().split(' ')[1]),
        ['Service/dev-web,', 'the'],
      );
    }
  });

  it('states that the matches are unknown if another system evaluates the form of the selector', async () => {
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web, labels: {app: web}}\n';
    const all = {
      'projectcalico.org/v3 BGPPeer': "{nodeSelector: rack == 'a'}",
    };
    for (const [name, spec] of Object.entries(all)) {
      const [apiVersion = '', kind = ''] = name.split(' ');
      const files = {
        'a.yaml': `${pod}---\napiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a}\nspec: ${spec}\n`,
      };
      const { out } = await runInMemory(['match', '--object', `${kind}/a`], { files });
      assert.equal(out[1], '  Its matches are unknown, because this form of selector is not evaluated.', name);
      const { json } = await runInMemory(['match', '--object', `${kind}/a`, '--format', 'json'], { files });
      const { selectors } = json as {
        readonly selectors: readonly { readonly matches: unknown; readonly unknown?: true }[];
      };
      assert.deepEqual(
        selectors.map(({ matches, unknown }) => [matches, unknown]),
        [[[], true]],
      );
    }
    const cilium = `${pod}---\napiVersion: cilium.io/v2\nkind: CiliumNetworkPolicy\nmetadata: {name: a}\nspec: {endpointSelector: {matchLabels: {app: web}}}\n`;
    const { out } = await runInMemory(['match', '--object', 'CiliumNetworkPolicy/a'], { files: { 'a.yaml': cilium } });
    assert.equal(out[1], '  matches Pod/web  a.yaml:2');
  });

  it('evaluates selectors of Cilium and Calico', async () => {
    const namespace = 'apiVersion: v1\nkind: Namespace\nmetadata: {name: shop, labels: {team: a}}\n';
    const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: web, namespace: shop, labels: {app: web}}\n';
    const [cilium, calico] = ['cilium.io/v2 CiliumNetworkPolicy', 'projectcalico.org/v3 NetworkPolicy'] as const;
    const matches = 'matches Pod/web in shop';
    for (const [name, spec, expected] of [
      [cilium, "{endpointSelector: {matchLabels: {'k8s:app': web}}}", matches],
      [cilium, "{endpointSelector: {matchLabels: {'k8s:app': db}}}", 'no'],
      [cilium, "{endpointSelector: {matchLabels: {'reserved:host': ''}}}", 'no'],
      [cilium, '{endpointSelector: {matchLabels: {io.cilium.k8s.namespace.labels.team: a}}}', matches],
      [cilium, '{endpointSelector: {matchLabels: {io.cilium.k8s.namespace.labels.team: b}}}', 'no'],
      [cilium, '{endpointSelector: {matchLabels: {k8s.io/x: b}}}', 'no'],
      [
        cilium,
        '{endpointSelector: {matchExpressions: [{key: io.cilium.k8s.policy.cluster, operator: In, values: [a]}]}}',
        'may match Pod/web in shop: the name of the cluster is a setting',
      ],
      [calico, "{selector: app == 'web' && pcns.team == 'a'}", matches],
      [calico, "{selector: app == 'web' && pcns.team == 'b'}", 'no'],
      [calico, "{selector: app == 'db' || has(app)}", matches],
      [calico, "{selector: app starts with 'we'}", matches],
      [calico, "{serviceAccountSelector: projectcalico.org/name == 'default'}", matches],
      [calico, "{serviceAccountSelector: projectcalico.org/name == 'web'}", 'no'],
      [calico, '{selector: app = web}', 'no'],
    ] as const) {
      const [apiVersion = '', kind = ''] = name.split(' ');
      const policy = `apiVersion: ${apiVersion}\nkind: ${kind}\nmetadata: {name: a, namespace: shop}\nspec: ${spec}\n`;
      const files = { 'a.yaml': `${namespace}---\n${pod}---\n${policy}` };
      const { out } = await runInMemory(['match', '--object', `${kind}/a`], { files });
      const line = out.find((each) => each.includes('Pod/web')) ?? 'no';
      assert.equal(line.trim().replace(/ {2}a\.yaml:\d+/, ''), expected, spec);
    }
  });

  it('states which object may create further objects', async () => {
    const budget = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: cache}
spec: {maxUnavailable: 1, selector: {matchLabels: {cache: sample}}}
`;
    const answer = async (others: string, of: string) => {
      const { out } = await runInMemory(['match', of], { files: { 'a.yaml': `${budget}---\n${others}` } });
      return out[1]?.trim();
    };
    const custom = 'apiVersion: cache.example.com/v1\nkind: Memcached\nmetadata: {name: sample}\n';
    assert.equal(
      await answer(custom, 'PodDisruptionBudget/cache'),
      'Matches unknown: a.yaml contains the kind Memcached, which may create objects.',
    );
    const search = `apiVersion: elasticsearch.k8s.elastic.co/v1
kind: Elasticsearch
metadata: {name: es}
spec: {version: 9.0.0, nodeSets: [{name: default, count: 3}]}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: es}
spec: {selector: {matchLabels: {elasticsearch.k8s.elastic.co/cluster-name: es}}, endpoints: [{port: https}]}
`;
    assert.equal(
      await answer(search, 'ServiceMonitor/es'),
      'Matches unknown: an operator may create Services for the custom objects beside it.',
    );
    const service = 'apiVersion: v1\nkind: Service\nmetadata: {name: web}\nspec: {ports: [{port: 80}]}\n';
    assert.equal(await answer(service, 'PodDisruptionBudget/cache'), 'It matches nothing in its scope.');
  });

  it('states why a match is uncertain', async () => {
    const files = {
      'all.yaml': `apiVersion: v1
kind: Service
metadata: {name: web}
spec: {selector: {app: web}}
---
apiVersion: v1
kind: Pod
metadata: {name: web, namespace: shop, labels: {app: web}}
`,
    };
    const reason = 'it is in `shop`, and the namespace of the selector is not set';
    const { out } = await runInMemory(['match', '--object', 'Service/web'], { files });
    assert.deepEqual(out.slice(1), [`  may match Pod/web in shop  all.yaml:7: ${reason}`]);
    const selecting = await runInMemory(['who-selects', '--object', 'Pod/web'], { files });
    assert.deepEqual(selecting.out.slice(1), [
      `  Service/web may select it: spec.selector (app=web)  all.yaml:4: ${reason}`,
    ]);
  });

  it('has the documented shape as JSON', async () => {
    const { json } = await runInMemory(['match', '--object', 'Service/dev-web', '--format', 'json'], {
      files: overlays,
    });
    assert.deepEqual(json, {
      object: 'Service/dev-web',
      selectors: [
        {
          kind: 'Service',
          name: 'dev-web',
          file: 'base/all.yaml',
          line: 4,
          builtBy: 'dev',
          builtByKind: 'kustomization',
          path: 'spec.selector',
          selector: 'app=web',
          matches: [
            {
              kind: 'Deployment',
              name: 'dev-web',
              via: 'spec.template',
              answer: 'yes',
              file: 'base/all.yaml',
              line: 7,
            },
          ],
        },
      ],
    });
  });

  it('cannot be combined with a given selector, and states that an object has no selectors', async () => {
    const combined = await runInMemory(['match', '--object', 'Service/web', '-l', 'app=web'], { files: overlays });
    assert.deepEqual(
      [combined.code, combined.err],
      [2, ["selector-lens: The options '--object' and '--selector' cannot be combined."]],
    );
    const files = { 'a.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\n' };
    const none = await runInMemory(['match', '--object', 'ConfigMap/a'], { files });
    assert.deepEqual([none.code, none.out, none.err], [0, [], ['ConfigMap/a has no selectors.']]);
  });
});

const flux = (name: string) => `---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec: {path: ./${name}, prune: true, interval: 1h, sourceRef: {kind: GitRepository, name: all}}
`;

/** A policy, the pods and the Namespaces of three GitOps objects; a patch changes the label of the namespace of the pods. */
const cluster = (zone: string) => ({
  'cluster/all.yaml': `${['reports', 'ledger', 'platform'].map(flux).join('')}---
apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: all, namespace: flux-system}
spec: {url: https://git.example.com/all, interval: 1m}
`,
  'reports/kustomization.yaml': 'namespace: analytics\nresources: [all.yaml]\n',
  'reports/all.yaml': `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: reports}
spec:
  podSelector: {}
  policyTypes: [Egress]
  egress:
    - to:
        - namespaceSelector: {matchLabels: {zone: core}}
          podSelector: {matchLabels: {app: ledger}}
`,
  'ledger/kustomization.yaml': 'namespace: payments\nresources: [all.yaml]\n',
  'ledger/all.yaml': 'apiVersion: v1\nkind: Pod\nmetadata: {name: ledger, labels: {app: ledger}}\n',
  'platform/kustomization.yaml': `resources: [all.yaml]
patches:
  - target: {kind: Namespace, name: payments}
    patch: '[{op: replace, path: /metadata/labels/zone, value: ${zone}}]'
`,
  'platform/all.yaml': `apiVersion: v1
kind: Namespace
metadata: {name: payments, labels: {zone: core}}
---
apiVersion: v1
kind: Namespace
metadata: {name: identity, labels: {zone: core}}
`,
});

const pool = `apiVersion: karpenter.sh/v1
kind: NodePool
metadata: {name: batch}
spec:
  template:
    metadata: {labels: {shop.example.com/team: blue}}
    spec:
      requirements:
        - {key: shop.example.com/rack, operator: In, values: [r1, r2]}
        - {key: kubernetes.io/arch, operator: In, values: [arm64]}
`;

const podWith = (nodeSelector: string) => `---
apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {nodeSelector: {${nodeSelector}}, containers: []}
`;

describe('match with a pod that selects nodes', () => {
  const answer = async (nodes: string, nodeSelector: string) => {
    const { out } = await runInMemory(['match', 'Pod/web'], {
      files: { 'a.yaml': `${nodes}${podWith(nodeSelector)}` },
    });
    return out[1]?.trim();
  };

  it('evaluates the requirements of a node pool, which determine the labels of its nodes', async () => {
    const place = 'the nodes of NodePool/batch  a.yaml:2';
    const rack = "`shop.example.com/rack` is 'r1' or 'r2', but the selector wants 'r1'";
    assert.equal(await answer(pool, 'shop.example.com/rack: r1'), `may match ${place}: ${rack}`);
    assert.equal(await answer(pool, 'shop.example.com/rack: r9'), 'It matches nothing in its scope.');
    assert.equal(await answer(pool, 'kubernetes.io/arch: arm64'), `matches ${place}`);
    assert.equal(await answer(pool, 'kubernetes.io/arch: amd64'), 'It matches nothing in its scope.');
    assert.equal(await answer(pool, 'shop.example.com/team: blue'), `matches ${place}`);
  });

  it('states that the matches are unknown if no file determines the labels', async () => {
    const unknown = 'Matches unknown: controllers or templates may add labels to objects.';
    assert.equal(await answer(pool, 'topology.kubernetes.io/zone: a'), unknown);
    const none = 'Matches unknown: no Node or node pool is applied together with it.';
    assert.equal(await answer('', 'shop.example.com/rack: r1'), none);
  });

  it('evaluates the labels that pools of cloud providers write to their nodes', async () => {
    const gke = `apiVersion: container.cnrm.cloud.google.com/v1beta1
kind: ContainerNodePool
metadata: {name: batch}
spec: {nodeConfig: {labels: {shop.example.com/tier: batch}}}
`;
    const place = 'the nodes of ContainerNodePool/batch  a.yaml:2';
    assert.equal(await answer(gke, 'shop.example.com/tier: batch'), `matches ${place}`);
  });

  it('names the selecting pods of a node pool', async () => {
    const files = { 'a.yaml': `${pool}${podWith('shop.example.com/rack: r1')}` };
    const { out } = await runInMemory(['who-selects', 'NodePool/batch'], { files });
    assert.deepEqual(
      out.slice(1).map((line) => line.trim().split(':')[0]),
      ['NodePool/batch selects its nodes', 'Pod/web may select its nodes'],
    );
  });
});

describe('match with a selector of namespaces', () => {
  const policy = (namespaceSelector: string) => `apiVersion: v1
kind: Pod
metadata: {name: scraper, namespace: monitoring}
---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: np, namespace: store}
spec:
  podSelector: {}
  ingress: [{from: [{namespaceSelector: ${namespaceSelector}}]}]
`;
  const answers = async (namespaceSelector: string) => {
    const { out } = await runInMemory(['match', 'NetworkPolicy/np'], {
      files: { 'a.yaml': policy(namespaceSelector) },
    });
    return out.slice(3).map((line) => line.trim());
  };

  it('lists the namespaces of objects, whether or not a Namespace object creates them', async () => {
    const monitoring = 'matches Namespace/monitoring (named by an object)  a.yaml:2';
    const store = 'matches Namespace/store (named by an object)  a.yaml:6';
    assert.deepEqual(await answers('{}'), [monitoring, store]);
    assert.deepEqual(await answers('{matchLabels: {kubernetes.io/metadata.name: monitoring}}'), [monitoring]);
    assert.deepEqual(await answers('{matchLabels: {kubernetes.io/metadata.name: other}}'), [
      'It matches nothing in its scope.',
    ]);
    assert.deepEqual(await answers('{matchLabels: {team: blue}}'), [
      'Matches unknown: the labels of namespaces without Namespace objects are unknown.',
    ]);
  });
});

describe('match with an object as an argument', () => {
  it('lists the matches of its selectors', async () => {
    const { out, code } = await runInMemory(['match', 'svc/web'], { files: overlays });
    assert.equal(code, 0);
    assert.deepEqual(out, (await runInMemory(['match', '--object', 'svc/web'], { files: overlays })).out);
  });
});

describe('match with an object of a GitOps object', () => {
  const matches = async (zone: string) => {
    const words = ['match', '--object', 'NetworkPolicy/reports', '--scope', 'cluster/all.yaml#reports'];
    const { out } = await runInMemory(words, { files: cluster(zone) });
    return out.flatMap((line) => (line.startsWith('  ') ? [line.trim().split('  ')[0]] : []));
  };

  it('lists the objects that other GitOps objects apply to the cluster, as they are applied', async () => {
    assert.deepEqual(await matches('core'), [
      'It matches nothing in its scope.',
      'matches Namespace/payments',
      'matches Namespace/identity',
      'matches Pod/ledger in payments',
    ]);
    assert.deepEqual(await matches('audit'), [
      'It matches nothing in its scope.',
      'matches Namespace/identity',
      'It matches nothing in its scope.',
    ]);
  });
});
