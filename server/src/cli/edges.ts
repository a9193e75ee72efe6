/** Who selects whom in the whole workspace? One edge for each selector and what it takes. */

import type { SelectorSite } from '../manifests/manifest.ts';
import type { Service } from '../service.ts';
import { type Match, selectionOf } from '../workspace/selection.ts';
import { type ObjectInFile, objectsOf, type WorkspaceFile } from '../workspace/workspace.ts';

export interface Edge {
  readonly owner: ObjectInFile;
  readonly site: SelectorSite;
  readonly match: Match;
  readonly certain: boolean;
}

/** The edges that begin in some files; what is elsewhere, and may share the cluster or not, takes no part. */
export function* edgesOf(service: Service, files: Iterable<WorkspaceFile>): Iterable<Edge> {
  const workspace = service.workspace();
  for (const file of files) {
    if (file.config !== undefined || file.objects === 0) continue;
    const catalogue = service.catalogueOf(file.uri);
    for (const object of objectsOf(workspace, file)) {
      const owner = { file, object };
      for (const site of object.selectorSites) {
        const { matches, maybe } = selectionOf(workspace, catalogue, owner, site);
        for (const match of matches) yield { owner, site, match, certain: true };
        for (const match of maybe) yield { owner, site, match, certain: false };
      }
    }
  }
}
