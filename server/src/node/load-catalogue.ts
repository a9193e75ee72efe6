/** Loads the catalogue lazily, from a bundle of its own. */

import type { Catalogue } from '../engine/catalogue/types.ts';

export async function loadCatalogue(): Promise<Catalogue> {
  const { catalogue } = await import('../engine/catalogue/index.ts');
  return catalogue;
}
