/** Which version is this? The bundler puts in what package.json and the moment say. */

declare const SELECTOR_LENS_VERSION: string | undefined;
declare const SELECTOR_LENS_BUILD: string | undefined;

export const version = typeof SELECTOR_LENS_VERSION === 'string' ? SELECTOR_LENS_VERSION : 'development';

/** What one build wrote into a cache no other reads. */
export const build = typeof SELECTOR_LENS_BUILD === 'string' ? SELECTOR_LENS_BUILD : version;
