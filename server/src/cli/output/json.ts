/** Writes the result of a command as JSON. */

import type { World } from '../environment.ts';
import { tameJson } from './terminal-escape.ts';

/** Writes a value to standard output as JSON. If the command was called from within this process, passes the value to the caller instead, with the full lengths of the lists that `mostItems` shortened. */
export function writeJson(world: World, value: object, totals?: Readonly<Record<string, number>>): void {
  if (world.take === undefined) world.out(tameJson(value));
  else world.take(value, totals);
}
