/** The hover for the object name in `kubectl expose`: the selector and the labels of the Service that the command creates. */

import type { CommandWord } from '../../manifests/inline/paths-and-names.ts';
import type { LabelEntry, ManifestObject } from '../../manifests/model.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { localize } from '../../text/localize.ts';
import { objectLine } from '../presentation/object-lines.ts';
import { type Block, inlineCode, type Part, paragraph, type RichText } from '../presentation/rich-text.ts';
import { exposedObjects } from '../selected/exposed-objects.ts';
import type { FileView } from '../view.ts';

/** The maximum number of described objects, if several objects have the name. */
const maximumShown = 3;

/** Describes, for each object with the name, the Service that the command creates. */
export function aboutExposed(view: FileView, word: CommandWord & { readonly is: 'exposed' }): RichText {
  const { resource, service, selector, labels, letters } = word;
  const name = service ?? letters.text;
  const head = localize`Creates the Service `;
  const found = exposedObjects(view, resource, letters.text).slice(0, maximumShown);
  if (found.length === 0) {
    const copied = localize`, with the selector and the labels of an object that is not in this workspace.`;
    return selector === undefined ? [paragraph(head, inlineCode(name), copied)] : [];
  }
  return found.flatMap((where): readonly Block[] => {
    const { object } = where;
    const wanted = selector ?? selectorOf(object);
    const set = labels ?? object.labels?.entries.map(labelText).join(',');
    const from = paragraph(localize`From `, ...objectLine(view, where, nameSpan(object)));
    if (wanted === undefined || wanted === '')
      return [
        paragraph(
          localize`kubectl cannot copy a selector from this object: it copies only equality-based selectors, and the labels of a Pod.`,
        ),
        from,
      ];
    const given: readonly Part[] =
      set === undefined || set === ''
        ? [localize` and no labels.`]
        : [localize`, and the labels `, inlineCode(set), '.'];
    return [paragraph(head, inlineCode(name), localize` with the selector `, inlineCode(wanted), ...given), from];
  });
}

/** Returns the selector that kubectl copies, or the labels of a Pod; undefined if the selector has set-based requirements. */
function selectorOf({ labels, selectorSites, templates }: ManifestObject): string | undefined {
  const site = selectorSites.find(({ path }) => path === 'spec.selector');
  if (site === undefined) return templates.length === 0 ? labels?.entries.map(labelText).join(',') : undefined;
  return site.expressions.length > 0 ? undefined : site.entries.map(labelText).join(',');
}

function labelText({ key, value }: LabelEntry): string {
  return `${key.text}=${value.text}`;
}
