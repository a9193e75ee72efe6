/** Refactorings that create objects that select a workload. A table contains the kinds and the documents to create. */

import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { LabelEntry, LabeledObject, ManifestObject } from '../../manifests/model.ts';
import { scalarText } from '../../manifests/write/write-text.ts';
import { childOf, itemsOf, type Node } from '../../manifests/yaml/tree.ts';
import { lineEnd } from '../../text/lines.ts';
import { localize } from '../../text/localize.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';
import { stepsOf, targetAt, treeOf } from '../../workspace/object-trees.ts';
import { selectingObjectsOf } from '../../workspace/selection/selecting-objects.ts';
import { objectName } from '../presentation/object-names.ts';
import type { RefactorContext, Refactoring } from './model.ts';

interface Port {
  readonly number: string;
  readonly name?: string;
  /** The name of the container port. */
  readonly target?: string;
  readonly protocol?: string;
}

interface Selected {
  readonly labels: readonly LabelEntry[];
  readonly ports: readonly Port[];
}

interface NewKind {
  readonly kind: string;
  readonly apiVersion: string;
  /** Returns the lines of `spec`, indented by two spaces for each level. */
  spec(selected: Selected): readonly string[];
}

const selected = kindKey({ group: '', kind: 'Pod' });

const newKinds: readonly NewKind[] = [
  {
    kind: 'Service',
    apiVersion: 'v1',
    spec: ({ labels, ports }) => [
      'selector:',
      ...labels.map((label) => `  ${pair(label)}`),
      ...(ports.length > 0 ? ['ports:', ...ports.flatMap(portLines)] : [`clusterIP: None`]),
    ],
  },
  {
    kind: 'PodDisruptionBudget',
    apiVersion: 'policy/v1',
    spec: ({ labels }) => [
      'maxUnavailable: 1',
      'selector:',
      '  matchLabels:',
      ...labels.map((label) => `    ${pair(label)}`),
    ],
  },
  {
    kind: 'NetworkPolicy',
    apiVersion: 'networking.k8s.io/v1',
    spec: ({ labels, ports }) => [
      'podSelector:',
      '  matchLabels:',
      ...labels.map((label) => `    ${pair(label)}`),
      'policyTypes:',
      '  - Ingress',
      'ingress:',
      '  - from:',
      '      - podSelector: {}',
      ...(ports.length > 0 ? ['    ports:', ...ports.flatMap(allowedPort)] : []),
    ],
  },
];

function pair({ key, value }: LabelEntry): string {
  return `${scalarText(key.text, 'plain')}: ${scalarText(value.text, 'plain')}`;
}

function portLines({ number, name, target, protocol }: Port): readonly string[] {
  return [
    ...(name === undefined ? [] : [`name: ${scalarText(name, 'plain')}`]),
    `port: ${number}`,
    ...(target === undefined ? [] : [`targetPort: ${scalarText(target, 'plain')}`]),
    ...(protocol === undefined ? [] : [`protocol: ${protocol}`]),
  ].map((line, index) => `  ${index === 0 ? '- ' : '  '}${line}`);
}

function allowedPort({ number, protocol }: Port): readonly string[] {
  return [`      - port: ${number}`, ...(protocol === undefined ? [] : [`        protocol: ${protocol}`])];
}

/** Returns a refactoring for each kind that does not select the workload yet; the refactoring appends a document to the file. */
export function newObjects(context: RefactorContext, object: ManifestObject): readonly Refactoring[] {
  const { workspace, catalogue, file, text, uri } = context;
  const { name, namespace, template } = object;
  if (/\.json$/i.test(uri) || template !== undefined || typeof name?.value !== 'string') return [];
  const labeledObject = podsOf(object);
  const labels = labeledObject && labelsToSelect(object, labeledObject);
  if (labeledObject === undefined || labels === undefined || labels.length === 0) return [];
  const selectingObjects = selectingObjectsOf(workspace, catalogue, { file, object, labeledObject });
  const taken = new Set(selectingObjects.map((selectingObject) => selectingObject.object.kind));
  return newKinds
    .filter(({ kind }) => !taken.has(kind))
    .map((made) => ({
      id: localize`new ${made.kind}`,
      title: localize`Create a ${made.kind} for ${objectName(object)}`,
      kind: 'refactor.extract',
      edits: () => {
        const head = [
          `apiVersion: ${made.apiVersion}`,
          `kind: ${made.kind}`,
          'metadata:',
          `  name: ${scalarText(name.text, 'plain')}`,
        ];
        if (namespace !== undefined) head.push(`  namespace: ${scalarText(namespace.text, 'plain')}`);
        const spec = made.spec({ labels, ports: portsOf(context, object, labeledObject) });
        return [append(text, [...head, 'spec:', ...spec.map((line) => `  ${line}`)])];
      },
    }));
}

/** Returns the labeled object that a Service could select: the object itself if it is a pod, or the pods that it creates. */
function podsOf(object: ManifestObject): LabeledObject | undefined {
  return labeledObjectsOf(object).find(({ target, open }) => kindKey(target) === selected && !open);
}

/** Returns the labels that identify the pods: labels that the object's own selector requires or, without such a selector, all of their labels. */
function labelsToSelect(object: ManifestObject, { site }: LabeledObject): readonly LabelEntry[] | undefined {
  const own = object.selectorSites.find(({ fact }) => fact.templateLabelsAt !== undefined || fact.mustMatchTemplate);
  const entries =
    own === undefined || own.expressions.length > 0 || own.entries.length === 0 ? site?.entries : own.entries;
  const isSure = entries?.every(({ key, value }) => typeof key.value === 'string' && typeof value.value === 'string');
  return isSure ? entries : undefined;
}

function portsOf(context: RefactorContext, object: ManifestObject, { via }: LabeledObject): readonly Port[] {
  const root = treeOf(context, object);
  const pod = via === undefined ? root : targetAt(root, stepsOf(via))?.node;
  const containers = itemsOf(childOf(childOf(pod, 'spec'), 'containers'));
  const ports = containers.flatMap((container) => itemsOf(childOf(container, 'ports'))).flatMap(portOf);
  return ports.length < 2 ? ports : ports.map(named);
}

/** Adds a name to a port without one, because each of several ports must have a name. */
function named(port: Port, index: number): Port {
  return port.name === undefined ? { ...port, name: `port-${index + 1}` } : port;
}

function portOf(node: Node): readonly Port[] {
  const number = textOf(childOf(node, 'containerPort'));
  if (number === undefined || !/^\d+$/.test(number)) return [];
  const [name, protocol] = [textOf(childOf(node, 'name')), textOf(childOf(node, 'protocol'))];
  return [{ number, ...(name !== undefined && { name, target: name }), ...(protocol !== undefined && { protocol }) }];
}

function textOf(node: Node | undefined): string | undefined {
  return node?.kind === 'scalar' && node.pattern === undefined && node.type !== 'null' ? node.text : undefined;
}

function append(text: string, lines: readonly string[]) {
  const end = lineEnd(text);
  const body = text.trimEnd();
  const separator = body.endsWith('---') && /(^|\n)---$/.test(body) ? [] : ['---'];
  const written = [...separator, ...lines].map((line) => end + line).join('');
  return { span: { start: body.length, end: text.length }, text: `${written}${end}` };
}
