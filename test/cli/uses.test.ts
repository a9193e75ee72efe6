/** Tests that `uses` lists what names an object and what selects it. */
import assert from 'node:assert/strict';
import { service, web } from './manifests.ts';
import { runInMemory } from './memory-world.ts';

const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: db, namespace: shop}\nstringData: {user: a}\n';
const pod = `apiVersion: v1
kind: Pod
metadata: {name: basket, namespace: shop}
spec:
  containers:
    - name: basket
      env:
        - name: USER
          valueFrom: {secretKeyRef: {name: db, key: user}}
`;

const base = `apiVersion: v1
kind: Service
metadata: {name: web, labels: {app: web}}
spec: {ports: [{port: 80}]}
---
apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: web}
spec: {selector: {matchLabels: {app: web}}, endpoints: [{port: http}]}
`;

const deployment = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web}]}
`;

const usesWith = async (kustomization: string) => {
  const files = {
    'base/kustomization.yaml': 'resources: [all.yaml]\n',
    'base/all.yaml': `apiVersion: v1\nkind: Secret\nmetadata: {name: db}\n---\n${deployment}`,
    'prod/kustomization.yaml': `resources: [../base]\n${kustomization}`,
  };
  return (await runInMemory(['uses', 'Secret/db'], { files })).out.slice(1);
};

const at = 'Deployment/web spec.template.spec.volumes[0].secret.secretName';

describe('uses', () => {
  it('lists the fields that name an object, with the keys that they read', async () => {
    const { code, out, err } = await runInMemory(['uses', 'Secret/db'], {
      files: { 'db.yaml': secret, 'pod.yaml': pod },
    });
    assert.deepEqual([code, err], [0, []]);
    assert.deepEqual(out, [
      'db.yaml:3: Secret/db in shop',
      '  Named by:',
      '    pod.yaml:9: Pod/basket in shop spec.containers[0].env[0].valueFrom.secretKeyRef.name (keys user)',
    ]);
  });

  it('lists the names that patches write into built objects', async () => {
    const spec = 'spec: {template: {spec: {volumes: [{name: v, secret: {secretName: db}}]}}}';
    const merge = `apiVersion: apps/v1\n    kind: Deployment\n    metadata: {name: web}\n    ${spec}`;
    assert.deepEqual(await usesWith(`patches:\n- patch: |-\n    ${merge}\n`), [
      '  Named by:',
      `    prod/kustomization.yaml:7: ${at}`,
    ]);
    const volumes = '[{name: v, secret: {secretName: db}}]';
    const operations = `{op: add, path: /spec/template/spec/volumes, value: ${volumes}}`;
    const json = `patches:\n- target: {kind: Deployment}\n  patch: |-\n    - ${operations}\n`;
    assert.deepEqual(await usesWith(json), ['  Named by:', `    prod/kustomization.yaml:5: ${at}`]);
    assert.deepEqual(await usesWith(`namePrefix: my-\n${json}`), [
      '  Named by:',
      `    prod/kustomization.yaml:6: ${at.replace('web', 'my-web')}`,
    ]);
    assert.deepEqual(await usesWith(json.replaceAll('secretName: db', 'secretName: other')), [
      '  No known field names or selects it.',
    ]);
    const generator = 'secretGenerator: [{name: key, literals: [a=b]}]\n';
    const files = {
      'all.yaml': deployment,
      'kustomization.yaml': `resources: [all.yaml]\n${generator}${json.replace('secretName: db', 'secretName: key')}`,
    };
    assert.deepEqual((await runInMemory(['uses', 'Secret/key'], { files })).out.slice(1), [
      '  Named by:',
      `    kustomization.yaml:6: ${at}`,
    ]);
  });

  it('lists the names that replacements write into built objects', async () => {
    const replacement = (field: string, source = ', fieldPath: metadata.name') => `replacements:
- source: {kind: Secret, name: db${source}}
  targets:
  - {select: {kind: Deployment}, fieldPaths: [${field}]}
`;
    assert.deepEqual(await usesWith(replacement('spec.template.spec.volumes.0.secret.secretName')), [
      '  Named by:',
      `    prod/kustomization.yaml:5: ${at} (not certain)`,
    ]);
    for (const source of ['', ', fieldPath: .metadata.name'])
      assert.deepEqual(await usesWith(replacement('.spec.template.spec.volumes.0.secret.secretName', source)), [
        '  Named by:',
        `    prod/kustomization.yaml:5: ${at} (not certain)`,
      ]);
    assert.deepEqual(await usesWith(replacement('spec.template.spec.serviceAccountName')), [
      '  No known field names or selects it.',
    ]);
  });

  it('lists the selectors that another GitOps object applies to the cluster, as they are applied', async () => {
    const app = (name: string, more = '', server = 'https://kubernetes.default.svc') => `---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: ${name}, namespace: argocd}
