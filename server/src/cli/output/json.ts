/** Writes the result of a command as JSON. */

import type { World } from '../environment.ts';
import { tameJson } from './terminal-escape.ts';

/** Writes a value to standard output as JSON, or passes it to the caller of the command in this process. */
export function writeJson(world: World, value: object): void {
  if (world.take === undefined) world.out(tameJson(value));
  else world.take(value);
}
