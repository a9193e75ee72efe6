/** The flags of commands whose values are selectors, labels or label keys, and the kinds of objects to which they apply. */

export type ArgumentKind = 'selector' | 'fieldSelector' | 'labels' | 'annotations' | 'labelKeys' | 'output';

export interface FlagFact {
  readonly flags: readonly string[];
  readonly kind: ArgumentKind;
  /**
   * The resources to which the flag applies: a list of kubectl resource names, `named` for the resources that the
   * command specifies, `any` for all resources, or `unknown`.
   */
  readonly over: 'named' | 'any' | 'unknown' | readonly string[];
}

export interface CommandFact {
  /**
   * The words after the name of the program. Alternatives are separated by bars (`rollout status|undo`), and `*`
   * matches any word.
   */
  readonly words: string;
  readonly flags: readonly FlagFact[];
  /** The type of the operands after the resource names; set for commands whose operands are labels, annotations or selectors. */
  readonly assignments?: 'labels' | 'annotations' | 'selector';
}

const label = ['-l', '--selector'] as const;

function selects(words: string, over: FlagFact['over'], ...others: readonly FlagFact[]): CommandFact {
  return { words, flags: [{ flags: label, kind: 'selector', over }, ...others] };
}

function sets(words: string, over: FlagFact['over'], ...flags: readonly string[]): CommandFact {
  return { words, flags: [{ flags, kind: 'labels', over }] };
}

const fields: FlagFact = { flags: ['--field-selector'], kind: 'fieldSelector', over: 'named' };
/** Flags that determine the output. The next two facts are for sort keys and for the condition to wait for. */
const output: FlagFact = { flags: ['-o', '--output', '--template'], kind: 'output', over: 'named' };
const sorted: FlagFact = { flags: ['--sort-by'], kind: 'output', over: 'named' };
const awaited: FlagFact = { flags: ['--for'], kind: 'output', over: 'named' };
const columns: FlagFact = { flags: ['-L', '--label-columns'], kind: 'labelKeys', over: 'named' };
const pods = ['pods.'];
const nodes = ['nodes.'];
const podSelector: FlagFact = { flags: ['--pod-selector'], kind: 'selector', over: pods };

const kubectl: readonly CommandFact[] = [
  selects('get', 'named', fields, columns, output, sorted),
  selects('wait', 'named', fields, output, awaited),
  selects('delete', 'named', fields),
  { ...selects('label', 'named', fields, output), assignments: 'labels' },
  { ...selects('annotate', 'named', fields, output), assignments: 'annotations' },
  selects('describe|scale|events', 'named'),
  selects('logs|log', pods),
  selects('top pods|pod|po', pods, { ...fields, over: pods }),
  selects('top nodes|node|no', nodes),
  selects('apply view-last-applied', 'named'),
  { words: 'create poddisruptionbudget|pdb', flags: [{ flags: ['--selector'], kind: 'selector', over: pods }] },
  selects('apply|create|diff', 'any'),
  selects('rollout status|restart|undo|pause|resume|history', 'named'),
  selects('set image|env|resources|subject|serviceaccount', 'named'),
  { words: 'set selector', flags: [], assignments: 'selector' },
  selects('taint|cordon|uncordon', nodes),
  selects('drain', nodes, podSelector),
  {
    words: 'expose',
    flags: [
      { flags: ['--selector'], kind: 'selector', over: pods },
      { flags: ['-l', '--labels'], kind: 'labels', over: ['services.'] },
    ],
  },
  sets('run', pods, '-l', '--labels'),
];

const oc: readonly CommandFact[] = [
  ...kubectl,
  selects('adm drain|cordon|uncordon|taint', nodes, podSelector),
  selects('adm top pods|pod|po', pods),
  selects('adm top nodes|node|no', nodes),
  sets('new-app|new-build|process', 'any', '-l', '--labels'),
  {
    words: 'adm new-project|must-gather',
    flags: [{ flags: ['--node-selector'], kind: 'selector', over: nodes }],
  },
];

const applications = ['applications.argoproj.io'];
const workflows = ['workflows.argoproj.io'];

/** The commands of each program, by the name of the program. */
const tools: Readonly<Record<string, readonly CommandFact[]>> = {
  kubectl,
  k: kubectl,
  kubecolor: kubectl,
  oc,
  helm: [selects('list|ls', 'unknown'), sets('install|upgrade', 'unknown', '-l', '--labels')],
  argocd: [
    {
      words: 'app sync',
      flags: [
        { flags: label, kind: 'selector', over: applications },
        { flags: ['--label'], kind: 'selector', over: 'any' },
      ],
    },
    selects('app list|wait|delete|logs|get', applications),
    selects('appset list', ['applicationsets.argoproj.io']),
    sets('app create', applications, '-l', '--label'),
  ],
  argo: [
    selects('list|delete|stop|terminate|resubmit|retry|logs', workflows, { ...fields, over: workflows }),
    sets('submit', workflows, '-l', '--labels'),
  ],
  velero: [
    selects('backup|restore|schedule create', 'any'),
    selects('create backup|restore|schedule', 'any'),
    selects('backup get', ['backups.velero.io']),
    selects('restore get', ['restores.velero.io']),
  ],
  stern: [selects('', pods, { ...fields, over: pods })],
  kubetail: [{ words: '', flags: [{ flags: ['-l', '--selector'], kind: 'selector', over: pods }] }],
  istioctl: [selects('dashboard *', pods), selects('proxy-status', pods), selects('proxy-config *', pods)],
  linkerd: [selects('viz stat|tap|top', 'named')],
  kapp: [{ words: 'inspect', flags: [{ flags: ['--filter-labels'], kind: 'selector', over: 'any' }] }],
  tkn: [
    {
      words: 'pipelinerun|pr list|delete',
      flags: [{ flags: ['--label'], kind: 'selector', over: ['pipelineruns.tekton.dev'] }],
    },
    {
      words: 'taskrun|tr list|delete',
      flags: [{ flags: ['--label'], kind: 'selector', over: ['taskruns.tekton.dev'] }],
    },
  ],
  kustomize: [{ words: 'edit add patch', flags: [{ flags: ['--label-selector'], kind: 'selector', over: 'unknown' }] }],
  kwok: [{ words: '', flags: [{ flags: ['--manage-nodes-with-label-selector'], kind: 'selector', over: nodes }] }],
};

