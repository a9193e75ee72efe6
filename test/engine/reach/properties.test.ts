/**
 * Tests that reachability equals a brute-force evaluation, and that its certain results hold for all values of the
 * unknowns.
 */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Reachability } from '../../../server/src/engine/index.ts';
import { mayConnect, type PlainWorld } from './brute-force.ts';
import { plainWorld, ports, reachabilityOf, transports, withoutOptional } from './small-worlds.ts';

/** Calls `check` for every ordered pair of pods and every port that policies may treat differently. */
function eachQuestion(
  world: PlainWorld,
  reachability: Reachability,
  check: (answer: 'yes' | 'no' | 'maybe', truth: boolean, question: string) => void,
): void {
  for (const [from, source] of world.pods.entries())
    for (const [to, target] of world.pods.entries()) {
      const classes = [reachability.classOf(from), reachability.classOf(to)] as const;
      if (from === to || !classes[0] || !classes[1]) continue;
      for (const protocol of transports)
        for (const port of [...ports, 9999]) {
          const answer = reachability.answer(classes[0], classes[1], protocol, port);
          check(answer, mayConnect(world, source, target, protocol, port), `${from} ${to} ${protocol} ${port}`);
        }
    }
}

describe('reachability', () => {
  it('equals a brute-force evaluation', () => {
    fc.assert(
      fc.property(plainWorld, (world) => {
        eachQuestion(world, reachabilityOf(world), (answer, truth, question) => {
          assert.equal(answer, truth ? 'yes' : 'no', question);
        });
      }),
      { numRuns: 800 },
    );
  });

  it('gives no certain answer that an unknown value can make wrong', () => {
    fc.assert(
      fc.property(plainWorld, fc.func(fc.nat(7)), fc.func(fc.boolean()), (world, chance, isDropped) => {
        const isUnknown = (path: string) => chance(path) === 0;
        const truth = withoutOptional(world, isUnknown, isDropped);
        eachQuestion(truth, reachabilityOf(world, isUnknown), (answer, truth, question) => {
          if (answer !== 'maybe') assert.equal(answer, truth ? 'yes' : 'no', question);
        });
      }),
      { numRuns: 1000 },
    );
  });

  it('proves every answer', () => {
    fc.assert(
      fc.property(plainWorld, (world) => {
        const reachability = reachabilityOf(world);
        const [from, to] = [reachability.podEnd(0), reachability.podEnd(1)];
        assert.ok(from && to);
        const proof = reachability.prove(from, to, 'TCP', 80);
        const isFree = (direction: 'ingress' | 'egress') => proof.notIsolated.includes(direction);
        const decides = (direction: string) => (each: { direction: string }) => each.direction === direction;
        const atEnds = proof.ends.map(({ answer }) => answer);
        const both = (['no', 'maybe'] as const).find((each) => atEnds.includes(each)) ?? 'yes';
        assert.equal(proof.answer, both);
        for (const { direction, answer, by } of proof.ends)
          if (answer === 'no') assert.ok(by.length > 0 && !isFree(direction));
        if (proof.answer === 'no') assert.ok(proof.deniedBy.length > 0);
        for (const direction of ['ingress', 'egress'] as const) {
          if (
            proof.answer === 'yes' &&
            !isFree(direction) &&
            world.policies.every(({ spec }) => spec.tier === undefined)
          )
            assert.ok(proof.allowedBy.some(decides(direction)));
          assert.ok(!(isFree(direction) && proof.deniedBy.some(decides(direction))));
        }
      }),
    );
  });
});
