/** Tests the findings and fixes for each kind of invalid label key in each place that contains a key (requirement Z22). */

import assert from 'node:assert/strict';
import type { Finding } from '../../server/src/rules/framework/rule.ts';
import { benchOver } from '../harness/bench.ts';
import { readMargin } from '../harness/margin.ts';

const claim = 'spec:\n  accessModes: [ReadWriteOnce]\n  resources: {requests: {storage: 1Gi}}\n';

/** Invalid keys of each kind. */
const keys: Readonly<Record<string, string>> = {
  'upper case': 'Ex.com/y',
  underscore: 'e_x.com/y',
  space: 'price list',
  character: 'price@list',
  'first character': '-app',
  'last character': 'app-',
  'no name': 'x.io/',
  'no prefix': '/app',
  dashes: '---',
  empty: '',
  'long name': `${'shop-'.repeat(13)}front`,
  'long prefix': `${'shop.'.repeat(51)}com/app`,
  'second slash': 'shop/a/b',
  lookalike: 'w\u0435b',
  accent: 'caf\u00e9',
};

const pod = 'containers:\n        - name: web\n          image: shop/web\n';
const quoted = (key: string) => JSON.stringify(key);
const object = (kind: string, spec: string, metadata = '') =>
  `apiVersion: v1\nkind: ${kind}\nmetadata:\n  name: web\n${metadata}${spec}`;
const workload = (labels: string, spec: string) =>
  `apiVersion: batch/v1\nkind: Job\nmetadata:\n  name: web\nspec:\n  template:\n    metadata:\n      labels:\n        role: web\n${labels}    spec:\n      restartPolicy: Never\n${spec}      ${pod}`;

