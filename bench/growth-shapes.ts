/** Workspaces with one extreme shape each, of any size: the work must grow approximately like the size. */

import { gitopsShapes } from './growth-gitops.ts';
import {
  budget,
  deployment,
  documents,
  expressions,
  type Files,
  list,
  node,
  numbers,
  one,
  pod,
  policy,
  type Shape,
  service,
} from './growth-make.ts';
import { textShapes } from './growth-texts.ts';
import { treeShapes } from './growth-trees.ts';

export type { Files, Shape } from './growth-make.ts';

export const shapes: readonly Shape[] = [
  {
    name: 'services that all match all pods',
    size: 250,
    files: (size) =>
      one(
        `${documents(size, (n) => service(`s${n}`, 'app: a'))}---\n${documents(size, (n) => pod(`p${n}`, 'app: a'))}`,
      ),
  },
  {
    name: 'services that all match all pods, a file each',
    size: 250,
    files: (size) => [
      ...numbers(size).map((n) => [`s${n}.yaml`, service(`s${n}`, 'app: a')] as const),
      ...numbers(size).map((n) => [`p${n}.yaml`, pod(`p${n}`, 'app: a')] as const),
    ],
  },
  {
    name: 'services that match a few of many pods',
    size: 750,
    files: (size) => [
      ['s.yaml', documents(size, (n) => service(`s${n}`, `app: a${n}`))],
      ['p.yaml', documents(size, (n) => pod(`p${n}`, `app: a${n}`))],
    ],
  },
  {
    name: 'services that all match all pods of other scopes',
    size: 250,
    files: (size) =>
      [
        ['s/kustomization.yaml', 'resources: [s.yaml]\n'],
        ['s/s.yaml', documents(size, (n) => service(`s${n}`, 'app: a'))],
        ['p/kustomization.yaml', 'resources: [p.yaml]\n'],
        ['p/p.yaml', documents(size, (n) => pod(`p${n}`, 'app: a'))],
      ].toReversed() as unknown as Files,
  },
  {
    name: 'services that match nothing, pods that nearly match',
    size: 250,
    files: (size) =>
      one(
        `${documents(size, (n) => service(`s${n}`, 'app: basket'))}---\n${documents(size, (n) => pod(`p${n}`, 'app: baskets'))}`,
      ),
  },
  {
    name: 'services that match nothing, pods with other values',
    size: 250,
    files: (size) =>
      one(
        `${documents(size, (n) => service(`s${n}`, `app: a${n}`))}---\n${documents(size, (n) => pod(`p${n}`, `app: b${n}`))}`,
      ),
  },
  {
    name: 'services in namespaces of their own, pods in others',
    size: 250,
    files: (size) =>
      one(
        `${documents(size, (n) => pod(`p${n}`, 'app: a', `n${n}`))}---\n${documents(size, (n) => service(`s${n}`, 'app: a'))}`,
      ),
  },
  {
    name: 'services that match nothing, pods that nearly match, a file each',
    size: 250,
    files: (size) => [
      ...numbers(size).map((n) => [`s${n}.yaml`, service(`s${n}`, 'app: basket')] as const),
      ...numbers(size).map((n) => [`p${n}.yaml`, pod(`p${n}`, 'app: baskets')] as const),
    ],
  },
  {
    name: 'controllers with one selector, a file each',
    size: 250,
    files: (size) => numbers(size).map((n) => [`d${n}.yaml`, deployment(`d${n}`, 'app: a')] as const),
  },
  {
    name: 'budgets with one selector and workloads, a file each',
    size: 250,
    files: (size) => [
      ...numbers(size).map((n) => [`b${n}.yaml`, budget(`b${n}`, 'app: a')] as const),
      ...numbers(size).map((n) => [`d${n}.yaml`, deployment(`d${n}`, `app: a, n: "${n}"`)] as const),
    ],
  },
  {
    name: 'bad labels in one line',
    size: 1000,
    files: (size) =>
      one(
        pod(
          'p',
          list(size, (n) => `k${n}: "a b", `),
        ),
      ),
  },
  {
    name: 'one command over and over in another file',
    size: 2500,
    files: (size) => [
      ['a.yaml', pod('p', 'app: a')],
      ['a.sh', 'kubectl get pods -l app=a\n'.repeat(size)],
    ],
  },
  {
    name: 'patterns of a configuration',
    size: 1000,
    files: (size) => [
      ['a.yaml', pod('p', 'app: a')],
      [
        '.selector-lens.yaml',
        `ignore:\n  - rule: label-value-syntax\n    files:\n${list(size, (n) => `      - "f${n}/**/*.yaml"\n`)}`,
      ],
    ],
  },
  {
    name: 'a configuration in each folder',
    size: 500,
    files: (size) =>
      Array.from({ length: size }, (_, n) => [
        [`f${n}/a.yaml`, pod(`p${n}`, 'app: a')] as const,
        [`f${n}/.selector-lens.yaml`, `rules: {label-value-syntax: warning}\n`] as const,
      ]).flat(),
  },
  {
    name: 'controllers with one selector',
    size: 1000,
    files: (size) => one(documents(size, (n) => deployment(`d${n}`, 'app: a'))),
  },
  {
    name: 'controllers with overlapping selectors',
    size: 250,
    files: (size) =>
      one(
        documents(size, (n) =>
          deployment(
            `d${n}`,
            `k${n}: v`,
            numbers(20)
              .map((k) => `k${(n + k) % size}: v`)
              .join(', '),
          ),
        ),
      ),
  },
  {
    name: 'budgets with one selector, and pods',
    size: 250,
    files: (size) =>
      one(
        `${documents(size, (n) => budget(`b${n}`, 'app: a'))}---\n${documents(size, (n) => deployment(`d${n}`, `app: a, n: "${n}"`))}`,
      ),
  },
  {
    name: 'policies with peers in all namespaces',
    size: 250,
    files: (size) =>
      one(
        `${documents(size, (n) => policy(`y${n}`, 'app: a', '[{from: [{podSelector: {matchLabels: {app: a}}, namespaceSelector: {matchLabels: {team: a}}}]}]'))}---\n${documents(size, (n) => `apiVersion: v1\nkind: Namespace\nmetadata: {name: n${n}, labels: {team: a}}\n---\n${pod(`p${n}`, 'app: a', `n${n}`)}`)}`,
      ),
  },
  {
    name: 'a policy with many peers',
    size: 1000,
    files: (size) =>
      one(
        `${policy('y', 'app: a', `\n    - from:\n${list(size, (n) => `        - podSelector: {matchLabels: {app: a${n}}}\n`)}`)}---\n${documents(size, (n) => pod(`p${n}`, `app: a${n}`))}`,
      ),
  },
  {
    name: 'labels in one object',
    size: 2500,
    files: (size) =>
      one(`${pod('p', `\n${list(size, (n) => `    k${n}: v${n},\n`)}  `)}---\n${service('s', 'k1: v1')}`),
  },
  {
    name: 'labels in one object and in its selector',
    size: 1000,
    files: (size) => one(`${deployment('p', `\n${list(size, (n) => `    k${n}: v${n},\n`)}  `)}`),
  },
  {
    name: 'bad labels in one object',
    size: 1000,
    files: (size) => one(pod('p', `\n${list(size, (n) => `    k${n}: "a b ${n}",\n`)}  `)),
  },
  {
    name: 'bad keys in one object',
    size: 1000,
    files: (size) => one(pod('p', `\n${list(size, (n) => `    "a b ${n}": v,\n`)}  `)),
  },
  {
    name: 'one label key over and over',
    size: 1000,
    files: (size) => one(pod('p', `\n${list(size, (n) => `    k: v${n},\n`)}  `)),
  },
  {
    name: 'expressions in one selector',
    size: 1000,
    files: (size) =>
      one(
        `${expressions(size, (n) => `      - {key: k${n}, operator: In, values: [a${n}, b]}\n`)}---\n${pod('p', 'k1: a1')}`,
      ),
  },
  {
    name: 'expressions about one key in one selector',
    size: 1000,
    files: (size) =>
      one(
        `${expressions(size, (n) => `      - {key: k, operator: NotIn, values: [a${n}]}\n`)}---\n${documents(10, (n) => pod(`p${n}`, `k: b${n}`))}`,
      ),
  },
  {
    name: 'values in one expression',
    size: 2500,
    files: (size) =>
      one(
        `${expressions(1, () => `      - {key: app, operator: In, values: [${list(size, (n) => `a${n}, `)}z]}\n`)}---\n${documents(20, (n) => pod(`p${n}`, `app: b${n}`))}`,
      ),
  },
  {
    name: 'excluded values in one expression, pods with each',
    size: 1000,
    files: (size) =>
      one(
        `${expressions(1, () => `      - {key: app, operator: NotIn, values: [${list(size, (n) => `a${n}, `)}z]}\n`)}---\n${documents(size, (n) => pod(`p${n}`, `app: a${n}`))}`,
      ),
  },
  {
    name: 'services that select one pod',
    size: 1000,
    files: (size) => one(`${pod('web', 'app: a')}---\n${documents(size, (n) => service(`s${n}`, 'app: a'))}`),
  },
  {
    name: 'services that select one pod by labels of their own',
    size: 1000,
    files: (size) =>
      one(
        `${pod(
          'web',
          list(size, (n) => `k${n}: v, `),
        )}---\n${documents(size, (n) => service(`s${n}`, `k${n}: v`))}`,
      ),
  },
  {
    name: 'labels that YAML 1.1 reads as booleans',
    size: 1000,
    files: (size) => one(documents(size, (n) => pod(`p${n}`, 'on: off'))),
  },
  {
    name: 'values in one expression, pods with each',
    size: 1000,
    files: (size) =>
      one(
        `${expressions(1, () => `      - {key: app, operator: In, values: [${list(size, (n) => `a${n}, `)}z]}\n`)}---\n${documents(size, (n) => pod(`p${n}`, `app: a${n}`))}`,
      ),
  },
  {
    name: 'pods with values of their own',
    size: 1000,
    files: (size) =>
      one(`${service('s', 'app: a')}---\n${documents(size, (n) => pod(`p${n}`, `app: a, instance: i${n}`))}`),
  },
  {
    name: 'names of Services in texts',
    size: 500,
    files: (size) =>
      one(
        documents(
          size,
          (n) =>
            `${service(`database-${n}`, 'app: a')}---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: c${n}}\ndata: {host: databse-${n}.default.svc.cluster.local}\n`,
        ),
      ),
  },
  { name: 'empty documents', size: 10_000, files: (size) => one(`---\n`.repeat(size)) },
  {
    name: 'broken documents',
    size: 250,
    files: (size) => one(documents(size, (n) => `apiVersion: v1\nkind: Pod\nmetadata: {name: p${n}\n  labels: a: b\n`)),
  },
  {
    name: 'files of one object each, in folders of their own',
    size: 1000,
    files: (size) => numbers(size).map((n) => [`f${n}/a.yaml`, `${service('s', 'app: a')}---\n${pod('p', 'app: a')}`]),
  },
  {
    name: 'folders in folders',
    size: 250,
    files: (size) =>
      numbers(size).map((n) => [`${'f/'.repeat(n)}a.yaml`, `${service('s', 'app: a')}---\n${pod('p', 'app: a')}`]),
  },
  { name: 'one object over and over', size: 1000, files: (size) => one(documents(size, () => pod('p', 'app: a'))) },
  {
    name: 'values in several expressions, and pods',
    size: 250,
    files: (size) =>
      one(
        `${documents(10, (each) => expressions(1, () => `      - {key: app, operator: In, values: [${list(size, (n) => `web-${each}-${n}, `)}]}\n`).replace('{name: a}', `{name: a${each}}`))}---\n${documents(size, (n) => pod(`p${n}`, `app: web-0-${n}`))}`,
      ),
  },
  {
    name: 'pods without a required field',
    size: 2500,
    files: (size) => one(documents(size, () => 'apiVersion: v1\nkind: Pod\nmetadata: {name: a}\n')),
  },
  {
    name: 'policies with many peers, and pods',
    size: 100,
    files: (size) =>
      one(
        `${documents(size, (n) => policy(`y${n}`, `app: a${n % 20}`, `[{from: [${list(20, (peer) => `{podSelector: {matchLabels: {app: a${peer}}}}, `)}]}]`))}---\n${documents(2 * size, (n) => pod(`p${n}`, `app: a${n % 20}, x: b${n}`))}`,
      ),
  },
  {
    name: 'pods of a List with labels by an alias',
    size: 250,
    files: (size) =>
      one(
        `apiVersion: v1\nkind: List\nx: &labels {app: a}\nitems:\n${list(size, (n) => `- {apiVersion: v1, kind: Pod, metadata: {name: p${n}, labels: *labels}}\n`)}`,
      ),
  },
  {
    name: 'pods with node selectors, and nodes',
    size: 1000,
    files: (size) =>
      one(
        `${documents(size, (n) => `${pod(`p${n}`, 'app: a')}spec: {nodeSelector: {disk: ssd}}\n`)}---\n${documents(size, (n) => node(`n${n}`, 'disk: ssd'))}`,
      ),
  },
  {
    name: 'pods with node affinity, and nodes',
    size: 250,
    files: (size) =>
      one(
        `${documents(size, (n) => `${pod(`p${n}`, 'app: a')}spec: {affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [{matchExpressions: [{key: disk, operator: In, values: [ssd]}]}]}}}}\n`)}---\n${documents(size, (n) => node(`n${n}`, 'disk: ssd'))}`,
      ),
  },
  {
    name: 'one object over and over, a file each, in a kustomization',
    size: 250,
    files: (size) => [
      ['kustomization.yaml', `resources:\n${list(size, (n) => `  - p${n}.yaml\n`)}`],
      ...numbers(size).map((n) => [`p${n}.yaml`, pod('p', 'app: a')] as const),
    ],
  },
  ...treeShapes,
  ...gitopsShapes,
  ...textShapes,
];
