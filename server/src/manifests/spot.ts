/** What is under the cursor? Asked here once, for every feature. */

import { type Span, touches } from '../text/span.ts';
import type { Expression, LabelEntry, LabelSite, Manifest, ManifestObject, SelectorSite } from './manifest.ts';

export type Spot =
  | {
      readonly kind: 'selector';
      readonly object: ManifestObject;
      readonly site: SelectorSite;
      readonly part?: SelectorPart;
    }
  | {
      readonly kind: 'label';
      readonly object: ManifestObject;
      readonly site: LabelSite;
      readonly entry: LabelEntry;
      readonly on: 'key' | 'value';
    };

/** One requirement of a selector. */
export type SelectorPart =
  | { readonly kind: 'entry'; readonly entry: LabelEntry; readonly on: 'key' | 'value' }
  | { readonly kind: 'expression'; readonly expression: Expression };

/** The label or selector at an offset; undefined where neither is. */
export function spotAt(manifest: Manifest, offset: number): Spot | undefined {
  for (const object of manifest.objects) {
    const selector = innermost(
      object.selectorSites.filter((site) => touches(site.span, offset) || touches(site.keySpan, offset)),
    );
    if (selector !== undefined) {
      const part = selectorPart(selector, offset);
      return { kind: 'selector', object, site: selector, ...(part && { part }) };
    }
    for (const site of object.labelSites) {
      const hit = entryAt(site.entries, offset);
      if (hit !== undefined) return { kind: 'label', object, site, ...hit };
    }
  }
  return undefined;
}

/** The span of what a spot is about: a key, a value, or the field that holds the selector. */
export function spotSpan(spot: Spot): Span {
  if (spot.kind === 'label') return spot.entry[spot.on].span;
  if (spot.part?.kind === 'entry') return spot.part.entry[spot.part.on].span;
  return spot.part?.expression.span ?? spot.site.keySpan;
}

/** Selectors lie inside selectors' neighbours, never across them: the shortest that holds the offset is meant. */
function innermost(sites: readonly SelectorSite[]): SelectorSite | undefined {
  return sites.toSorted((a, b) => a.span.end - a.span.start - (b.span.end - b.span.start))[0];
}

function selectorPart(site: SelectorSite, offset: number): SelectorPart | undefined {
  const entry = entryAt(site.entries, offset);
  if (entry !== undefined) return { kind: 'entry', ...entry };
  const expression = site.expressions.find((each) => touches(each.span, offset));
  return expression && { kind: 'expression', expression };
}

function entryAt(
  entries: readonly LabelEntry[],
  offset: number,
): { readonly entry: LabelEntry; readonly on: 'key' | 'value' } | undefined {
  for (const entry of entries) {
    if (touches(entry.key.span, offset)) return { entry, on: 'key' };
    if (touches(entry.value.span, offset)) return { entry, on: 'value' };
  }
  return undefined;
}
