/** The packaged extension for the images of the documents, so that these show no development window. */
import type { StageOptions } from './stage.ts';

/** The environment variable with the path of the packaged extension. */
export const imagesVsix = 'SELECTOR_LENS_IMAGES_VSIX';

/** Returns the options of a stage with the packaged extension, if `npm run images` runs the test. */
export function installedForImages(): Pick<StageOptions, 'vsix' | 'installed'> {
  const vsix = process.env[imagesVsix];
  return vsix === undefined ? {} : { vsix: [vsix], installed: true };
}
