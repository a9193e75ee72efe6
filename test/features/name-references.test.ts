/** Tests the features for names of objects: definition, references, highlights, hover, lenses and links. */
import assert from 'node:assert/strict';
import { type Bench, bench } from '../harness/bench.ts';
import { lines } from '../harness/margin.ts';

const shop = `
  ==> web.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web, namespace: shop}
  #                                ^ namespace
  spec:
    selector: {matchLabels: {app: web}}
    template:
      metadata: {labels: {app: web}}
      spec:
        serviceAccountName: robot
        #                   ^ missing
        priorityClassName: hi
        #                  ^ class
        containers:
          - name: web
            env:
              - name: USER
                valueFrom: {secretKeyRef: {name: db, key: user}}
                #                                ^ secret
                #                                         ^ key
              - name: PASSWORD
                valueFrom: {secretKeyRef: {name: db, key: pasword}}
                #                                         ^ typo
            envFrom: [{configMapRef: {name: settings}}]
            #                               ^ config
            volumeMounts: [{name: data, mountPath: /data}]
            #                     ^ mount
        volumes: [{name: data, emptyDir: {}}]
        #                ^ volume
  ---
  apiVersion: v1
  kind: Service
  metadata: {name: web, namespace: shop}
  spec: {selector: {app: web}, ports: [{port: 80}]}
  ---
  apiVersion: networking.k8s.io/v1
  kind: Ingress
  metadata: {name: web, namespace: shop}
  #                ^ ingress
  spec: {defaultBackend: {service: {name: web, port: {number: 80}}}}
  #                                       ^ backend
  ==> config.yaml <==
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: settings, namespace: shop}
  #                ^ settings
  data: {level: debug}
  #      ^ level
  ---
  apiVersion: v1
  kind: ConfigMap
  metadata: {name: unused, namespace: shop}
  ---
  apiVersion: external-secrets.io/v1
  kind: ExternalSecret
  metadata: {name: db, namespace: shop}
  #                ^ store
  spec:
    data:
      - {secretKey: user, remoteRef: {key: db}}
      - {secretKey: password, remoteRef: {key: db}}
  ---
  apiVersion: batch/v1
  kind: CronJob
  metadata: {name: report, namespace: shop}
  spec:
    jobTemplate:
      spec:
        template:
          spec:
            containers: [{name: report, envFrom: [{configMapRef: {name: settings}}]}]
  ---
  apiVersion: v1
  kind: Namespace
  metadata: {name: shop}
`;

/** Objects with the names of references that do not reach them. */
const outOfReach = `
  ==> shop/pod.yaml <==
  apiVersion: v1
  kind: Pod
  metadata:
    name: web
    namespace: shop
    ownerReferences: [{apiVersion: apps/v1, kind: Deployment, name: web, uid: 0a1b2c3d-0000-4000-8000-0123456789ab}]
    #                                                               ^ owner
  spec:
    containers:
      - name: web
        env: [{name: A, valueFrom: {secretKeyRef: {name: db, key: user}}}]
        #                                                ^ secret
        #                                                         ^ key
  ==> data/db.yaml <==
  apiVersion: v1
  kind: Secret
  metadata: {name: db, namespace: data}
  stringData: {user: a}
  ---
  apiVersion: apps/v1
  kind: Deployment
  metadata: {name: web, namespace: data}
  ==> base/kustomization.yaml <==
  resources: [web.yaml]
  ==> base/web.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: web}
  ==> overlays/a/kustomization.yaml <==
  resources: [../../base, pod.yaml]
  ==> overlays/a/pod.yaml <==
  apiVersion: v1
  kind: Pod
  metadata: {name: web}
  spec: {containers: [], serviceAccountName: robot}
  #                                          ^ apart
  ==> overlays/b/kustomization.yaml <==
  resources: [../../base, robot.yaml]
  ==> overlays/b/robot.yaml <==
  apiVersion: v1
  kind: ServiceAccount
  metadata: {name: robot}
`;

