/** Tests what `review` says about changes between two commits. */
import assert from 'node:assert/strict';
import { renderMarkdown } from '../harness/rendered-markdown.ts';
import { service, web } from './manifests.ts';
import { home, runInMemory } from './memory-world.ts';
import { type Files, overlays, review } from './review-world.ts';

const shop = { 'web.yaml': web, 'service.yaml': service };
const unselected = { ...shop, 'service.yaml': service.replace(/app: web\n$/, 'app: wob\n') };

/** A chart with a Deployment, and a Service that selects pods with `tier: front`. */
function chart(values: string): Files {
  return {
    'chart/Chart.yaml': 'apiVersion: v2\nname: web\nversion: 1.0.0\n',
    'chart/values.yaml': `${values}\n`,
    'chart/templates/web.yaml': `${web.replace(/tier: pod\n$/, 'tier: {{ .Values.tier }}\n')}`,
    'chart/templates/service.yaml': service.replace(/app: web\n$/, 'tier: front\n'),
  };
}

describe('review', () => {
  it('says in one line that nothing changes in meaning', async () => {
    const { code, out } = await review(shop, { 'all.yaml': `${service}---\n# A comment.\n${web}` });
    assert.deepEqual(
      { code, out },
      {
        code: 0,
        out: [
          'No selector, reference, connection or immutable field changes.',
          '',
          'Everything in these manifests was evaluated: 2 objects.',
        ],
      },
    );
  });

  it('counts other fields that change, such as images', async () => {
    const container = (image: string) => `${web}    spec:\n      containers: [{name: web, image: ${image}}]\n`;
    const changed = `${container('web:2').replace('spec:\n', 'spec:\n  replicas: 4\n')}`;
    const { out } = await review({ ...shop, 'web.yaml': container('web:1') }, { ...shop, 'web.yaml': changed });
    const nothing = 'No selector, reference, connection or immutable field changes.';
    assert.equal(out[0], `${nothing} Images of 1 workload and replicas of 1 workload change.`);
  });

  it('lists lost matches with the line that causes them', async () => {
    const { code, out } = await review(shop, unselected);
    const line = unselected['service.yaml'].split('\n').findIndex((each) => each.includes('wob')) + 1;
    assert.equal(code, 0);
    assert.deepEqual(out.slice(0, 4), [
      '1 lost match (1 Service without endpoints).',
      '',
      'Lost matches',
      `  Service/web no longer selects Deployment/web in shop; the Service then has no endpoints. Requirement \`app\` of its selector changed from 'web' to 'wob' (service.yaml:${line}).`,
    ]);
  });

  it('names both requirements if one replaces the other', async () => {
    const replaced = { ...shop, 'service.yaml': service.replace(/app: web\n$/, 'name: web\n') };
    const { out } = await review(shop, replaced);
    assert.match(
      out.join('\n'),
      /Requirement `app=web` of its selector was replaced by `name=web` \(service\.yaml:\d+\)\./,
    );
  });

  it('exits with 1 only for the parts that `--fail-on` names', async () => {
    for (const [parts, expected] of [
      ['lost', 1],
      ['refused,lost', 1],
      ['refused,opened,broken,incomplete', 0],
    ] as const)
      assert.equal((await review(shop, unselected, '--fail-on', parts)).code, expected, parts);
    const { code, err } = await review(shop, unselected, '--fail-on', 'lots');
    assert.equal(code, 2);
    assert.match(err.join(), /'lots' is not a part for '--fail-on'/);
  });

  it('joins a change of a base in 40 overlays into one statement', async () => {
    const { json } = await review(overlays(shop, 40), overlays(unselected, 40), '--format', 'json');
    const { sections } = json as { sections: readonly { id: string; count: number; items: readonly unknown[] }[] };
    const [lost] = sections;
    assert.deepEqual([lost?.id, lost?.count, lost?.items.length], ['lost', 40, 1]);
    const { out } = await review(overlays(shop, 40), overlays(unselected, 40), '--format', 'markdown');
    assert.ok(out.length <= 15, out.join('\n'));
    assert.match(
      out.join('\n'),
      /In 40 overlays \(overlays\/00, overlays\/01, overlays\/02 and 37 more\): Service\/a-web no longer selects Deployment\/a-web; the Service then has no endpoints. Requirement `app` of its selector changed from 'web' to 'wob' \(base\/service\.yaml:\d+\)\./,
    );
  });

  it('states refused updates with their cost, and does not list them as restarts', async () => {
    const { json } = await review(
      shop,
      { ...shop, 'web.yaml': web.replaceAll('app: web', 'app: wob') },
      '--format',
      'json',
    );
    const { sections } = json as { sections: readonly { id: string; items: readonly { text: string }[] }[] };
    assert.deepEqual(
      sections.map(({ id }) => id),
      ['refused', 'recreation'],
    );
    assert.match(
      sections[0]?.items[0]?.text ?? '',
      /is immutable: the API server rejects this, and Deployment\/web stays as it is\. If Deployment\/web is deleted and recreated instead/,
    );
  });

  it('states as refused that a workload does not match its own template', async () => {
    const changed = web.replace(/app: web(\n +tier: pod)/, 'app: wob$1');
    assert.notEqual(changed, web);
    const { out } = await review(shop, { ...shop, 'web.yaml': changed });
    const line = changed.split('\n').findIndex((each) => each.includes('wob')) + 1;
    assert.equal(out[0], '1 refused update.');
    assert.equal(
      out[3],
      `  Deployment/web in shop no longer selects its own pods. Its selector requires \`app=web\` (web.yaml:12), and label \`app\` of the pod template changed from 'web' to 'wob'. Therefore, the API server rejects this, and Deployment/web stays as it is (web.yaml:${line}).`,
    );
  });

  it('states what follows while an update is refused, and after the object is recreated', async () => {
    const budget = `apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web, namespace: shop}
spec: {selector: {matchLabels: {app: web}}}
`;
    const files = (name: string) => ({
      'web.yaml': web.replaceAll(/^( {6}| {8})app: web$/gm, `$1app: ${name}`),
      'service.yaml': service.replace(/app: web\n$/, `app: ${name}\n`),
      'budget.yaml': budget,
    });
    const { out } = await review(files('web'), files('wob'));
    assert.equal(
      out[0],
      '1 refused update. If the other objects are applied nevertheless (kubectl apply and Argo CD do; Flux does not), until the refused objects are recreated: 1 lost match (1 Service without endpoints). After that: 1 PodDisruptionBudget that stops applying.',
    );
    assert.match(
      out[3] ?? '',
      /rejects this, and Deployment\/web stays as it is \(web\.yaml:\d+\)\. If Deployment\/web is deleted .*\. After that, Service\/web selects it\.$/,
    );
    assert.match(
      out.slice(5, 7).join('\n'),
      /^Until the refused objects are recreated\n {2}Because the update of Deployment\/web in shop is refused, its pods keep `app=web`, and Service\/web selects none of them; the Service then has no endpoints\. Requirement `app` of its selector changed from 'web' to 'wob' \(service\.yaml:10\)\.$/,
    );
    assert.match(
      out.slice(8, 10).join('\n'),
      /^After the refused objects are recreated\n {2}PodDisruptionBudget\/web no longer protects Deployment\/web in shop\. Its selector requires `app=web` \(\S+:\d+\), and label `app` of the pod template changed from 'web' to 'wob' \(web\.yaml:\d+\)\.$/,
    );
  });

  it('separates what is lost in any case from what depends on a recreation', async () => {
    const labels = (name: string) => (text: string) =>
      text.replaceAll(/^( {4}| {6}| {8})app: web$/gm, `$1app: ${name}`);
    const monitor = `apiVersion: monitoring.coreos.com/v1
kind: ServiceMonitor
metadata: {name: web, namespace: shop}
spec: {selector: {matchLabels: {app: web}}, endpoints: [{port: http}]}
`;
    const policy = `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: api, namespace: shop}
spec: {podSelector: {matchLabels: {app: api}}, ingress: [{from: [{podSelector: {matchLabels: {app: web}}}], ports: [{port: 80}]}]}
`;
    const others = { 'monitor.yaml': monitor, 'policy.yaml': policy, 'api.yaml': web.replaceAll('web', 'api') };
    const files = (name: string) => ({
      ...others,
      'web.yaml': labels(name)(web),
      'service.yaml': labels(name)(service),
    });
    const { out } = await review(files('web'), files('wob'));
    assert.equal(
      out[0],
      '1 refused update. If the other objects are applied nevertheless (kubectl apply and Argo CD do; Flux does not): 1 ServiceMonitor that stops applying. In addition, until the refused objects are recreated: 1 lost match (1 Service without endpoints). In addition, after that: 1 closed connection.',
    );
    assert.match(
      out.join('\n'),
      /\nAfter the refused objects are recreated\n {2}Deployment\/web in shop can no longer connect to Deployment\/api in shop on TCP 80\. /,
    );
  });

  it('names changed images, what new objects select, and what no object names', async () => {
    const container = (image: string) => `${web}    spec:\n      containers: [{name: web, image: ${image}}]\n`;
    const renovated = await review(
      { 'web.yaml': container('a.example/web:1.9') },
      { 'web.yaml': container('a.example/web:2.0') },
    );
    assert.equal(
      renovated.out[2],
      'Image a.example/web changes from 1.9 to 2.0 (a new major version) in Deployment/web in shop: 1 pod is replaced (web.yaml:19).',
    );
    const settings = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: settings, namespace: shop}\n';
    const { out } = await review(
      { 'other.yaml': web.replaceAll('web', 'api') },
      { ...shop, 'other.yaml': web.replaceAll('web', 'api'), 'settings.yaml': settings },
    );
    assert.match(
      out.join('\n'),
      /Adds .* in shop\. Service\/web selects Deployment\/web\.\n {2}No object in these manifests refers to ConfigMap\/settings in shop \(settings\.yaml:2\)\.\n/,
    );
  });

  it('says that a CronJob uses a new image from its next Job on', async () => {
    const job = (version: number) => `apiVersion: batch/v1
kind: CronJob
metadata: {name: clean, namespace: shop}
spec: {schedule: '0 3 * * *', jobTemplate: {spec: {template: {spec: {containers: [{name: web, image: 'web:${version}'}]}}}}}
`;
    const container = (version: number) =>
      `${web}    spec:\n      containers: [{name: web, image: 'web:${version}'}]\n`;
    const alone = await review({ 'job.yaml': job(1) }, { 'job.yaml': job(2) });
    assert.equal(
      alone.out[2],
      'Image web changes from 1 to 2 in CronJob/clean in shop, from its next Job on (job.yaml:4).',
    );
    const both = (version: number) => ({ 'job.yaml': job(version), 'web.yaml': container(version) });
    assert.equal(
      (await review(both(1), both(2))).out[2],
      'Image web changes from 1 to 2 in CronJob/clean in shop and Deployment/web in shop: 1 pod is replaced; CronJob/clean uses it from its next Job on (job.yaml:4). The image is also in web.yaml:19.',
    );
  });

  it('names all labels because of which workloads restart', async () => {
    const renamed = web.replace(/ {8}tier: pod\n$/, '        layer: pod\n');
    assert.notEqual(renamed, web);
    const { out } = await review(shop, { ...shop, 'web.yaml': renamed });
    assert.match(out.join('\n'), /is replaced, because labels `layer` and `tier` of the pod template changed\./);
  });

  it('names the workloads that restart only because of an annotation', async () => {
    const annotated = web.replace(/ {8}tier: pod\n$/, '        tier: pod\n      annotations: {team: a}\n');
    assert.notEqual(annotated, web);
    const { out } = await review(shop, { ...shop, 'web.yaml': annotated });
    assert.match(
      out.join('\n'),
      /Restarts\n {2}1 pod of Deployment\/web in shop is replaced, because annotation `team` of the pod template changed\./,
    );
  });

  it('counts added and removed objects by kind, and does not report that new ones match', async () => {
    const { out } = await review(
      { 'web.yaml': web },
      { 'web.yaml': web.replaceAll('name: web', 'name: api'), 'service.yaml': service },
    );
    assert.match(out.join('\n'), /Adds Deployment\/api and Service\/web in shop\./);
    assert.match(out.join('\n'), /Removes Deployment\/web in shop\./);
    assert.doesNotMatch(out.join('\n'), /New matches/);
  });

  it('never says that nothing changes if something is not evaluated and may change', async () => {
    const broken = { ...shop, 'broken.yaml': 'apiVersion: v1\nkind: Service\nmetadata: {name: "x\n' };
    const labelled = { ...broken, 'web.yaml': web.replace('tier: pod', 'tier: back') };
    const { out } = await review(broken, labelled);
    assert.match(out.at(-1) ?? '', /^Not evaluated: .*'broken\.yaml' was not read completely/);
    const equal = await review(broken, { ...broken, 'web.yaml': `# A comment.\n${web}` });
    assert.equal(equal.out[0], 'No selector, reference, connection or immutable field changes.');
    assert.match(
      equal.out.at(-1) ?? '',
      / Not evaluated, but with the same version, values and files as before: 'broken\.yaml'\.$/,
    );
  });

  it('never says that nothing changes beyond a limit of the analysis', async () => {
    const nested = Object.fromEntries(
      Array.from({ length: 230 }, (_, n) => [
        `k${n}/kustomization.yaml`,
        `resources: [../${n === 0 ? 'shop' : `k${n - 1}`}]\n${n === 229 ? 'labels: [{pairs: {level: top}}]\n' : ''}`,
      ]),
    );
    const levels = { ...nested, 'shop/kustomization.yaml': 'resources: [web.yaml]\n', 'shop/web.yaml': web };
    const raised = { ...levels, 'k229/kustomization.yaml': 'resources: [../k228]\nnameSuffix: -x\n' };
    const limited = await review(levels, raised);
    assert.match(limited.out.at(-1) ?? '', /^Not evaluated: .*'k229' exceeds a limit of the analysis/);
    const chart = { 'Chart.yaml': 'apiVersion: v2\nname: a\nversion: 1.0.0\n', 'templates/web.yaml': web };
    const values = (name: string) => `name: ${name}\nx: ${'['.repeat(600)}${']'.repeat(600)}\n`;
    const large = await review({ ...chart, 'values.yaml': values('a') }, { ...chart, 'values.yaml': values('b') });
    assert.match(large.out.at(-1) ?? '', /^Not evaluated: .*'values\.yaml' changed, and was not read completely/);
    const deep = `${service}x: ${'['.repeat(600)}${']'.repeat(600)}\n`;
    const added = await review(shop, { ...shop, 'deep.yaml': deep });
    assert.match(added.out.at(-1) ?? '', /^Not evaluated: .*'deep\.yaml' was not read completely/);
  });

  it('says that a selector changes, if it then matches the same objects', async () => {
    const all = { ...shop, 'service.yaml': service.replace(/app: web\n$/, 'app: web\n    tier: pod\n') };
    assert.notEqual(all['service.yaml'], service);
    const { out } = await review(shop, all);
    assert.equal(
      out[0],
      'No match, connection or immutable field changes, and no reference breaks. Selectors of 1 object change.',
    );
  });

  it('never says that nothing changes if a changed label or selector is unknown', async () => {
    const placeholder = (name: string) => ({
      ...shop,
      'service.yaml': service.replace(/app: web\n$/, `app: $\{${name}}\n`),
    });
    const { out } = await review(placeholder('A'), placeholder('B'));
    assert.equal(out[0], 'Nothing found, but not everything was evaluated. Selectors of 1 object change.');
    assert.match(
      out.at(-1) ?? '',
      /^Not evaluated: Labels or selectors of Service\/web in shop depend on unknown values\.$/,
    );
  });

  it('never says that nothing changes if a label with an unknown key changes', async () => {
    const labelled = (value: string) => ({
      'web.yaml': web.replace('        tier: pod\n', `        "$\{KEY}": ${value}\n`),
    });
    const { out } = await review(labelled('a'), labelled('b'));
    assert.match(out[0] ?? '', /Labels or annotations of 1 workload change\.$|restarted workload/);
    assert.match(out.at(-1) ?? '', /Labels or selectors of Deployment\/web in shop depend on unknown values\./);
  });

  it('counts generated objects of which only the content changes', async () => {
    const plain = 'generatorOptions: {disableNameSuffixHash: true}\n';
    const generator = (source: string) => `configMapGenerator: [{name: prices, ${source}}]\n`;
    const literal = (value: number, options: string) => ({
      'kustomization.yaml': `${generator(`literals: [a=${value}]`)}${options}`,
    });
    const file = (value: number) => ({
      'kustomization.yaml': `${generator('files: [prices.json]')}${plain}`,
      'prices.json': `{"a": ${value}}`,
    });
    const line = 'No selector, reference, connection or immutable field changes. Contents of 1 object change.';
    for (const [old, fresh] of [
      [literal(1, ''), literal(2, '')],
      [literal(1, plain), literal(2, plain)],
      [file(1), file(2)],
    ] as const)
      assert.equal((await review(old, fresh)).out[0], line);
  });

  it('executes charts with their default values', async () => {
    const { out } = await review(chart('tier: front'), chart('tier: back'));
    assert.equal(out[0], '1 lost match (1 Service without endpoints after the rollout), 1 restarted workload.');
    assert.equal(out.at(-1), 'Everything in these manifests was evaluated: 2 objects.');
  });

  it('never says that nothing changes if no release reads a changed values file', async () => {
    const [old, fresh] = ['front', 'back'].map((tier) => ({
      ...chart('tier: front'),
      'chart/values-prod.yaml': `tier: ${tier}\n`,
    }));
    const { out } = await review(old ?? {}, fresh ?? {});
    assert.equal(out[0], 'Nothing found, but not everything was evaluated.');
    assert.match(
      out.at(-1) ?? '',
      /'chart\/values-prod\.yaml' changed, and no release reads it: name it with '--values'/,
    );
    const named = await review(old ?? {}, fresh ?? {}, '--values', 'chart/values-prod.yaml');
    assert.equal(named.out[0], '1 lost match (1 Service without endpoints after the rollout), 1 restarted workload.');
  });

  it('writes Markdown without links, images and mentions from manifests, at most 15 lines before the details', async () => {
    const hostile = (index: number) =>
      service.replaceAll(
        'name: web',
        `name: "w${index}](https://example.com) @admin ![x](https://example.com/x.png)<img src=x>"`,
      );
    const files = (selected: string) =>
      Object.fromEntries(
        Array.from({ length: 60 }, (_, index) => [
          `s${index}.yaml`,
          hostile(index).replace(/app: web\n$/, `app: ${selected}\n`),
        ]),
      );
    const { out } = await review(
      { 'web.yaml': web, ...files('web') },
      { 'web.yaml': web, ...files('wob') },
      '--format',
      'markdown',
    );
    assert.ok(out.indexOf('<details>') <= 15);
    for (const { by, links, foreign } of renderMarkdown(out.join('\n'))) {
      assert.deepEqual(links, [], by);
      assert.match(
        foreign.map((each) => each.trim()).join(' '),
        /^<details>\n<summary>All changes<\/summary> <\/details>$/,
        by,
      );
    }
    assert.doesNotMatch(out.join('\n'), /(?<!\u200b)@admin/);
    assert.ok(out.join('\n').length <= 60_000);
  });

  it('names the owners of changed files', async () => {
    const owners = { '.github/CODEOWNERS': '* @all\n/service.yaml @team/web\n' };
    const { out } = await review({ ...shop, ...owners }, { ...unselected, ...owners });
    assert.match(out.join('\n'), /Owners to ask\n {2}`@team\/web`\./);
  });

  it('names the owners of unchanged objects that lose a match', async () => {
    const owners = { '.github/CODEOWNERS': '* @all\n/service.yaml @team/web\n' };
    const relabeled = { ...shop, 'web.yaml': web.replace(/^( {8})app: web$/m, '$1app: wob') };
    const { out } = await review({ ...shop, ...owners }, { ...relabeled, ...owners });
    assert.match(out.join('\n'), /Owners to ask\n {2}`@all`, `@team\/web`\./);
  });

  it('states a label that causes several changes once, before them', async () => {
    const policies = {
      'budget.yaml':
        'apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata: {name: web, namespace: shop}\nspec: {selector: {matchLabels: {tier: pod}}}\n',
      'policy.yaml':
        'apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: {name: web, namespace: shop}\nspec: {podSelector: {matchLabels: {tier: pod}}}\n',
    };
    const relabeled = { ...shop, ...policies, 'web.yaml': web.replace(/tier: pod$/m, 'tier: back') };
    const line = relabeled['web.yaml'].split('\n').findIndex((each) => each.includes('tier: back')) + 1;
    const cause = `Label \`tier\` of the pod template of Deployment/web changed from 'pod' to 'back' (web.yaml:${line}).`;
    const { out } = await review({ ...shop, ...policies }, relabeled);
    assert.deepEqual(out.slice(1, 4), ['', 'Cause', `  ${cause}`]);
    assert.match(
      out.join('\n'),
      /PodDisruptionBudget\/web no longer protects Deployment\/web in shop\. Its selector requires `tier=pod` \(budget\.yaml:\d+\)\.\n/,
    );
    assert.doesNotMatch(out.slice(4).join('\n'), /changed from/);
    const markdown = (await review({ ...shop, ...policies }, relabeled, '--format', 'markdown')).out;
    assert.equal(
      markdown.find((each) => each.includes('**Cause**')),
      `- **Cause**: ${cause}`,
    );
    assert.ok(markdown.length <= 15);
    const { json } = await review({ ...shop, ...policies }, relabeled, '--format', 'json');
    assert.match(
      JSON.stringify(json),
      /Its selector requires `tier=pod` \(budget\.yaml:\d+\), and label `tier` of the pod template changed/,
    );
    assert.doesNotMatch(JSON.stringify(json), /"label"/);
  });

  it('states broken expectations, and names owners of expectations and labels of the label policy', async () => {
    for (const described of ['labelPolicy: [{key: team}, {key: app}]', 'labels: {team: {}, app: }']) {
      const config = `${described}
expect: [{name: endpoints, owner: team-web, that: Service/web selects exactly Deployment/web}]
`;
      const files = (all: Files) => ({
        ...all,
        '.selector-lens.yaml': config,
        'service.yaml': (all['service.yaml'] ?? '').replace('  labels:\n', '  labels:\n    team: blue\n'),
      });
      const { out, code } = await review(files(shop), files(unselected), '--fail-on', 'broken');
      assert.equal(code, 1);
      assert.match(
        out.join('\n'),
        /Broken expectations\n {2}Expectation 'endpoints', owned by team-web, is not met: Service\/web does not select Deployment\/web \(\.selector-lens\.yaml:2\)\.\n/,
      );
      assert.match(out.join('\n'), /Owners to ask\n {2}`team=blue`, team-web \(expectations\)\.\n/);
    }
  });

  it('says how many overlays were evaluated completely, and joins equal reasons', async () => {
    const build = (names: readonly string[], resources: string) =>
      names.map((name) => [name, `resources: [${resources}]\n`] as const);
    const files = {
      'base/web.yaml': web,
      ...Object.fromEntries([
        ...build(['a/kustomization.yaml', 'b/kustomization.yml'], "../base/web.yaml, 'https://example.com/x.yaml'"),
        ...build(['c/kustomization.yaml'], '../base/web.yaml'),
      ]),
    };
    const { out } = await review(files, { ...files, 'base/web.yaml': web.replace('tier: pod', 'tier: back') });
    assert.match(out.at(-1) ?? '', /^Complete for 1 of 3 overlays\. Not evaluated: \S+ \(and 1 more\) /);
  });

  it('compares with the merge base of the default branch, if no commit is named', async () => {
    const { out } = await runInMemory(['review'], {
      files: unselected,
      repositories: [home],
      commits: { 'main...HEAD': shop },
    });
    assert.equal(out[0], '1 lost match (1 Service without endpoints).');
    const none = await runInMemory(['review'], { files: shop, repositories: [home], commits: {} });
    assert.equal(none.code, 2);
    assert.match(none.err.join(), /There is no default branch with a common commit.*Name the commit before the change/);
    const outside = await runInMemory(['review'], { files: shop });
    assert.match(outside.err.join(), /there is no git repository/);
  });

  it('compares two commits, even if a folder has the name of one', async () => {
    const commits = { main: shop, topic: unselected };
    const files = { ...shop, 'topic/x.yaml': web };
    const { out } = await runInMemory(['review', 'main', '--head', 'topic'], { files, repositories: [home], commits });
    assert.equal(out[0], '1 lost match (1 Service without endpoints).');
  });
});
