/** Tests the selectors in the words of commands: their targets, and the position of each of their characters. */
import assert from 'node:assert/strict';
import fc from 'fast-check';
import { catalogue } from '../../../server/src/engine/catalogue/index.ts';
import { mayHoldSelectors } from '../../../server/src/manifests/inline/candidates.ts';
import { type Host, hostOf, hosts } from '../../../server/src/manifests/inline/host-language.ts';
import { inlineObjects } from '../../../server/src/manifests/inline/inline.ts';
import type { ManifestObject } from '../../../server/src/manifests/model.ts';

function found(text: string, host: Host = 'shell'): readonly string[] {
  const objects = inlineObjects(text, host, catalogue);
  // A text that is not a candidate is not parsed.
  const isCandidate = host === 'selector' || mayHoldSelectors(text);
  assert.ok(objects.length === 0 || isCandidate, text);
  return objects.map(described);
}

function described({
  selectorSites: [site],
  labelSites: [labels],
  labelKeySites: keys,
  namespace,
}: ManifestObject): string {
  const where = namespace === undefined ? '' : ` in ${namespace.text}`;
  if (keys.length > 0) return `names ${keys.map(({ key, place }) => `${key.text} of ${place.of?.kind}`).join(', ')}`;
  if (site === undefined)
    return `sets ${labels?.entries.map(({ key, value }) => `${key.text}=${value.text}`).join(',')} on ${labels?.place.of?.kind}`;
  const all = site.fact.reach === 'all' ? ' everywhere' : '';
  const kind = site.fact.form === 'fieldSelectorString' ? 'fields ' : '';
  return `${kind}${site.text?.text} over ${site.fact.targets.map((each) => each.kind).join(',') || '?'}${where}${all}`;
}

