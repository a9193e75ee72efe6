/** Shapes of kustomizations, charts and commands that grow. */

import { applicationSet, fluxKustomization } from './growth-gitops.ts';
import { chart, deployment, documents, list, numbers, one, pod, type Shape, service } from './growth-make.ts';

export const treeShapes: readonly Shape[] = [
  {
    name: 'resources of a kustomization',
    size: 250,
    files: (size) => [
      [
        'kustomization.yaml',
        `commonLabels: {a: b}\nnamePrefix: x-\nresources:\n${list(size, (n) => `  - p${n}.yaml\n`)}`,
      ],
      ...numbers(size).map((n) => [`p${n}.yaml`, pod(`p${n}`, 'app: a')] as const),
    ],
  },
  {
    name: 'patches of a kustomization',
    size: 250,
    files: (size) => [
      [
        'kustomization.yaml',
        `resources: [a.yaml]\npatches:\n${list(size, (n) => `  - patch: |-\n      apiVersion: v1\n      kind: Pod\n      metadata: {name: p${n}, labels: {l${n}: x}}\n`)}`,
      ],
      ['a.yaml', documents(size, (n) => pod(`p${n}`, 'app: a'))],
    ],
  },
  {
    name: 'patches of one object',
    size: 250,
    files: (size) => [
      [
        'kustomization.yaml',
        `resources: [a.yaml]\npatches:\n${list(size, (n) => `  - target: {kind: Pod}\n    patch: '[{op: add, path: /metadata/labels/l${n}, value: x}]'\n`)}`,
      ],
      ['a.yaml', pod('p', 'app: a')],
    ],
  },
  {
    name: 'patches with patterns',
    size: 250,
    files: (size) => [
      [
        'kustomization.yaml',
        `resources: [a.yaml]\npatches:\n${list(size, (n) => `  - target: {kind: Pod, name: .*p${n}}\n    patch: '[{op: add, path: /metadata/labels/l${n}, value: x}]'\n`)}`,
      ],
      ['a.yaml', documents(size, (n) => pod(`p${n}`, 'app: a'))],
    ],
  },
  {
    name: 'components',
    size: 250,
    files: (size) => [
      ['kustomization.yaml', `resources: [a.yaml]\ncomponents:\n${list(size, (n) => `  - c${n}\n`)}`],
      ['a.yaml', pod('p', 'app: a')],
      ...numbers(size).map(
        (n) => [`c${n}/kustomization.yaml`, `kind: Component\nlabels: [{pairs: {l${n}: x}}]\n`] as const,
      ),
    ],
  },
  {
    name: 'bases on bases',
    size: 50,
    files: (size) => [
      ['0/kustomization.yaml', 'resources: [a.yaml]\n'],
      ['0/a.yaml', pod('p', 'app: a')],
      ...numbers(size).map((n) => [`${n + 1}/kustomization.yaml`, `resources: [../${n}]\nnamePrefix: a-\n`] as const),
    ],
  },
  {
    name: 'bases twice on bases',
    size: 8,
    files: (size) => [
      ['0a/kustomization.yaml', 'resources: [a.yaml]\n'],
      ['0b/kustomization.yaml', 'resources: [a.yaml]\n'],
      ['0a/a.yaml', pod('p', 'app: a')],
      ['0b/a.yaml', pod('p', 'app: a')],
      ...numbers(size).flatMap((n) =>
        ['a', 'b'].map(
          (x) => [`${n + 1}${x}/kustomization.yaml`, `resources: [../${n}a, ../${n}b]\nnamePrefix: ${x}-\n`] as const,
        ),
      ),
    ],
  },
  {
    name: 'overlays of one base',
    size: 100,
    files: (size) => [
      ['base/a.yaml', documents(20, (n) => `${service(`s${n}`, 'app: a')}---\n${pod(`p${n}`, 'app: a')}`)],
      ['base/kustomization.yaml', 'resources: [a.yaml]\n'],
      ...numbers(size).map((n) => [`o${n}/kustomization.yaml`, `resources: [../base]\nnamePrefix: o${n}-\n`] as const),
    ],
  },
  {
    name: 'replacements and generators',
    size: 250,
    files: (size) => [
      [
        'kustomization.yaml',
        `resources: [a.yaml]\nconfigMapGenerator:\n${list(size, (n) => `  - {name: c${n}, literals: [a=b]}\n`)}replacements:\n${list(size, (n) => `  - {source: {kind: Pod, name: p${n}, fieldPath: metadata.name}, targets: [{select: {kind: Pod, name: p${n}}, fieldPaths: [metadata.labels.app]}]}\n`)}`,
      ],
      ['a.yaml', documents(size, (n) => pod(`p${n}`, 'app: a'))],
    ],
  },
  {
    name: 'generators that merge',
    size: 500,
    files: (size) => [
      [
        'kustomization.yaml',
        `configMapGenerator:\n  - {name: c}\n${list(size, (n) => `  - {name: c, behavior: merge, literals: [k${n}=v]}\n`)}`,
      ],
    ],
  },
  {
    name: 'resources that do not exist',
    size: 5000,
    files: (size) => [['kustomization.yaml', `resources:\n${list(size, (n) => `  - m${n}.yaml\n`)}`]],
  },
  {
    name: 'files that no kustomization lists',
    size: 250,
    files: (size) => [
      ['kustomization.yaml', `resources: [${list(size, (n) => `m${n}.yaml, `)}]\n`],
      ...numbers(size).map((n) => [`p${n}.yaml`, pod(`p${n}`, 'app: a')] as const),
    ],
  },
  {
    name: 'roots that include all variants of one base',
    size: 160,
    files: (size) => [
      ['base/kustomization.yaml', 'resources: [a.yaml]\n'],
      ['base/a.yaml', documents(20, (n) => pod(`p${n}`, 'app: a'))],
      ...numbers(size).map((n) => [`v${n}/kustomization.yaml`, `resources: [../base]\nnameSuffix: -${n}\n`] as const),
      ...numbers(size / 4).map(
        (n) => [`r${n}/kustomization.yaml`, `resources:\n${list(size, (variant) => `  - ../v${variant}\n`)}`] as const,
      ),
    ],
  },
  {
    name: 'roots that share all bases',
    size: 20,
    files: (size) => [
      ...numbers(size).map(
        (n) =>
          [
            `r${n}/kustomization.yaml`,
            `namePrefix: r${n}-\nresources:\n${list(size, (base) => `  - ../b${base}\n`)}`,
          ] as const,
      ),
      ...numbers(size).flatMap(
        (n) =>
          [
            [`b${n}/kustomization.yaml`, 'resources: [a.yaml]\n'],
            [`b${n}/a.yaml`, pod(`p${n}`, 'app: a')],
          ] as const,
      ),
    ],
  },
  {
    name: 'generators of many roots',
    size: 10,
    files: (size) =>
      numbers(size).map(
        (n) =>
          [
            `r${n}/kustomization.yaml`,
            `configMapGenerator:\n${list(200, (each) => `  - {name: c${each}, literals: [a=b]}\n`)}`,
          ] as const,
      ),
  },
  {
    name: 'patches that change nothing',
    size: 500,
    files: (size) => [
      [
        'kustomization.yaml',
        `resources: [a.yaml]\npatches:\n${list(size, (n) => `  - target: {kind: Pod, name: x${n}}\n    patch: '[{op: add, path: /metadata/labels/l${n}, value: x}]'\n`)}`,
      ],
      ['a.yaml', pod('p', 'app: a')],
    ],
  },
  {
    name: 'helpers of a chart',
    size: 250,
    files: (size) => [
      [
        'templates/a.yaml',
        documents(
          size,
          (n) =>
            `apiVersion: v1\nkind: Pod\nmetadata:\n  name: p${n}\n  labels:\n    {{- include "h${n}" . | nindent 4 }}\n`,
        ),
      ],
      ['templates/_helpers.tpl', list(size, (n) => `{{- define "h${n}" -}}\napp: a${n}\n{{- end }}\n`)],
      ['Chart.yaml', chart],
      ['values.yaml', 'a: b\n'],
    ],
  },
  {
    name: 'helpers in helpers',
    size: 100,
    files: (size) => [
      [
        'templates/a.yaml',
        `apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  labels:\n    {{- include "h${size - 1}" . | nindent 4 }}\n`,
      ],
      [
        'templates/_helpers.tpl',
        `{{- define "h-1" -}}\nx: y\n{{- end }}\n${list(size, (n) => `{{- define "h${n}" -}}\n{{ include "h${n - 1}" . }}\napp${n}: a\n{{- end }}\n`)}`,
      ],
      ['Chart.yaml', chart],
      ['values.yaml', 'a: b\n'],
    ],
  },
  {
    name: 'helpers twice in helpers',
    size: 8,
    files: (size) => [
      [
        'templates/a.yaml',
        `apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  labels:\n    {{- include "h${size - 1}" . | nindent 4 }}\n`,
      ],
      [
        'templates/_helpers.tpl',
        `{{- define "h-1" -}}\nx: y\n{{- end }}\n${list(size, (n) => `{{- define "h${n}" -}}\n{{ include "h${n - 1}" . }}\n{{ include "h${n - 1}" . }}\n{{- end }}\n`)}`,
      ],
      ['Chart.yaml', chart],
      ['values.yaml', 'a: b\n'],
    ],
  },
  {
    name: 'ranges in ranges',
    size: 4,
    files: (size) => [
      [
        'templates/a.yaml',
        `${'{{- range .Values.list }}\n'.repeat(size)}apiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n---\n${'{{- end }}\n'.repeat(size)}`,
      ],
      ['Chart.yaml', chart],
      ['values.yaml', `list: [${'a, '.repeat(10)}b]\n`],
    ],
  },
  {
    name: 'a range over values',
    size: 1000,
    files: (size) => [
      [
        'templates/a.yaml',
        `{{- range .Values.list }}\napiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ . }}\n  labels: {app: {{ . }}}\n---\n{{- end }}\n`,
      ],
      ['Chart.yaml', chart],
      ['values.yaml', `list:\n${list(size, (n) => `  - a${n}\n`)}`],
    ],
  },
  {
    name: 'conditions in a template',
    size: 250,
    files: (size) => [
      ['templates/a.yaml', documents(size, (n) => `{{- if .Values.a${n} }}\n${pod(`p${n}`, 'app: a')}{{- end }}\n`)],
      ['Chart.yaml', chart],
      ['values.yaml', list(size, (n) => `a${n}: true\n`)],
    ],
  },
  ...[
    ['conditions in one line', '{{ if .Values.a }}x{{ end }}', 4000],
    ['actions in one line', '{{ .Release.Name | indent 2 }}', 8000],
    ['actions in lines of their own', '{{ .Release.Name }}{{ .Values.a }}\n', 4000],
    ['entries by actions', '    {{- toYaml .Values.m | nindent 4 }}\n    x: {{- include "x" . | nindent 6 }}\n', 2000],
    ['statements of two languages', '{% if x %}{{ y }}{% endif %}\n', 4000],
    ['else by else', '    x: y\n{{ else if eq .Release.Name "a" }}\n', 2000],
  ].map(
    ([name, text, size]): Shape => ({
      name: `${name} of a template`,
      size: Number(size),
      files: (count) => [
        [
          'templates/a.yaml',
          `${pod('p', 'app: a')}---\napiVersion: v1\nkind: Pod\nmetadata:\n  name: p\n  labels:\n    {{ if .Values.a }}\n${`${text}`.repeat(count)}\n{{ end }}\n`,
        ],
        ['Chart.yaml', chart],
        ['values.yaml', 'a: b\nm: {x: y}\n'],
      ],
    }),
  ),
  {
    name: 'conditions in conditions in one line',
    size: 2500,
    files: (size) => [
      ['templates/a.yaml', `${'{{ if .Values.a }}'.repeat(size)}\n${pod('p', 'app: a')}${'{{ end }}'.repeat(size)}\n`],
      ['Chart.yaml', chart],
      ['values.yaml', 'a: true\n'],
    ],
  },
  {
    name: 'conditions in conditions',
    size: 250,
    files: (size) => [
      [
        'templates/a.yaml',
        `${list(size, (n) => `{{- if .Values.a${n} }}\n`)}${pod('p', 'app: a')}${'{{- end }}\n'.repeat(size)}`,
      ],
      ['Chart.yaml', chart],
      ['values.yaml', list(size, (n) => `a${n}: true\n`)],
    ],
  },
  {
    name: 'actions without end',
    size: 1000,
    files: (size) => [
      ['templates/a.yaml', `${pod('p', 'app: a')}${list(size, () => 'x: {{ if \n')}`],
      ['Chart.yaml', chart],
    ],
  },
  {
    name: 'commands in a shell file',
    size: 250,
    files: (size) => [
      ['a.sh', list(size, (n) => `kubectl get pods -l app=a${n},tier!=x\n`)],
      ['a.yaml', documents(50, (n) => pod(`p${n}`, `app: a${n}`))],
    ],
  },
  {
    name: 'commands with values that no object has',
    size: 500,
    files: (size) => [
      ['a.sh', list(size, (n) => `kubectl get pods -l app=webshop-${n}-x\n`)],
      ['a.yaml', documents(size, (n) => pod(`p${n}`, `app: webshop-${n}`))],
    ],
  },
  {
    name: 'commands in comments of objects',
    size: 500,
    files: (size) => one(documents(size, (n) => `# kubectl get pods -l app=webshopp\n${pod(`p${n}`, 'app: webshop')}`)),
  },
  {
    name: 'commands in one line of a shell file',
    size: 250,
    files: (size) => [
      ['a.sh', list(size, (n) => `kubectl get pods -l app=a${n}; `)],
      ['a.yaml', documents(50, (n) => pod(`p${n}`, `app: a${n}`))],
    ],
  },
  {
    name: 'selectors of one command',
    size: 250,
    files: (size) => [
      ['a.sh', `kubectl get pods ${list(size, (n) => `-l app=a${n} `)}\n`],
      ['a.yaml', documents(50, (n) => pod(`p${n}`, `app: a${n}`))],
    ],
  },
  {
    name: 'commands in commands',
    size: 250,
    files: (size) => [
      ['a.sh', `${'echo $(kubectl get pods -l '.repeat(size)}a${')'.repeat(size)}\n`],
      ['a.yaml', pod('p', 'app: a')],
    ],
  },
  {
    name: 'quotes and continued lines in a shell file',
    size: 1000,
    files: (size) => [
      ['a.sh', `kubectl get pods \\\n${list(size, () => ` "a" 'b' \\\n`)} -l app=a\n`],
      ['a.yaml', pod('p', 'app: a')],
    ],
  },
  {
    name: 'blocks in Markdown',
    size: 250,
    files: (size) => [
      [
        'a.md',
        list(
          size,
          (n) => `Text \`kubectl get pods -l app=a${n}\` more.\n\n\`\`\`sh\nkubectl get po -l app=a${n}\n\`\`\`\n`,
        ),
      ],
      ['a.yaml', pod('p', 'app: a')],
    ],
  },
  {
    name: 'backquotes in Markdown',
    size: 5000,
    files: (size) => [
      ['a.md', `${list(size, () => '`a ')}kubectl get pods -l app=a\n${list(200, (n) => '`'.repeat(n))}`],
      ['a.yaml', pod('p', 'app: a')],
    ],
  },
  {
    name: 'Flux Kustomizations with the same labels in own namespaces',
    size: 40,
    files: (size) => [
      ['apps/app-0/w0.yaml', deployment('w0', 'app: w0')],
      ...numbers(size).flatMap((n) => [
        [`cluster/app-${n}.yaml`, fluxKustomization(`app-${n}`, `apps/app-${n}`)] as const,
        [`apps/app-${n}/kustomization.yaml`, `resources:\n${list(10, (each) => `  - w${each}.yaml\n`)}`] as const,
        ...numbers(10).map((each) => [`apps/app-${n}/w${each}.yaml`, deployment(`w${each}`, `app: w${each}`)] as const),
      ]),
      ['cluster/kustomization.yaml', `resources:\n${list(size, (n) => `  - app-${n}.yaml\n`)}`],
    ],
  },
  {
    name: 'misspelled references',
    size: 1000,
    files: (size) => [
      ['kustomization.yaml', 'resources: [pods.yaml, maps.yaml]\n'],
      ['pods.yaml', documents(size, (n) => podWithConfig(`p-${wordOf(n)}`, `${wordOf(n)}-confg`))],
      ['maps.yaml', documents(size, (n) => configMap(`${wordOf(n)}-config`))],
    ],
  },
  {
    name: 'ApplicationSets that apply the same folders',
    size: 6,
    files: (size) => [
      ...numbers(30).map((n) => [`apps/a${n}/map.yaml`, configMap(`a${n}`)] as const),
      ...numbers(size).map((n) => [`set-${n}.yaml`, applicationSet(`s${n}`, 30)] as const),
    ],
  },
];

function configMap(name: string): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`;
}

function podWithConfig(name: string, config: string): string {
  return `${pod(name, 'app: a').trimEnd()}\nspec: {volumes: [{name: v, configMap: {name: ${config}}}]}\n`;
}

/** Returns a word of eight letters that differs from the words of other numbers in most letters. */
function wordOf(number: number): string {
  let rest = Math.imul(number + 1, 2_654_435_761) >>> 0;
  return Array.from({ length: 8 }, () => {
    const letter = String.fromCharCode(97 + (rest % 16));
    rest = (Math.imul(rest, 1_664_525) + 1_013_904_223) >>> 4;
    return letter;
  }).join('');
}
