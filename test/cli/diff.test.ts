/** Tests the changed matches that `diff` reports. */
import assert from 'node:assert/strict';
import { renderMarkdown } from '../harness/rendered-markdown.ts';
import { service, web } from './manifests.ts';
import { runInMemory } from './memory-world.ts';

const pod = 'apiVersion: v1\nkind: Pod\nmetadata: {name: x, namespace: shop, labels: {app: x}}\n';
const policy = (app: string) =>
  `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: deny, namespace: shop}\nspec: {podSelector: {matchLabels: {app: ${app}}}}\n`;

async function diff(
  old: Readonly<Record<string, string | { readonly skipped: string }>>,
  fresh: Readonly<Record<string, string | { readonly skipped: string }>>,
  ...words: string[]
) {
  const files = Object.fromEntries([
    ...Object.entries(old).map(([path, text]) => [`old/${path}`, text]),
    ...Object.entries(fresh).map(([path, text]) => [`new/${path}`, text]),
  ]);
  return runInMemory(['diff', 'old', 'new', ...words], { files });
}

const shop = { 'web.yaml': web, 'service.yaml': service };

describe('diff', () => {
  it('ignores objects that moved to another file', async () => {
    const { code, out } = await diff(shop, { 'all.yaml': `${service}---\n${web}` });
    assert.deepEqual({ code, out }, { code: 0, out: ['No match is certainly lost or new.'] });
  });

  it('lists the objects that a Service no longer selects, and exits with 1', async () => {
    const { code, out } = await diff(shop, { ...shop, 'service.yaml': service.replace(/app: web\n$/, 'app: wob\n') });
    assert.deepEqual(
      { code, out },
      { code: 1, out: ['- Service/web no longer selects Deployment/web in shop.', '', '1 lost match, 0 new.'] },
    );
  });

  it('lists the objects that a policy now applies to, and exits with 0', async () => {
    const old = { 'pod.yaml': pod, 'policy.yaml': policy('y') };
    const { code, out } = await diff(old, { ...old, 'policy.yaml': policy('x') });
    assert.deepEqual(
      { code, out },
      { code: 0, out: ['+ NetworkPolicy/deny now applies to Pod/x in shop.', '', '0 lost matches, 1 new.'] },
    );
  });

  it('names the scope of changed connections if there are several, also in the answer of impact', async () => {
    const isolating = (port: number) => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: x, namespace: shop}
spec: {podSelector: {}, ingress: [{ports: [{port: ${port}}]}]}
`;
    const old = {
      'base/kustomization.yaml': 'resources: [pod.yaml]\n',
      'base/pod.yaml': pod,
      'dev/kustomization.yaml': 'resources: [../base]\n',
      'prod/kustomization.yaml': 'resources: [../base, policy.yaml]\n',
      'prod/policy.yaml': isolating(80),
    };
    const { out } = await diff(old, { ...old, 'prod/policy.yaml': isolating(81) });
    assert.deepEqual(out.slice(2, 4), [
      '- shop/Pod/x, TCP 80: no longer open to ip:0.0.0.0/0 and ip:::/0 (prod).',
      '+ shop/Pod/x, TCP 81: now open to ip:0.0.0.0/0 and ip:::/0 (prod).',
    ]);
    const text = JSON.stringify({ files: [{ path: 'prod/policy.yaml', text: isolating(81) }] });
    const effects = await runInMemory(['impact', '-'], { files: old, standardInput: { text } });
    assert.ok(effects.out.includes('+ ip:0.0.0.0/0 -> shop/Pod/x: TCP 81 (prod)'), effects.out.join('\n'));
  });

  it('pairs an object with the object of the other API group in which it is stored', async () => {
    const hpa = (version: string) => `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec: {scaleTargetRef: {apiVersion: ${version}, kind: Deployment, name: web}, maxReplicas: 2}
`;
    const old = {
      'web.yaml': web.replace('apps/v1', 'extensions/v1beta1'),
      'service.yaml': service,
      'pod.yaml': pod,
      'policy.yaml': policy('x').replace('networking.k8s.io/v1', 'extensions/v1beta1'),
      'hpa.yaml': hpa('extensions/v1beta1'),
    };
    const updated = { ...old, 'web.yaml': web, 'policy.yaml': policy('x') };
    for (const fresh of [updated, { ...updated, 'hpa.yaml': hpa('apps/v1') }]) {
      const { code, out } = await diff(old, fresh);
      assert.deepEqual({ code, out }, { code: 0, out: ['No match is certainly lost or new.'] });
    }
    const text = JSON.stringify({
      files: [
        { path: 'web.yaml', text: web },
        { path: 'policy.yaml', text: policy('x') },
      ],
    });
    const effects = await runInMemory(['impact', '-'], { files: old, standardInput: { text } });
    assert.deepEqual(effects.out, ['No finding, match or connection certainly changes.']);
  });

  it('reports a reference whose kind changes only if an object of the new kind would be known', async () => {
    const hpa = (kind: string) => `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata: {name: web, namespace: shop}
spec: {scaleTargetRef: {apiVersion: apps/v1, kind: ${kind}, name: web}, maxReplicas: 2}
`;
    const old = { 'web.yaml': web, 'pod.yaml': pod, 'hpa.yaml': hpa('Deployment') };
    const broken = async (kind: string) => {
      const { out } = await diff(old, { ...old, 'hpa.yaml': hpa(kind) });
      const text = JSON.stringify({ files: [{ path: 'hpa.yaml', text: hpa(kind) }] });
      const effects = await runInMemory(['impact', '-'], { files: old, standardInput: { text } });
      return [out, effects.out].map((lines) => lines.filter((line) => line.startsWith('!')));
    };
    const sentence = '! HorizontalPodAutoscaler/web in shop names StatefulSet/web, which does not exist.';
    assert.deepEqual(await broken('StatefulSet'), [[sentence], [sentence]]);
    assert.deepEqual(await broken('Rollout'), [[], []]);
  });

  it('reports no reference to an object that exists in every cluster', async () => {
    const names = (account: string, config: string, project: string, priority: string) => `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, namespace: shop}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      serviceAccountName: ${account}
      priorityClassName: ${priority}
      containers: [{name: a, image: a, envFrom: [{configMapRef: {name: ${config}}}]}]
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBinding
metadata: {name: web}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: web}
subjects: [{kind: ServiceAccount, name: ${account}, namespace: shop}]
---
apiVersion: argoproj.io/v1alpha1
kind: Application
metadata: {name: web, namespace: argocd}
spec: {project: ${project}}
`;
    const object = (kind: string, name: string, more = 'v1') =>
      `apiVersion: ${more}\nkind: ${kind}\nmetadata: {name: ${name}, namespace: ${kind === 'AppProject' ? 'argocd' : 'shop'}}\n`;
    const own = (name: string) =>
      [
        object('ServiceAccount', name),
        object('ConfigMap', name),
        object('AppProject', name, 'argoproj.io/v1alpha1'),
        `apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: ${name}}\n`,
      ].join('---\n');
    const old = { 'web.yaml': names('web', 'web', 'web', 'web'), 'own.yaml': own('web') };
    const builtIn = names('default', 'kube-root-ca.crt', 'default', 'system-cluster-critical');
    const { code, out } = await diff(old, { ...old, 'web.yaml': builtIn });
    assert.deepEqual([code, out.filter((line) => line.includes(' names '))], [0, []]);
    const kube = {
      'web.yaml': names('kube-web', 'web', 'web', 'web'),
      'own.yaml': `${own('web')}---\n${own('kube-web')}`,
    };
    const { out: lost } = await diff(kube, { ...kube, 'own.yaml': own('web') });
    assert.match(lost.join('\n'), /names ServiceAccount\/kube-web, which no longer exists/);
  });

  it('reports the selector that an update to the other API group may not change', async () => {
    const wob = web.replaceAll('app: web', 'app: wob');
    const { code, out } = await diff({ 'web.yaml': wob.replace('apps/v1', 'extensions/v1beta1') }, { 'web.yaml': web });
    assert.deepEqual(
      { code, out: out.slice(1) },
      { code: 1, out: ['', '0 lost matches, 0 new, 1 change that the API server rejects.'] },
    );
    assert.match(
      out[0] ?? '',
      /^! The selector of Deployment\/web in shop changed from 'app=wob' to 'app=web' and is immutable/,
    );
  });

  it('compares objects that also have a `generateName`, which has no effect', async () => {
    const named = web.replace('name: web', 'name: web\n  generateName: web-');
    assert.notEqual(named, web);
    const { code, out } = await diff({ 'web.yaml': named }, { 'web.yaml': named.replaceAll('app: web', 'app: wob') });
    assert.equal(code, 1);
    assert.match(out.join('\n'), /selector of Deployment\/web .* is immutable/);
  });

  it('lists the connections that policies open and close, and exits with 0', async () => {
    const pods = ['web', 'db'].map((name) => pod.replace('name: x', `name: ${name}`).replace('app: x', `app: ${name}`));
    const isolating = (ports: string) => `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: db, namespace: shop}
