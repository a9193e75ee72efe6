/** Tests that a review mentions a change of each field that has a meaning for other objects or for the API server. */
import assert from 'node:assert/strict';
import { type Files, neutral, review } from './review-world.ts';

/** A Deployment that declares the port `http`, and whatever the fields contain. */
function deployment({ pod = '', container = '', ports = '[{name: http, containerPort: 8080}]', labels = '' } = {}) {
  return `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop, labels: {app: web}}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web${labels}}}
    spec:
      ${pod}
      containers:
      - name: web
        image: web:1
        ports: ${ports}
        ${container}
`;
}

function service(ports: string) {
  return `apiVersion: v1
kind: Service
metadata: {name: web, namespace: shop, labels: {app: web}}
spec:
  selector: {app: web}
  ports: ${ports}
`;
}

function ingress(port: string) {
  return `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: web, namespace: shop}
spec:
  rules:
  - http:
      paths: [{path: /, pathType: Prefix, backend: {service: {name: web, port: ${port}}}}]
`;
}

const config = (data: string) =>
  `{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: shop}, data: ${data}}\n`;
const monitor = (port: string) =>
  `{apiVersion: monitoring.coreos.com/v1, kind: ServiceMonitor, metadata: {name: m, namespace: shop}, spec: {selector: {matchLabels: {app: web}}, endpoints: [{port: ${port}}]}}\n`;
const usual = '[{name: http, port: 80, targetPort: http}]';
const shop = { 'web.yaml': deployment(), 'service.yaml': service(usual), 'ingress.yaml': ingress('{name: http}') };
const readsKey = (key: string, more = '') =>
  deployment({ container: `env: [{name: A, valueFrom: {configMapKeyRef: {name: c, key: ${key}${more}}}}]` });
const generator = (literal: string, options = '') => ({
  'kustomization.yaml': `resources: [web.yaml]\nnamespace: shop\n${options}configMapGenerator: [{name: c, literals: [${literal}]}]\n`,
  'web.yaml': readsKey('a'),
});
const plainNames = 'generatorOptions: {disableNameSuffixHash: true}\n';

/** A StatefulSet whose volume claims have labels. */
function claims(labels: string): string {
  return `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: s}
spec:
  selector: {matchLabels: {app: x}}
  template: {metadata: {labels: {app: x}}, spec: {containers: [{name: a, image: b}]}}
  volumeClaimTemplates: [{metadata: {name: d, labels: ${labels}}}]
`;
}

interface Case {
  readonly what: string;
  readonly old: Files;
  readonly fresh: Files;
  readonly says: RegExp;
  /** The part of `--fail-on` that fails. */
  readonly fails?: string;
}