describe('the name of an object', () => {
  let b: Bench;
  before(async () => {
    b = await bench(shop);
  });

  it('leads from a reference to the object, to what creates it, or to a part of the same object', () => {
    assert.equal(b.definition('config'), 'config.yaml:3 settings');
    assert.equal(b.definition('secret'), 'config.yaml:12 db');
    assert.equal(b.definition('backend'), 'web.yaml:24 web');
    assert.equal(b.definition('mount'), 'web.yaml:20 data');
    assert.equal(b.definition('namespace'), 'config.yaml:30 shop');
    assert.equal(b.definition('missing'), '(none)');
  });

  it('leads from a key to the key of the object, and from an unknown key to the object', () => {
    assert.equal(b.definition('key'), 'config.yaml:15 user');
    assert.equal(b.definition('typo'), 'config.yaml:12 db');
  });

  it('is found in all references, from the object and from each of them', () => {
    const settings = lines(`
      config.yaml:3 settings
      config.yaml:26 settings
      web.yaml:18 settings
    `);
    assert.equal(b.references('settings'), settings);
    assert.equal(
      b.references('config'),
      lines(`
        web.yaml:18 settings
        config.yaml:3 settings
        config.yaml:26 settings
      `),
    );
    assert.equal(b.references('settings', true), settings.split('\n').slice(1).join('\n'));
    assert.equal(b.references('volume'), 'web.yaml:19 data\nweb.yaml:20 data');
    assert.equal(b.references('level'), 'config.yaml:4 level');
    assert.equal(b.references('missing'), 'web.yaml:9 robot');
  });

  it('is highlighted in its file', () => {
    assert.equal(b.highlights('settings'), '3 settings (label)\n26 settings (selector)');
    assert.equal(b.highlights('mount'), '19 data (selector)\n20 data (label)');
  });

  it('is described with the keys and the creator of the object, without values', () => {
    assert.equal(
      b.hover('secret'),
      lines(`
        db
        ---
        **Refers to** (1)
        - Secret/db, created by [ExternalSecret/db](<config.yaml#L12,18>) in \`shop\` — config.yaml:12: keys \`user\`, \`password\`
      `),
    );
    assert.equal(
      b.hover('backend'),
      lines(`
        web
        ---
        **Refers to** (1)
        - [Service/web](<web.yaml#L24,18>) in \`shop\` — web.yaml:24

        **Selects** (1)
        - [Deployment/web](<web.yaml#L7,16>) in \`shop\` — web.yaml:7
      `),
    );
    assert.equal(b.hover('missing'), 'robot\n---\nNo ServiceAccount `robot` in the indexed files.');
  });

  it('is described with the objects of the same name that the reference does not reach', async () => {
    const other = await bench(outOfReach);
    assert.equal(
      other.hover('secret'),
      'db\n---\nNo Secret `db` in namespace `shop` in the indexed files.\n\n**In another namespace, which this reference does not reach** (1)\n- [Secret/db](<data/db.yaml#L3,18>) in `data` — ../data/db.yaml:3',
    );
    assert.equal(
      other.hover('key'),
      'user\n---\nNo Secret `db` in namespace `shop` in the indexed files.\n\n**In another namespace, which this reference does not reach** (1)\n- [Secret/db](<data/db.yaml#L3,18>) in `data` — ../data/db.yaml:3',
    );
    assert.equal(
      other.hover('owner'),
      'web\n---\nNo Deployment `web` in namespace `shop` in the indexed files.\n\n**In another namespace, which this reference does not reach** (1)\n- [Deployment/web](<data/db.yaml#L8,18>) in `data` — ../data/db.yaml:8',
    );
    assert.equal(
      other.hover('apart'),
      'robot\n---\nNo ServiceAccount `robot` is applied together with it.\n\n**In overlays or folders that are never applied together with it** (1)\n- [ServiceAccount/robot](<overlays/b/robot.yaml#L3,18>) — ../b/robot.yaml:3',
    );
  });

  it('is described with the objects that use it', () => {
    assert.equal(
      b.hover('settings'),
      lines(`
        settings
        ---
        \`v1 ConfigMap\`, namespace \`shop\`

        **Used by** (2)
        - [CronJob/report](<config.yaml#L26,71>) in \`shop\` — config.yaml:26: \`spec.jobTemplate.spec.template.spec.containers[0].envFrom[0].configMapRef.name\`
        - [Deployment/web](<web.yaml#L18,43>) in \`shop\` — web.yaml:18: \`spec.template.spec.containers[0].envFrom[0].configMapRef.name\`
      `),
    );
  });

  it('has keys, which are described with what reads them, or with those that are there', () => {
    assert.equal(
      b.hover('key'),
      lines(`
        user
        ---
        Key \`user\` of Secret/db, created by [ExternalSecret/db](<config.yaml#L12,18>) in \`shop\` — config.yaml:12
      `),
    );
    assert.match(b.hover('typo'), /^pasword\n---\nNo key `pasword` in Secret\/db, .*: keys `user`, `password`$/);
    assert.match(b.hover('level'), /^level\n---\nKey `level` of \[ConfigMap\/settings\]/);
  });

  it('may be used in another folder if its namespace is unknown, as the lens and both hovers state', async () => {
    const other = await bench(`
      ==> chart/Chart.yaml <==
      apiVersion: v2
      name: web
      version: 1.0.0
      ==> chart/templates/service.yaml <==
      apiVersion: v1
      kind: Service
      metadata: {name: payment}
      #                  ^^ service
      spec: {ports: [{port: 80}]}
      ==> mesh/canary.yaml <==
      apiVersion: networking.istio.io/v1
      kind: VirtualService
      metadata: {name: canary, namespace: shop}
      spec:
        hosts: [payment.shop.svc.cluster.local]
        http: [{route: [{destination: {host: payment.shop.svc.cluster.local}}]}]
        #                                      ^^ host
    `);
    assert.match(
      other.lenses('chart/templates/service.yaml'),
      /metadata\.name: may be used in another folder by VirtualService\/canary$/m,
    );
    assert.match(
      other.hover('service'),
      /\*\*May be used in another folder by\*\* \(1\)\n- \[VirtualService\/canary\]/,
    );
    assert.match(other.hover('host'), /\*\*May refer to, in another folder\*\* \(1\)\n- \[Service\/payment\]/);
  });

  it('has a lens with the objects that use it, which a setting turns off', async () => {
    assert.equal(
      b.lenses('web.yaml'),
      lines(`
        7 spec.template.metadata.labels: selected by Service/web
        24 metadata.name: used by Ingress/web
        25 spec.selector: selects Deployment/web
      `),
    );
    assert.equal(b.lenses('config.yaml'), '3 metadata.name: used by 2 objects');
    const without = await bench(shop, { settings: { referencesCodeLens: false } });
    assert.equal(without.lenses('config.yaml'), '');
    const only = await bench(shop, { settings: { codeLens: false } });
    assert.equal(only.lenses('web.yaml'), '24 metadata.name: used by Ingress/web');
  });

  it('is a link if the object is in another file', () => {
    assert.deepEqual(b.links('web.yaml'), ['db -> config.yaml', 'db -> config.yaml', 'settings -> config.yaml']);
  });

  it('continues the hierarchy of selections', () => {
    assert.equal(
      b.selects('ingress'),
      lines(`
        Ingress/web (shop · web.yaml)
          Service/web (shop · web.yaml)
            Deployment/web (shop · web.yaml)
              ExternalSecret/db (shop · config.yaml) x2
              ConfigMap/settings (shop · config.yaml)
      `),
    );
    assert.equal(
      b.selectedBy('settings'),
      lines(`
        ConfigMap/settings (shop · config.yaml)
          CronJob/report (shop · config.yaml)
          Deployment/web (shop · web.yaml)
            Service/web (shop · web.yaml)
              Ingress/web (shop · web.yaml)
      `),
    );
  });

  it('is an edge in the graph, unless these are turned off', () => {
    const name = 'spec.template.spec.containers[0]';
    assert.equal(
      b.graph('ingress', { references: true }),
      lines(`
        Ingress/web
        Deployment/web references ExternalSecret/db (${name}.env[0].valueFrom.secretKeyRef.name)
        Deployment/web references ExternalSecret/db (${name}.env[1].valueFrom.secretKeyRef.name)
        Deployment/web references ConfigMap/settings (${name}.envFrom[0].configMapRef.name)
        Service/web selects Deployment/web (spec.selector)
        Ingress/web routes Service/web (spec.defaultBackend)
      `),
    );
    assert.equal(
      b.graph('ingress'),
      lines(`
        Ingress/web
        Service/web selects Deployment/web (spec.selector)
        Ingress/web routes Service/web (spec.defaultBackend)
      `),
    );
  });
});

