/** Moves a label to the annotations if no selector of the same object requires the label. */

import { validateAnnotationKey } from '../../engine/index.ts';
import type { LabelSite, ManifestObject } from '../../manifests/model.ts';
import { lastKey, partsOfFieldPath } from '../../manifests/sites/field-path.ts';
import { addAnnotation, removeEntry } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { Fix, RuleContext } from '../framework/rule.ts';
import { isLabelSite, type LabelMapEntry } from '../helpers/validated-labels.ts';

/** Returns the fix that moves a label to the annotations. Labels that a selector requires are not moved; the value of an annotation may be any text. */
export function moveToAnnotations({ object, site, entry }: LabelMapEntry, context: RuleContext): readonly Fix[] {
  const { text } = context;
  if (!isLabelSite(site) || !site.path.endsWith('metadata.labels') || object.inValues || object.inline) return [];
  if (isRequired(object, entry.key.text) || isAnchored(text, site)) return [];
  if (validateAnnotationKey(entry.key.text).length > 0) return [];
  if (isUsedByReplacement(context, object, entry.key.text)) return [];
  const removed = removeEntry(text, entry, site);
  if (removed === undefined) return [];
  const added = addAnnotation(text, annotationsBeside(object, site), site, entry.key.text, entry.value.text);
  return [{ title: localize`Move the label to the annotations`, edits: [added, removed], preferred: false }];
}

/** Whether a kustomization reads or replaces the label of a key, so that its build fails without the label. */
function isUsedByReplacement({ workspace, catalogue, file }: RuleContext, object: ManifestObject, key: string) {
  const scopes = workspace.scopes().of(placeOf({ file, object }));
  const applied = scopes.flatMap(({ path }) => workspace.rendering(path, catalogue)?.objects ?? []);
  return applied.some(
    (each) =>
      isSameObject(each, { file, object }) &&
      each.transformers.some(
        (change) => change.kind === 'fieldPath' && lastKey(partsOfFieldPath(change.path.text))?.text === key,
      ),
  );
}

/** Whether a selector of the object itself requires the label; the selector of a Deployment, for example, requires labels of its template. */
export function isRequired(object: ManifestObject, key: string): boolean {
  return object.selectorSites.some(
    ({ entries, expressions }) =>
      entries.some((entry) => entry.key.text === key) || expressions.some((each) => each.key?.text === key),
  );
}

/** Whether the map of labels has an anchor, so that aliases can repeat it. */
export function isAnchored(text: string, site: LabelSite): boolean {
  return text.slice(site.keySpan.end, site.span.start).includes('&');
}

function annotationsBeside(object: ManifestObject, labels: LabelSite): LabelSite | undefined {
  const path = labels.path.replace(/labels$/, 'annotations');
  return object.labelSites.find((site) => site.path === path && site.place.holds === 'annotations');
}
