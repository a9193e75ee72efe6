/** Creates fixes for a near miss, which change either the selector or the label that does not match. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import { validateLabelValue } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { addEntry, replaceScalar } from '../../manifests/write/write-text.ts';
import { editDistance } from '../../text/edit-distance.ts';
import { localize } from '../../text/localize.ts';
import { areVariants } from '../../text/misspelling.ts';
import type { Fix, RuleContext } from '../framework/rule.ts';
import { isMislabeled } from '../helpers/mislabeled.ts';
import { missedName, type NearMiss } from '../helpers/near-miss.ts';
import { type RequirementSite, requirementSites } from '../helpers/requirement-ranges.ts';
import { shorten } from '../helpers/sentences.ts';
import { addLabels, type Label } from './add-labels.ts';
import { entryOf, fitToLabels, isPositive } from './fit-selector.ts';

/** Returns the position of the only requirement that the near miss does not satisfy; undefined if there are several. */
export function failedSite({ failed }: NearMiss, site: SelectorSite): RequirementSite | undefined {
  const [only, ...others] = failed;
  if (others.length > 0) return undefined;
  return requirementSites(site).find(({ requirement }) => requirement === only);
}

/** Returns the fixes for a near miss of the selector at `site` in a file. */
export function fixNearMiss(
  near: NearMiss,
  site: SelectorSite,
  { text, uri, workspace }: Pick<RuleContext, 'text' | 'uri' | 'workspace'>,
): readonly Fix[] {
  const { miss } = near;
  if (near.by === 'own labels') return fixTemplate(near, text, uri);
  // A tool may use the annotation, so only the author can decide whether to replace it with a label.
  if (near.by === 'annotations') return [];
  if (near.by === 'pods') return fixService(near, text, uri);
  const place = failedSite(near, site);
  // The other file, such as a patch, contains the mistake, and the object may be correct without it.
  if (place?.entry?.value.origin !== undefined) return [];
  if (place === undefined || (near.by === 'more' && !isAlike(near))) return [];
  const fits = place.entry?.merged ? [] : fitToLabels(place, miss.labeledObject.site?.entries ?? []);
  const isWrongLabel = isMislabeled(workspace, miss, place.requirement, miss.labeledObject, { uri, site });
  // Variants such as `worker-a` and `worker-b` are different names as often as misspelled ones.
  const actual = miss.labeledObject.labels[place.requirement.key];
  const isLikely = !place.requirement.values.some(
    (wanted) => typeof wanted === 'string' && typeof actual === 'string' && areVariants(wanted, actual),
  );
  return [
    ...fits.map((fix) => ({ ...fix, preferred: isLikely && !isWrongLabel })),
    ...fixKey(near, place),
    ...fixLabel(near, place, uri, isLikely && isWrongLabel),
  ];
}

/** Whether the only failed requirement and the label differ in a few letters, as variants such as `shard-1` and `shard-2` do. Any other value is that of a different application or role. */
function isAlike({ miss: { labeledObject }, failed: [only] }: NearMiss): boolean {
  if (only === undefined || !Object.hasOwn(labeledObject.labels, only.key)) return true;
  const actual = labeledObject.labels[only.key];
  return only.values.some((wanted) => {
    if (typeof wanted !== 'string' || typeof actual !== 'string') return false;
    const distance = editDistance(wanted, actual, mostLetters);
    return distance <= mostLetters && distance * 2 < Math.min(wanted.length, actual.length);
  });
}

/** The maximum number of letters in which alike values differ. */
const mostLetters = 2;

/** Changes the key in the selector to `kubernetes.io/metadata.name`, the label with the name of the namespace. Every namespace has this label, although it is not in any file. */
function fixKey({ correction }: NearMiss, { entry, expression }: RequirementSite): readonly Fix[] {
  const key = entry?.key ?? expression?.key;
  if (correction?.actual !== nameLabel || key === undefined || entry?.merged) return [];
  return [
    { title: localize`Change the key to '${nameLabel}'`, edits: [replaceScalar(key, nameLabel)], preferred: true },
  ];
}

/** Changes the label in the file that contains it, unless a selector of the labeled object requires the label. */
function fixLabel(
  { miss }: NearMiss,
  { requirement }: RequirementSite,
  uri: string,
  preferred: boolean,
): readonly Fix[] {
  const [wanted] = requirement.values;
  const entry = entryOf(miss.labeledObject.site?.entries ?? [], requirement.key);
  // With a value that the selector excludes, the label still does not match.
  if (!isPositive(requirement.operator)) return [];
  if (entry === undefined || entry.merged || entry.value.origin !== undefined) return [];
  if (typeof wanted !== 'string' || validateLabelValue(wanted).length > 0) return [];
  if (typeof entry.value.value !== 'string') return [];
  const asked = miss.object.selectorSites.some(({ entries, expressions }) =>
    [...entries, ...expressions].some(({ key }) => key?.text === requirement.key),
  );
  if (asked) return [];
  const edits = [replaceScalar(entry.value, wanted)];
  const title = localize`Change the label of ${missedName(miss)} to '${shorten(wanted)}'`;
  if (miss.file.uri === uri) return [{ title, edits, preferred }];
  return [{ title, edits: [], elsewhere: new Map([[miss.file.uri, edits]]), preferred }];
}

/** Adds the labels of the pods to the Service, if the Service is in the same file as the selector. */
function fixService({ miss, failed }: NearMiss, text: string, uri: string): readonly Fix[] {
  const labels = failed.flatMap(({ key, operator, values: [value, ...others] }): readonly Label[] =>
    isPositive(operator) && typeof value === 'string' && others.length === 0 ? [[key, value]] : [],
  );
  const isUsed = labels.some(([key]) => Object.hasOwn(miss.labeledObject.labels, key));
  if (labels.length < failed.length || isUsed || miss.file.uri !== uri) return [];
  const edits = addLabels(text, miss.object, labels);
  const title = localize`Add the labels of the pods to ${miss.object.kind}/${shorten(miss.object.name?.text ?? '')}`;
  return edits === undefined ? [] : [{ title, edits, preferred: true }];
}

/** Adds a missing label to the pod template, if the template is in the same file as the selector. */
function fixTemplate({ miss, failed }: NearMiss, text: string, uri: string): readonly Fix[] {
  const [only, ...others] = failed;
  const [wanted] = only?.values ?? [];
  const labels = miss.labeledObject.site;
  if (only === undefined || others.length > 0 || labels === undefined || miss.file.uri !== uri) return [];
  if (typeof wanted !== 'string' || entryOf(labels.entries, only.key) !== undefined) return [];
  const title = localize`Add '${shorten(`${only.key}: ${wanted}`)}' to the labels of \`${miss.labeledObject.via}\``;
  return [{ title, edits: [addEntry(text, labels, only.key, wanted)], preferred: true }];
}
