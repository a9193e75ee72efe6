/** Provides the default configuration of a live workspace, and the part of a configuration on which scopes depend. */

import { defaultSettings } from '../../settings/settings.ts';
import type { LiveConfiguration } from './live-parts.ts';

/** The configuration of a workspace without settings. */
export const defaultConfiguration: LiveConfiguration = {
  settings: defaultSettings,
  hidden: [],
  defaultNamespace: undefined,
  chartValues: undefined,
  namedKustomizations: undefined,
};

/** Returns the part of a configuration on which scopes depend. */
export function contextOf({ defaultNamespace, chartValues, namedKustomizations }: LiveConfiguration) {
  return { namespace: defaultNamespace, chartValues, namedKustomizations };
}