spec:
  source: {repoURL: https://git.example.com/all.git, path: ${name}${more}}
  destination: {server: '${server}', namespace: ${name}}
`;
    const monitor = (labels: string) => `apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: all}
spec: {namespaceSelector: {any: true}, selector: {matchLabels: {${labels}}}, endpoints: [{port: http}]}
`;
    const selectors = async (labels: string, server?: string) => {
      const shop = app('shop', ', kustomize: {commonLabels: {tier: gold}}');
      const patch = '[{op: replace, path: /spec/selector/matchLabels/tier, value: gold}]';
      const patches = `, kustomize: {patches: [{target: {kind: ServiceMonitor}, patch: '${patch}'}]}`;
      const files = {
        'argocd/apps.yaml': app('argocd') + shop + app('monitoring', labels === 'tier: old' ? patches : '', server),
        'shop/kustomization.yaml': 'resources: [all.yaml]\n',
        'shop/all.yaml':
          'apiVersion: v1\nkind: Service\nmetadata: {name: web, labels: {app: web}}\nspec: {ports: [{port: 80}]}\n',
        'monitoring/kustomization.yaml': 'resources: [all.yaml]\n',
        'monitoring/all.yaml': monitor(labels),
      };
      return (await runInMemory(['uses', 'Service/web'], { files })).out.slice(1);
    };
    const found = '    monitoring/all.yaml:4: ServiceMonitor/all in monitoring spec.selector (in another scope)';
    assert.deepEqual(await selectors('tier: gold'), ['  Selected by:', found]);
    assert.deepEqual(await selectors('app: web'), ['  Selected by:', found]);
    assert.deepEqual(await selectors('tier: old'), ['  Selected by:', found]);
    assert.deepEqual(await selectors('tier: gold', 'https://other.example.com'), [
      '  No known field names or selects it.',
    ]);
  });

  it('lists the selectors of other GitOps objects with the answer and the namespace in each cluster', async () => {
    const flux = (name: string, spec: string) => `---
apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata: {name: ${name}, namespace: flux-system}
spec: {interval: 1m, sourceRef: {kind: GitRepository, name: flux-system}, ${spec}}
`;
    const cluster = (name: string, patch: string) =>
      flux('flux-system', `path: clusters/${name}`) +
      flux('shop', `path: shop, targetNamespace: shop-${name}`) +
      flux('edge', `path: edge, targetNamespace: shop-${name}${patch}`);
    const selector = (value: string) =>
      `, patches: [{target: {kind: Service}, patch: '[{op: replace, path: /spec/selector/tier, value: ${value}}]'}]`;
    const pods = web.replace('  namespace: shop\n', '');
    const files = {
      'clusters/dev/all.yaml': cluster('dev', ''),
      'clusters/prod/all.yaml': cluster('prod', ''),
      'clusters/test/all.yaml': cluster(
        'test',
        `${selector(`"\${TIER}"`)}, postBuild: {substituteFrom: [{kind: ConfigMap, name: x}]}`,
      ),
      'clusters/stage/all.yaml': cluster('stage', selector('other')),
      'shop/web.yaml': pods,
      'shop/map.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings}\n',
      'shop/pod.yaml': pod
        .replace(', namespace: shop', '')
        .replace('secretKeyRef: {name: db, key: user}', 'configMapKeyRef: {name: settings, key: a}'),
      'edge/service.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: edge}\nspec: {selector: {tier: pod}}\n',
    };
    const { out } = await runInMemory(['uses', 'deploy/web'], { files });
    assert.deepEqual(out, [
      'shop/web.yaml:4: Deployment/web in shop-dev, shop-prod, shop-stage and 1 more',
      '  Selected by:',
      '    shop/web.yaml:9: Deployment/web in shop-dev, shop-prod, shop-stage and 1 more spec.selector',
      '    edge/service.yaml:4: Service/edge in shop-dev, shop-prod spec.selector (in another scope; only for clusters/dev/all.yaml#shop, clusters/prod/all.yaml#shop)',
      '    edge/service.yaml:4: Service/edge in shop-test spec.selector (not certain; in another scope; only for clusters/test/all.yaml#shop)',
    ]);
    const named = await runInMemory(['uses', 'cm/settings'], { files });
    assert.deepEqual(named.out.slice(1), [
      '  Named by:',
      '    shop/pod.yaml:9: Pod/basket in shop-dev, shop-prod, shop-stage and 1 more spec.containers[0].env[0].valueFrom.configMapKeyRef.name (keys a)',
    ]);
  });

  it('lists the selectors that match an object or its pods', async () => {
    const { out } = await runInMemory(['uses', 'deploy/web'], { files: { 'web.yaml': web, 'service.yaml': service } });
    assert.deepEqual(out, [
      'web.yaml:4: Deployment/web in shop',
      '  Selected by:',
      '    web.yaml:10: Deployment/web in shop spec.selector',
      '    service.yaml:9: Service/web in shop spec.selector',
    ]);
  });

  it('limits the answer to the scopes in which the object has the name', async () => {
    const ingress = (name: string) => `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata: {name: ${name}}