/** Commands, and the selectors in them. */
const commands: Readonly<Record<string, readonly string[]>> = {
  'kubectl get po,svc -l app=web': ['app=web over Pod,Service'],
  'kubectl get deploy/web -n shop -l app=web': ['app=web over Deployment in shop'],
  'kubectl -n shop get --selector=app=web -o wide pods': ['app=web over Pod in shop'],
  'kubectl get -A deployments.apps -l app=web': ['app=web over Deployment everywhere'],
  'kubectl get deployments.v1.apps -l app=web': ['app=web over Deployment'],
  'kubectl get gizmos -l app=web': ['app=web over ?'],
  'kubectl get all -l app=web --namespace=shop': [
    'app=web over Pod,ReplicationController,Service,DaemonSet,Deployment,ReplicaSet,StatefulSet,HorizontalPodAutoscaler,CronJob,Job in shop',
  ],
  'kubectl logs -f -l app=web --tail=-1': ['app=web over Pod'],
  'kubectl top no -l pool=gpu': ['pool=gpu over Node'],
  'kubectl drain -l pool=blue --pod-selector "app!=db"': ['pool=blue over Node', 'app!=db over Pod'],
  'kubectl rollout restart deploy -l app=web': ['app=web over Deployment'],
  'kubectl apply -f k8s/ --prune -l app=web': ['app=web over *'],
  'kubectl get po --field-selector status.phase=Running -l app': [
    'fields status.phase=Running over Pod',
    'app over Pod',
  ],
  'kubectl run tmp --image=busybox -l app=tmp,env=dev': ['sets app=tmp,env=dev on Pod'],
  'kubectl expose deploy web --selector=app=web -l team=blue': ['app=web over Pod', 'sets team=blue on Service'],
  'kubectl label pods -l app=web canary=true old-': ['app=web over Pod', 'sets canary=true on Pod', 'names old of Pod'],
  'kubectl get nodes -L zone,arch --label-columns=os -Ldisk': [
    'names zone of Node, arch of Node',
    'names os of Node',
    'names disk of Node',
  ],
  'kubectl label --list pods web-0 -': [],
  'kubectl annotate pods web old-': [],
  'kubectl set selector service/web app=web': ['app=web over Pod'],
  'kubectl create pdb web --selector=app=web --min-available=1': ['app=web over Pod'],
  'helm install shop ./chart -l team=blue': ['sets team=blue on undefined'],
  'helm list -l owner=helm': ['owner=helm over ?'],
  'oc adm top pods -l app=web': ['app=web over Pod'],
  'argocd app list -l team=blue': ['team=blue over Application'],
  'argo list -l workflows.argoproj.io/phase=Failed': ['workflows.argoproj.io/phase=Failed over Workflow'],
  'stern -l app=web --since 10m': ['app=web over Pod'],
  'velero backup create shop --selector app=web': ['app=web over *'],
  'k get po -lapp=web': ['app=web over Pod'],
  '/usr/local/bin/kubectl get po -l app=web': ['app=web over Pod'],
  '$KUBECTL get po -l app=web': ['app=web over Pod'],
  'sudo -E kubectl get po -l app=web': ['app=web over Pod'],
  'NS=shop kubectl get po -l app=web': ['app=web over Pod'],
  'kubectl get po -l app=web -l tier=db': ['tier=db over Pod'],
  'kubectl get po -Al app=web': ['app=web over Pod everywhere'],
  'kubectl get po -Awlapp=web -nshop': ['app=web over Pod in shop everywhere'],
  'kubectl logs -fl app=web': ['app=web over Pod'],
  'kubectl delete -fl app=web': [],
  'minikube kubectl -- get po -l app=web': ['app=web over Pod'],
  'kubectl label pods web app=web --field-manager a=b': ['sets app=web on Pod'],
  'kubectl exec web -- get po -l app=web': [],
  'kubectl exec web -n shop -- kubectl get po -Al app=web': ['app=web over Pod everywhere'],
  'kubectl run -l app=tmp tmp --image=x -- ls -l app=web': ['sets app=tmp on Pod'],
  'kubectl label deploy/$NAME app=web': ['sets app=web on Deployment'],
  'kubectl label $KIND/web app=web': ['sets app=web on undefined'],
  'kubectl config view -l app=web': [],
  'helm template -l app=web': [],
  'gh pr list -l bug': [],
  'ls -l app=web': [],
  'kubectl get po -l "$SELECTOR"': [],
  'kubectl get po -l <selector>': [],
  'kubectl get po -l "app in ($APPS"': [],
  'kubectl get po -l ""': [],
  'kubectl get po -l': [],
  'kubectl get po -l --watch': [],
  'You can run kubectl get po -l app=web': [],
  '运行 kubectl get po -l app=web': [],
  '运行： kubectl get po -l app=web': [],
  'λ kubectl get po -l app=web': ['app=web over Pod'],
  '➜  ~ git:(main) ✗ kubectl get po -l app=web': ['app=web over Pod'],
  'kubectl get po -l app in (web,api)': [],
  'kubectl get po -l app=(web|api)': [],
  "kubectl get po -l $'app=web'": ['app=web over Pod'],
  '${KUBECTL:-kubectl} get po -l app=web': ['app=web over Pod'],
  "CMD='kubectl get po -l app=web'": ['app=web over Pod'],
  'me@host:~$ kubectl get po -l app=web': ['app=web over Pod'],
  '[root@master ~]# kubectl get po -l app=web': ['app=web over Pod'],
  '❯ kubectl get po -l app=web': ['app=web over Pod'],
  '> kubectl get po -l app=web': ['app=web over Pod'],
  'kubectl get ns > kubectl get po -l app=web': ['app=web over Namespace'],
  'kubectl "${FLAGS[@]}" $NS get po -l app=web': ['app=web over Pod'],
  'kubectl $FLAGS label --local -f web.yaml team=blue old-': ['sets team=blue on undefined', 'names old of undefined'],
  'kubectl label old-': [],
  '# kubectl get po -l app': ['app over Pod'],
  '## kubectl drain with --pod-selector only evicts pods that match the selector': [],
  '# kubectl get with --field-selector for pods works where the server can filter': [],
};

