/** Reports field paths of the downward API that the API server rejects. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import { validateLabelKey } from '../../engine/index.ts';
import { written } from '../../manifests/sites/sites.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { childOf, type MapEntry, type Node, type ScalarNode } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { isLikelyMisspelling } from '../../text/misspelling.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { appliedParts, hasOperations } from '../helpers/patch-parts.ts';
import { shorten } from '../helpers/sentences.ts';

interface Unsupported extends Fact {
  readonly scalar: ScalarNode;
  readonly where: Where;
  readonly near?: string;
  /** Whether the version of the path is reported. */
  readonly isVersion?: true;
}

type Where = 'env' | 'volume';

const always = ['metadata.name', 'metadata.namespace', 'metadata.uid'];
const supported: Readonly<Record<Where, readonly string[]>> = {
  env: [
    ...[...always, 'spec.nodeName', 'spec.serviceAccountName'],
    ...['status.hostIP', 'status.hostIPs', 'status.podIP', 'status.podIPs'],
  ],
  volume: [...always, 'metadata.labels', 'metadata.annotations'],
};

export const fieldPathUnsupported = rule<Unsupported>({
  id: 'field-path-unsupported',
  severity: 'error',
  validatesFields: true,
  summary: 'A `fieldPath` of the downward API that the API server does not support.',
  why: "The downward API reads a few fields of a pod, and single labels and annotations in the notation `metadata.labels['key']`. The API server rejects a pod with any other path.",
  bad: [
    {
      title: 'A misspelled field.',
      text: `apiVersion: v1
kind: Pod
metadata:
  name: front
spec:
  containers:
    - name: front
      image: nginx
      env:
        - name: NODE
          valueFrom: {fieldRef: {fieldPath: spec.nodename}}
`,
    },
  ],
  good: [
    {
      title: 'A supported field, and a label selected by its key.',
      text: `apiVersion: v1
kind: Pod
metadata:
  name: front
  labels: {app: front}
spec:
  containers:
    - name: front
      image: nginx
      env:
        - name: NODE
          valueFrom: {fieldRef: {fieldPath: spec.nodeName}}
        - name: APP
          valueFrom: {fieldRef: {fieldPath: "metadata.labels['app']"}}
`,
    },
  ],
  dependsOnOthers: hasOperations,
  *check(context) {
    if (!context.mentions('fieldPaths')) return;
    for (const { object, rootOf } of appliedParts(context)) {
      // The schema of a definition may contain examples.
      if (!isBuiltIn(object.group) || object.defines !== undefined) continue;
      for (const { scalar, where, version } of pathsIn(rootOf())) {
        if (version !== undefined) yield { span: version.span, scalar: version, where, isVersion: true, near: 'v1' };
        // Without quotes, the brackets of a key end a path in a flow map.
        if (context.text[scalar.span.end] === '[') continue;
        const near = problemOf(scalar.text, where);
        if (near !== undefined) yield { span: scalar.span, scalar, where, ...(near !== '' && { near }) };
      }
    }
  },
  message({ scalar, where, near, isVersion }) {
    if (isVersion) {
      return localize`The version of a field path must be 'v1', not '${shorten(scalar.text)}'; the API server rejects it.`;
    }
    if (keyed.test(scalar.text)) {
      return localize`The key in field path '${shorten(scalar.text)}' is invalid; the API server rejects it.`;
    }
    const place = where === 'env' ? localize`an environment variable` : localize`a volume`;
    const meant = near === undefined ? '' : localize` Closest: '${shorten(near)}'.`;
    return localize`Field path '${shorten(scalar.text)}' is not supported in ${place}; the API server rejects it.${meant}`;
  },
  fixes: ({ scalar, near, isVersion }) =>
    near === undefined
      ? []
      : [
          {
            title: titleOf(near, isVersion === true),
            edits: [replaceScalar(written(scalar), near)],
            preferred: true,
          },
        ],
});

function titleOf(near: string, isVersion: boolean): string {
  const key = keyed.exec(near)?.[2];
  if (key !== undefined) return localize`Correct the notation of key '${shorten(key)}'`;
  return localize`Change the ${isVersion ? 'version' : 'path'} to '${shorten(near)}'`;
}

/** The path of a single label or annotation. */
const keyed = /^metadata\.(labels|annotations)\['([^']*)'\]$/;

/** Returns the supported path that was probably intended, or an empty string if there is none; undefined if the path itself is supported. */
function problemOf(path: string, where: Where): string | undefined {
  const [, map, key = ''] = keyed.exec(path) ?? [];
  // Label keys are validated wherever they are written.
  if (map === 'labels' && key !== '') return undefined;
  if (map !== undefined) return validateLabelKey(key.toLowerCase()).length === 0 ? undefined : '';
  const known = supported[where];
  if (known.includes(path) || (where === 'env' && path === 'spec.host')) return undefined;
  const plain = path.trim().replace(/^\{?\.?|\}$/g, '');
  return meantKey(plain) ?? known.find((each) => each === plain || isLikelyMisspelling(plain, each)) ?? '';
}

/** Returns the path of a single label or annotation whose key is written in another notation: `metadata.labels["key"]`, `metadata.labels[key]` or `metadata.labels.key`. */
function meantKey(path: string): string | undefined {
  const [, map, key = ''] = /^metadata\.(labels|annotations)(?:\.?\[["']?|\.)([^"'[\]]+)(?:["']?\])?$/.exec(path) ?? [];
  return map !== undefined && validateLabelKey(key).length === 0 ? `metadata.${map}['${key}']` : undefined;
}

interface FieldPath {
  readonly scalar: ScalarNode;
  readonly where: Where;
  /** The version of the path, if it is not the only supported one. */
  readonly version?: ScalarNode;
}

/** The maximum depth of a search for paths; no object is nested more deeply. */
const maximumDepth = 60;

/** Yields the paths in `valueFrom.fieldRef` and in the items of `downwardAPI`. */
function* pathsIn(node: Node | undefined, under = '', depth = 0): Iterable<FieldPath> {
  if (node === undefined || node.kind === 'scalar' || depth > maximumDepth) return;
  if (node.kind === 'list') {
    for (const item of node.items) yield* pathsIn(item, under, depth + 1);
    return;
  }
  for (const entry of node.entries) {
    const path = entry.key.text === 'fieldRef' ? scalarIn(entry, 'fieldPath') : undefined;
    if (path !== undefined && (under === 'valueFrom' || under === 'items')) {
      const version = scalarIn(entry, 'apiVersion');
      const isOther = version !== undefined && version.text !== '' && version.text !== 'v1';
      yield { scalar: path, where: under === 'items' ? 'volume' : 'env', ...(isOther && { version }) };
    }
    yield* pathsIn(entry.value, entry.key.text, depth + 1);
  }
}

function scalarIn({ value }: MapEntry, field: 'fieldPath' | 'apiVersion'): ScalarNode | undefined {
  const path = childOf(value, field);
  return path?.kind === 'scalar' && path.pattern === undefined && path.type === 'string' && path.origin === undefined
    ? path
    : undefined;
}