/** Alternative names of the supported programs. */
const aliases: Readonly<Record<string, string>> = { 'kubectl.exe': 'kubectl', 'oc.exe': 'oc', 'helm.exe': 'helm' };

/** Returns the commands of the program that a word calls; undefined if the program is not supported. The word is a name, a path, or a variable that is named after kubectl. */
export function toolNamed(word: string): readonly CommandFact[] | undefined {
  if (/^\$[({]?(?:KUBECTL|KUBECTL_CMD|kubectl)(?::?-[\w./-]{1,100})?[)}]?$/.test(word)) return kubectl;
  const name = word.slice(Math.max(word.lastIndexOf('/'), word.lastIndexOf('\\')) + 1);
  const known = Object.hasOwn(aliases, name) ? (aliases[name] ?? name) : name;
  return Object.hasOwn(tools, known) ? tools[known] : undefined;
}

export function isKubectl(facts: readonly CommandFact[]): boolean {
  return facts === kubectl || facts === oc;
}

/** Matches the names of all supported programs. Short names match only before a space, comma or quote. */
const names =
  /kube(?:ctl|color|tail)|KUBECTL|helm|argo|velero|stern|istioctl|linkerd|kapp|kwok|kustomize|\b(?:oc|k|tkn)(?=(?:\.exe)?[\s,"'])/g;
const behindName = /(?:cd|_CMD)?(?:\.exe)?[)}]?["']?(?:[,\s]|$)/y;

/** Returns the offset of the next mention of a supported program; -1 if there is none. */
export function nextMention(text: string, from: number): number {
  names.lastIndex = from;
  for (let found = names.exec(text); found !== null; found = names.exec(text)) {
    behindName.lastIndex = names.lastIndex;
    if (behindName.test(text) && !/\w/.test(text[found.index - 1] ?? '')) return found.index;
  }
  return -1;
}

/** The resources of the category `all`, as in `kubectl get all`. */
const all: readonly string[] = [
  'pods.',
  'replicationcontrollers.',
  'services.',
  'daemonsets.apps',
  'deployments.apps',
  'replicasets.apps',
  'statefulsets.apps',
  'horizontalpodautoscalers.autoscaling',
  'cronjobs.batch',
  'jobs.batch',
];

const apiExtensions: readonly string[] = [
  'customresourcedefinitions.apiextensions.k8s.io',
  'apiservices.apiregistration.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'mutatingadmissionpolicies.admissionregistration.k8s.io',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
];

/** The resource categories that Kubernetes defines. CustomResourceDefinitions can add their resources to these and other categories. */
export const categories: ReadonlyMap<string, readonly string[]> = new Map([
  ['all', all],
  ['api-extensions', apiExtensions],
]);

/** The kubectl flags that use the next word as their value. All other flags have no value, or have a value after `=`. */
export const flagsWithValue: ReadonlySet<string> = new Set([
  ...['-n', '--namespace', '--context', '--cluster', '--user', '--kubeconfig', '-s', '--server', '--as', '--as-group'],
  ...['--request-timeout', '--v', '-v', '--token', '--certificate-authority', '--client-key', '--client-certificate'],
  ...['-o', '--output', '--filename', '-k', '--kustomize', '-l', '--selector', '--field-selector', '-L'],
  ...['--label-columns', '--sort-by', '--timeout', '--for', '--tail', '--since', '-c', '--container', '--grace-period'],
  ...['--max-log-requests', '--replicas', '--template', '--chunk-size', '--subresource', '--limits', '--requests'],
  ...['--to-revision', '--port', '--target-port', '--name', '--type', '--labels', '--image', '--pod-selector', '--raw'],
  ...['--field-manager', '--as-uid', '--cache-dir', '--tls-server-name', '--since-time', '--limit-bytes', '--profile'],
  ...['--pod-running-timeout', '--min-available', '--max-unavailable', '--overrides', '--env', '--containers'],
  ...['--label', '--kube-context', '--current-replicas', '--resource-version', '--label-selector', '--node-selector'],
  ...['--patch', '--patch-file', '--from', '--from-file', '--from-literal', '--from-env-file', '--schedule'],
  ...['--annotation', '--annotations', '--class', '--default-backend', '--rule', '--tcp', '--cert', '--key', '--hard'],
  ...['--clusterrole', '--role', '--group', '--serviceaccount', '--username', '--password', '--scopes', '--value'],
  ...['--docker-server', '--docker-username', '--docker-password', '--docker-email', '--verb', '--resource'],
  ...['--resource-name', '--non-resource-url', '--preemption-policy', '--description', '--audience', '--duration'],
  ...['--bound-object-kind', '--bound-object-name', '--bound-object-uid', '--clusterip', '--cluster-ip', '--node-port'],
  ...['--external-ip', '--external-name', '--load-balancer-ip', '--protocol', '--session-affinity', '--override-type'],
  ...['--image-pull-policy', '--cpu-percent', '--min', '--max', '--target', '--set-image', '--copy-to', '--address'],
  ...['--retries', '--revision', '--restart'],
]);
