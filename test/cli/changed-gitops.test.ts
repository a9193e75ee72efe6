/** Tests that a check with a cache, in a workspace with objects of Argo CD or Flux, finds the consequences of changed names, files and lists, and of changes that concern these objects. */
import { map, pods, type Story, service, testStory } from './change-stories.ts';

const application = (name: string, path: string, more = '') => `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  project: default
  destination: {namespace: shop, server: https://kubernetes.default.svc}
  source: {repoURL: https://example.com/x, path: ${path}${more}}
`;

const source = `apiVersion: source.toolkit.fluxcd.io/v1
kind: GitRepository
metadata: {name: flux-system, namespace: flux-system}
spec: {interval: 1m, url: https://example.com/x}
`;

const flux = (name: string, spec: string) => `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec: {interval: 10m, prune: true, sourceRef: {kind: GitRepository, name: flux-system}, ${spec}}
`;

const objects = (...texts: readonly string[]) => texts.join('---\n');
const inShop = ', namespace: shop';

const unknown = 'apiVersion: example.com/v1\nkind: Unknown\nmetadata: {name: unknown, namespace: shop}\n';
const namespaceOf = (name: string) => `apiVersion: v1\nkind: Namespace\nmetadata: {name: ${name}}\n`;

/** Applications of one cluster. */
const applications = {
  'argocd/root.yaml': application('root', 'argocd'),
  'argocd/web.yaml': application('web', 'apps/web'),
  'argocd/api.yaml': application('api', 'apps/api'),
  'apps/api/api.yaml': pods('api', 'app: api', inShop),
  'apps/api/map.yaml': map('api'),
};

/** Kustomizations of one cluster. */
const cluster = {
  'clusters/dev/sync.yaml': objects(source, flux('flux-system', 'path: ./clusters/dev')),
  'clusters/dev/shop.yaml': flux('shop', 'path: ./shop'),
  'clusters/dev/api.yaml': flux('api', 'path: ./api'),
  'api/api.yaml': pods('api', 'app: api', inShop),
};

const variables = (name: string, data: string) => `apiVersion: v1
kind: ConfigMap
metadata: {name: ${name}, namespace: flux-system}
data: ${data}
`;

const substituted = service('web', 'app: web', `, namespace: shop, labels: {team: "\${TEAM}", group: "\${GROUP}"}`);

/** A Kustomization with the variable TEAM from a ConfigMap. */
const withVariables = {
  ...cluster,
  'clusters/dev/shop.yaml': flux('shop', 'path: ./shop, postBuild: {substituteFrom: [{kind: ConfigMap, name: team}]}'),
  'clusters/dev/team.yaml': variables('team', '{TEAM: red}'),
  'shop/web.yaml': substituted,
};

/** Two clusters, and a ConfigMap with variables that a further Kustomization applies to one of them. */
const otherCluster = {
  ...cluster,
  'clusters/dev/shop.yaml': withVariables['clusters/dev/shop.yaml'],
  'shop/web.yaml': substituted,
  'clusters/prod/sync.yaml': flux('flux-system', 'path: ./clusters/prod'),
  'clusters/prod/settings.yaml': flux('settings', 'path: ./settings'),
  'settings/kustomization.yaml': 'resources: [team.yaml]\n',
  'settings/team.yaml': variables('team', '{TEAM: red}'),
};

/** A HelmRelease with values for a chart of the repository. */
const release = (values: string) => `apiVersion: helm.toolkit.fluxcd.io/v2
kind: HelmRelease
metadata: {name: web, namespace: flux-system}
spec:
  chart: {spec: {chart: ./charts/web, sourceRef: {kind: GitRepository, name: flux-system}}}
  values: ${values}
`;

/** A Kustomization to which a patch adds variables. */
const patched = (operations: string) => ({
  ...cluster,
  'clusters/dev/kustomization.yaml': `resources: [sync.yaml, shop.yaml, api.yaml]
patches: [{path: patch.yaml, target: {kind: Kustomization, name: shop}}]
`,
  'clusters/dev/patch.yaml': operations,
  'shop/web.yaml': substituted,
});

