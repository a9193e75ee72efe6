/** Finds the objects that a kustomization builds, as it applies them. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { EffectiveObject, Rendering, Workspace } from '../model.ts';
import { folderOf } from '../uri.ts';
import { kustomizationsListing } from './named-files.ts';

/** The maximum number of renderings that are evaluated for one component. */
const maximumRenderings = 20;

/** Returns the renderings that apply a kustomization: its own rendering; for a component, the renderings of the kustomizations that include it, directly or through other components. Renderings that cannot be built are omitted. */
export function renderingsWith(workspace: Workspace, catalogue: Catalogue, uri: string): readonly Rendering[] {
  const seen = new Set([uri]);
  const renderings: Rendering[] = [];
  for (const each of seen) {
    if (renderings.length === maximumRenderings) break;
    const folder = folderOf(each);
    const includers = kustomizationsListing(workspace.scopes(), folder);
    if (workspace.scopes().factsOf(each)?.kustomization?.component && includers.length > 0) {
      for (const includer of includers) seen.add(includer);
      continue;
    }
    const rendering = workspace.rendering(folder, catalogue);
    if (rendering !== undefined) renderings.push(rendering);
  }
  return renderings;
}

/** Returns the objects in some renderings in order, without duplicates. */
export function objectsBuilt(renderings: readonly Rendering[]): readonly EffectiveObject[] {
  const seen = new Set<string>();
  return renderings
    .flatMap(({ objects }) => objects)
    .filter(({ file, object }) => {
      const key = `${file.uri} ${object.kindSpan.start}`;
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    });
}
