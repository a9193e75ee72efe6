/** States what a review found in one sentence, and what else changed. */

import type { AppliedObject } from '../objects/applied-objects.ts';
import { counted } from '../output/counts.ts';
import { capitalized, listed } from '../output/names.ts';
import { type ChangedField, changedFieldOrder, meaningfulFields } from './changed-fields.ts';
import type { Review, Section } from './model.ts';
import type { Pair } from './pairs-of-trees.ts';

/** An object that both trees contain, and what changed in it. */
export interface ChangedPair {
  readonly pair: Pair;
  readonly fields: readonly ChangedField[];
}

/** Which tools apply the other objects of a change if the API server rejects an update. */
const tools = 'kubectl apply and Argo CD do; Flux does not';

/** Returns the sentence that says what a review found; if nothing, that nothing changes, or what is not known. */
export function verdictOf(
  sections: readonly Section[],
  others: string,
  fields: Review['otherFields'],
  isKnown: boolean,
  isWhole: boolean,
): string {
  if (sections.length > 0) return foundIn(sections);
  const more = others === '' ? '' : ` ${others}`;
  if (!isWhole) return `Nothing found, but not everything was evaluated.${more}`;
  // It is not known whether other objects still find a port or key.
  if (!isKnown) return `No match, connection or immutable field changes.${more}`;
  if (meaningfulFields.every((field) => fields[field] === 0))
    return `No selector, reference, connection or immutable field changes.${more}`;
  return `No match, connection or immutable field changes, and no reference breaks.${more}`;
}

const someAfterDeletion = 'some only once removed objects are deleted from the cluster';

/** Adds a remark in parentheses to a summary, which may already end with one. */
function withRemark(summary: string, remark: string): string {
  return summary.endsWith(')') ? `${summary.slice(0, -1)}; ${remark})` : `${summary} (${remark})`;
}

/** Returns the sentences that count what was found. */
function foundIn(sections: readonly Section[]): string {
  const later = sections.filter(({ afterDeletion }) => afterDeletion === 'all').map(({ summary }) => summary);
  const [kept, recreation] = ['kept', 'recreation'].map((each) => sections.find(({ id }) => id === each)?.summary);
  const [first, ...rest] = sections
    .filter(({ id, afterDeletion }) => afterDeletion !== 'all' && id !== 'recreation' && id !== 'kept')
    .map(({ summary, afterDeletion }) =>
      afterDeletion === undefined ? summary : withRemark(summary, someAfterDeletion),
    );
  const isSplit = first !== undefined && rest.length > 0 && kept !== undefined;
  const nevertheless = `If the other objects are applied nevertheless (${tools})`;
  const until = 'until the refused objects are recreated';
  const sentences = [
    ...(first === undefined
      ? []
      : isSplit
        ? [first, `${nevertheless}: ${rest.join(', ')}`]
        : [[first, ...rest].join(', ')]),
    ...(kept === undefined ? [] : [`${isSplit ? 'In addition' : nevertheless}, ${until}: ${kept}`]),
    ...(recreation === undefined
      ? []
      : [
          `${rest.length > 0 ? 'In addition, after' : 'After'} ${kept === undefined ? 'the refused objects are recreated' : 'that'}: ${recreation}`,
        ]),
    ...(later.length === 0 ? [] : [`Once the removed objects are deleted from the cluster: ${later.join(', ')}`]),
  ];
  return sentences.map((each) => `${each}.`).join(' ');
}

const fieldNames: Readonly<Record<ChangedField, string>> = {
  images: 'images',
  replicas: 'replicas',
  labels: 'labels or annotations',
  selectors: 'selectors',
  references: 'references',
  ports: 'ports',
  keys: 'keys',
  exposure: 'exposure',
  content: 'contents',
  others: 'other fields',
};

/** Returns a sentence that counts the objects whose other fields changed; empty if there are none. */
export function otherChanges(changed: readonly ChangedPair[], counts: Review['otherFields']): string {
  const nounOf = (field: ChangedField) =>
    changed.every(
      ({ pair: { after }, fields }) => !fields.includes(field) || (after !== undefined && isWorkload(after)),
    )
      ? 'workload'
      : 'object';
  const text = listed(
    changedFieldOrder
      .filter((each) => counts[each] > 0)
      .map((each) => `${fieldNames[each]} of ${counted(counts[each], each === 'content' ? 'object' : nounOf(each))}`),
  );
  if (text === '') return '';
  const areAll = changedFieldOrder.every((each) => each === 'images' || counts[each] === 0);
  return areAll ? `Only ${text} change.` : `${capitalized(text)} change.`;
}

/** Whether an object creates pods: GitOps objects also have templates. */
function isWorkload({ object: { templates, gitopsSpec } }: AppliedObject): boolean {
  return templates.length > 0 && gitopsSpec === undefined;
}
