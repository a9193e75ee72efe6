/** The label keys that a field names: the key itself, or all keys with the same Prometheus name. */

import type { LabelKeySite } from '../../manifests/model.ts';
import { mayNameKey } from '../../manifests/sites/prometheus-labels.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';
import type { View } from '../view.ts';

/** Returns the keys to which a field may refer, among the known keys of the kind of objects that it concerns; never empty for a field that contains the exact key. */
export function namedKeys({ workspace, catalogue }: View, site: LabelKeySite): readonly string[] {
  const { form, of } = site.place;
  if (form !== 'prometheus' || of === undefined) return [site.key.text];
  const known = [...workspace.labelsOf(kindKey(of))].flatMap(([key]) => (mayNameKey(site, key) ? [key] : []));
  if (known.length > 0) return known;
  return catalogue.keys().flatMap(({ key, kinds }) => (kinds.includes(of.kind) && mayNameKey(site, key) ? [key] : []));
}