describe('the name of an object in an overlay', () => {
  it('is resolved before the kustomization changes it, with the references of patches', async () => {
    const b = await bench(`
      ==> base/kustomization.yaml <==
      resources: [web.yaml]
      configMapGenerator: [{name: settings, literals: [level=debug]}]
      ==> base/web.yaml <==
      apiVersion: apps/v1
      kind: Deployment
      # ^ here
      metadata: {name: web}
      spec: {template: {spec: {serviceAccountName: web, containers: [{name: web}]}}}
      ---
      apiVersion: v1
      kind: ServiceAccount
      metadata: {name: web}
      #                ^ account
      ==> prod/kustomization.yaml <==
      resources: [../base]
      namePrefix: prod-
      patches: [{path: patch.yaml}]
      ==> prod/patch.yaml <==
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: web}
      spec: {template: {spec: {containers: [{name: web, envFrom: [{configMapRef: {name: settings}}]}]}}}
      #                                                                                 ^ patched
    `);
    assert.equal(
      b.graph('here', { references: true }),
      lines(`
        Deployment/prod-web
        Deployment/prod-web references ServiceAccount/prod-web (spec.template.spec.serviceAccountName)
        Deployment/prod-web references ConfigMap/prod-settings-ck5fk26hc4 (spec.template.spec.containers[0].envFrom[0].configMapRef.name)
      `),
    );
    assert.equal(b.definition('patched'), 'base/kustomization.yaml:2 settings');
    assert.equal(b.references('account'), 'base/web.yaml:4 web\nbase/web.yaml:8 web');
  });
});

