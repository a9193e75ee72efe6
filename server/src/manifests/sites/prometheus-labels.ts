/** Finds the labels of Kubernetes objects in relabeling rules, in which they have Prometheus names such as `__meta_kubernetes_pod_label_app`. */

import type { KindFact, LabelKeyField } from '../../engine/catalogue/types.ts';
import type { LabelKeySite, ManifestObject, Written } from '../model.ts';
import { isTarget, isWholeName, prometheusName, prometheusNames } from './prometheus-names.ts';
import { writtenPiece } from './string-pieces.ts';

/** Whether an object selects the Prometheus targets to which its relabeling rules apply. */
export function selectsTargets({ selectorSites }: Pick<ManifestObject, 'selectorSites'>): boolean {
  return selectorSites.some(({ fact }) => fact.targets.some(isTarget));
}

/** The paths of relabeling rules that are applied to targets, by kind. Relabeling rules for metrics have no access to the labels of objects. */
const relabelings: Readonly<Record<string, readonly string[]>> = {
  ServiceMonitor: ['spec.endpoints[].relabelings'],
  PodMonitor: ['spec.podMetricsEndpoints[].relabelings'],
  Probe: ['spec.targets.staticConfig.relabelingConfigs', 'spec.targets.ingress.relabelingConfigs'],
  ScrapeConfig: ['spec.relabelings'],
  Prometheus: ['spec.scrapeClasses[].relabelings'],
  PrometheusAgent: ['spec.scrapeClasses[].relabelings'],
};

const groups: ReadonlySet<string> = new Set(['monitoring.coreos.com', 'azmonitoring.coreos.com']);

/** Returns the fields of a kind that may contain Prometheus label names. */
export function prometheusSites({ group, kind }: KindFact): readonly LabelKeyField[] {
  const lists = groups.has(group) && Object.hasOwn(relabelings, kind) ? (relabelings[kind] ?? []) : [];
  return lists.map((list) => ({ path: `${list}[].sourceLabels[]`, form: 'prometheus' }));
}

/** Whether objects of a group may contain Prometheus label names in separate fields, rather than only in the text of a configuration. */
export function hasPrometheusFields(group: string): boolean {
  return groups.has(group);
}

/** Returns the site of a Prometheus label name, whose key is the part of the name that represents the label key; undefined for other text. */
export function prometheusSite(path: string, field: LabelKeyField, text: Written): LabelKeySite | undefined {
  const [found] = prometheusNames(text.text);
  if (found === undefined || !isWholeName(text.text)) return undefined;
  const key = writtenPiece(text, found.key);
  return key && { path, place: { ...field, of: found.of }, key, text };
}

/** Returns a label key in the notation of the field or command; undefined if this notation cannot represent the key. */
export function keyAsWritten({ place: { form } }: LabelKeySite, key: string): string | undefined {
  if (form === 'prometheus') return prometheusName(key);
  if (form === 'word') return /^\w+$/.test(key) ? key : undefined;
  return form === 'jsonpath' ? key.replaceAll('.', '\\.') : key;
}

/** Whether a field may refer to a label key. Several label keys can have the same Prometheus name. */
export function mayNameKey(site: LabelKeySite, key: string): boolean {
  return site.key.value === (site.place.form === 'prometheus' ? prometheusName(key) : key);
}