spec: {defaultBackend: {service: {name: web, port: {number: 80}}}}
`;
    const files = {
      'base/kustomization.yaml': 'resources: [all.yaml]\n',
      'base/all.yaml': base,
      'dev/kustomization.yaml': 'namePrefix: dev-\nresources: [../base, ingress.yaml]\n',
      'dev/ingress.yaml': ingress('internal'),
      'prod/kustomization.yaml': 'namePrefix: prod-\nresources: [../base, ingress.yaml]\n',
      'prod/ingress.yaml': ingress('public'),
    };
    const ofProd = [
      'base/all.yaml:3: Service/prod-web',
      '  Named by:',
      '    prod/ingress.yaml:4: Ingress/prod-public spec.defaultBackend.service.name',
      '  Selected by:',
      '    base/all.yaml:9: ServiceMonitor/prod-web spec.selector',
    ];
    assert.deepEqual((await runInMemory(['uses', 'Service/prod-web'], { files })).out, ofProd);
    assert.deepEqual((await runInMemory(['uses', 'Service/web', '--scope', 'prod'], { files })).out, ofProd);
    assert.deepEqual((await runInMemory(['uses', 'Service/web'], { files })).out, [
      'base/all.yaml:3: Service/web',
      '  Named by:',
      '    dev/ingress.yaml:4: Ingress/internal spec.defaultBackend.service.name',
      '    prod/ingress.yaml:4: Ingress/public spec.defaultBackend.service.name',
      '  Selected by:',
      '    base/all.yaml:9: ServiceMonitor/dev-web spec.selector (only for dev)',
      '    base/all.yaml:9: ServiceMonitor/prod-web spec.selector (only for prod)',
    ]);
  });

  it('lists the selectors of all scopes, each once, with their namespaces', async () => {
    const own = base.slice(base.indexOf('---')).replace('name: web', 'name: own');
    const overlay = (name: string, more = '') => `namespace: ${name}\nresources: [../base${more}]\n`;
    const files = {
      'base/kustomization.yaml': 'resources: [all.yaml]\n',
      'base/all.yaml': base,
      'dev/kustomization.yaml': overlay('dev'),
      'staging/kustomization.yaml': overlay('staging'),
      'prod/kustomization.yaml': overlay('prod', ', own.yaml'),
      'prod/own.yaml': own,
      'other/kustomization.yaml': 'namePrefix: other-\nnamespace: other\nresources: [all.yaml]\n',
      'other/all.yaml': base.replaceAll('app: web', 'app: other'),
    };
    const { json, out, err } = await runInMemory(['uses', 'Service/web', '--format', 'json'], { files });
    assert.deepEqual(err, [
      'selector-lens: Other objects have the name Service/web in their files, but are applied as Service/other-web in other (other/all.yaml).',
    ]);
    const scopes = ['dev', 'prod', 'staging'];
    const path = { path: 'spec.selector', answer: 'yes' };
    const [first] = (json as { readonly objects: readonly object[] }).objects;
    assert.deepEqual(
      first,
      {
        kind: 'Service',
        name: 'web',
        file: 'base/all.yaml',
        line: 3,
        namespaces: scopes,
        scopes,
        namedBy: [],
        selectedBy: [
          { kind: 'ServiceMonitor', name: 'web', namespaces: scopes, file: 'base/all.yaml', line: 9, ...path },
          {
            kind: 'ServiceMonitor',
            name: 'own',
            namespace: 'prod',
            file: 'prod/own.yaml',
            line: 5,
            ...path,
            scopes: ['prod'],
          },
        ],
      },
      out.join('\n'),
    );
    const text = await runInMemory(['uses', 'Service/web'], { files });
    assert.deepEqual(text.out, [
      'base/all.yaml:3: Service/web in dev, prod, staging',
      '  Selected by:',
      '    base/all.yaml:9: ServiceMonitor/web in dev, prod, staging spec.selector',
      '    prod/own.yaml:5: ServiceMonitor/own in prod spec.selector (only for prod)',
    ]);
  });

  it('lists the uses of a claim that a StatefulSet creates', async () => {
    const files = {
      'db.yaml': `apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  ordinals: {start: 1}
  volumeClaimTemplates: [{metadata: {name: data}}]
