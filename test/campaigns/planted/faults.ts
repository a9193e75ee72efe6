/** Common classes of faults in labels, selectors, names and namespaces. */

import type { App, Part } from './workspaces.ts';

export interface FaultClass {
  readonly id: string;
  /** The description of the fault. */
  readonly about: string;
  readonly part: Part;
  /** Only workspaces with an overlay have the document. */
  readonly overlay?: true;
  /** A selector differs by one word from the intended one: such a fault must be found. */
  readonly near?: true;
  /** The document with the fault; the number selects the position in a word. */
  plant(text: string, app: App, at: number): string;
}

/** Two neighboring letters are swapped. */
export function swapped(word: string, at: number): string {
  for (let i = 1 + (at % (word.length - 2)), left = word.length; left > 0; left--, i = 1 + (i % (word.length - 2))) {
    const [a = '', b = ''] = [word[i], word[i + 1]];
    if (a !== b && /[a-z]/.test(a) && /[a-z]/.test(b)) return word.slice(0, i) + b + a + word.slice(i + 2);
  }
  return `${word}x`;
}

/** One letter is missing, or duplicated. */
export function oneLetter(word: string, at: number): string {
  const i = 1 + (at % (word.length - 1));
  if (word[i] === '-') return oneLetter(word, at + 1);
  return at % 2 === 0 ? word.slice(0, i) + word.slice(i + 1) : word.slice(0, i) + (word[i] ?? '') + word.slice(i);
}

/** Two letters are missing, far from each other. */
export function twoLetters(word: string, at: number): string {
  const once = word.slice(0, 2) + word.slice(3);
  const i = once.length - 2 - (at % 2);
  return once.slice(0, i) + once.slice(i + 1);
}

