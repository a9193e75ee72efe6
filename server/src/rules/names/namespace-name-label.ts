/** Reports a label `kubernetes.io/metadata.name` of a Namespace, in a manifest or a command, that differs from the name of the Namespace. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import type { LabelEntry, LabelSite, ManifestObject, Written } from '../../manifests/model.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import { makesNamespace } from '../../workspace/references/namespaces-around.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

interface OtherName extends Fact {
  readonly entry: LabelEntry;
  readonly name: Written;
}

export const namespaceNameLabel = rule<OtherName>({
  id: 'namespace-name-label',
  severity: 'warning',
  needs: 'maps',
  asApplied: true,
  summary: 'A label `kubernetes.io/metadata.name` that is not the name of its Namespace.',
  why: 'The API server sets this label of every Namespace to the name of the Namespace, regardless of the manifest. A selector that requires a different value matches nothing.',
  bad: [
    {
      title: 'The label differs from the name.',
      text: `apiVersion: v1
kind: Namespace
metadata:
  name: shop
  labels:
    kubernetes.io/metadata.name: store
`,
    },
  ],
  good: [
    {
      title: 'The label and the name are equal.',
      change: ['kubernetes.io/metadata.name: store', 'kubernetes.io/metadata.name: shop'],
    },
  ],
  *check({ stored, manifest, catalogue }) {
    for (const object of stored) if (makesNamespace(object)) yield* otherNames(object, object.labels);
    const isNamespace = ({ place: { holds, of } }: LabelSite) =>
      holds === 'labels' && of !== undefined && catalogue.kind(of.group, '', of.kind)?.nameLabels?.includes(nameLabel);
    for (const object of manifest.inline ?? []) yield* otherNames(object, object.labelSites.find(isNamespace));
  },
  message: ({ entry, name }) =>
    localize`The API server sets this label to '${shorten(name.text)}' (the name of the Namespace), not to '${shorten(entry.value.text)}'.`,
  fixes({ entry, name }) {
    if (entry.value.origin !== undefined || name.origin !== undefined) return [];
    const edits = [replaceScalar(entry.value, name.text)];
    return [{ title: localize`Change the value to '${shorten(name.text)}'`, edits, preferred: true }];
  },
});

/** Yields the label of a Namespace, or of a command that labels a Namespace, that differs from its name. */
function* otherNames({ name }: ManifestObject, labels: LabelSite | undefined): Iterable<OtherName> {
  const entry = labels?.entries.find(({ key }) => key.text === nameLabel);
  if (typeof name?.value !== 'string' || typeof entry?.value.value !== 'string') return;
  if (entry.value.value !== name.value && !entry.merged) yield { span: entry.value.span, entry, name };
}