spec:
  podSelector: {matchLabels: {app: db}}
  ingress: [{from: [{podSelector: {matchLabels: {app: web}}}], ports: [${ports}]}]
`;
    const old = { 'pods.yaml': pods.join('---\n'), 'policy.yaml': isolating('{port: 80}, {port: 81}') };
    const { code, out } = await diff(old, { ...old, 'policy.yaml': isolating('{port: 81}, {port: 82, endPort: 84}') });
    assert.deepEqual(
      [code, out.slice(1)],
      [
        0,
        [
          '',
          '- shop/Pod/db, TCP 80: no longer open to shop/Pod/web.',
          '+ shop/Pod/db, TCP 82-84: now open to shop/Pod/web.',
          '',
          '1 connection opened, 1 closed.',
        ],
      ],
    );
  });

  it('lists the updates that the API server rejects, and exits with 1', async () => {
    const { code, out } = await diff(shop, {
      ...shop,
      'web.yaml': web.replace('app: web\n  template', 'app: web\n      tier: pod\n  template'),
    });
    assert.equal(code, 1);
    assert.deepEqual(out, [
      "! The selector of Deployment/web in shop changed from 'app=web' to 'app=web,tier=pod' and is immutable: the API server rejects this. If the object is deleted and recreated, its pods are deleted and recreated, its Services have no endpoints in the meantime, and the rollout history is lost.",
      '',
      '0 lost matches, 0 new, 1 change that the API server rejects.',
    ]);
  });

  it('lists names of objects that do not exist, and exits with 1', async () => {
    const secret = 'apiVersion: v1\nkind: Secret\nmetadata: {name: db, namespace: shop}\n';
    const reader = (name: string) => `${pod}spec: {volumes: [{name: v, secret: {secretName: ${name}}}]}\n`;
    const old = { 'pod.yaml': reader('db'), 'secret.yaml': secret };
    const expected = {
      code: 1,
      out: [
        '! Pod/x in shop names Secret/db, which no longer exists.',
        '',
        '0 lost matches, 0 new, 1 reference to objects that do not exist.',
      ],
    };
    const deleted = await diff(old, { 'pod.yaml': reader('db') });
    assert.deepEqual({ code: deleted.code, out: deleted.out }, expected);
    const renamed = await diff(old, { ...old, 'secret.yaml': secret.replace('name: db', 'name: db2') });
    assert.deepEqual({ code: renamed.code, out: renamed.out }, expected);
    const misspelled = await diff(old, { ...old, 'pod.yaml': reader('dbb') });
    assert.ok(misspelled.out.includes('! Pod/x in shop names Secret/dbb, which does not exist.'));
    const both = await diff(old, { 'pod.yaml': reader('db2'), 'secret.yaml': secret.replace('name: db', 'name: db2') });
    assert.ok(!both.out.some((line) => line.includes('Secret')));
    const { json } = await diff(old, { 'pod.yaml': reader('db') }, '--format', 'json');
    assert.deepEqual((json as { readonly summary: unknown }).summary, { lost: 0, gained: 0, immutable: 0, broken: 1 }); // by the schema
  });

  it('distinguishes a lost match from a deleted pair', async () => {
    const gone = await diff(shop, { 'service.yaml': service });
    assert.equal(gone.code, 1);
    assert.equal(gone.out[0], '- Service/web no longer selects Deployment/web in shop, which is gone.');
    const alone = await diff(shop, { 'web.yaml': web });
    assert.equal(alone.out[0], '- Service/web is gone: it no longer selects Deployment/web in shop.');
    const both = await diff({ ...shop, 'pod.yaml': pod }, { 'pod.yaml': pod });
    assert.deepEqual([both.code, both.out], [0, ['No match is certainly lost or new.']]);
    const added = await diff({ 'web.yaml': web }, shop);
    assert.deepEqual([added.code, added.out[0]], [0, '+ Service/web is new: it selects Deployment/web in shop.']);
  });

  it('names skipped files, and reports nothing that they may contain', async () => {
    const unread = { ...shop, 'web.yaml': { skipped: 'it is cold' } };
    const lost = await diff(shop, unread);
    assert.deepEqual(
      [lost.code, lost.out, lost.err],
      [
        0,
        ['No changes found in the objects that could be compared.'],
        ['selector-lens: new/web.yaml was skipped: it is cold.'],
      ],
    );
    const gained = await diff(unread, shop);
    assert.deepEqual([gained.code, gained.out], [0, ['No changes found in the objects that could be compared.']]);
  });

  it('reports changes in the files that were read, and deletions if both sides skipped the same files', async () => {
    const cold = { 'cold.yaml': { skipped: 'it is cold' } };
    const changed = { ...shop, 'service.yaml': service.replace(/app: web\n$/, 'app: wob\n') };
    const lines = ['- Service/web no longer selects Deployment/web in shop.', '', '1 lost match, 0 new.'];
    assert.deepEqual((await diff(shop, { ...changed, ...cold })).out, lines);
    const gone = await diff({ ...shop, ...cold }, { 'service.yaml': service, ...cold });
    assert.equal(gone.out[0], '- Service/web no longer selects Deployment/web in shop, which is gone.');
  });

  it('reports only certain changes', async () => {
    const template = web.replace('        app: web\n        tier', "        app: '{{ .Values.app }}'\n        tier");
    assert.deepEqual((await diff(shop, { ...shop, 'web.yaml': template })).out, ['No match is certainly lost or new.']);
  });

  it('distinguishes variants of one object by their scopes', async () => {
    const variants = (app: string) => ({
      'dev/web.yaml': web,
      'dev/service.yaml': service,
      'prod/web.yaml': web,
      'prod/service.yaml': service.replace(/app: web\n$/, `app: ${app}\n`),
    });
    const { out } = await diff(variants('web'), variants('wob'));
    assert.equal(out[0], '- Service/web no longer selects Deployment/web in shop (prod).');
  });

  it('compares what kustomizations build', async () => {
    const built = (label: string) => ({
      'web.yaml': web,
      'service.yaml': service,
      'kustomization.yaml': `resources: [web.yaml, service.yaml]\ncommonLabels: {track: ${label}}\n`,
    });
    assert.equal((await diff(built('a'), built('a'))).code, 0);
    const { code, out } = await diff(built('a'), built('b'));
    assert.equal(code, 1);
    assert.deepEqual(out, [
      "! The selector of Deployment/web in shop changed from 'app=web,track=a' to 'app=web,track=b' and is immutable: the API server rejects this. If the object is deleted and recreated, its pods are deleted and recreated, its Services have no endpoints in the meantime, and the rollout history is lost.",
      '',
      '0 lost matches, 0 new, 1 change that the API server rejects.',
    ]);
  });

  it('shows the different requirements of a long selector', async () => {
    const long = (track: string) =>
      web.replace(
        'app: web\n  template',
        `app: web\n      app.kubernetes.io/component: frontend-of-the-shop\n      app.kubernetes.io/part-of: shop\n      track: ${track}\n  template`,
      );
    const { out } = await diff({ 'web.yaml': long('stable') }, { 'web.yaml': long('canary') });
    assert.match(out[0] ?? '', / changed from '\.\.\.track=stable' to '\.\.\.track=canary' and is immutable/);
  });

  it('pairs copies of an object whose file was renamed', async () => {
    const copies = { 'web.yaml': web, 'copy.yaml': web, 'service.yaml': service };
    const { 'copy.yaml': moved, ...others } = copies;
    const { code, out } = await diff(copies, { ...others, 'moved.yaml': moved });
    assert.deepEqual([code, out], [0, ['No match is certainly lost or new.']]);
  });

  it('compares two files', async () => {
    const files = { 'a.yaml': `${service}---\n${web}`, 'b.yaml': service };
    const { code } = await runInMemory(['diff', 'a.yaml', 'b.yaml'], { files });
    assert.equal(code, 1);
  });

  it('writes Markdown for a comment, in which no text of a manifest is markup', async () => {
    const nasty = (text: string) => text.replaceAll('name: web', "name: '<b>@all</b> [x](y) |`'");
    const old = { 'web.yaml': nasty(web), 'service.yaml': nasty(service) };
    const { code, out } = await diff(old, { 'service.yaml': nasty(service) }, '--format', 'markdown');
    assert.equal(code, 1);
    assert.deepEqual(out.slice(0, 4), ['### Changes', '', '| Change | Object | Details |', '| --- | --- | --- |']);
    assert.ok(out[4]?.startsWith('| Loses matches | Service/&#60;b&#62;\u200B@\u200Ball'), out[4]);
    assert.equal(out[4]?.match(/\|/g)?.length, 4);
    for (const { by, links, foreign } of renderMarkdown(out.join('\n')))
      assert.deepEqual([...links, ...foreign], [], by);
  });

  it('writes one table of Markdown, with the consequence of recreating', async () => {
    const recreated = web.replaceAll('app: web', 'app: site');
    const { out } = await diff(shop, { ...shop, 'web.yaml': recreated }, '--format', 'markdown');
    assert.deepEqual(out, [
      '### Changes',
      '',
      '| Change | Object | Details |',
      '| --- | --- | --- |',
      "| Must be recreated | Deployment/web in shop | The selector of Deployment/web in shop changed from 'app=web' to 'app=site' and is immutable: the API server rejects this. If the object is deleted and recreated, its pods are deleted and recreated, its Services have no endpoints in the meantime, and the rollout history is lost. |",
      '| Loses matches | Service/web in shop | Service/web no longer selects Deployment/web in shop. |',
      '',
      '1 lost match, 0 new, 1 change that the API server rejects.',
    ]);
  });

  it('writes Markdown in which a name is no link', async () => {
    const named = web.replaceAll('name: web', "name: 'http://e www.e.example #1'");
    const { out } = await diff({ 'a.yaml': `${named}---\n${service}` }, { 'a.yaml': service }, '--format', 'markdown');
    assert.ok(out[4]?.includes('http:/\u200B/e www\u200B.e.example #\u200B1'), out[4]);
    for (const { by, links, foreign } of renderMarkdown(out.join('\n')))
      assert.deepEqual([...links, ...foreign], [], by);
  });

  it('reports files that a kustomization uses outside of the trees', async () => {
    const overlay = { 'kustomization.yaml': 'resources: [../base]\n' };
    const says = "kustomization.yaml names '../base', which does not exist.";
    const none = await diff(overlay, overlay);
    assert.deepEqual([none.code, none.err], [2, [`selector-lens: No Kubernetes objects in 'old'. ${says}`]]);
    const more = { 'kustomization.yaml': 'resources: [../base, web.yaml]\n', 'web.yaml': web };
    const some = await diff(shop, more);
    assert.deepEqual(some.err, [`selector-lens: 'new' is compared only in part: ${says}`]);
  });

  it('names syntax errors of either tree, which may hide lost matches, and exits with 2', async () => {
    const broken = { ...shop, 'service.yaml': service.replace('name: web', 'name: "web') };
    const error = 'service.yaml:4:9: YAML syntax error: missing closing "';
    const fresh = await diff(shop, broken);
    assert.equal(fresh.code, 2);
    assert.ok(fresh.err[0]?.startsWith(`selector-lens: new/${error}`), fresh.err.join('\n'));
    const old = await diff(broken, shop);
    assert.equal(old.code, 2);
    assert.ok(old.err[0]?.startsWith(`selector-lens: old/${error}`), old.err.join('\n'));
    // An equal file is not a reason to reject a change of other files.
    const both = await diff(broken, broken, '--format', 'json');
    assert.deepEqual([both.code, JSON.parse(both.out.join('\n')).complete], [0, false]);
    assert.match(both.err.join('\n'), /service\.yaml:4:9: YAML syntax error/);
    const disabled = `# selector-lens-disable-file syntax-error: shown on purpose\n${broken['service.yaml']}`;
    const accepted = await diff(shop, { ...shop, 'service.yaml': disabled });
    assert.notEqual(accepted.code, 2);
    assert.deepEqual(accepted.err, []);
  });

  it('compares files with template actions that are valid YAML outside of charts', async () => {
    const alerts = (summary: string) => `apiVersion: v1
kind: ConfigMap
metadata: {name: alerts, namespace: shop, labels: {app: web}}
data:
  summary: >-
    ${summary} {{ $labels.pod
    }} is down
  templates: |
    {{- range .Values.pods }}
    kind: Pod
    metadata: {name: {{ .name }}}
    ---
    {{- end }}
`;
    const { code, out, err } = await diff(
      { ...shop, 'alerts.yaml': alerts('Pod') },
      { ...shop, 'alerts.yaml': alerts('The pod'), 'service.yaml': service.replace(/app: web\n$/, 'app: wob\n') },
    );
    assert.deepEqual(
      { code, out, err },
      {
        code: 1,
        out: ['- Service/web no longer selects Deployment/web in shop.', '', '1 lost match, 0 new.'],
        err: [],
      },
    );
  });

  it('reports no matches of selectors whose kinds other fields restrict', async () => {
    const webhook = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingWebhookConfiguration
metadata: {name: checks}
webhooks:
  - name: checks.example.com
    objectSelector: {matchExpressions: [{key: skip, operator: DoesNotExist}]}
    rules: [{apiGroups: [''], apiVersions: [v1], operations: [CREATE], resources: [secrets]}]
`;
    const { code, out } = await diff(
      { ...shop, 'webhook.yaml': webhook },
      { ...shop, 'web.yaml': '', 'webhook.yaml': webhook },
    );
    assert.deepEqual(
      [code, out],
      [1, ['- Service/web no longer selects Deployment/web in shop, which is gone.', '', '1 lost match, 0 new.']],
    );
  });

  it('treats the pods of a workload as its own', async () => {
    const { out } = await diff(shop, {
      ...shop,
      'web.yaml': web.replace('app: web\n        tier', 'app: x\n        tier'),
    });
    assert.equal(out[0], '- Deployment/web in shop no longer selects its own pods.', out.join('\n'));
  });

  it('does not list the own pods of a new workload, as all workloads select them', async () => {
    const { out } = await diff({ 'web.yaml': web }, { 'web.yaml': web.replace('name: web', 'name: site') });
    assert.deepEqual(out, ['No match is certainly lost or new.']);
  });

  it('names the scope of a new selector that several overlays contain', async () => {
    const overlays = {
      'base/kustomization.yaml': 'resources: [web.yaml, service.yaml]\n',
      'base/web.yaml': web,
      'base/service.yaml': service,
      'dev/kustomization.yaml': 'resources: [../base]\n',
      'prod/kustomization.yaml': 'resources: [../base]\n',
    };
    const renamed = { ...overlays, 'base/service.yaml': service.replace('name: web', 'name: site') };
    const { out } = await diff(overlays, renamed);
    assert.deepEqual(
      out.filter((line) => line.startsWith('+')),
      [
        '+ Service/site is new: it selects Deployment/web in shop (dev).',
        '+ Service/site is new: it selects Deployment/web in shop (prod).',
      ],
    );
  });
});
