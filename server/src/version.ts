/** The version of this build, and the minimum version of Node.js. The bundler sets both from package.json. */

declare const SELECTOR_LENS_VERSION: string | undefined;
declare const SELECTOR_LENS_BUILD: string | undefined;
declare const SELECTOR_LENS_MINIMUM_NODE: number | undefined;

export const version = typeof SELECTOR_LENS_VERSION === 'string' ? SELECTOR_LENS_VERSION : 'development';

/** The id of this build. A cache is only used by the build that wrote it. */
export const build = typeof SELECTOR_LENS_BUILD === 'string' ? SELECTOR_LENS_BUILD : version;

/** The oldest major version of Node.js that runs the command line. */
export const minimumNode = typeof SELECTOR_LENS_MINIMUM_NODE === 'number' ? SELECTOR_LENS_MINIMUM_NODE : 20;