/** Changes because of which a reference finds its port, key or volume no longer. */
const broken: readonly Case[] = [
  {
    what: 'a port that a Service targets',
    old: shop,
    fresh: { ...shop, 'web.yaml': deployment({ ports: '[{name: web, containerPort: 8080}]' }) },
    says: /Service\/web in shop names the port 'http', which Deployment\/web no longer declares \(service\.yaml:\d+\)\./,
  },
  {
    what: 'the target port of a Service',
    old: shop,
    fresh: { ...shop, 'service.yaml': service('[{name: http, port: 80, targetPort: web}]') },
    says: /Service\/web in shop names the port 'web', which Deployment\/web does not declare/,
  },
  {
    what: 'the name of a port of a Service',
    old: shop,
    fresh: { ...shop, 'service.yaml': service('[{name: web, port: 80, targetPort: http}]') },
    says: /Ingress\/web in shop names the port 'http' of Service\/web, which no longer exists/,
  },
  {
    what: 'the number of a port of a Service',
    old: { ...shop, 'ingress.yaml': ingress('{number: 80}') },
    fresh: { ...shop, 'ingress.yaml': ingress('{number: 80}'), 'service.yaml': service('[{name: http, port: 81}]') },
    says: /Ingress\/web in shop names the port '80' of Service\/web, which no longer exists/,
  },
  {
    what: 'the port of a backend',
    old: shop,
    fresh: { ...shop, 'ingress.yaml': ingress('{name: web}') },
    says: /Ingress\/web in shop names the port 'web' of Service\/web, which does not exist \(ingress\.yaml:\d+\)\./,
  },
  {
    what: 'the port that a monitor scrapes',
    old: { ...shop, 'm.yaml': monitor('http') },
    fresh: { ...shop, 'm.yaml': monitor('web') },
    says: /ServiceMonitor\/m in shop names the port 'web', which Service\/web does not declare/,
  },
  {
    what: 'the port of a probe',
    old: { 'web.yaml': deployment({ container: 'livenessProbe: {httpGet: {port: http}}' }) },
    fresh: { 'web.yaml': deployment({ container: 'livenessProbe: {httpGet: {port: web}}' }) },
    says: /A probe or hook of Deployment\/web in shop names the port 'web', which its container does not declare/,
  },
  {
    what: 'a key that a pod reads',
    old: { 'web.yaml': readsKey('a'), 'c.yaml': config('{a: x}') },
    fresh: { 'web.yaml': readsKey('a'), 'c.yaml': config('{b: x}') },
    says: /Deployment\/web in shop reads the key 'a' of ConfigMap\/c, which no longer exists \(web\.yaml:\d+\)\./,
  },
  {
    what: 'the key of a reference',
    old: { 'web.yaml': readsKey('a'), 'c.yaml': config('{a: x}') },
    fresh: { 'web.yaml': readsKey('b'), 'c.yaml': config('{a: x}') },
    says: /Deployment\/web in shop reads the key 'b' of ConfigMap\/c, which does not exist/,
  },
  {
    what: 'a key of a generator',
    old: generator('a=1'),
    fresh: generator('b=1'),
    says: /reads the key 'a' of ConfigMap\/c, which no longer exists/,
  },
  {
    what: 'a key of a generator without a hash',
    old: generator('a=1', plainNames),
    fresh: generator('b=1', plainNames),
    says: /reads the key 'a' of ConfigMap\/c, which no longer exists/,
  },
  {
    what: 'a key that a patch removes',
    old: {
      'web.yaml': readsKey('a'),
      'c.yaml': config('{a: x}'),
      'kustomization.yaml': 'resources: [web.yaml, c.yaml]\n',
    },
    fresh: {
      'web.yaml': readsKey('a'),
      'c.yaml': config('{a: x}'),
      'kustomization.yaml':
        'resources: [web.yaml, c.yaml]\npatches: [{patch: "{apiVersion: v1, kind: ConfigMap, metadata: {name: c, namespace: shop}, data: {a: null, b: x}}"}]\n',
    },
    says: /reads the key 'a' of ConfigMap\/c, which no longer exists/,
  },
];

const definition = (versions: string) => `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: ovens.bakery.example.com}
spec: {group: bakery.example.com, names: {kind: Oven, plural: ovens}, scope: Namespaced, versions: [${versions}]}
`;
const version = (name: string, isStored: boolean, isServed = true) =>
  `{name: ${name}, served: ${isServed}, storage: ${isStored}, schema: {openAPIV3Schema: {type: object}}}`;
const oven = '{apiVersion: bakery.example.com/v1beta1, kind: Oven, metadata: {name: a, namespace: shop}}\n';
const both = definition(`${version('v1', true)}, ${version('v1beta1', false)}`);

/** Changes because of which the API server rejects an object. */
const refused: readonly Case[] = [
  {
    what: 'a volume that a container mounts',
    old: {
      'web.yaml': deployment({ pod: 'volumes: [{name: d}]', container: 'volumeMounts: [{name: d, mountPath: /d}]' }),
    },
    fresh: { 'web.yaml': deployment({ container: 'volumeMounts: [{name: d, mountPath: /d}]' }) },
    says: /uses its volume 'd', which no longer exists: the API server rejects this, and Deployment\/web stays as it is/,
  },
  {
    what: 'a label of a pod template that is a number',
    old: shop,
    fresh: { ...shop, 'web.yaml': deployment({ labels: ', v: 2' }) },
    says: /rejects Deployment\/web in shop: the value '2' of the label `v` of the pod template is a number, not a string/,
  },
  {
    what: 'a label of a pod template with an invalid value',
    old: shop,
    fresh: { ...shop, 'web.yaml': deployment({ labels: ', v: "a b"' }) },
    says: /rejects Deployment\/web in shop: the label `v` of the pod template has the invalid key or value 'a b'/,
  },
  {
    what: 'a requirement of a selector that is a boolean',
    old: { 's.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {selector: {app: x}}\n' },
    fresh: { 's.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: s}\nspec: {selector: {app: y}}\n' },
    says: /rejects Service\/s: the value 'y' of the requirement `app` in `spec\.selector` is a boolean, not a string/,
  },
  {
    what: 'a label of a volume claim that is a number',
    old: { 's.yaml': claims('{app: x}') },
    fresh: { 's.yaml': claims('{app: x, v: 2}') },
    says: /the value '2' of the label `v` in `spec\.volumeClaimTemplates\[0\]\.metadata\.labels` is a number/,
  },
  {
    what: 'a version of a definition that objects use',
    old: { 'crd.yaml': both, 'oven.yaml': oven },
    fresh: { 'crd.yaml': definition(version('v1', true)), 'oven.yaml': oven },
    says: /no longer serves the version v1beta1: the API server rejects Oven\/a in shop\./,
  },
];

