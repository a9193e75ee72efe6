/** The part of a selector's hover that lists other selectors: selectors that match the same objects, and overlapping selectors. */

import type { SelectorSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import type { Match } from '../../workspace/selection/model.ts';
import {
  adopts,
  type OverlappingSelector,
  overlappingSelectors,
} from '../../workspace/selection/overlapping-selectors.ts';
import { appliedLead } from '../presentation/applied-name.ts';
import { group, objectLine } from '../presentation/object-lines.ts';
import { objectName, whatOf } from '../presentation/object-names.ts';
import type { Line, RichText } from '../presentation/rich-text.ts';
import type { FoundBySelector } from '../selected/found-by.ts';
import { type OtherSelector, otherSelectors } from '../selected/other-selectors.ts';
import { selectedTwice } from '../selected/selected-twice.ts';
import type { FileView } from '../view.ts';

/** Lists the selectors that match the same objects or overlap, and the pods that a controller adopts. */
export function aboutOtherSelectors(
  view: FileView,
  owner: ObjectInFile,
  site: SelectorSite,
  found: FoundBySelector,
): RichText {
  const offset = site.keySpan.start;
  const { matches, lead } = found;
  const { selectors, examined } = otherSelectors(view, owner, site, found);
  const suffix = lead.name === '' ? '' : localize` in ${lead.name}`;
  const applied = appliedLead(view, owner);
  const overlapping = overlappingSelectors(applied.workspace, view.catalogue, applied.owner, site.path);
  const adopted = matches.filter(({ object }) => adopts(owner.object, site, object));
  return [
    ...group(
      view,
      localize`Other selectors for the same ${whatOf(site) ?? 'objects'}${suffix}`,
      otherLines(view, site, selectors, examined),
      offset,
    ),
    ...group(
      view,
      localize`Selected more than once`,
      (owner.object.inline ? [] : selectedTwice(view, matches)).map(({ match, through }) =>
        objectLine(view, match, match.labeledObject.site?.keySpan ?? match.object.kindSpan, [throughReason(through)]),
      ),
      offset,
    ),
    ...group(
      view,
      localize`Overlaps with`,
      overlapping.map((other) => objectLine(view, other, other.site.keySpan, [overlapReason(other)])),
      offset,
    ),
    ...group(
      view,
      'Adopts',
      adopted.map((pod) => objectLine(view, pod, pod.object.name?.span ?? pod.object.kindSpan, [adoptedReason])),
      offset,
    ),
  ];
}

function otherLines(
  view: FileView,
  { open }: SelectorSite,
  selectors: readonly OtherSelector[],
  examined: number,
): readonly Line[] {
  // If some requirements are unknown, so is the number of objects that both selectors match.
  return selectors.map((each) => [
    ...objectLine(view, each, each.site.keySpan),
    ' ',
    { kind: 'code', text: each.site.path },
    ...(each.shared === examined || open || each.site.open ? [] : [localize`: ${each.shared} of ${examined}`]),
  ]);
}

/** Returns a clause that names the objects through which an object is selected more than once. */
function throughReason(through: readonly Match[]): string {
  const names = through.map(({ object }) => `\`${objectName(object)}\``);
  return localize`through ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
}

/** Returns a clause that names labels of pods that both selectors match. */
export function overlapReason({ witness, matchesPods }: OverlappingSelector): string {
  return matchesPods
    ? localize`both match pods with \`${witness}\``
    : localize`both would match pods with \`${witness}\`, but this workspace contains no such pods`;
}

/** The clause that states why a controller adopts a pod. */
export const adoptedReason = 'no controller owns it';
