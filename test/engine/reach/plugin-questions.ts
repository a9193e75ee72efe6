/** Compares reachability under policies of network plugins with brute-force evaluations, in random worlds. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { PeerClass, Reachability } from '../../../server/src/engine/index.ts';
import {
  ciliumAllows,
  ciliumReachability,
  ciliumWorld,
  type PluginPod,
  pluginAddresses,
  pluginPorts,
} from './cilium-worlds.ts';
import { rangeOf } from './objects.ts';

type End = PluginPod | string;

/** Asks about every connection of a world, to and from pods and addresses. */
function eachConnection(
  pods: readonly PluginPod[],
  reachability: Reachability,
  truth: (from: End, to: End, protocol: 'TCP' | 'UDP', port: number) => boolean | undefined,
): void {
  const ends: readonly (readonly [End, PeerClass | undefined])[] = [
    ...pods.map((pod, index) => [pod, reachability.classOf(index)] as const),
    ...pluginAddresses.map((address) => [address, reachability.classesIn(rangeOf(address))[0]] as const),
  ];
  for (const [from, source] of ends)
    for (const [to, target] of ends) {
      if (from === to || (typeof from === 'string' && typeof to === 'string')) continue;
      assert.ok(source && target);
      for (const protocol of ['TCP', 'UDP'] as const)
        for (const port of pluginPorts) {
          const expected = truth(from, to, protocol, port);
          const question = JSON.stringify([from, to, protocol, port]);
          const text = expected === undefined ? 'maybe' : expected ? 'yes' : 'no';
          assert.equal(reachability.answer(source, target, protocol, port), text, question);
        }
    }
}

/** Compares worlds with policies of Cilium. */
export function compareCilium(options: { readonly numRuns: number; readonly seed: number }): void {
  fc.assert(
    fc.property(ciliumWorld, (world) => {
      eachConnection(world.pods, ciliumReachability(world), (from, to, protocol, port) =>
        ciliumAllows(world, from, to, protocol, port),
      );
    }),
    options,
  );
}
