/** Which version is this? The bundler puts package.json's in. */

declare const SELECTOR_LENS_VERSION: string | undefined;

export const version = typeof SELECTOR_LENS_VERSION === 'string' ? SELECTOR_LENS_VERSION : 'development';