/** Quotes and comments may contain a script, JSON or a sentence: its punctuation is not part of a selector. */
const told: Readonly<Record<string, readonly string[]>> = {
  'printf "kubectl get po -l app=web\\n"': ['app=web over Pod'],
  'echo "kubectl get po -l app=web."': ['app=web over Pod'],
  '# kubectl get po -l app=web, or so.': ['app=web over Pod'],
  'CMD ["sh", "-c", "kubectl get po -l app=web"]': ['app=web over Pod'],
  [`curl -d '{"text": "kubectl get po -l app=web"}'`]: ['app=web over Pod'],
  [`bash -c 'kubectl get po -l '"'"'app in (a)'"'"`]: ['app in (a) over Pod'],
};

/** Placeholders that other tools fill before kubectl runs. */
const filled: readonly string[] = [
  'xargs -I {} kubectl get po -n {} -l app={}',
  'xargs -I% kubectl get po -l app=%',
  'parallel kubectl get po -l app={1}',
  'kubectl get po -l app={web,api}',
  'kubectl get po -l app=%%i',
  'kubectl get po -l app=____',
  'kubectl get po -l app=!APP!',
  'kubectl get po -l app=<имя>',
  'kubectl get po -l app=имя-приложения',
  'kubectl get po -l app=приложение',
  '# kubectl get po -l app=web，然后',
  '# kubectl get po -l app=web。',
  'curl https://k/api/v1/pods?labelSelector=app%3D<name>',
];

/** Text of other languages around and in commands. */
const elsewhere: readonly (readonly [Host, string, readonly string[]])[] = [
  ['makefile', '\t@kubectl get po -l app=web', ['app=web over Pod']],
  ['makefile', '\t@-$(KUBECTL) get po -l app=web', ['app=web over Pod']],
  ['makefile', '\t$(Q)kubectl get po -l app=web', ['app=web over Pod']],
  [
    'makefile',
    '\tkubectl get po -l app=$(subst _,-,$(notdir $(APP))),tier=db',
    ['app=$(subst _,-,$(notdir $(APP))),tier=db over Pod'],
  ],
  ['makefile', 'GET := kubectl get po -l app=web', ['app=web over Pod']],
  ['dockerfile', 'CMD ["sh", "-c", "kubectl get po -l app=web"]', ['app=web over Pod']],
  ['dockerfile', 'HEALTHCHECK CMD kubectl get po -l app=web', ['app=web over Pod']],
  ['text', 'wsl oc.exe get po -l app=web', ['app=web over Pod']],
  ['markdown', '> ```sh\n> kubectl get po -l app=web\n> ```', ['app=web over Pod']],
  ['markdown', '`kubectl get po -l env=[dev|prod]`', ['env=[dev|prod] over Pod']],
  ['markdown', '`kubectl get po -l env={dev|prod}`', ['env={dev|prod} over Pod']],
  ['markdown', '`kubectl get po -l [KEY=VALUE]`', []],
  ['markdown', '`kubectl get po -l a=b[,c=d]`', ['a=b[,c=d] over Pod']],
  ['shell', '# kubectl get po -l env=[dev|prod]', ['env=[dev|prod] over Pod']],
  ['shell', 'kubectl get po -l app=web | grep a', ['app=web over Pod']],
  ['markdown', '```console\n$ kubectl get po \\\n>   -l app=web\n```', ['app=web over Pod']],
  ['markdown', '[x](https://k/api/v1/pods?labelSelector=app%3Dweb), `x`', ['app=web over Pod everywhere']],
  ['markdown', 'https://k/api/v1/pods?labelSelector=app+in+(a).', ['app in (a) over Pod everywhere']],
  ['yaml', '# kubectl get po -l app=web.\na: b', ['app=web over Pod']],
  ['yaml', 'message: kubectl get po -l app=web.', ['app=web over Pod']],
  ['text', 'kubectl get po -l app=web, for example.', ['app=web over Pod']],
  ['markdown', '``` kubectl get po -l app=web ```', ['app=web over Pod']],
  ['yaml', '# command: ["sh", "-c", "kubectl get po -l app=web"]', ['app=web over Pod']],
];

