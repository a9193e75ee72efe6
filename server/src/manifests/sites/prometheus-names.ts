/** Parses Prometheus label names, which represent labels of Kubernetes objects: `__meta_kubernetes_pod_label_app`. */

import type { GroupKind } from '../../engine/catalogue/types.ts';
import type { Span } from '../../text/span.ts';

/** The kinds whose labels Prometheus provides, by the word that Prometheus uses for them. */
const targets: Readonly<Record<string, GroupKind>> = {
  pod: { group: '', kind: 'Pod' },
  service: { group: '', kind: 'Service' },
  namespace: { group: '', kind: 'Namespace' },
  node: { group: '', kind: 'Node' },
  endpoints: { group: '', kind: 'Endpoints' },
  endpointslice: { group: 'discovery.k8s.io', kind: 'EndpointSlice' },
  ingress: { group: 'networking.k8s.io', kind: 'Ingress' },
};

/** Whether Prometheus provides the labels of objects of a kind. */
export function isTarget({ group, kind }: GroupKind): boolean {
  return Object.values(targets).some((each) => each.group === group && each.kind === kind);
}

/** The prefix of all label names in relabelings. Most texts do not contain it. */
export const prometheusPrefix = '__meta_kubernetes_';

/** A Prometheus label name in the text of a configuration. */
export interface PrometheusName {
  /** The kind of the labeled objects. */
  readonly of: GroupKind;
  /** The range of the key that Prometheus derives. */
  readonly key: Span;
}

const words = /\b__meta_kubernetes_\w+/g;
const start = /^__meta_kubernetes_([a-z]{1,20})_label(?:present)?_/;
const ends = ' \t\r\n"\'`,;:|)]}';

/** Returns all complete label names in a text. A name that continues as a pattern or a template does not refer to a single label. */
export function prometheusNames(text: string): readonly PrometheusName[] {
  return [...text.matchAll(words)].flatMap(({ 0: name, index }) => {
    const [before = '', word = ''] = start.exec(name) ?? [];
    const of = Object.hasOwn(targets, word) ? targets[word] : undefined;
    const end = index + name.length;
    const isWhole = before.length < name.length && (end === text.length || ends.includes(text.charAt(end)));
    return of !== undefined && isWhole ? [{ of, key: { start: index + before.length, end } }] : [];
  });
}

/** Whether a text is exactly one Prometheus name. */
export function isWholeName(text: string): boolean {
  return text.startsWith(prometheusPrefix) && !/\W/.test(text);
}

/** Returns the name that Prometheus derives from a label key. */
export function prometheusName(key: string): string {
  return key.replace(/[^A-Za-z0-9_]/g, '_');
}
