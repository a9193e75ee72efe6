/** Tests that statements are not wider than what is known: about copies, operators, tests, other repositories and files that cannot be read. */

import assert from 'node:assert/strict';
import { bench } from '../harness/bench.ts';
import { MemoryFiles } from '../harness/memory-files.ts';

const copies = `
  ==> small.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: netcat}
  spec:
    selector: {matchLabels: {app: netcat}}
    template:
      metadata:
        labels: {app: netcat}
        #^ labels
      spec: {containers: [{name: netcat, image: netcat, ports: [{containerPort: 80}]}]}
  ==> large.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: netcat}
  spec:
    selector: {matchLabels: {app: netcat}}
    template:
      metadata: {labels: {app: netcat}}
      spec: {containers: [{name: netcat, image: netcat}]}
  ---
  apiVersion: v1
  kind: Service
  metadata: {name: netcat}
  spec: {selector: {app: netcat}}
  ---
  apiVersion: v1
  kind: Service
  metadata: {name: other}
  spec: {selector: {app: netcat}}
`;

const copiedPods = `
  ==> broken.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: redis}
  spec: {selector: {app: redis}}
  #      ^ selector
  ---
  {apiVersion: apps/v1, kind: Deployment, metadata: {name: redis}}
  ==> sound.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: redis}
  spec: {selector: {app: redis}}
  ---
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: redis}
  spec:
    selector: {matchLabels: {app: redis}}
    template: {metadata: {labels: {app: redis}}, spec: {containers: [{name: redis, image: redis}]}}
`;