describe('commands', () => {
  for (const [text, expected] of Object.entries(commands)) {
    it(text, () => assert.deepEqual(found(text), expected));
  }

  for (const [text, expected] of Object.entries(told)) {
    it(`found: ${text}`, () => assert.deepEqual(found(text), expected));
  }

  for (const text of filled) {
    it(`with placeholders: ${text}`, () => {
      const [object] = inlineObjects(text, 'shell', catalogue);
      assert.notDeepEqual(object?.selectorSites[0]?.placeholders, []);
      assert.notEqual(typeof object?.namespace?.value, 'string');
    });
  }

  for (const [host, text, expected] of elsewhere) {
    it(`${host}: ${text.trim()}`, () => assert.deepEqual(found(text, host), expected));
  }

  it('have the position of each character of a selector', () => {
    const text = `kubectl get po -l "app=\\"x\\",tier "in' (a)' \\\n  -n shop`;
    const [object] = inlineObjects(text, 'shell', catalogue);
    const letters = object?.selectorSites[0]?.text?.letters;
    assert.equal(letters?.text, 'app="x",tier in (a)');
    const written = [...letters.text].map((_, at) => text.slice(letters.startOf(at), letters.endOf(at)));
    assert.deepEqual(written.join('|'), 'a|p|p|=|\\"|x|\\"|,|t|i|e|r| |i|n| |(|a|)');
  });

  for (const [text, expected] of Object.entries({
    'kubectl label pods x a=$(date +%s) b=c': ['a=?', 'b=c'],
    'kubectl label pods x a=`hostname`-1': ['a=?'],
    'kubectl label pods x a=${X//,/-},b=${Y//=/-}': ['a=?', 'b=?'],
    'kubectl label pods x "${K:=a}/b=c"': ['?=c'],
    'kubectl label pods x ${MORE:+a=b} c=d': ['c=d'],
    'kubectl run x -l "a={{ default "b,c" .d }},e=f"': ['a=?', 'e=f'],
  })) {
    it(`have unknown labels with placeholders: ${text}`, () => {
      const entries = inlineObjects(text, 'shell', catalogue).flatMap(({ labelSites: [site] }) => site?.entries ?? []);
      const shown = (value: unknown) => (typeof value === 'string' ? value : '?');
      assert.deepEqual(
        entries.map(({ key, value }) => `${shown(key.value)}=${shown(value.value)}`),
        expected,
      );
    });
  }

  it('have an unknown value for a variable, and other values known', () => {
    const [object] = inlineObjects('kubectl get po -l "app=$APP,tier=db"', 'shell', catalogue);
    const selector = object?.selectorSites[0]?.selector;
    assert.deepEqual(selector, {
      ok: true,
      value: {
        kind: 'all',
        requirements: [
          { key: 'app', operator: '=', values: [{ unknown: '$APP' }] },
          { key: 'tier', operator: '=', values: ['db'] },
        ],
      },
    });
  });
});

describe('the language of a file', () => {
  it('is determined by its name, by the editor, or by its first line', () => {
    assert.equal(hostOf('deploy.sh', ''), 'shell');
    assert.equal(hostOf('GNUmakefile', ''), 'makefile');
    assert.equal(hostOf('Dockerfile.dev', ''), 'dockerfile');
    assert.equal(hostOf('README.md', ''), 'markdown');
    assert.equal(hostOf('deploy', '#!/usr/bin/env bash\n'), 'shell');
    assert.equal(hostOf('Untitled-1', '', 'kube-selector'), 'selector');
    assert.equal(hostOf('main.go', '', 'go'), undefined);
  });
});

describe('any text', () => {
  it('is parsed without an exception, and each result is within it', () => {
    const pieces = [
      'kubectl ',
      'get ',
      'po ',
      '-l ',
      'app=web',
      '"',
      "'",
      '\\',
      '\n',
      '$(',
      ')',
      '`',
      '{{',
      '}}',
      '|',
      '#',
      '- ',
      ': ',
      '%2C',
      'labelSelector=',
      '/api/v1/pods?',
    ];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { maxLength: 40 }), fc.constantFrom(...hosts), (parts, host) => {
        const text = parts.join('');
        for (const { selectorSites, labelSites } of inlineObjects(text, host, catalogue)) {
          for (const { span } of [...selectorSites, ...labelSites]) {
            assert.ok(0 <= span.start && span.start < span.end && span.end <= text.length, text);
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
