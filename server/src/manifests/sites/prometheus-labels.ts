/** Labels of Kubernetes objects as Prometheus names them in relabelings: `__meta_kubernetes_pod_label_app`. */

import type { GroupKind, KindFact, LabelKeyPlace } from '../../engine/catalogue/types.ts';
import type { LabelKeySite, Written } from '../model.ts';
import { pieceOf } from './string-pieces.ts';

/** The objects whose labels Prometheus knows, by the word that it has for them. */
const targets: Readonly<Record<string, GroupKind>> = {
  pod: { group: '', kind: 'Pod' },
  service: { group: '', kind: 'Service' },
  namespace: { group: '', kind: 'Namespace' },
  node: { group: '', kind: 'Node' },
  endpoints: { group: '', kind: 'Endpoints' },
  endpointslice: { group: 'discovery.k8s.io', kind: 'EndpointSlice' },
  ingress: { group: 'networking.k8s.io', kind: 'Ingress' },
};

/** Lists of relabelings that are applied to targets, by kind; those of metrics see no object. */
const relabelings: Readonly<Record<string, readonly string[]>> = {
  ServiceMonitor: ['spec.endpoints[].relabelings'],
  PodMonitor: ['spec.podMetricsEndpoints[].relabelings'],
  Probe: ['spec.targets.staticConfig.relabelingConfigs', 'spec.targets.ingress.relabelingConfigs'],
  ScrapeConfig: ['spec.relabelings'],
  Prometheus: ['spec.scrapeClasses[].relabelings'],
  PrometheusAgent: ['spec.scrapeClasses[].relabelings'],
};

const groups: ReadonlySet<string> = new Set(['monitoring.coreos.com', 'azmonitoring.coreos.com']);

/** The fields of a kind in which Prometheus' names of labels may be. */
export function prometheusPlaces({ group, kind }: KindFact): readonly LabelKeyPlace[] {
  const lists = groups.has(group) && Object.hasOwn(relabelings, kind) ? (relabelings[kind] ?? []) : [];
  return lists.map((list) => ({ path: `${list}[].sourceLabels[]`, form: 'prometheus' }));
}

/** The site of such a name: its key is what Prometheus makes of the key; undefined for other names. */
export function prometheusSite(path: string, place: LabelKeyPlace, text: Written): LabelKeySite | undefined {
  const found = /^(__meta_kubernetes_([a-z]+)_label(?:present)?_)([A-Za-z0-9_]+)$/.exec(text.text);
  const [, before = '', word = '', key = ''] = found ?? [];
  if (!Object.hasOwn(targets, word) || typeof text.value !== 'string' || text.origin !== undefined) return undefined;
  const of = targets[word];
  const span = pieceOf(text, { start: before.length, end: before.length + key.length });
  if (span === undefined || of === undefined) return undefined;
  const { anchored } = text;
  const named: Written = {
    text: key,
    value: key,
    type: 'string',
    style: 'plain',
    span,
    ...(anchored && { anchored }),
  };
  return { path, place: { ...place, of }, key: named, text };
}

/** What Prometheus makes of a label key. */
export function prometheusName(key: string): string {
  return key.replace(/[^A-Za-z0-9_]/g, '_');
}

/** The key as a field, or a command, writes it; undefined if it cannot be written there. */
export function keyAsWritten({ place: { form } }: LabelKeySite, key: string): string | undefined {
  if (form === 'prometheus') return prometheusName(key);
  if (form === 'word') return /^\w+$/.test(key) ? key : undefined;
  return form === 'jsonpath' ? key.replaceAll('.', '\\.') : key;
}

/** Whether a field may name a label key: a name of Prometheus may stand for several. */
export function mayNameKey(site: LabelKeySite, key: string): boolean {
  return site.key.value === (site.place.form === 'prometheus' ? prometheusName(key) : key);
}
