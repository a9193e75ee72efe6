/** Provides the paths of labels in a kustomization. A kustomization is not an object; its labels are added to many objects. */

import type { Catalogue, GroupKind, KindFact, LabelField, LabelKeyField } from '../../engine/catalogue/types.ts';

export const kustomizeGroup = 'kustomize.config.k8s.io';

const anything: GroupKind = { group: '*', kind: '*' };

function place(path: string, holds: LabelField['holds'], of: GroupKind = anything): LabelField {
  return { path, holds, of };
}

const labels: readonly LabelField[] = [
  place('commonLabels', 'labels'),
  place('labels[].pairs', 'labels'),
  place('commonAnnotations', 'annotations'),
  ...['generatorOptions', 'configMapGenerator[].options', 'secretGenerator[].options'].flatMap((path) => {
    const of = { group: '', kind: path.startsWith('secret') ? 'Secret' : 'ConfigMap' };
    return [place(`${path}.labels`, 'labels', of), place(`${path}.annotations`, 'annotations', of)];
  }),
];

/** The paths of the fields in replacements that contain field paths, which may refer to labels. */
const labelKeys: readonly LabelKeyField[] = ['source.fieldPath', 'targets[].fieldPaths[]'].map((path) => ({
  path: `replacements[].${path}`,
  form: 'replacementPath',
}));

const known = new WeakMap<Catalogue, KindFact>();

/**
 * Returns the facts about a Kustomization or a Component: the selectors of the catalogue, and the paths of its labels.
 */
export function kustomizationKind(catalogue: Catalogue): KindFact {
  const before = known.get(catalogue);
  if (before !== undefined) return before;
  const kind = 'Kustomization';
  const nothing = { group: kustomizeGroup, kind, versions: [], selectors: [], templates: [], references: [] };
  const made: KindFact = { ...(catalogue.kind(kustomizeGroup, '', kind) ?? nothing), labels, labelKeys };
  known.set(catalogue, made);
  return made;
}
