/** Finds faults in the labels and taints that `kubeletExtraArgs` of kubeadm and of Cluster API pass to the kubelet. */

import {
  isReservedPrefix,
  type Problem,
  validateLabelKey,
  validateLabelValue,
  validateTaint,
} from '../../engine/index.ts';
import { scalarLetters } from '../../manifests/inline/scalar-source-map.ts';
import { part } from '../../manifests/inline/source-map.ts';
import { childOf, type Node, type ScalarNode } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { corrections } from '../fixes/fix-label.ts';
import { correctTaint } from '../fixes/fix-taint.ts';
import { shorten } from './sentences.ts';

/** A label or a taint that the kubelet rejects. */
export interface FlagFault {
  readonly span: Span;
  readonly message: string;
  readonly corrected?: { readonly text: string; readonly preferred: boolean };
}

/** Returns the faults in the values of `kubeletExtraArgs` in a syntax tree; `text` is the text of the file. */
export function flagFaults(root: Node, text: string): readonly FlagFault[] {
  return kubeletArguments(root).flatMap(({ flag, value }) => {
    const faultOf = faults.get(flag);
    const letters = scalarLetters(text, value);
    // The value of a flag in another form, such as one of several lines, has no position.
    if (faultOf === undefined || letters.text !== value.text) return [];
    let start = 0;
    return value.text.split(',').flatMap((item): readonly FlagFault[] => {
      const own = item.trim();
      const from = start + item.indexOf(own);
      start += item.length + 1;
      const found = own === '' || placeholder.test(own) ? undefined : faultOf(own);
      if (found === undefined) return [];
      const written = part(letters, from, from + own.length);
      return [{ ...found, span: { start: written.startOf(0), end: written.endOf(own.length - 1) } }];
    });
  });
}

/** Matches what a template of cloud-init, a variable or a placeholder writes. */
const placeholder = /[$<>]|\{[{%]|%\w/;

interface Argument {
  readonly flag: string;
  readonly value: ScalarNode;
}

/** Returns the arguments in all maps named `kubeletExtraArgs`; since v1beta4 of kubeadm, they are lists with `name` and `value`. */
function kubeletArguments(root: Node): readonly Argument[] {
  if (root.kind === 'scalar') return [];
  if (root.kind === 'list') return root.items.flatMap(kubeletArguments);
  return root.entries.flatMap(({ key, value }) =>
    key.text === 'kubeletExtraArgs' ? argumentsIn(value) : kubeletArguments(value),
  );
}

function argumentsIn(node: Node): readonly Argument[] {
  if (node.kind === 'scalar') return [];
  const pairs =
    node.kind === 'map'
      ? node.entries.map(({ key, value }) => [key, value] as const)
      : node.items.map((item) => [childOf(item, 'name'), childOf(item, 'value')] as const);
  return pairs.flatMap(([name, value]) =>
    name?.kind === 'scalar' && value?.kind === 'scalar' && value.pattern === undefined
      ? [{ flag: name.text, value }]
      : [],
  );
}

type FaultOf = (item: string) => Omit<FlagFault, 'span'> | undefined;

const faults: ReadonlyMap<string, FaultOf> = new Map([
  ['node-labels', labelFault],
  ['register-with-taints', taintFault],
]);

/** Returns the fault of a label. Defined by `ValidateKubeletFlags` in k8s.io/kubernetes/cmd/kubelet/app/options. */
function labelFault(item: string): Omit<FlagFault, 'span'> | undefined {
  const [key = '', value = ''] = separated(item, '=').map((each) => each.trim());
  const [problem] = [...validateLabelKey(key), ...validateLabelValue(value)];
  if (problem === undefined) {
    const prefix = key.slice(0, Math.max(key.indexOf('/'), 0));
    if (!isReservedPrefix(prefix) || ownLabels.has(key) || ownPrefix.test(prefix)) return undefined;
    return {
      message: localize`The kubelet does not start with \`--node-labels\` '${shorten(key)}': it may not set labels with the prefix '${shorten(prefix)}', except those of the kubelet.`,
    };
  }
  const [newKey, newValue] = [correctedPart('key', key), correctedPart('value', value)];
  const corrected = newKey &&
    newValue && {
      text: item.includes('=') ? `${newKey.text}=${newValue.text}` : newKey.text,
      preferred: newKey.preferred && newValue.preferred,
    };
  return { ...rejected('--node-labels', item, problem), ...(corrected && { corrected }) };
}

function correctedPart(is: 'key' | 'value', text: string) {
  const isValid = (is === 'key' ? validateLabelKey : validateLabelValue)(text).length === 0;
  return isValid ? { text, preferred: true } : corrections(is, text)[0];
}

/** The labels with reserved prefixes that a kubelet may set. Defined by `IsKubeletLabel` in k8s.io/kubelet/pkg/apis. */
const ownLabels: ReadonlySet<string> = new Set([
  'kubernetes.io/hostname',
  'kubernetes.io/os',
  'kubernetes.io/arch',
  'beta.kubernetes.io/os',
  'beta.kubernetes.io/arch',
  'beta.kubernetes.io/instance-type',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
]);
const ownPrefix = /(?:^|\.)(?:kubelet|node)\.kubernetes\.io$/;

/** Returns the fault of a taint. Defined by `ParseTaints` in k8s.io/kubernetes/pkg/util/taints. */
function taintFault(item: string): Omit<FlagFault, 'span'> | undefined {
  const [definition = '', effect = '', ...others] = item.split(':');
  const [key = '', value = '', ...values] = definition.split('=');
  if (item.endsWith('-')) return undefined;
  if (others.length > 0 || values.length > 0)
    return rejected('--register-with-taints', item, { message: "a taint must have the form 'key=value:effect'" });
  const [problem] = validateTaint({ key, value, effect });
  if (problem === undefined) return undefined;
  const corrected = correctTaint({ key, value, effect }, item);
  return { ...rejected('--register-with-taints', item, problem), ...(corrected && { corrected }) };
}

function rejected(flag: string, item: string, { message }: Pick<Problem, 'message'>): Omit<FlagFault, 'span'> {
  return { message: localize`The kubelet does not start with \`${flag}\` '${shorten(item)}': ${message}.` };
}

/** Returns the text before and after the first separator. */
function separated(text: string, separator: string): readonly string[] {
  const at = text.indexOf(separator);
  return at === -1 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