const application = ({
  repository = 'https://github.com/acme/shop',
  revision = 'HEAD',
  path = 'apps/shop',
  source = '',
  server = 'https://kubernetes.default.svc',
} = {}) => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: shop, namespace: argocd}
spec:
  source: {repoURL: '${repository}', targetRevision: ${revision}, ${source === '' ? `path: ${path}` : source}}
  destination: {server: '${server}', namespace: shop}
`;
const flux = ({ url = 'https://github.com/acme/shop', branch = 'main', path = './apps/shop', secret = 'a' } = {}) =>
  `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: g, namespace: flux-system}
spec: {url: '${url}', ref: {branch: ${branch}}, secretRef: {name: ${secret}}}
---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: shop, namespace: flux-system}
spec: {path: ${path}, prune: true, sourceRef: {kind: GitRepository, name: g}}
`;
const applied = (gitops: string, more: Files = {}): Files => ({
  'gitops/shop.yaml': gitops,
  'apps/shop/web.yaml': deployment(),
  'apps/shop/c.yaml': config('{a: x}'),
  ...more,
});
const elsewhere = { 'apps/other/c.yaml': config('{a: x}') };
const remote = (chart: string) => application({ revision: '1.2.3', source: `chart: ${chart}` });
const follows = /in \S+ follows another repository, revision or chart, whose files are not read\./;

/** Changes of what GitOps objects and kustomizations apply. */
const sources: readonly Case[] = [
  ['the repository of an Application', application(), application({ repository: 'https://github.com/b/b' })] as const,
  ['the revision of an Application', application(), application({ revision: 'v2' })] as const,
  ['the chart of an Application', remote('redis'), remote('valkey')] as const,
  ['the URL of a source', flux(), flux({ url: 'https://github.com/b/b' })] as const,
  ['the branch of a source', flux(), flux({ branch: 'prod' })] as const,
].map(([what, old, fresh]) => ({ what, old: applied(old), fresh: applied(fresh), says: follows, fails: 'incomplete' }));

const withoutConfig = { 'gitops/shop.yaml': application(), 'apps/shop/web.yaml': deployment() };

const membership: readonly Case[] = [
  {
    what: 'the cluster of an Application',
    old: applied(application()),
    fresh: applied(application({ server: 'https://b.example.com' })),
    says: /Application\/shop in argocd applies to another cluster\./,
    fails: 'incomplete',
  },
  {
    what: 'the path of an Application',
    old: applied(application(), elsewhere),
    fresh: applied(application({ path: 'apps/other' }), elsewhere),
    says: /Application\/shop no longer applies Deployment\/web, whose file is still there\./,
  },
  {
    what: 'the folder of an object that an Application applies',
    old: applied(application()),
    fresh: { ...withoutConfig, ...elsewhere },
    says: /Application\/shop no longer applies ConfigMap\/c, whose file is still there\./,
  },
  {
    what: 'a file that moves into a subfolder, which an Application does not read',
    old: applied(application()),
    fresh: { ...withoutConfig, 'apps/shop/more/c.yaml': config('{a: x}') },
    says: /Application\/shop no longer applies ConfigMap\/c, whose file is still there\./,
  },
  {
    what: 'the path of a Flux Kustomization',
    old: applied(flux(), elsewhere),
    fresh: applied(flux({ path: './apps/other' }), elsewhere),
    says: /Kustomization\/shop no longer applies Deployment\/web, whose file is still there\./,
  },
  {
    what: 'an entry of a kustomization',
    old: {
      'web.yaml': deployment(),
      'c.yaml': config('{a: x}'),
      'kustomization.yaml': 'resources: [web.yaml, c.yaml]\n',
    },
    fresh: { 'web.yaml': deployment(), 'c.yaml': config('{a: x}'), 'kustomization.yaml': 'resources: [web.yaml]\n' },
    says: /The kustomization of the root folder no longer applies ConfigMap\/c, whose file is still there\./,
  },
  {
    what: 'a new entry of a kustomization',
    old: { 'web.yaml': deployment(), 'c.yaml': config('{a: x}'), 'kustomization.yaml': 'resources: [web.yaml]\n' },
    fresh: {
      'web.yaml': deployment(),
      'c.yaml': config('{a: x}'),
      'kustomization.yaml': 'resources: [web.yaml, c.yaml]\n',
    },
    says: /The kustomization of the root folder now applies ConfigMap\/c, whose file was already there\./,
  },
  {
    what: 'a deleted file that an Application applies',
    old: applied(application()),
    fresh: withoutConfig,
    says: /Removes ConfigMap\/c in shop\./,
  },
];

/** Two overlays of a base with one file. */
function overlaysOf(files: Files): Files {
  const [[path, text] = ['', '']] = Object.entries(files);
  const overlay = 'resources: [../base]\n';
  return {
    [`base/${path}`]: text,
    'base/kustomization.yaml': `resources: [${path}]\n`,
    'a/kustomization.yaml': overlay,
    'b/kustomization.yaml': overlay,
  };
}

const definitions: readonly Case[] = [
  {
    what: 'a version of a definition',
    old: { 'crd.yaml': both },
    fresh: { 'crd.yaml': definition(version('v1', true)) },
    says: /no longer serves the version v1beta1; the API server rejects this while `status\.storedVersions` contains/,
  },
  {
    what: 'a version that is no longer served',
    old: { 'crd.yaml': both },
    fresh: { 'crd.yaml': definition(`${version('v1', true)}, ${version('v1beta1', false, false)}`) },
    says: /no longer serves the version v1beta1\./,
  },
  {
    what: 'the stored version of a definition',
    old: { 'crd.yaml': both },
    fresh: { 'crd.yaml': definition(`${version('v1', false)}, ${version('v1beta1', true)}`) },
    says: /stores objects as v1beta1 instead of v1\./,
  },
  {
    what: 'a removed definition',
    old: { 'crd.yaml': both, 'oven.yaml': oven },
    fresh: { 'oven.yaml': oven },
    says: /all objects of kind Oven are deleted with it \(1 object in these manifests\)\./,
  },
  {
    what: 'a definition in several overlays',
    old: overlaysOf({ 'crd.yaml': both }),
    fresh: overlaysOf({ 'crd.yaml': definition(version('v1', true)) }),
    says: /In 2 overlays \(a, b\): CustomResourceDefinition\/\S+ no longer serves the version v1beta1;/,
  },
];

const scaled = (count: number) => ({
  'web.yaml': deployment(),
  'kustomization.yaml': `resources: [web.yaml]\nreplicas: [{name: web, count: ${count}}]\n`,
});
const patched = (label: string) => ({
  'web.yaml': deployment(),
  'kustomization.yaml': `resources: [web.yaml]\npatches: [{target: {kind: Deployment}, patch: '[{op: add, path: /spec/template/metadata/labels/v, value: "${label}"}]'}]\n`,
});
const replaced = (value: string) => ({
  'web.yaml': deployment({ labels: ', v: x' }),
  'c.yaml': config(`{a: ${value}}`),
  'kustomization.yaml':
    'resources: [web.yaml, c.yaml]\nreplacements: [{source: {kind: ConfigMap, name: c, fieldPath: data.a}, targets: [{select: {kind: Deployment}, fieldPaths: [spec.template.metadata.labels.v]}]}]\n',
});

const typed = (type: string) =>
  `{apiVersion: v1, kind: Service, metadata: {name: s, namespace: shop}, spec: {type: ${type}, selector: {app: web}}}\n`;
const routed = (host: string) => ingress('{name: http}').replace('- http:', `- host: ${host}\n    http:`);
const firewall = (cidr: string) =>
  `{apiVersion: k8s.ovn.org/v1, kind: EgressFirewall, metadata: {name: default, namespace: shop}, spec: {egress: [{type: Deny, to: {cidrSelector: ${cidr}}}]}}\n`;

const others: readonly Case[] = [
  {
    what: 'the type of a Service',
    old: { ...shop, 's.yaml': typed('ClusterIP') },
    fresh: { ...shop, 's.yaml': typed('LoadBalancer') },
    says: /^No match, connection or immutable field changes, and no reference breaks\. Exposure of 1 object change\./,
  },
  {
    what: 'the host of an Ingress',
    old: { ...shop, 'ingress.yaml': routed('a.example.com') },
    fresh: { ...shop, 'ingress.yaml': routed('b.example.com') },
    says: /and no reference breaks\. Exposure of 1 object change\./,
  },
  {
    what: 'a policy whose rules are not evaluated',
    old: { ...shop, 'f.yaml': firewall('10.0.0.0/8') },
    fresh: { ...shop, 'f.yaml': firewall('11.0.0.0/8') },
    says: /EgressFirewall\/default in shop changes: rules of this kind are not evaluated\./,
    fails: 'incomplete',
  },
  {
    what: 'replicas that a kustomization sets',
    old: scaled(2),
    fresh: scaled(3),
    says: /Replicas of 1 workload change\.\n\nReplicas of Deployment\/web in shop change from 2 to 3\./,
  },
  {
    what: 'a label of a pod template in a JSON patch',
    old: patched('1'),
    fresh: patched('2'),
    says: /1 pod of Deployment\/web in shop is replaced, because label `v` of the pod template changed\./,
  },
  {
    what: 'a label of a pod template that a replacement copies',
    old: replaced('x'),
    fresh: replaced('y'),
    says: /of Deployment\/web in shop (?:is|are) replaced, because label `v` of the pod template changed\./,
  },
  {
    what: 'a port number that no pod declares any more',
    old: { ...shop, 'service.yaml': service('[{port: 80, targetPort: 8080}]') },
    fresh: {
      ...shop,
      'service.yaml': service('[{port: 80, targetPort: 8080}]'),
      'web.yaml': deployment({ ports: '[{name: http, containerPort: 9090}]' }),
    },
    says: /Service\/web in shop sends requests to port 8080, which Deployment\/web does not declare\./,
  },
];

function check({ what, old, fresh, says, fails }: Case): void {
  it(what, async () => {
    const { out, code } = await review(old, fresh, ...(fails === undefined ? [] : ['--fail-on', fails]));
    assert.match(out.join('\n'), says);
    assert.ok(out[0]?.startsWith(neutral) !== true || /^Replicas/.test(out[0].slice(neutral.length + 1)), out[0]);
    assert.equal(code, fails === undefined ? 0 : 1);
  });
}

describe('a review mentions a change of', () => {
  for (const each of broken) check({ ...each, fails: 'broken' });
  for (const each of refused) check({ ...each, fails: 'refused' });
  for (const each of [...sources, ...membership, ...definitions, ...others]) check(each);
});

describe('a review says that nothing changes if only', () => {
  for (const [what, old, fresh] of [
    [
      'the order of ports changes',
      { ...shop, 'service.yaml': service('[{name: http, port: 80, targetPort: http}, {name: m, port: 9}]') },
      { ...shop, 'service.yaml': service('[{name: m, port: 9}, {name: http, port: 80, targetPort: http}]') },
    ],
    [
      'a key is added',
      { 'web.yaml': readsKey('a'), 'c.yaml': config('{a: x}') },
      { 'web.yaml': readsKey('a'), 'c.yaml': config('{a: x, b: x}') },
    ],
    [
      'the credentials of a source change',
      applied(flux()),
      applied(flux({ secret: 'a' }).replace('spec: {url', 'spec: {interval: 9m, url')),
    ],
  ] as const)
    it(what, async () => {
      const { out } = await review(old, fresh, '--fail-on', 'refused,lost,opened,broken,incomplete');
      assert.ok(out[0]?.startsWith(neutral), out[0]);
    });
});