/** A Rollout, and the objects that its traffic routing names. */
const traffic = `
  ==> rollout.yaml <==
  apiVersion: argoproj.io/v1alpha1
  kind: Rollout
  metadata: {name: web, namespace: shop}
  spec:
    strategy:
      canary:
        pingPong:
          pingService: ping
          #             ^^ ping
          pongService: pong
          #             ^^ pong
        trafficRouting:
          alb:
            ingress: front
            #         ^^ ingress
            rootService: root
            #             ^^ root
          nginx: {stableIngresses: [front]}
          #                          ^^ listed
          istio:
            virtualService: {name: route.mesh}
            #                       ^^ virtual
            virtualServices: [{name: local}]
            #                         ^^ local
            destinationRule: {name: subsets, canarySubsetName: canary, stableSubsetName: stable}
            #                        ^^ rule
  ==> traffic.yaml <==
  apiVersion: v1
  kind: Service
  metadata: {name: ping, namespace: shop}
  ---
  apiVersion: v1
  kind: Service
  metadata: {name: pong, namespace: shop}
  ---
  apiVersion: networking.k8s.io/v1
  kind: Ingress
  metadata: {name: front, namespace: shop}
  ---
  apiVersion: networking.istio.io/v1
  kind: VirtualService
  metadata: {name: route, namespace: mesh}
  ---
  apiVersion: networking.istio.io/v1
  kind: VirtualService
  metadata: {name: local, namespace: shop}
  ---
  apiVersion: networking.istio.io/v1
  kind: DestinationRule
  metadata: {name: subsets, namespace: shop}
`;

describe('the names in the traffic routing of a Rollout', () => {
  it('refer to Services, Ingresses and objects of Istio', async () => {
    const b = await bench(traffic);
    const named = {
      ping: 'Service/ping',
      pong: 'Service/pong',
      ingress: 'Ingress/front',
      listed: 'Ingress/front',
      virtual: 'VirtualService/route',
      local: 'VirtualService/local',
      rule: 'DestinationRule/subsets',
    };
    for (const [place, target] of Object.entries(named))
      assert.ok(b.hover(place).includes(`**Refers to** (1)\n- [${target}]`), `${place}: ${b.hover(place)}`);
  });

  it('are described as missing if no object has them, without a finding', async () => {
    const b = await bench(traffic);
    assert.match(b.hover('root'), /No Service `root` in the indexed files\.$/);
    assert.deepEqual(
      b.findings('rollout.yaml').filter(({ rule }) => rule === 'reference-missing'),
      [],
    );
  });
});