const tracked = {
  ...applications,
  'argocd/settings.yaml': `apiVersion: v1
kind: ConfigMap
metadata: {name: argocd-cm, namespace: argocd}
data: {application.resourceTrackingMethod: label}
`,
  'apps/web/service.yaml': service('web', 'app: web', ', namespace: shop, labels: {app.kubernetes.io/instance: red}'),
  'apps/web/web.yaml': pods('web', 'app: web', inShop),
  'apps/web/monitor.yaml': `apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: web, namespace: shop}
spec: {selector: {matchLabels: {app.kubernetes.io/instance: red}}, endpoints: [{port: http}]}
`,
};

const policy = (name: string, selector: string) => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: ${name}, namespace: shop}
spec: {podSelector: {matchLabels: {${selector}}}, ingress: []}
`;

/** A selector that matches nothing, and two Kustomizations in one file, of which the one for another cluster applies an unknown object. */
const misspelled = {
  ...cluster,
  'clusters/dev/shop.yaml': objects(
    flux(
      'shop',
      `path: ./shop, patches: [{target: {kind: Deployment}, patch: '[{op: add, path: /spec/template/metadata/labels/color, value: green}]'}]`,
    ),
    flux('remote', 'path: ./remote, kubeConfig: {secretRef: {name: remote}}'),
  ),
  'remote/unknown.yaml': unknown,
  'shop/web.yaml': pods('checkout', 'app: checkout', inShop),
  'api/policy.yaml': policy('all', 'app: checkout, color: greens'),
};

const account = (name: string) => `apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: ${name}${inShop}}\n`;

const incremental: readonly Story[] = [
  {
    title: 'an added object that a selector of the same Application matches',
    files: {
      ...applications,
      'apps/web/service.yaml': service('web', 'app: web', inShop),
      'apps/web/other.yaml': pods('other', 'app: webs', inShop),
    },
    change: ['apps/web/web.yaml', '', pods('web', 'app: web', inShop)],
    concerns: 'apps/web/service.yaml',
  },
  {
    title: 'a deleted object that a selector of another Application matches',
    files: {
      ...applications,
      'apps/web/policy.yaml': policy('api', 'app: api'),
      'apps/web/web.yaml': pods('api', 'app: apis', inShop),
    },
    change: ['apps/api/api.yaml', '*', ''],
    concerns: 'apps/web/policy.yaml',
  },
  {
    title: 'a list with a further object',
    files: {
      ...cluster,
      'shop/kustomization.yaml': 'resources: [service.yaml, other.yaml]\n',
      'shop/service.yaml': service('web', 'app: web', inShop),
      'shop/other.yaml': pods('other', 'app: webs', inShop),
      'shop/web.yaml': pods('web', 'app: web', inShop),
    },
    change: ['shop/kustomization.yaml', 'other.yaml', 'other.yaml, web.yaml'],
    concerns: 'shop/web.yaml',
  },
  {
    title: 'a renamed object to which a file refers',
    files: {
      ...applications,
      'apps/web/web.yaml': objects(
        `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec: {maxReplicas: 2, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: checkout}}
`,
      ),
      'apps/web/pods.yaml': pods('other', 'app: web', inShop),
    },
    change: ['apps/web/pods.yaml', 'name: other', 'name: chekcout'],
    concerns: 'apps/web/web.yaml',
  },
  {
    title: 'an added folder with a name similar to the path of an Application',
    files: {
      ...applications,
      'argocd/web.yaml': `apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web}