`,
      'pod.yaml': `apiVersion: v1
kind: Pod
metadata: {name: backup}
spec: {volumes: [{name: data, persistentVolumeClaim: {claimName: data-db-1}}]}
`,
    };
    const { out } = await runInMemory(['uses', 'pvc/data-db-1'], { files });
    assert.deepEqual(out, [
      'db.yaml:3: PersistentVolumeClaim/data-db-1 (created by StatefulSet/db)',
      '  Named by:',
      '    pod.yaml:4: Pod/backup spec.volumes[0].persistentVolumeClaim.claimName',
    ]);
    for (const name of ['data-db', 'data-db-x', 'logs-db-1', 'data-web-1'])
      assert.equal((await runInMemory(['uses', `pvc/${name}`], { files })).code, 2, name);
  });

  it('finds what generators and controllers create', async () => {
    const external =
      'apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: db, namespace: shop}\n';
    const created = await runInMemory(['uses', 'secret/db'], { files: { 'db.yaml': external, 'pod.yaml': pod } });
    assert.equal(created.out[0], 'db.yaml:3: Secret/db in shop (created by ExternalSecret/db)');
    assert.equal(created.out.length, 3);
    const files = { 'kustomization.yaml': 'resources: [pod.yaml]\nsecretGenerator:\n- name: db\n', 'pod.yaml': pod };
    const generated = await runInMemory(['uses', 'secret/db'], { files });
    assert.equal(generated.out[0], 'kustomization.yaml:3: Secret/db (created by generator)');
    assert.equal(generated.out.length, 3);
  });

  it('finds what they create in the namespaces and scopes that kustomizations choose', async () => {
    const files = {
      'base/kustomization.yaml': 'resources: [db.yaml, pod.yaml]\nconfigMapGenerator: [{name: rates}]\n',
      'base/db.yaml':
        'apiVersion: external-secrets.io/v1\nkind: ExternalSecret\nmetadata: {name: db, namespace: shop}\n',
      'base/pod.yaml': pod,
      'dev/kustomization.yaml':
        'namespace: dev\nresources: [../base]\nconfigMapGenerator: [{name: rates, behavior: merge}]\n',
      'prod/kustomization.yaml': 'namespace: prod\nresources: [../base]\n',
    };
    const created = await runInMemory(['uses', 'secret/db', '-n', 'prod'], { files });
    assert.equal(created.out[0], 'base/db.yaml:3: Secret/db in dev, prod (created by ExternalSecret/db)');
    assert.equal((await runInMemory(['uses', 'secret/db', '-n', 'shop'], { files })).code, 2);
    const places = async (scope: string) => {
      const { out } = await runInMemory(['uses', 'cm/rates', '--scope', scope], { files });
      return out.filter((line) => line.includes('generator'));
    };
    const base = 'base/kustomization.yaml:2: ConfigMap/rates (created by generator)';
    assert.deepEqual(await places('prod'), [base]);
    assert.deepEqual(await places('dev'), [base, 'dev/kustomization.yaml:3: ConfigMap/rates (created by generator)']);
  });

  it('says so if nothing uses an object, or if there is none', async () => {
    const alone = await runInMemory(['uses', 'Secret/db'], { files: { 'db.yaml': secret } });
    assert.deepEqual([alone.code, alone.out[1]], [0, '  No known field names or selects it.']);
    const missing = await runInMemory(['uses', 'Secret/dbb'], { files: { 'db.yaml': secret } });
    assert.equal(missing.code, 2);
    assert.match(missing.err.join('\n'), /no object Secret\/dbb .*Secret\/db/);
    assert.equal((await runInMemory(['uses'], { files: { 'db.yaml': secret } })).code, 2);
  });
});