describe('statements about objects with copies in other files', () => {
  it('name the selectors that match only together with a copy', async () => {
    const b = await bench(copies);
    const sentence =
      'If applied together, could be selected by [Service/netcat](<large.yaml#L13,8>) — large.yaml:13, 1 more.';
    assert.equal(
      b.hover('labels'),
      `labels\n---\n**Selected by nothing** that is applied together with it.\n\n${sentence}`,
    );
    assert.match(b.lenses('small.yaml'), /selected by nothing here$/m);
  });

  it('do not name copies in other namespaces, which select their own pods', async () => {
    const b = await bench(`
      ==> web.yaml <==
      apiVersion: v1
      kind: ReplicationController
      metadata: {name: web, namespace: test}
      spec: {template: {metadata: {labels: {app: web}}}}
      ---
      {apiVersion: v1, kind: ReplicationController, metadata: {name: web}, spec: {template: {metadata: {labels: {app: web}}}}}
      ==> service.yaml <==
      {apiVersion: v1, kind: Service, metadata: {name: front}, spec: {selector: {app: web}}}
      ==> inner/web.yaml <==
      apiVersion: v1
      kind: ReplicationController
      #     ^ kind
      metadata: {name: web}
      spec: {template: {metadata: {labels: {app: web}}}}
    `);
    assert.match(
      b.hover('kind'),
      /\n\nIf applied together, could be selected by \[Service\/front\]\(<service\.yaml#L1,\d+>\) — \.\.\/service\.yaml:1\.$/,
    );
  });

  it('name the objects that a selector matches only together with a copy', async () => {
    const b = await bench(copiedPods);
    assert.match(
      b.hover('selector'),
      /^If applied together, could match \[Deployment\/redis\]\(<sound\.yaml#L11,\d+>\) — sound\.yaml:11\.$/m,
    );
    assert.match(b.preview('selector'), /^alternatives:\n {2}sound\.yaml Deployment redis via spec\.template/m);
  });
});

describe('statements about pods of operators', () => {
  it('do not say that nothing selects them', async () => {
    const b = await bench(`
      apiVersion: platform.confluent.io/v1beta1
      kind: Zookeeper
      #     ^ kind
      metadata: {name: zookeeper}
      spec: {podTemplate: {resources: {}}}
    `);
    assert.match(b.hover('kind'), /\*\*Selectors unknown\*\*: some labels of its pods are not in the files\.$/);
  });
});

describe('statements about inputs of tests', () => {
  it('say that the file is not applied', async () => {
    const b = await bench(`
      ==> suite.yaml <==
      apiVersion: test.gatekeeper.sh/v1alpha1
      kind: Suite
      tests: [{name: a, template: t.yaml, constraint: c.yaml, cases: [{name: a, object: input.yaml}]}]
      ==> input.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: web}
      spec: {selector: {app: web}}
      #      ^ selector
    `);
    assert.match(
      b.hover('selector'),
      /\*\*Matches unknown\*\*: this file is an input of a test, so it is not applied\.$/,
    );
  });
});

const set = (generator: string, template: string) => `
  ==> set.yaml <==
  apiVersion: argoproj.io/v1alpha1
  kind: ApplicationSet
  #     ^ kind
  metadata: {name: all}
  spec:
    generators: [{git: {repoURL: 'https://example.com/${generator}.git', files: [{path: '**/config.json'}]}}]
    template:
      metadata: {name: '{{name}}'}
      spec: {source: {repoURL: 'https://example.com/${template}.git', path: apps}, destination: {namespace: x}}
  ==> a/config.json <==
  {"name": "a"}
  ==> apps/web.yaml <==
  {apiVersion: v1, kind: Service, metadata: {name: web}}
`;

describe('statements about a generator that reads files', () => {
  it('count Applications only if the repository is that of the workspace', async () => {
    const own = await bench(set('shop', 'shop'));
    assert.equal(own.lenses('set.yaml'), '2 : creates 1 Application');
    assert.match(own.hover('kind'), /\*\*Creates\*\* \(1\)/);
    const other = await bench(set('clusters', 'shop'));
    assert.equal(other.lenses('set.yaml'), '2 : creates Applications, their number is unknown');
    assert.match(other.hover('kind'), /\*\*May create\*\* \(1\)/);
  });
});

describe('statements about kustomizations', () => {
  it('depend on files that generators read, and on files that cannot be included', async () => {
    const b = await bench(`
      ==> app/kustomization.yaml <==
      kind: Kustomization
      #^ kind
      resources: [web.yaml]
      configMapGenerator: [{name: env, files: [env.js]}]
      ==> app/web.yaml <==
      {apiVersion: v1, kind: Service, metadata: {name: web}}
      ==> above/kustomization.yaml <==
      resources: [../app/web.yaml]
    `);
    for (const { name, text } of b.files) b.session.workspace.edit(b.uriOf(name), text);
    await b.session.workspace.refresh(new MemoryFiles(b.files.map(({ name, text }) => [b.uriOf(name), text])), []);
    assert.equal(b.lenses('app/kustomization.yaml'), '1 : builds 2 objects if env.js can be read');
    assert.match(b.hover('kind'), /^`env\.js` cannot be read, so `kustomize build` fails\.$/m);
    assert.equal(b.lenses('above/kustomization.yaml'), '1 : builds 1 object if ../app/web.yaml can be read');
  });

  it('count all files that cannot be read, and say which are downloaded', async () => {
    const b = await bench(`
      ==> app/kustomization.yaml <==
      kind: Kustomization
      #^ two
      configMapGenerator: [{name: env, files: [a.js, b.js]}]
      ==> web/kustomization.yaml <==
      kind: Kustomization
      #^ url
      configMapGenerator: [{name: env, files: ['https://example.com/a.json']}]
      ==> long/kustomization.yaml <==
      kind: Kustomization
      configMapGenerator: [{name: env, files: ['https://example.com/folder/of/another/repository/dashboard.json']}]
      ==> longest/kustomization.yaml <==
      kind: Kustomization
      configMapGenerator: [{name: env, files: ['https://example.com/a-name-of-a-file-that-is-too-long.json', 'https://example.com/b.json']}]
    `);
    for (const { name, text } of b.files) b.session.workspace.edit(b.uriOf(name), text);
    await b.session.workspace.refresh(new MemoryFiles(b.files.map(({ name, text }) => [b.uriOf(name), text])), []);
    assert.equal(b.lenses('app/kustomization.yaml'), '1 : builds 1 object if a.js and 1 more can be read');
    assert.match(b.hover('two'), /^`a\.js` and 1 more cannot be read, so `kustomize build` fails\.$/m);
    assert.equal(b.lenses('web/kustomization.yaml'), '1 : builds 1 object if https://example.com/a.json can be read');
    assert.match(
      b.hover('url'),
      /^`https:\/\/example\.com\/a\.json` must be downloaded by `kustomize build`, and is not read here\.$/m,
    );
    assert.doesNotMatch(b.hover('url'), /fails/);
    assert.equal(b.lenses('long/kustomization.yaml'), '1 : builds 1 object if …/dashboard.json can be read');
    assert.equal(b.lenses('longest/kustomization.yaml'), '1 : builds 1 object if 2 paths can be read');
  });

  it('of a kustomization whose build fails state so', async () => {
    const b = await bench(`
      ==> kustomization.yaml <==
      kind: Kustomization
      #^ kind
      resources: [web.yaml]
      replacements:
      - source: {kind: Certificate, name: web, fieldPath: metadata.namespace}
        targets: [{select: {kind: Service}, fieldPaths: [metadata.annotations.from], options: {create: true}}]
      ==> web.yaml <==
      {apiVersion: v1, kind: Service, metadata: {name: web}}
    `);
    assert.equal(b.lenses('kustomization.yaml'), '1 : kustomize build fails');
    const text = 'Source Certificate/web matches no object in this kustomization; `kustomize build` fails.';
    assert.equal(b.hover('kind').split('\n\n')[0], `kind\n---\n${text}`);
  });
});

const chart = (rules: string) => `
  ==> web/Chart.yaml <==
  {apiVersion: v2, name: web, version: 1.0.0}
  ==> web/templates/hook.yaml <==
  apiVersion: admissionregistration.k8s.io/v1
  kind: ValidatingWebhookConfiguration
  metadata: {name: mesh}
  webhooks:
    - name: mesh.example.com
      rules: [{apiGroups: [${rules}], apiVersions: ['*'], operations: [CREATE], resources: ['*']}]
      objectSelector:
        matchLabels:
          rev: {{ .Values.revision }}
  ==> web/templates/policy.yaml <==
  apiVersion: admissionregistration.k8s.io/v1
  kind: ValidatingAdmissionPolicy
  metadata: {name: 'mesh-{{ .Release.Name }}'}
  spec:
    matchConstraints:
      resourceRules: [{apiGroups: [${rules}], apiVersions: ['*'], operations: [CREATE], resources: ['*']}]
  ---
  apiVersion: admissionregistration.k8s.io/v1
  kind: ValidatingAdmissionPolicyBinding
  metadata: {name: 'binding-{{ .Release.Name }}'}
  spec: {policyName: 'mesh-{{ .Release.Name }}'}
  ==> web/templates/budget.yaml <==
  apiVersion: policy/v1
  kind: PodDisruptionBudget
  #     ^ kind
  metadata:
    name: web
    labels: {app: web}
    #^ labels
  spec: {selector: {matchLabels: {app: web}}}
`;

describe('statements about admission', () => {
  it('exclude other API groups also if a selector depends on a template', async () => {
    const other = await bench(chart('networking.istio.io'));
    assert.doesNotMatch(other.hover('labels'), /Governed by/);
    const own = await bench(chart('policy'));
    assert.match(own.hover('labels'), /\*\*Governed by\*\* admission \(2\)/);
  });

  it('exclude other API groups also if a condition contains a webhook', async () => {
    const webhooks = (group: string) => `
      ==> shop/Chart.yaml <==
      {apiVersion: v2, name: shop, version: 1.0.0}
      ==> shop/templates/webhooks.yaml <==
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingWebhookConfiguration
      metadata: {name: shop}
      webhooks:
        - name: first.example.com
          rules: [{apiGroups: [apps], apiVersions: [v1], operations: [CREATE], resources: [deployments]}]
        {{- if .Values.second }}
        - name: second.example.com
          rules:
            - apiGroups: [${group}]
              apiVersions: [v1]
              operations: [CREATE]
              resources: [clusterroles]
          sideEffects: None
        {{- end }}
      ==> shop/templates/role.yaml <==
      {apiVersion: rbac.authorization.k8s.io/v1, kind: ClusterRole, metadata: {name: web, labels: {app: web}}}
      #                                                ^ role
    `;
    assert.doesNotMatch((await bench(webhooks('shop.example.com'))).hover('role') ?? '', /Governed by/);
    const own = (await bench(webhooks('rbac.authorization.k8s.io'))).hover('role') ?? '';
    assert.match(own, /\*\*Governed by\*\* admission \(1\)\n.*may apply/);
  });

  it('do not treat webhooks as peers', async () => {
    const b = await bench(`
      apiVersion: admissionregistration.k8s.io/v1
      kind: ValidatingWebhookConfiguration
      metadata: {name: mesh}
      webhooks:
        - name: mesh.example.com
          namespaceSelector: {matchLabels: {mesh: enabled}}
          #                  ^ selector
          rules: [{apiGroups: ['*'], apiVersions: ['*'], operations: [CREATE], resources: ['*']}]
    `);
    assert.match(b.hover('selector'), /\*\*Selects\*\* Namespaces where `mesh` is 'enabled'\.$/m);
    assert.doesNotMatch(b.hover('selector'), /peer/);
  });

  it('state what the rules of Kyverno do', async () => {
    const b = await bench(`
      apiVersion: kyverno.io/v1
      kind: ClusterPolicy
      metadata: {name: backup}
      spec:
        rules:
          - name: backup
            match: {any: [{resources: {kinds: [PersistentVolumeClaim]}}]}
            generate: {apiVersion: batch/v1, kind: CronJob, name: backup}
      ---
      apiVersion: v1
      kind: PersistentVolumeClaim
      metadata:
        name: data
        labels: {app: web}
        #^ labels
    `);
    assert.match(b.hover('labels'), /admission: creates further objects$/m);
  });
});

describe('statements about the version of an object', () => {
  it('name the newest of several versions in a template, or none', async () => {
    const b = await bench(`
      ==> web/Chart.yaml <==
      {apiVersion: v2, name: web, version: 1.0.0}
      ==> web/templates/service.yaml <==
      {{- if .Capabilities.APIVersions.Has "apiregistration.k8s.io/v1" }}
      apiVersion: apiregistration.k8s.io/v1
      {{- else }}
      apiVersion: apiregistration.k8s.io/v1beta1
      {{- end }}
      kind: APIService
      #     ^ service
      metadata: {name: v1.metrics}
      ==> web/templates/ingress.yaml <==
      apiVersion: {{ include "web.version" . }}
      kind: Ingress
      #     ^ ingress
      metadata: {name: web}
    `);
    assert.match(b.hover('service'), /^`apiregistration\.k8s\.io\/v1 APIService`/m);
    assert.match(b.hover('ingress'), /^`networking\.k8s\.io Ingress`/m);
  });
});