/** The files that contain a key in each place. The first file contains the key. */
const places: Readonly<Record<string, (key: string) => Readonly<Record<string, string>>>> = {
  labels: (key) => ({ 'web.yaml': object('ConfigMap', '', `  labels:\n    ${quoted(key)}: x\n`) }),
  annotations: (key) => ({ 'web.yaml': object('ConfigMap', '', `  annotations:\n    ${quoted(key)}: x\n`) }),
  'labels of a template': (key) => ({ 'web.yaml': workload(`        ${quoted(key)}: x\n`, '') }),
  'selector of a Service': (key) => ({ 'web.yaml': object('Service', `spec:\n  selector:\n    ${quoted(key)}: x\n`) }),
  matchLabels: (key) => ({
    'web.yaml': object('PersistentVolumeClaim', `${claim}  selector:\n    matchLabels:\n      ${quoted(key)}: x\n`),
  }),
  matchExpressions: (key) => ({
    'web.yaml': object(
      'PersistentVolumeClaim',
      `${claim}  selector:\n    matchExpressions:\n      - { key: ${quoted(key)}, operator: Exists }\n`,
    ),
  }),
  nodeSelector: (key) => ({ 'web.yaml': workload('', `      nodeSelector:\n        ${quoted(key)}: x\n`) }),
  'node affinity': (key) => ({
    'web.yaml': workload(
      '',
      `      affinity:\n        nodeAffinity:\n          requiredDuringSchedulingIgnoredDuringExecution:\n            nodeSelectorTerms:\n              - matchExpressions:\n                  - { key: ${quoted(key)}, operator: Exists }\n`,
    ),
  }),
  topologyKey: (key) => ({
    'web.yaml': workload(
      '',
      `      topologySpreadConstraints:\n        - topologyKey: ${quoted(key)}\n          maxSkew: 1\n          whenUnsatisfiable: DoNotSchedule\n          labelSelector:\n            matchLabels:\n              role: web\n`,
    ),
  }),
  toleration: (key) => ({
    'web.yaml': workload('', `      tolerations:\n        - { key: ${quoted(key)}, operator: Exists }\n`),
  }),
  'taint of a Node': (key) => ({
    'web.yaml': object('Node', `spec:\n  taints:\n    - { key: ${quoted(key)}, effect: NoSchedule }\n`),
  }),
  'inline transformer': (key) => ({
    'kustomization.yaml': `resources: [web.yaml]\ntransformers:\n  - |-\n    apiVersion: builtin\n    kind: LabelTransformer\n    metadata:\n      name: labels\n    labels:\n      ${quoted(key)}: x\n    fieldSpecs:\n      - path: metadata/labels\n        create: true\n`,
    'web.yaml': object('ConfigMap', ''),
  }),
  kustomization: (key) => ({
    'kustomization.yaml': `resources: [web.yaml]\nlabels:\n  - pairs:\n      ${quoted(key)}: x\n`,
    'web.yaml': object('ConfigMap', ''),
  }),
  'values of a chart': (key) => ({
    'values.yaml': `labels:\n  ${quoted(key)}: x\n`,
    'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
    'templates/web.yaml': object('ConfigMap', '', '  labels:\n    {{- toYaml .Values.labels | nindent 4 }}\n'),
  }),
  'JSON patch': (key) => ({
    'kustomization.yaml': `resources: [web.yaml]\npatches:\n  - target:\n      kind: ConfigMap\n    patch: |-\n      - op: add\n        path: ${quoted(`/metadata/labels/${key.replaceAll('/', '~1')}`)}\n        value: x\n`,
    'web.yaml': object('ConfigMap', '', '  labels:\n    app: web\n'),
  }),
  'merge patch': (key) => ({
    'kustomization.yaml': `resources: [web.yaml]\npatches:\n  - patch: |-\n      apiVersion: v1\n      kind: ConfigMap\n      metadata:\n        name: web\n        labels:\n          ${quoted(key)}: x\n`,
    'web.yaml': object('ConfigMap', '', '  labels:\n    app: web\n'),
  }),
  helper: (key) => ({
    'templates/_helpers.tpl': `{{- define "labels" -}}\napp: web\n${quoted(key)}: x\n{{- end }}\n`,
    'Chart.yaml': 'apiVersion: v2\nname: shop\nversion: 1.0.0\n',
    'templates/web.yaml': object('ConfigMap', '', '  labels:\n    {{- include "labels" . | nindent 4 }}\n'),
  }),
  command: (key) => ({ 'get.sh': `kubectl get pods -l '${key}=x,tier=web'\n` }),
  'kubectl label': (key) => ({ 'label.sh': `kubectl label pod web '${key}=x'\n` }),
  'kubectl taint': (key) => ({ 'taint.sh': `kubectl taint nodes n1 '${key}=x:NoSchedule'\n` }),
  'selector file': (key) => ({ 'web.selector': `${key}=x,tier=web\n` }),
  URL: (key) => ({
    'get.sh': `curl "https://localhost/api/v1/pods?labelSelector=${encodeURIComponent(`${key}=x,tier=web`)}"\n`,
  }),
  'container argument': (key) => ({
    'web.yaml': workload('', '').replace(
      'image: shop/web\n',
      `image: shop/web\n          command: [kubectl, get, pods, -l, ${quoted(`${key}=x,tier=web`)}]\n`,
    ),
  }),
};

/** The key with which the first fix replaces each invalid key; a question mark precedes a fix that is not preferred. */
const corrected: Readonly<Record<string, string>> = {
  'upper case': 'ex.com/y',
  underscore: 'e-x.com/y',
  space: 'price-list',
  character: '? price-list',
  'first character': 'app',
  'last character': 'app',
  'no prefix': '? app',
  'long name': '? shop-shop-shop-shop-shop-shop-shop-sh...',
  'second slash': '? shop/a-b',
  lookalike: '? web',
  accent: '? cafe',
};

interface Expected {
  readonly rule: string;
  /** The text after the key in the titles of fixes. */
  readonly rest?: string;
  /** Fixes that remove the entry, by kind. */
  readonly removed?: Readonly<Record<string, string>>;
  /** Kinds of keys that have no finding, with the reason. */
  readonly silent?: Readonly<Record<string, string>>;
  /** Rules that report some kinds of keys instead, without a fix. */
  readonly instead?: Readonly<Record<string, string>>;
}