/** Another case. */
export function otherCase(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** An underscore instead of a dash, a missing dash, or an additional one. */
export function otherSeparator(word: string, at: number): string {
  if (word.includes('-')) return word.replace('-', at % 2 === 0 ? '_' : '');
  const i = Math.floor(word.length / 2);
  return `${word.slice(0, i)}-${word.slice(i)}`;
}

/** Singular instead of plural, or vice versa. */
export function otherNumber(word: string): string {
  return word.endsWith('s') ? word.slice(0, -1) : `${word}s`;
}

const label = 'app.kubernetes.io/name: ';

/** Replaces the last label of a document by another value. */
function lastLabel(text: string, { name }: App, to: string): string {
  const at = text.lastIndexOf(`${label}${name}\n`);
  return `${text.slice(0, at)}${label}${to}\n${text.slice(at + label.length + name.length + 1)}`;
}

const service = (change: (word: string, at: number) => string): Pick<FaultClass, 'part' | 'plant' | 'near'> => ({
  part: 'service',
  near: true,
  plant: (text, app, at) => lastLabel(text, app, change(app.name, at)),
});

/** Misspellings and other slips. */
const slips: readonly FaultClass[] = [
  {
    id: 'swapped letters',
    about: 'In the selector of a Service, two letters of the value are in the wrong order.',
    ...service(swapped),
  },
  { id: 'one letter', about: 'A letter of the selector of a Service is missing or doubled.', ...service(oneLetter) },
  { id: 'two letters', about: 'Two letters of the selector of a Service are missing.', ...service(twoLetters) },
  {
    id: 'case',
    about: 'The selector of a Service differs from the label in the case of one letter.',
    ...service(otherCase),
  },
  {
    id: 'separator',
    about: 'The selector of a Service and the label of the pods differ in a separator: a dash or an underscore.',
    ...service(otherSeparator),
  },
  {
    id: 'plural',
    about: 'The selector of a Service has the singular form where the label has the plural form, or the reverse.',
    ...service(otherNumber),
  },
  {
    id: 'key',
    about: 'The key in the selector of a Service is misspelled.',
    part: 'service',
    near: true,
    plant: (text, { name }, at) => {
      const key = `app.kubernetes.io/${at % 2 === 0 ? swapped('name', at) : 'nam'}`;
      const found = text.lastIndexOf(`${label}${name}`);
      return text.slice(0, found) + text.slice(found).replace('app.kubernetes.io/name', key);
    },
  },
  {
    id: 'stale name',
    about: 'The label of a workload was renamed, and the Service still selects the old value.',
    part: 'workload',
    plant: (text, { name }) =>
      text.replaceAll(`${label}${name}`, `${label}new-backend`).replaceAll(`[${name}]`, '[new-backend]'),
  },
  {
    id: 'namespace of the object',
    about: 'The namespace of a Service is misspelled, so that it is not in the namespace of its pods.',
    part: 'service',
    near: true,
    plant: (text, { namespace }, at) => text.replace(`namespace: ${namespace}`, `namespace: ${swapped(namespace, at)}`),
  },
  {
    id: 'template label',
    about: 'A label in the pod template of a workload is misspelled, but the selector of the workload is not.',
    part: 'workload',
    plant: (text, { name }, at) => {
      const found = text.indexOf(`        ${label}${name}`);
      return text.slice(0, found) + text.slice(found).replace(`${label}${name}`, `${label}${oneLetter(name, at)}`);
    },
  },
  {
    id: 'label and own selector',
    about:
      'The label of a workload is misspelled in its pod template and its own selector, but not in other selectors.',
    part: 'workload',
    near: true,
    plant: (text, { name }, at) =>
      text.replaceAll(name, swapped(name, at)).replace(`  name: ${swapped(name, at)}`, `  name: ${name}`),
  },
  {
    id: 'policy',
    about: 'The pod selector of a NetworkPolicy is misspelled, so it applies to no pod.',
    part: 'policy',
    near: true,
    plant: (text, { name }, at) => text.replace(`${label}${name}\n`, `${label}${oneLetter(name, at)}\n`),
  },
  {
    id: 'policy peer',
    about: 'The pod selector of a peer in a NetworkPolicy is misspelled, so the peer is not allowed.',
    part: 'policy',
    near: true,
    plant: (text, { peer }, at) => text.replace(`${label}${peer}\n`, `${label}${swapped(peer, at)}\n`),
  },
  {
    id: 'namespace of a peer',
    about: 'The namespace of a peer in a NetworkPolicy is misspelled.',
    part: 'policy',
    near: true,
    plant: (text, { namespace }, at) =>
      text.replace(
        `metadata.name: ${namespace}`,
        `metadata.name: ${at % 2 === 0 ? swapped(namespace, at) : oneLetter(namespace, at)}`,
      ),
  },
  {
    id: 'budget',
    about: 'The expression of a PodDisruptionBudget has a misspelled value, so it protects no pod.',
    part: 'budget',
    near: true,
    plant: (text, { name }, at) => text.replace(`[${name}]`, `[${oneLetter(name, at)}]`),
  },
  {
    id: 'autoscaler',
    about: 'A HorizontalPodAutoscaler names a workload that does not exist.',
    part: 'autoscaler',
    near: true,
    plant: (text, { name }, at) => text.replace(`    name: ${name}`, `    name: ${oneLetter(name, at)}`),
  },
  {
    id: 'monitor',
    about: 'The selector of a ServiceMonitor is misspelled, so nothing is scraped.',
    part: 'monitor',
    near: true,
    plant: (text, app, at) => lastLabel(text, app, swapped(app.name, at)),
  },
  {
    id: 'namespace of a monitor',
    about: 'A ServiceMonitor lists a namespace that is misspelled.',
    part: 'monitor',
    near: true,
    plant: (text, { namespace }, at) =>
      text.replace(`matchNames: [${namespace}]`, `matchNames: [${oneLetter(namespace, at)}]`),
  },
  {
    id: 'affinity',
    about: 'The selector in the affinity of a workload to a different workload is misspelled.',
    part: 'workload',
    near: true,
    plant: (text, { peer }, at) => text.replace(`${label}${peer}`, `${label}${swapped(peer, at)}`),
  },
  {
    id: 'anti-affinity',
    about:
      'The selector in the anti-affinity of a workload to its own pods is misspelled, so the pods may share nodes.',
    part: 'workload',
    near: true,
    plant: (text, { name }, at) => text.replace(`[${name}]`, `[${oneLetter(name, at)}]`),
  },
  {
    id: 'spread constraint',
    about: 'The selector in a topology spread constraint of a workload is misspelled, so its pods are not spread.',
    part: 'workload',
    near: true,
    plant: (text, app, at) => lastLabel(text, app, swapped(app.name, at)),
  },
  {
    id: 'patch',
    about: 'A document in a patch file names an object that is not in the kustomization.',
    part: 'patch',
    overlay: true,
    plant: (text, { name }, at) => text.replace(`name: ${name}`, `name: ${oneLetter(name, at)}`),
  },
  {
    id: 'common labels',
    about: 'An overlay overwrites the label that selectors use to distinguish pods.',
    part: 'overlay',
    overlay: true,
    plant: (text, _, at) => `commonLabels: {app.kubernetes.io/name: ${at % 2 === 0 ? 'payments' : 'prod'}}\n${text}`,
  },
  {
    id: 'two controllers',
    about: 'A workload was copied, and the copy selects the pods of the original.',
    part: 'workload',
    plant: (text, { name, peer }) => text.replaceAll(`${label}${name}`, `${label}${peer}`),
  },
  {
    id: 'port',
    about: 'A Service names a port that no container of its pods declares.',
    part: 'service',
    plant: (text, _, at) =>
      text.replace('targetPort: http', `targetPort: ${['htpp', 'web', 'https', 'http-web', 'metrics'][at % 5]}`),
  },
  {
    id: 'command',
    about: 'The selector in a kubectl command in a Markdown page is misspelled.',
    part: 'readme',
    plant: (text, { name }, at) => text.replace(`name=${name}`, `name=${swapped(name, at)}`),
  },
  {
    id: 'syntax',
    about: 'A key, a value or an operator is not valid, and the API server rejects the object.',
    part: 'budget',
    plant: (text, { name }, at) => {
      if (at % 3 === 0) return text.replace('operator: In', 'operator: Equals');
      if (at % 3 === 1) return text.replace(`[${name}]`, `["${name} "]`);
      return text.replace('key: app.kubernetes.io/name', 'key: app.kubernetes.io/name/');
    },
  },
];

/** Text that was copied or is out of date. */
const copies: readonly FaultClass[] = [
  {
    id: 'copied Service',
    about: 'A Service was copied, and its selector still matches the pods of the original.',
    part: 'service',
    plant: (text, app) => lastLabel(text, app, app.peer),
  },
  {
    id: 'copied budget',
    about: 'A PodDisruptionBudget was copied, and still selects the pods of the original.',
    part: 'budget',
    plant: (text, { name, peer }) => text.replace(`[${name}]`, `[${peer}]`),
  },
  {
    id: 'copied autoscaler',
    about: 'A HorizontalPodAutoscaler was copied, and still scales the original.',
    part: 'autoscaler',
    plant: (text, { name, peer }) => text.replace(`    name: ${name}`, `    name: ${peer}`),
  },
  {
    id: 'copied name',
    about: 'A ConfigMap was copied with its name, and replaces the original.',
    part: 'settings',
    plant: (text, { name, peer }) => text.replace(`name: ${name}-settings`, `name: ${peer}-settings`),
  },
  {
    id: 'stale workload',
    about: 'A Deployment was renamed, and its HorizontalPodAutoscaler still has the old name.',
    part: 'workload',
    plant: (text, { name }) => text.replace(`  name: ${name}\n`, `  name: ${name}-app\n`),
  },
  {
    id: 'stale ConfigMap',
    about: 'A ConfigMap was renamed, and its workload still has the old name.',
    part: 'settings',
    plant: (text) => text.replace('-settings\n', '-config\n'),
  },
  {
    id: 'stale Secret',
    about: 'A Secret was renamed, and its workload still has the old name.',
    part: 'secret',
    plant: (text) => text.replace('-database\n', '-postgres\n'),
  },
  {
    id: 'stale ServiceAccount',
    about: 'A ServiceAccount was renamed, and its workload still has the old name.',
    part: 'account',
    plant: (text) => text.replace('-runner\n', '-deployer\n'),
  },
  {
    id: 'stale Service',
    about: 'A Service was renamed, and its Ingress still has the old name.',
    part: 'service',
    plant: (text, { name }) => text.replace(`  name: ${name}\n`, `  name: ${name}-svc\n`),
  },
  {
    id: 'stale port name',
    about: 'A port of a container was renamed, and its Service still has the old name.',
    part: 'workload',
    plant: (text) => text.replace('{name: http, containerPort', '{name: web, containerPort'),
  },
  {
    id: 'stale affinity',
    about: 'An affinity selects the old value of the label of another workload.',
    part: 'workload',
    plant: (text, { peer }) => text.replace(`${label}${peer}`, `${label}old-backend`),
  },
  {
    id: 'stale Secret key',
    about: 'A key of a Secret was renamed, and its workload still has the old key.',
    part: 'secret',
    plant: (text) => text.replace('password:', 'postgres-password:'),
  },
];

/** References and fields that do not fit to the object that they are meant for. */
const mismatches: readonly FaultClass[] = [
  {
    id: 'wrong ConfigMap key',
    about: 'A workload reads a key that its ConfigMap does not have.',
    part: 'workload',
    plant: (text) => text.replace('key: log-level', 'key: LOG_LEVEL'),
  },
  {
    id: 'wrong kind',
    about: 'A HorizontalPodAutoscaler names a StatefulSet, but the workload is a Deployment.',
    part: 'autoscaler',
    plant: (text) => text.replace('kind: Deployment', 'kind: StatefulSet'),
  },
  {
    id: 'wrong backend',
    about: 'An Ingress names the Service with a suffix that it does not have.',
    part: 'ingress',
    plant: (text, { name }) => text.replace(`                name: ${name}`, `                name: ${name}-service`),
  },
  {
    id: 'wrong backend port',
    about: 'An Ingress has the port of the container, which the Service does not have.',
    part: 'ingress',
    plant: (text) => text.replace('number: 80', 'number: 8080'),
  },
  {
    id: 'wrong monitor port',
    about: 'A ServiceMonitor names a port that its Service does not have.',
    part: 'monitor',
    plant: (text) => text.replace('port: http', 'port: metrics'),
  },
  {
    id: 'wrong key',
    about: 'A Service selects the key `app`, but the pods have `app.kubernetes.io/name`.',
    part: 'service',
    plant: (text, { name }) => text.replace(`selector:\n    ${label}${name}`, `selector:\n    app: ${name}`),
  },
  {
    id: 'wrong namespace',
    about: 'A Service is in a namespace without its pods.',
    part: 'service',
    plant: (text, { namespace }) => text.replace(`namespace: ${namespace}`, 'namespace: staging'),
  },
  {
    id: 'additional requirement',
    about: 'A Service requires a label that its pods do not have.',
    part: 'service',
    plant: (text, { name }) =>
      text.replace(`selector:\n    ${label}${name}`, `selector:\n    ${label}${name}\n    tier: backend`),
  },
  {
    id: 'lost requirement',
    about: 'A Service lost the requirement that distinguishes its pods from those of other workloads.',
    part: 'service',
    plant: (text, { name, namespace }) =>
      text.replace(`selector:\n    ${label}${name}`, `selector:\n    app.kubernetes.io/part-of: ${namespace}`),
  },
  {
    id: 'misplaced labels',
    about: 'The labels of the pods are next to the metadata of the pod template.',
    part: 'workload',
    plant: (text) => text.replace('    metadata:\n      labels:\n', '    labels:\n'),
  },
  {
    id: 'form of a Service',
    about: 'A PodDisruptionBudget has a selector in the form of a Service.',
    part: 'budget',
    plant: (text, { name }) => `${text.slice(0, text.indexOf('  selector:'))}  selector:\n    ${label}${name}\n`,
  },
  {
    id: 'form of a workload',
    about: 'A Service has a selector in the form of a Deployment.',
    part: 'service',
    plant: (text, { name }) =>
      text.replace(`selector:\n    ${label}${name}`, `selector:\n    matchLabels:\n      ${label}${name}`),
  },
  {
    id: 'duplicate key',
    about: 'A merge left two values of a key in the selector of a Service.',
    part: 'service',
    plant: (text, { name, peer }) =>
      text.replace(`selector:\n    ${label}${name}`, `selector:\n    ${label}${name}\n    ${label}${peer}`),
  },
];

export const faultClasses: readonly FaultClass[] = [...slips, ...copies, ...mismatches];