spec:
  destination: {server: https://kubernetes.default.svc}
  source: {repoURL: https://example.com/x, path: apps/checkout}
`,
    },
    change: ['apps/chekcout/web.yaml', '', pods('web', 'app: web', inShop)],
    concerns: 'argocd/web.yaml',
  },
  {
    title:
      'an object of an unknown kind that another Kustomization applies, without which all objects of the cluster are known',
    files: { ...misspelled, 'shop/unknown.yaml': unknown },
    selectsAll: true,
    change: ['shop/unknown.yaml', '*', ''],
    concerns: 'api/policy.yaml',
  },
  {
    title: 'an added Namespace that another Kustomization applies',
    files: {
      ...cluster,
      'shop/web.yaml': pods('web', 'app: web', inShop),
      'api/account.yaml': account('api').replace('namespace: shop', 'namespace: chekcout'),
    },
    change: ['shop/namespace.yaml', '', namespaceOf('checkout')],
    concerns: 'api/account.yaml',
  },
  {
    title: 'a label that a kustomization adds and Argo CD overwrites',
    files: {
      ...applications,
      'argocd/settings.yaml': tracked['argocd/settings.yaml'],
      'apps/web/kustomization.yaml':
        'resources: [service.yaml]\nlabels: [{pairs: {app.kubernetes.io/instance: red}}]\n',
      'apps/web/service.yaml': service('web', 'app: web', inShop),
      'apps/api/monitor.yaml': tracked['apps/web/monitor.yaml'],
      'apps/api/service.yaml': service(
        'api',
        'app: api',
        ', namespace: shop, labels: {app.kubernetes.io/instance: reed}',
      ),
    },
    change: ['apps/web/kustomization.yaml', 'instance: red', 'instance: blue'],
    concerns: 'apps/api/monitor.yaml',
  },
  {
    title: 'an added webhook, which may add variables to definitions',
    files: {
      ...cluster,
      'clusters/dev/shop.yaml': flux('shop', 'path: ./shop, postBuild: {substitute: {TEAM: red}}'),
      'shop/web.yaml': account('web').replace(inShop, `, labels: {group: "\${GROUP}"}`),
    },
    change: [
      'api/webhook.yaml',
      '',
      'apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\nmetadata: {name: all}\nwebhooks: []\n',
    ],
    concerns: 'shop/web.yaml',
  },
];

const ofDefinitions: readonly Story[] = [
  {
    title: 'the variables in a definition',
    files: {
      ...cluster,
      'clusters/dev/shop.yaml': flux('shop', 'path: ./shop, postBuild: {substitute: {TEAM: red}}'),
      'shop/web.yaml': substituted,
    },
    change: ['clusters/dev/shop.yaml', 'TEAM: red', 'GROUP: red'],
    concerns: 'shop/web.yaml',
  },
  {
    title: 'the keys of a ConfigMap with variables',
    files: withVariables,
    change: ['clusters/dev/team.yaml', 'TEAM: red', 'GROUP: red'],
    concerns: 'shop/web.yaml',
  },
  {
    title: 'the settings of Argo CD',
    files: tracked,
    change: ['argocd/settings.yaml', 'Method: label', 'Method: annotation'],
    concerns: 'apps/web/service.yaml',
  },
  {
    title: 'an added second ConfigMap for the settings of Argo CD, without settings',
    files: tracked,
    change: [
      'other/settings.yaml',
      '',
      'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: argocd-cm, namespace: argocd}\n',
    ],
    concerns: 'apps/web/service.yaml',
  },
  {
    title: 'a patch of a definition',
    files: patched('[{op: add, path: /spec/postBuild, value: {substitute: {TEAM: red}}}]\n'),
    change: ['clusters/dev/patch.yaml', 'TEAM: red', 'GROUP: red'],
    concerns: 'shop/web.yaml',
  },
  {
    title: 'a list with a patch of a definition',
    files: {
      ...patched('[{op: add, path: /spec/postBuild, value: {substitute: {TEAM: red}}}]\n'),
      'clusters/dev/kustomization.yaml': 'resources: [sync.yaml, shop.yaml, api.yaml]\n',
    },
    change: [
      'clusters/dev/kustomization.yaml',
      'api.yaml]',
      'api.yaml]\npatches: [{path: patch.yaml, target: {kind: Kustomization, name: shop}}]',
    ],
    concerns: 'shop/web.yaml',
  },
  {
    title: 'an added list of ignored files, by which no Kustomization patches a definition',
    files: {
      ...cluster,
      'clusters/dev/sync.yaml': objects(
        source,
        flux(
          'flux-system',
          `path: ./clusters/dev, patches: [{target: {kind: Kustomization, name: shop}, patch: '[{op: add, path: /spec/postBuild, value: {substitute: {TEAM: red}}}]'}]`,
        ),
      ),
      'shop/web.yaml': substituted,
    },
    change: ['clusters/dev/.sourceignore', '', 'shop.yaml\n'],
    concerns: 'shop/web.yaml',
  },
  {
    title: 'a patch of the values in a HelmRelease, by which two clusters apply different versions',
    files: {
      ...cluster,
      'clusters/dev/kustomization.yaml': `resources: [sync.yaml, ../../shared]\npatches: [{path: patch.yaml}]\n`,
      'clusters/dev/patch.yaml': release('{label: webs}'),
      'clusters/prod/sync.yaml': flux('flux-system', 'path: ./clusters/prod'),
      'clusters/prod/kustomization.yaml': 'resources: [sync.yaml, ../../shared]\n',
      'shared/kustomization.yaml': 'resources: [release.yaml]\n',
      'shared/release.yaml': release('{label: webs}'),
      'charts/web/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
      'charts/web/templates/web.yaml': objects(service('web', 'app: "{{ .Values.label }}"'), pods('web', 'app: web')),
    },
    change: ['clusters/dev/patch.yaml', 'webs', 'web'],
    concerns: 'charts/web/templates/web.yaml',
  },
  {
    title: 'an object from which a kustomization copies a value to a definition',
    files: {
      ...cluster,
      'clusters/dev/kustomization.yaml': `resources: [sync.yaml, shop.yaml, api.yaml, account.yaml]
replacements:
- source: {kind: ServiceAccount, fieldPath: metadata.annotations.team}
  targets: [{select: {kind: Kustomization, name: shop}, fieldPaths: [spec.postBuild.substitute.TEAM]}]
`,
      'clusters/dev/shop.yaml': flux('shop', 'path: ./shop, postBuild: {substitute: {TEAM: red}}'),
      'clusters/dev/account.yaml':
        'apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: web, namespace: flux-system, annotations: {team: red}}\n',
      'shop/web.yaml': objects(service('web', 'app: web', ', namespace: shop'), pods('web', `app: "\${TEAM}"`, inShop)),
    },
    change: ['clusters/dev/account.yaml', 'team: red', 'team: web'],
    concerns: 'shop/web.yaml',
  },
  {
    title: 'generated variables',
    files: {
      ...withVariables,
      'clusters/dev/settings.yaml': flux('settings', 'path: ./settings'),
      'clusters/dev/team.yaml': variables('other', '{A: b}'),
      'settings/kustomization.yaml': `namespace: flux-system
generatorOptions: {disableNameSuffixHash: true}
configMapGenerator: [{name: team, literals: [TEAM=red]}]
`,
    },
    change: ['settings/kustomization.yaml', 'TEAM=red', 'GROUP=red'],
    concerns: 'shop/web.yaml',
  },
  {
    title: 'a patch of variables with variables in their values',
    files: {
      ...withVariables,
      'clusters/dev/settings.yaml': flux('settings', 'path: ./settings, postBuild: {substitute: {X: red}}'),
      'clusters/dev/team.yaml': variables('other', '{A: b}'),
      'settings/team.yaml': variables('team', `{TEAM: "\${X}"}`),
      'settings/kustomization.yaml': `resources: [team.yaml]
patches: [{target: {kind: ConfigMap}, patch: '{apiVersion: v1, kind: ConfigMap, metadata: {name: team}, data: {OTHER: a}}'}]
`,
    },
    change: ['settings/kustomization.yaml', 'OTHER: a', 'GROUP: a'],
    concerns: 'shop/web.yaml',
  },
  {
    title: 'an added ConfigMap without valid variables, which is nearer than another one',
    files: {
      ...withVariables,
      'clusters/dev/team.yaml': variables('other', '{A: b}'),
      'settings/team.yaml': variables('team', '{TEAM: red}'),
    },
    change: ['clusters/team.yaml', '', variables('team', '{a-b: c}')],
    concerns: 'shop/web.yaml',
  },
  {
    title: 'a deleted ConfigMap with variables, which only a patch of the definition names',
    files: {
      ...patched('[{op: add, path: /spec/postBuild, value: {substituteFrom: [{kind: ConfigMap, name: team}]}}]\n'),
      'settings/team.yaml': variables('team', '{TEAM: red}'),
    },
    change: ['settings/team.yaml', '*', ''],
    concerns: 'shop/web.yaml',
  },
  {
    title: 'a list, by which a ConfigMap with variables becomes a patch',
    files: {
      ...withVariables,
      'clusters/dev/settings.yaml': flux('settings', 'path: ./settings'),
      'clusters/dev/team.yaml': variables('other', '{A: b}'),
      'settings/kustomization.yaml': 'resources: []\n',
      'settings/team.yaml': variables('team', '{TEAM: red}'),
    },
    change: ['settings/kustomization.yaml', 'resources: []', 'patches: [{path: team.yaml}]'],
    concerns: 'shop/web.yaml',
  },
  {
    title: 'a list, by which a ConfigMap with variables is no longer applied only to another cluster',
    files: otherCluster,
    change: ['settings/kustomization.yaml', 'team.yaml', ''],
    concerns: 'shop/web.yaml',
  },
  {
    title: 'a list, by which a ConfigMap with variables is also applied to the cluster',
    files: {
      ...otherCluster,
      'clusters/dev/api.yaml': flux('api', 'path: ./api'),
      'api/kustomization.yaml': 'resources: [api.yaml]\n',
    },
    change: ['api/kustomization.yaml', 'api.yaml', 'api.yaml, ../settings'],
    concerns: 'shop/web.yaml',
  },
  {
    title: 'a list, by which a ConfigMap with labels in variables is no longer applied only to another cluster',
    files: {
      ...otherCluster,
      'settings/team.yaml': variables('team', '{COLOR: green}'),
      'shop/web.yaml': pods('checkout', `app: checkout, color: "\${COLOR}"`, inShop),
      'api/policy.yaml': policy('all', 'app: checkout, color: greens'),
    },
    selectsAll: true,
    change: ['settings/kustomization.yaml', 'team.yaml', ''],
    concerns: 'api/policy.yaml',
  },
  {
    title: 'an added folder for which an ApplicationSet creates an Application',
    files: {
      ...applications,
      'argocd/set.yaml': `apiVersion: argoproj.io/v1alpha1
kind: ApplicationSet
metadata: {name: set, namespace: argocd}
spec:
  generators: [{git: {repoURL: https://example.com/x, directories: [{path: releases/*}]}}]
  template:
    metadata: {name: '{{path.basename}}'}
    spec:
      project: default
      destination: {namespace: shop, server: https://kubernetes.default.svc}
      source: {repoURL: https://charts.example.com, chart: '{{path.basename}}', targetRevision: 1.0.0}
`,
      'releases/web/map.yaml': map('web'),
      'apps/web/service.yaml': service('web', 'app.kubernetes.io/instance: checkout', inShop),
      'apps/web/web.yaml': pods('other', 'app.kubernetes.io/instance: chekcout', inShop),
    },
    change: ['releases/checkout/map.yaml', '', map('checkout')],
    concerns: 'apps/web/service.yaml',
  },
];

describe('a check with a cache, next to objects of Argo CD or Flux, after a change of', () => {
  for (const story of incremental) testStory(story);
  for (const story of ofDefinitions) testStory(story);
});
