/** Who selects whom? One edge for each selector of an object and what it takes. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import type { ManifestObject, SelectorSite } from '../manifests/manifest.ts';
import { withSelectors } from '../manifests/sites.ts';
import { isBuiltIn } from '../rules/label-places.ts';
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
  for (const site of [...owner.object.selectorSites, ...leftOut(owner.object, catalogue)]) {
    const { matches, maybe } = selectionOf(owner.workspace, catalogue, owner, site);
    for (const match of matches) yield { site, match, certain: true };
    for (const match of maybe) yield { site, match, certain: false };
  }
}

/** The selectors that are not written and mean everything at home all the same: a NetworkPolicy's over pods. */
function leftOut({ group, version, kind, kindSpan, selectorSites }: ManifestObject, catalogue: Catalogue) {
  const facts = isBuiltIn(group) ? (catalogue.kind(group, version, kind)?.selectors ?? []) : [];
  return facts
    .filter(({ absent, reach, path }) => absent === 'all' && reach === 'own' && !path.includes('['))
    .filter(({ path }) => !selectorSites.some((site) => site.path === path))
    .map((fact): SelectorSite => {
      const { path } = fact;
      const nowhere = { path, fact, keySpan: kindSpan, span: kindSpan };
      return withSelectors({ ...nowhere, state: 'empty', entries: [], expressions: [], open: false, data: {} });
    });
}
