/** Caches the result of a command for folders until a file in them, or anything else on which it may depend, changes. */

import type { Settings } from '../../settings/settings.ts';
import { fits, type Shape } from '../../workspace/store/json-shape.ts';
import type { World } from '../environment.ts';
import type { RequestedPaths } from '../paths/requested-paths.ts';
import { type CachedState, cachedState, cachedStateShape, changesBetween, inputsOf, stateOf } from './report-cache.ts';

export interface CachedResult<Value> {
  /** The result of the last run; undefined if something has changed since. */
  readonly value: Value | undefined;
  /** Caches a result. `inputs` are files other than manifests on whose content the result depends. */
  keep(value: Value, inputs: readonly string[]): Promise<void>;
}

interface Kept<Value> extends CachedState {
  readonly inputs: readonly string[];
  readonly inputState: string;
  readonly value: Value;
}

/** Loads the cached result of a command line; undefined if its results are not cached. `command` contains everything on the command line that affects the result, except for the paths. */
export async function cachedResult<Value>(
  world: World,
  requested: RequestedPaths,
  settings: Settings,
  command: readonly string[],
  shape: Shape,
): Promise<CachedResult<Value> | undefined> {
  const { named, scopes, folders, inside } = requested;
  if (named.some(({ kind }) => kind !== 'folder')) return undefined;
  const places = JSON.stringify([named.map(({ uri }) => uri), scopes.map(({ uri }) => uri), inside]);
  const cache = world.cacheOf?.([world.currentFolder, ...folders, JSON.stringify(command), places]);
  if (cache === undefined) return undefined;
  const stored = await cache.read().catch(() => undefined);
  const kept = stored && keptIn<Value>(stored.header, shape);
  const state = await stateOf(world, requested, settings, kept?.young ?? []);
  const isSame =
    kept !== undefined &&
    (await inputsOf(world, kept.inputs)) === kept.inputState &&
    changesBetween(kept, state)?.length === 0;
  return {
    value: isSame ? kept.value : undefined,
    async keep(value, inputs) {
      const hashed = [...state.contents.keys()];
      const [now, inputState] = [await stateOf(world, requested, settings, hashed), await inputsOf(world, inputs)];
      if (changesBetween(cachedState(state), now)?.length !== 0 || inputState === undefined) return;
      const contents = [...now.contents].filter(([uri]) => state.young.has(uri) || now.young.has(uri));
      const written: Kept<Value> = { ...cachedState(now), contents, young: [...now.young], inputs, inputState, value };
      // A run without a cache is slower, but correct.
      await cache.write({ header: JSON.stringify(written), bytes: new Uint8Array() }).catch(() => {});
    },
  };
}

function keptIn<Value>(header: string, value: Shape): Kept<Value> | undefined {
  try {
    const kept: unknown = JSON.parse(header);
    const shape: Shape = { keys: { ...cachedStateShape, inputs: { list: 'string' }, inputState: 'string', value } };
    return fits(kept, shape) ? (kept as Kept<Value>) : undefined; // its shape was checked, and its state names its build
  } catch {
    return undefined;
  }
}
