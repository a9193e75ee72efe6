/** Loads the catalogue from a bundle of its own when it is first needed. */

import type { Catalogue } from './engine/catalogue/types.ts';

export async function loadCatalogue(): Promise<Catalogue> {
  const { catalogue } = await import('./engine/catalogue/index.ts');
  return catalogue;
}
