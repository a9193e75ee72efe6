/** Finds the selectors that may match an object, but are not evaluated: only another system can decide whether they do. */

import { evaluate } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { kindKey } from '../index/file-outline.ts';
import type { LabeledObjectInFile, SiteInFile, WorkspaceFile } from '../model.ts';
import { alternativesOf, hasUnevaluatedForm, isUnevaluated } from './effective-selector.ts';
import { labelSet } from './selection.ts';

/** Yields the selectors in a file that may match a labeled object, and are not evaluated. */
export function* unevaluatedIn(
  file: WorkspaceFile | undefined,
  candidate: LabeledObjectInFile,
): Iterable<SiteInFile & { readonly number: number; readonly index: number }> {
  if (file === undefined) return;
  for (const [number, object] of file.manifest.objects.entries()) {
    if (!object.forCluster) continue;
    for (const [index, site] of object.selectorSites.entries())
      if (isUnevaluated(site) && mayMatch(site, candidate)) yield { file, object, site, number, index };
  }
}

/** Returns the reason why the matches of an unevaluated selector are unknown, without a period. */
export function unevaluatedReason(site: SelectorSite): string {
  return hasUnevaluatedForm(site)
    ? localize`this form of selector is not evaluated`
    : localize`the kind of the objects that it selects is unknown`;
}

function mayMatch(site: SelectorSite, candidate: LabeledObjectInFile): boolean {
  const { targets } = site.fact;
  const target = kindKey(candidate.labeledObject.target);
  if (targets.length > 0 && !targets.some((each) => each.kind === '*' || kindKey(each) === target)) return false;
  if (hasUnevaluatedForm(site)) return true;
  return alternativesOf(site).some((selector) => evaluate(selector, labelSet(candidate)) !== 'no');
}
