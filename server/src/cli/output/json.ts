/** Writes the result of a command as JSON. */

import type { World } from '../environment.ts';
import { tameJson } from './terminal-escape.ts';

/**
 * Writes a value to standard output as JSON, or passes it to the caller of the command in this process, with the lengths
 * of lists that lack items because of `mostItems`.
 */
export function writeJson(world: World, value: object, totals?: Readonly<Record<string, number>>): void {
  if (world.take === undefined) world.out(tameJson(value));
  else world.take(value, totals);
}
