/** Tasks of agents over a small shop, and the page that lists the calls that solve them. */

import { agentIn, inFolder, sizeOf } from './agent.ts';

/** The workloads, which are also the values of their label `app` and the names of their files. */
const apps = ['cart', 'catalog', 'payment', 'search', 'storefront'] as const;

const namespace = 'namespace: shop';

function appFile(app: string): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: ${app}, ${namespace} }
spec:
  selector: { matchLabels: { app: ${app} } }
  template:
    metadata:
      labels: { app: ${app} }
    spec:
      serviceAccountName: ${app}
      containers:
        - name: ${app}
          image: registry.example.com/${app}:1.2
          ports: [{ name: http, containerPort: 8080 }]
          envFrom: [{ configMapRef: { name: ${app} } }]
---
apiVersion: v1
kind: Service
metadata: { name: ${app}, ${namespace} }
spec:
  selector: { app: ${app} }
  ports: [{ port: 80, targetPort: http }]
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: { name: ${app}, ${namespace} }
spec:
  minAvailable: 1
  selector: { matchLabels: { app: ${app} } }
---
apiVersion: v1
kind: ConfigMap
metadata: { name: ${app}, ${namespace} }
data: { level: info }
---
apiVersion: v1
kind: ServiceAccount
metadata: { name: ${app}, ${namespace} }
`;
}

function policy(name: string, spec: string): string {
  return `apiVersion: networking.k8s.io/v1\nkind: NetworkPolicy\nmetadata: { name: ${name}, ${namespace} }\nspec:\n${spec}`;
}

const denyAll = policy('default-deny', '  podSelector: {}\n  policyTypes: [Ingress, Egress]\n');

/** The files of the shop. */
const shop: Readonly<Record<string, string>> = {
  ...Object.fromEntries(apps.map((app) => [`${app}.yaml`, appFile(app)])),
  'namespace.yaml': 'apiVersion: v1\nkind: Namespace\nmetadata: { name: shop }\n',
  'network.yaml': denyAll,
};

/** A text of a file with one replacement. */
interface Edit {
  readonly path: string;
  readonly from: string;
  readonly to: string;
}

interface Call {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  /** A part of the answer that the agent needs. */
  readonly finds: string;
}

interface Task {
  readonly group: string;
  readonly title: string;
  /** The state of the files before the task. */
  readonly edits?: readonly Edit[];
  readonly calls: readonly Call[];
}

function textOf(path: string): string {
  const text = shop[path];
  if (text === undefined) throw new Error(`There is no ${path}.`);
  return text;
}

function edited({ path, from, to }: Edit): string {
  const text = textOf(path);
  if (!text.includes(from)) throw new Error(`${path} does not contain ${from}.`);
  return text.replace(from, to);
}

const call = (tool: string, input: Call['input'], finds: string): Call => ({ tool, input, finds });

/** A call of `impact` for an edit. */
const proposed = (edit: Edit, finds: string) =>
  call('impact', { files: [{ path: edit.path, text: edited(edit) }] }, finds);

const created = (path: string, text: string, finds: string) => call('impact', { files: [{ path, text }] }, finds);

const ends = (app: string, other: string) => [
  policy(
    `${app}-from-${other}`,
    `  podSelector: { matchLabels: { app: ${app} } }\n  policyTypes: [Ingress]\n  ingress:\n    - from: [{ podSelector: { matchLabels: { app: ${other} } } }]\n`,
  ),
  policy(
    `${other}-to-${app}`,
    `  podSelector: { matchLabels: { app: ${other} } }\n  policyTypes: [Egress]\n  egress:\n    - to: [{ podSelector: { matchLabels: { app: ${app} } } }]\n`,
  ),
];

const misspelledPolicy = policy(
  'typo',
  '  podSelector: { matchLabels: { app: catalogue } }\n  policyTypes: [Ingress]\n',
);

/** A misspelled value in the selector of a Service. */
const misspelled = (app: string): Edit => ({
  path: `${app}.yaml`,
  from: `  selector: { app: ${app} }`,
  to: `  selector: { app: ${app}x }`,
});

/** Another label in the template of a workload. */
const relabeled = (app: string): Edit => ({
  path: `${app}.yaml`,
  from: `      labels: { app: ${app} }`,
  to: `      labels: { app: ${app}-v2 }`,
});

/** Another selector and label of a workload. */
const reselected = (app: string): Edit => ({
  path: `${app}.yaml`,
  from: `  selector: { matchLabels: { app: ${app} } }\n  template:\n    metadata:\n      labels: { app: ${app} }`,
  to: `  selector: { matchLabels: { app: ${app}-v2 } }\n  template:\n    metadata:\n      labels: { app: ${app}-v2 }`,
});

const back = (edit: Edit, finds: string) =>
  call('impact', { files: [{ path: edit.path, text: textOf(edit.path) }] }, finds);

/** Every task. */
export const tasks: readonly Task[] = [
  ...apps.map((app): Task => {
    const edit = misspelled(app);
    return {
      group: 'Find and fix a broken selector',
      title: `Find out why the Service ${app} has no endpoints`,
      edits: [edit],
      calls: [
        call('check', { paths: [edit.path] }, 'selects-nothing'),
        call('explain', { selector: `app=${app}x`, object: `Deployment/${app}` }, `but the selector wants '${app}x'`),
        back(edit, '"resolved":[{"rule":"selects-nothing"'),
      ],
    };
  }),
  ...apps.map((app): Task => {
    const edit = relabeled(app);
    return {
      group: 'Find and fix a broken selector',
      title: `Find out why the API server rejects the Deployment ${app}`,
      edits: [edit],
      calls: [
        call('check', { paths: [edit.path], severity: 'error' }, 'selector-template-mismatch'),
        back(edit, '"resolved":[{"rule":'),
      ],
    };
  }),
  ...apps.map(
    (app): Task => ({
      group: 'Change a label',
      title: `Find the selectors that depend on the labels of ${app} before the labels change`,
      calls: [
        call('who_selects', { object: `Deployment/${app}` }, '"kind":"PodDisruptionBudget"'),
        proposed(reselected(app), '"kind":"immutable"'),
      ],
    }),
  ),
  ...apps.map(
    (app): Task => ({
      group: 'Rename a label',
      title: `Rename app=${app} in all files`,
      calls: [
        call(
          'rename_plan',
          { object: `Deployment/${app}`, label: `app=${app}`, to: `${app}-v2` },
          `"text":"${app}-v2"`,
        ),
      ],
    }),
  ),
  {
    group: 'Rename a label',
    title: 'Rename a label to a value that a different workload has',
    calls: [call('rename_plan', { object: 'Deployment/cart', label: 'app=cart', to: 'catalog' }, '"refused"')],
  },
  {
    group: 'Rename a label',
    title: 'Rename a label of one workload only, and list what this breaks',
    calls: [
      call(
        'rename_plan',
        { object: 'Deployment/cart', label: 'app=cart', to: 'cart-v2', only_object: true },
        'Service/cart no longer selects Deployment/cart in shop.',
      ),
    ],
  },
  {
    group: 'Rename a label',
    title: 'Rename the key of a label',
    calls: [
      call(
        'rename_plan',
        { object: 'Deployment/cart', label: 'app', to: 'app.kubernetes.io/name' },
        '"review":"immutable"',
      ),
    ],
  },
  ...apps.map(
    (app): Task => ({
      group: 'Rename or delete an object',
      title: `Find the references to the ConfigMap ${app} before it is renamed`,
      calls: [call('uses', { object: `ConfigMap/${app}` }, '"kind":"Deployment"')],
    }),
  ),
  ...apps.map(
    (app): Task => ({
      group: 'Rename or delete an object',
      title: `Show what the deletion of ${app}.yaml breaks`,
      calls: [
        call('who_selects', { object: `Deployment/${app}` }, '"name":"default-deny"'),
        call('impact', { files: [{ path: `${app}.yaml`, text: null }] }, '"kind":"lost"'),
      ],
    }),
  ),
  ...apps.slice(0, 4).map(
    (app): Task => ({
      group: 'Add a network policy',
      title: `Allow storefront to connect to ${app}`,
      calls: [
        call('reach', { from: 'shop/Deployment/storefront', to: `shop/Deployment/${app}`, port: 8080 }, 'default-deny'),
        created('policies.yaml', ends(app, 'storefront').join('---\n'), '"opened":1'),
      ],
    }),
  ),
  {
    group: 'Add a network policy',
    title: 'List the workloads that may connect to port 8080 of payment',
    calls: [call('reach', { to: 'shop/Deployment/payment', port: 8080 }, '"connections":[]')],
  },
  {
    group: 'Add a network policy',
    title: 'Check a network policy that allows only one side of a connection',
    calls: [created('policies.yaml', ends('cart', 'storefront')[0] ?? '', '"opened":0')],
  },
  {
    group: 'Add a network policy',
    title: 'Check a network policy with a misspelled selector',
    calls: [created('policies.yaml', misspelledPolicy, 'selects-nothing')],
  },
  {
    group: 'Add a network policy',
    title: 'Remove the network policy that denies all traffic',
    calls: [call('impact', { files: [{ path: 'network.yaml', text: null }] }, '"kind":"opened"')],
  },
  ...apps.map(
    (app): Task => ({
      group: 'Write a selector',
      title: `Select the pods of ${app} and nothing else`,
      calls: [
        call('match', { selector: `app in (${app})`, pods: true }, `"name":"${app}"`),
        call('explain', { selector: `app=${app},tier=front`, object: `Deployment/${app}` }, '"answer":"no"'),
      ],
    }),
  ),
  ...apps.map(
    (app): Task => ({
      group: 'Find and fix a broken selector',
      title: `List the pods that the Service ${app} selects`,
      calls: [call('match', { object: `Service/${app}` }, `"matches":[{"kind":"Deployment","name":"${app}"`)],
    }),
  ),
  {
    group: 'Write a selector',
    title: 'List the labels of the pods of all Deployments in a namespace',
    calls: [
      call(
        'objects',
        { kind: 'deploy', namespace: 'shop' },
        '"pods":[{"via":"spec.template","labels":{"app":"cart"}}]',
      ),
    ],
  },
  {
    group: 'Write a selector',
    title: 'List the objects of a file with their labels and selectors',
    calls: [call('objects', { paths: ['cart.yaml'] }, '"canonical":"app=cart"')],
  },
  ...apps.map(
    (app): Task => ({
      group: 'Review a change',
      title: `Review an edit of the Service ${app}`,
      edits: [misspelled(app)],
      calls: [
        call('diff', { old: 'old', new: 'new' }, '"kind":"lost"'),
        call('check', { paths: [`new/${app}.yaml`] }, 'selects-nothing'),
      ],
    }),
  ),
  {
    group: 'Review a change',
    title: 'Review a change that only adds a comment',
    edits: [{ path: 'cart.yaml', from: 'apiVersion', to: '# The cart.\napiVersion' }],
    calls: [call('diff', { old: 'old', new: 'new' }, '"changes":[]')],
  },
];

/** The result of a call. */
interface Solved extends Call {
  readonly bytes: number;
}

/** Makes the calls of a task. Throws if an answer lacks what it must contain. */
export function solve({ title, edits = [], calls, group }: Task): Promise<readonly Solved[]> {
  const changed = { ...shop, ...Object.fromEntries(edits.map((edit) => [edit.path, edited(edit)])) };
  return inFolder(
    group === 'Review a change' ? { ...below('old', shop), ...below('new', changed) } : changed,
    async (folder) => {
      const agent = agentIn(folder);
      const solved: Solved[] = [];
      for (const each of calls) {
        const answer = await agent.call(each.tool, each.input);
        if (answer.isError || !answer.text.includes(each.finds))
          throw new Error(`${title}: ${each.tool} does not answer ${each.finds}: ${answer.text}`);
        solved.push({ ...each, bytes: sizeOf(answer) });
      }
      return solved;
    },
  );
}

function below(folder: string, files: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`${folder}/${path}`, text]));
}

/** Returns the page for solved tasks. */
export function tasksPage(all: readonly (readonly [Task, readonly Solved[]])[]): string {
  const groups = [...new Set(all.map(([{ group }]) => group))];
  const sizes = all.flatMap(([, solved]) => solved.map(shownSize));
  const rowsOf = (group: string) =>
    all
      .filter(([task]) => task.group === group)
      .map(
        ([{ title }, solved]) =>
          `| ${title} | ${solved.map(shownCall).join('<br>')} | ${solved.map(shownSize).join('<br>')} |`,
      );
  return [
    '<!-- Written by `npm run generate:tasks`. -->\n',
    '# Tasks for coding agents\n',
    `A test solves these ${all.length} tasks with the tools of \`selector-lens mcp\`, as a coding agent would. The tasks use the manifests of a small shop: five workloads, each with a Service, a PodDisruptionBudget, a ConfigMap and a ServiceAccount, and a NetworkPolicy that denies all traffic. Each row of the tables lists the calls that solve a task, and the size of the answer to each call in bytes, rounded up to a multiple of 500. Each of the ${sizes.length} answers has at most ${Math.max(...sizes)} bytes. [agents.md](agents.md) describes the tools.\n`,
    ...groups.map(
      (group) => `## ${group}\n\n| Task | Calls | Bytes |\n| --- | --- | --- |\n${rowsOf(group).join('\n')}\n`,
    ),
  ].join('\n');
}

/** The size of an answer, which small changes of texts do not affect. */
function shownSize({ bytes }: Solved): number {
  return 500 * Math.ceil(bytes / 500);
}

function shownCall({ tool, input }: Call): string {
  const shown = Object.entries(input).map(([name, value]) => {
    if (name === 'files' && Array.isArray(value)) {
      const [file] = value;
      return `${file.path}: ${file.text === null ? 'deleted' : 'proposed text'}`;
    }
    return `${name}: ${Array.isArray(value) ? value.join(', ') : value}`;
  });
  return `\`${tool}\`${shown.length === 0 ? '' : ` (${shown.join('; ')})`}`;
}
