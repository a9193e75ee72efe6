/** Parses Prometheus label names such as `__meta_kubernetes_pod_label_app`, which represent labels of Kubernetes objects. */

import type { GroupKind } from '../../engine/catalogue/types.ts';
import type { Span } from '../../text/span.ts';

/** The kinds whose labels Prometheus provides, keyed by the word for the kind in Prometheus label names. */
const targets: Readonly<Record<string, GroupKind>> = {
  pod: { group: '', kind: 'Pod' },
  service: { group: '', kind: 'Service' },
  namespace: { group: '', kind: 'Namespace' },
  node: { group: '', kind: 'Node' },
  endpoints: { group: '', kind: 'Endpoints' },
  endpointslice: { group: 'discovery.k8s.io', kind: 'EndpointSlice' },
  ingress: { group: 'networking.k8s.io', kind: 'Ingress' },
};

/** Whether Prometheus provides the labels of objects of a given kind. */
export function isTarget({ group, kind }: GroupKind): boolean {
  return Object.values(targets).some((each) => each.group === group && each.kind === kind);
}

/** The prefix of all label names that represent Kubernetes metadata. Most texts do not contain it. */
export const prometheusPrefix = '__meta_kubernetes_';

/** A Prometheus label name in the text of a configuration. */
export interface PrometheusName {
  readonly of: GroupKind;
  /** The range of the part of the name that represents the label key. */
  readonly key: Span;
}

const words = /\b__meta_kubernetes_\w+/g;
const start = /^__meta_kubernetes_([a-z]{1,20})_label(?:present)?_/;
const ends = ' \t\r\n"\'`,;:|)]}';

/** Returns all complete Prometheus label names in a text. Names that are followed by a pattern or a template are omitted, because they do not refer to a single label. */
export function prometheusNames(text: string): readonly PrometheusName[] {
  return [...text.matchAll(words)].flatMap(({ 0: name, index }) => {
    const [before = '', word = ''] = start.exec(name) ?? [];
    const of = Object.hasOwn(targets, word) ? targets[word] : undefined;
    const end = index + name.length;
    const isWhole = before.length < name.length && (end === text.length || ends.includes(text.charAt(end)));
    return of !== undefined && isWhole ? [{ of, key: { start: index + before.length, end } }] : [];
  });
}

/** Whether a text consists of exactly one Prometheus label name. */
export function isWholeName(text: string): boolean {
  return text.startsWith(prometheusPrefix) && !/\W/.test(text);
}

/** Returns the form in which Prometheus represents a label key in its names. */
export function prometheusName(key: string): string {
  return key.replace(/[^A-Za-z0-9_]/g, '_');
}
