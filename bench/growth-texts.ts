/** Shapes of texts that grow: deep, long, repeated or broken ones. */

import { documents, list, numbers, one, pod, type Shape, service } from './growth-make.ts';

export const textShapes: readonly Shape[] = [
  {
    name: 'suppressions',
    size: 250,
    files: (size) =>
      one(
        documents(
          size,
          (n) =>
            `# selector-lens-disable-next-line label-value-syntax\napiVersion: v1\nkind: Pod\nmetadata:\n  name: p${n}\n  labels:\n    # selector-lens-disable-next-line label-value-syntax\n    app: "a b"\n`,
        ),
      ),
  },
  {
    name: 'suppressions of whole files',
    size: 250,
    files: (size) =>
      one(
        `${list(size, () => '# selector-lens-disable-file label-value-syntax\n')}${pod('p', `\n${list(size, (n) => `    k${n}: "a b",\n`)}`)}`,
      ),
  },
  {
    name: 'comments',
    size: 5000,
    files: (size) => one(`${pod('p', 'app: a')}${'# selector-lens is not here\n'.repeat(size)}`),
  },
  {
    name: 'lists in lists',
    size: 250,
    files: (size) => one(`${pod('p', 'app: a')}x: ${'['.repeat(size)}${']'.repeat(size)}\n`),
  },
  {
    name: 'maps in maps in braces',
    size: 250,
    files: (size) => one(`${pod('p', 'app: a')}x: ${'{a: '.repeat(size)}1${'}'.repeat(size)}\n`),
  },
  {
    name: 'maps in maps',
    size: 250,
    files: (size) => one(`${pod('p', 'app: a')}x:\n${list(size, (n) => `${' '.repeat(n + 1)}a:\n`)}`),
  },
  { name: 'lists of lists', size: 250, files: (size) => one(`${pod('p', 'app: a')}x:\n  ${'- '.repeat(size)}a\n`) },
  { name: 'brackets without end', size: 500, files: (size) => one(`${pod('p', 'app: a')}x: ${'['.repeat(size)}\n`) },
  { name: 'braces without end', size: 500, files: (size) => one(`${pod('p', 'app: a')}x: ${'{a: '.repeat(size)}\n`) },
  {
    name: 'JSON in JSON',
    size: 250,
    files: (size) => [['a.json', `{"apiVersion":"v1","kind":"Pod","x":${'{"a":'.repeat(size)}1${'}'.repeat(size)}}`]],
  },
  {
    name: 'a List of many',
    size: 250,
    files: (size) =>
      one(
        `apiVersion: v1\nkind: List\nitems:\n${list(size, (n) => `- {apiVersion: v1, kind: Pod, metadata: {name: p${n}, labels: {app: a}}}\n`)}`,
      ),
  },
  {
    name: 'Lists in Lists',
    size: 100,
    files: (size) => one(`${'{apiVersion: v1, kind: List, items: ['.repeat(size)}${']}'.repeat(size)}\n`),
  },
  {
    name: 'a long value',
    size: 50_000,
    files: (size) => one(`${pod('p', `app: ${'a'.repeat(size)}`)}---\n${service('s', `app: ${'b'.repeat(size)}`)}`),
  },
  { name: 'a long key', size: 50_000, files: (size) => one(pod('p', `"${'a'.repeat(size)}": a`)) },
  { name: 'a long value of dots', size: 25_000, files: (size) => one(pod('p', `app: "${'a.-_'.repeat(size)}"`)) },
  { name: 'a long name', size: 25_000, files: (size) => one(pod('a.-'.repeat(size), 'app: a')) },
  {
    name: 'a long plain value over lines',
    size: 5000,
    files: (size) => one(`${pod('p', 'app: a')}x: a\n${'  b c\n'.repeat(size)}`),
  },
  {
    name: 'a long quoted value over lines',
    size: 5000,
    files: (size) => one(`${pod('p', 'app: a')}x: "a\n${'  b c\n'.repeat(size)}"\n`),
  },
  {
    name: 'a quote without end',
    size: 5000,
    files: (size) => one(`${pod('p', 'app: a')}x: "a\n${'  b: c\n'.repeat(size)}`),
  },
  { name: 'quotes without end', size: 500, files: (size) => one(`${pod('p', 'app: a')}${'x: "a\n'.repeat(size)}`) },
  { name: 'blanks', size: 40_000, files: (size) => one(`${pod('p', 'app: a')}x:${' '.repeat(size)}y\n`) },
  {
    name: 'blanks before a comment',
    size: 40_000,
    files: (size) => one(`${pod('p', 'app: a')}x: y${' '.repeat(size)}# z\n`),
  },
  { name: 'a line of blanks', size: 40_000, files: (size) => one(`${pod('p', 'app: a')}${' '.repeat(size)}\n`) },
  {
    name: 'a line of blanks with tabs',
    size: 40_000,
    files: (size) => one(`${pod('p', 'app: a')}${' \t'.repeat(size)}x\n`),
  },
  {
    name: 'a line of blanks in labels',
    size: 40_000,
    files: (size) =>
      one(`apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  labels:\n    app:${' '.repeat(size)}\n    b: c\n`),
  },
  { name: 'empty lines', size: 20_000, files: (size) => one(`${pod('p', 'app: a')}${'\n'.repeat(size)}`) },
  {
    name: 'a selector that is a long text',
    size: 1000,
    files: (size) => [
      ['a.sh', `kubectl get pods -l '${list(size, (n) => `app=a${n},`)}x'\n`],
      ['a.yaml', pod('p', 'app: a')],
    ],
  },
  {
    name: 'a selector that is a text of blanks',
    size: 20_000,
    files: (size) => [
      ['a.sh', `kubectl get pods -l 'a${' '.repeat(size)}'\n`],
      ['a.yaml', pod('p', 'app: a')],
    ],
  },
  {
    name: 'aliases',
    size: 1000,
    files: (size) =>
      one(
        documents(
          size,
          (n) => `apiVersion: v1\nkind: Pod\nmetadata:\n  name: p${n}\n  labels: &a {app: a}\n  annotations: *a\n`,
        ),
      ),
  },
  {
    name: 'aliases of one large anchor',
    size: 250,
    files: (size) =>
      one(
        `x: &a {${list(size, (n) => `k${n}: v, `)}}\napiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  labels:\n    <<: [${list(size, () => '*a, ')}]\n`,
      ),
  },
  {
    name: 'aliases in aliases',
    size: 10,
    files: (size) =>
      one(
        `a0: &a0 {app: a}\n${list(size, (n) => `a${n + 1}: &a${n + 1} {<<: *a${n}, x: *a${n}, y: *a${n}}\n`)}apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  labels: *a${size}\n`,
      ),
  },
  {
    name: 'names of namespaces',
    size: 250,
    files: (size) =>
      one(
        documents(
          size,
          (n) =>
            `apiVersion: v1\nkind: Namespace\nmetadata: {name: n${n}, labels: {team: t${n % 10}}}\n---\n${pod('p', 'app: a', `n${n}`)}---\n${service('s', 'app: a').replace('metadata: {name: s}', `metadata: {name: s, namespace: n${n}}`)}`,
        ),
      ),
  },
  {
    name: 'scopes of a configuration',
    size: 250,
    files: (size) => [
      ['f0/a.yaml', `${service('s', 'app: a')}---\n${pod('p', 'app: a')}`],
      ['.selector-lens.yaml', `scopes:\n${list(size, (n) => `  - {name: s${n}, files: [f${n}/**]}\n`)}`],
      ...numbers(size)
        .slice(1)
        .map((n) => [`f${n}/a.yaml`, `${service('s', 'app: a')}---\n${pod('p', 'app: a')}`] as const),
    ],
  },
  {
    name: 'OpenShift Templates',
    size: 500,
    files: (size) =>
      one(
        documents(
          size,
          (n) =>
            `apiVersion: template.openshift.io/v1\nkind: Template\nmetadata: {name: t${n}}\nobjects:\n  - apiVersion: v1\n    kind: Service\n    metadata: {name: s}\n    spec: {selector: {app: a}}\n  - apiVersion: v1\n    kind: Pod\n    metadata: {name: p, labels: {app: a}}\n`,
        ),
      ),
  },
  {
    name: 'definitions of kinds',
    size: 100,
    files: (size) => [
      [
        'a.yaml',
        documents(
          size,
          (n) =>
            `apiVersion: example.org/v1\nkind: K${n}\nmetadata: {name: k}\nspec: {selector: {matchLabels: {app: a}}}\n`,
        ),
      ],
      [
        'crds.yaml',
        documents(
          size,
          (n) =>
            `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: k${n}s.example.org}\nspec:\n  group: example.org\n  names: {kind: K${n}, plural: k${n}s}\n  scope: Namespaced\n  versions:\n    - name: v1\n      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {selector: {type: object, properties: {matchLabels: {type: object, additionalProperties: {type: string}}}}}}}}}\n`,
        ),
      ],
    ],
  },
  {
    name: 'misspelled fields of a defined kind',
    size: 1000,
    files: (size) => [
      [
        'a.yaml',
        documents(
          size / 10,
          (n) =>
            `apiVersion: example.org/v1\nkind: K\nmetadata: {name: k${n}}\nspec:\n${list(10, (field) => `  field${n}-${field}-labl: a\n`)}`,
        ),
      ],
      [
        'crd.yaml',
        `apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: ks.example.org}\nspec:\n  group: example.org\n  names: {kind: K, plural: ks}\n  scope: Namespaced\n  versions:\n    - name: v1\n      schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {${list(size, (n) => `field${Math.floor(n / 10)}-${n % 10}-label: {type: string}, `)}}}}}}\n`,
      ],
    ],
  },
  {
    name: 'misspelled keys of a ConfigMap',
    size: 500,
    files: (size) => [
      [
        'a.yaml',
        documents(
          size,
          (n) =>
            `apiVersion: v1\nkind: Pod\nmetadata: {name: p${n}}\nspec: {containers: [{name: c, env: [{name: V, valueFrom: {configMapKeyRef: {name: c, key: key-${n}-valeu}}}]}]}\n`,
        ),
      ],
      [
        'c.yaml',
        `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\ndata: {${list(size, (n) => `key-${n}-value: x, `)}}\n`,
      ],
    ],
  },
];
