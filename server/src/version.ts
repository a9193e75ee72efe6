/** The version of this build, and the minimum version of Node.js. The bundler sets both from package.json. */

declare const SELECTOR_LENS_VERSION: string | undefined;
declare const SELECTOR_LENS_BUILD: string | undefined;
declare const SELECTOR_LENS_MINIMUM_NODE: number | undefined;

export const version = typeof SELECTOR_LENS_VERSION === 'string' ? SELECTOR_LENS_VERSION : 'development';

/** The id of this build: a cache is only used by the build that wrote it. The bundler computes the id from the sources. Sources that run without a bundle may change between two runs, so each process then has its own id. */
export const build = typeof SELECTOR_LENS_BUILD === 'string' ? SELECTOR_LENS_BUILD : `development ${Date.now()}`;

/** The oldest major version of Node.js that runs the command line. */
export const minimumNode = typeof SELECTOR_LENS_MINIMUM_NODE === 'number' ? SELECTOR_LENS_MINIMUM_NODE : 20;
