/** Who selects whom? One edge for each selector of an object and what it takes. */

import type { SelectorSite } from '../manifests/manifest.ts';
import type { Service } from '../service.ts';
import { type Match, selectionOf } from '../workspace/selection.ts';
import type { AppliedObject } from './applied-objects.ts';

export interface Edge {
  readonly site: SelectorSite;
  readonly match: Match;
  readonly certain: boolean;
}

/** The edges that begin in an object; what is elsewhere, and may share the cluster or not, takes no part. */
export function* edgesFrom(service: Service, owner: AppliedObject): Iterable<Edge> {
  const catalogue = service.catalogueOf(owner.file.uri);
  for (const site of owner.object.selectorSites) {
    const { matches, maybe } = selectionOf(owner.workspace, catalogue, owner, site);
    for (const match of matches) yield { site, match, certain: true };
    for (const match of maybe) yield { site, match, certain: false };
  }
}
