/** Compares reachability under policies of network plugins with brute-force evaluations, in random worlds. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  type PeerClass,
  type Proof,
  type Protocol,
  protocols,
  type Reachability,
} from '../../../server/src/engine/index.ts';
import { calicoAllows, calicoReachability, calicoWorld } from './calico-worlds.ts';
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
  truth: (from: End, to: End, protocol: Protocol, port: number) => boolean | undefined,
): void {
  const ends: readonly (readonly [End, PeerClass | undefined])[] = [
    ...pods.map((pod, index) => [pod, reachability.classOf(index)] as const),
    ...pluginAddresses.map((address) => [address, reachability.classesIn(rangeOf(address))[0]] as const),
  ];
  for (const [from, source] of ends)
    for (const [to, target] of ends) {
      if (from === to || (typeof from === 'string' && typeof to === 'string')) continue;
      assert.ok(source && target);
      for (const protocol of protocols)
        for (const port of pluginPorts) {
          const expected = truth(from, to, protocol, port);
          const question = JSON.stringify([from, to, protocol, port]);
          const text = expected === undefined ? 'maybe' : expected ? 'yes' : 'no';
          assert.equal(reachability.answer(source, target, protocol, port), text, question);
        }
      const [own, other] = [source, target].map((peer) => (peer.kind === 'pods' ? { peer, pod: peer.pod } : { peer }));
      if (own !== undefined && other !== undefined) isProven(reachability.prove(own, other, 'TCP', 80));
    }
}

/** A proof names what decides: rules that allow, policies that deny, or reasons why the answer is unknown. */
function isProven({ answer, ends, deniedBy, doubts, notIsolated }: Proof): void {
  if (answer === 'maybe') assert.ok(doubts.length > 0);
  if (answer === 'no') assert.ok(deniedBy.length > 0);
  if (answer !== 'yes') return;
  // An end that only policies without a matching rule select is allowed by default.
  for (const { direction, by } of ends)
    assert.ok(by.length > 0 || notIsolated.includes(direction) || deniedBy.length === 0);
}

/** Compares worlds with policies of Cilium. Whether Cilium forwards SCTP is a setting. */
export function compareCilium(options: { readonly numRuns: number; readonly seed: number }): void {
  fc.assert(
    fc.property(ciliumWorld, (world) => {
      eachConnection(world.pods, ciliumReachability(world), (from, to, protocol, port) => {
        const isAllowed = ciliumAllows(world, from, to, protocol, port);
        return isAllowed && protocol === 'SCTP' ? undefined : isAllowed;
      });
    }),
    options,
  );
}

/** Compares worlds with policies of Calico. Connections that depend on the addresses of pods must be unknown. */
export function compareCalico(options: { readonly numRuns: number; readonly seed: number }): void {
  fc.assert(
    fc.property(calicoWorld, (world) => {
      eachConnection(world.pods, calicoReachability(world), (from, to, protocol, port) =>
        calicoAllows(world, from, to, protocol, port),
      );
    }),
    options,
  );
}