const label = { rule: 'label-key-syntax' };
const inSelectors = { rule: 'selector-syntax', rest: '=x,tier=web' };
const removed = { 'no name': '? Remove the label', dashes: '? Remove the label', empty: 'Remove the label' };
const flag = 'kubectl reads the word as a flag';
/** kubectl has no such option. */
const option = { 'first character': 'command-argument' };

/** What is reported in each place. A key without a name has no fix in a selector, because removing a requirement changes what it matches. In a patch, a transformer or a helper, the entry is a line of a nested text, which only its author can remove, and only the author can shorten a prefix. */
const expected: Readonly<Record<string, Expected>> = {
  labels: { ...label, removed },
  annotations: {
    rule: 'annotation-key-syntax',
    removed: {
      'no name': '? Remove the annotation',
      dashes: '? Remove the annotation',
      empty: 'Remove the annotation',
    },
    silent: { 'upper case': 'Kubernetes accepts it in annotations' },
  },
  'labels of a template': { ...label, removed },
  'selector of a Service': label,
  matchLabels: label,
  matchExpressions: { rule: 'selector-syntax' },
  nodeSelector: label,
  'node affinity': { rule: 'node-selector-syntax' },
  topologyKey: label,
  toleration: { rule: 'taint-syntax', silent: { empty: 'an empty key tolerates all taints' } },
  'taint of a Node': { rule: 'taint-syntax' },
  'inline transformer': { rule: 'invalid-as-applied' },
  kustomization: label,
  'values of a chart': { ...label, removed },
  'JSON patch': { rule: 'invalid-as-applied' },
  'merge patch': { rule: 'invalid-as-applied' },
  helper: { rule: 'invalid-as-applied' },
  command: inSelectors,
  'kubectl label': { ...label, silent: { dashes: flag, empty: 'the word is not a label' }, instead: option },
  'kubectl taint': {
    rule: 'command-argument',
    rest: '=x:NoSchedule',
    silent: { dashes: flag, empty: 'the word is not a taint' },
    instead: option,
  },
  'selector file': inSelectors,
  URL: inSelectors,
  'container argument': inSelectors,
};

describe('invalid keys', () => {
  for (const [place, filesFor] of Object.entries(places)) {
    it(`in ${place} have findings and fixes`, async () => {
      const found: Record<string, string> = {};
      for (const [kind, key] of Object.entries(keys)) found[kind] = await outcome(filesFor(key));
      assert.deepEqual(
        found,
        Object.fromEntries(Object.keys(keys).map((kind) => [kind, outcomeIn(expected[place], kind)])),
      );
    });
  }
});

function outcomeIn(
  { rule, rest = '', removed: gone, silent = {}, instead = {} }: Expected = label,
  kind: string,
): string {
  if (silent[kind] !== undefined) return '';
  if (instead[kind] !== undefined) return instead[kind];
  const fix = gone?.[kind] ?? corrected[kind];
  if (fix === undefined) return rule;
  const isCut = fix.endsWith('...') || gone?.[kind] !== undefined;
  return `${rule}: ${fix}${isCut ? '' : rest}`;
}

/** Returns the rules that report the key, and the texts with which their fixes replace it. */
async function outcome(files: Readonly<Record<string, string>>): Promise<string> {
  const b = await benchOver(Object.entries(files).map(([name, text]) => readMargin(name, text.split('\n'))));
  return b
    .findings(Object.keys(files)[0] ?? '')
    .map(described)
    .join('; ');
}

function described({ rule, fixes }: Finding): string {
  const titles = fixes().map(({ title, preferred }) => {
    const [, text = title] = /^Change (?:the (?:key|taint) )?to '(.*)'$/.exec(title) ?? [];
    return `${preferred ? '' : '? '}${text}`;
  });
  return `${rule}${titles.length === 0 ? '' : `: ${titles.join(', ')}`}`;
}
