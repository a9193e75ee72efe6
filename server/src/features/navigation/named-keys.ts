/** The label keys that a field names: the key itself, or all keys with one Prometheus name. */

import type { LabelKeySite } from '../../manifests/model.ts';
import { mayNameKey } from '../../manifests/sites/prometheus-labels.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';
import type { View } from '../view.ts';

/**
 * Returns the keys that a field may refer to, among the known keys of its kind of objects; never empty for a field with
 * a whole key.
 */
export function namedKeys({ workspace, catalogue }: View, site: LabelKeySite): readonly string[] {
  const { form, of } = site.place;
  if (form !== 'prometheus' || of === undefined) return [site.key.text];
  const known = [...workspace.labelsOf(kindKey(of))].flatMap(([key]) => (mayNameKey(site, key) ? [key] : []));
  if (known.length > 0) return known;
  return catalogue.keys().flatMap(({ key, kinds }) => (kinds.includes(of.kind) && mayNameKey(site, key) ? [key] : []));
}
