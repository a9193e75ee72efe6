/** Loads the catalogue lazily, from a separate bundle. */

import type { Catalogue } from '../engine/catalogue/types.ts';

/** Loads the catalogue module and returns the catalogue. */
export async function loadCatalogue(): Promise<Catalogue> {
  const { catalogue } = await import('../engine/catalogue/index.ts');
  return catalogue;
}
