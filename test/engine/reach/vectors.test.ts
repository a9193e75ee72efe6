/** Tests that reachability agrees with the recorded results, line by line. test/vectors/README.md has the format. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { hasPort, type Protocol, portsByProtocol } from '../../../server/src/engine/index.ts';
import { type NamedWorld, worldOf } from './objects.ts';

const readme = readFileSync(new URL('../../vectors/README.md', import.meta.url), 'utf8');

/** One test per file, whose lines are compressed; each line goes through `check`. */
function file<Line extends { readonly id: string }>(name: string, check: (line: Line) => void): void {
  const path = new URL(`../../vectors/${name}.jsonl.br`, import.meta.url);
  const lines = brotliDecompressSync(readFileSync(path)).toString().trimEnd().split('\n');
  it(`${name}: ${lines.length} lines`, () => {
    assert.match(readme, new RegExp(`^\\| \`${name}\\.jsonl\\.br\` \\| ${lines.length} \\| `, 'm'));
    for (const text of lines) {
      const line: Line = JSON.parse(text);
      try {
        check(line);
      } catch (cause) {
        throw new Error(`${name} ${line.id}`, { cause });
      }
    }
  });
}

type Objects = Parameters<typeof worldOf>[0];

/** All ordered pairs of workloads, and of workloads with addresses. */
function* pairsOf({ pods }: NamedWorld, addresses: readonly string[]): Iterable<readonly [from: string, to: string]> {
  const names = [...pods.keys()];
  const outside = addresses.map((each) => `ip:${each}/${each.includes(':') ? 128 : 32}`);
  for (const from of [...names, ...outside])
    for (const to of [...names, ...outside])
      if (from !== to && !(from.startsWith('ip:') && to.startsWith('ip:'))) yield [from, to];
}

describe('vectors of reachability', () => {
  interface Connections {
    readonly id: string;
    readonly objects: Objects;
    readonly addresses: readonly string[];
    readonly allowed: readonly {
      readonly from: string;
      readonly to: string;
      readonly protocol: string;
      readonly ports: string;
    }[];
    readonly isolated: Readonly<Record<'ingress' | 'egress', readonly string[]>>;
  }
  file<Connections>('reach-vectors', ({ objects, addresses, allowed, isolated }) => {
    const world = worldOf(objects);
    const { reachability } = world;
    const found: string[] = [];
    for (const [from, to] of pairsOf(world, addresses)) {
      const { allowed: ports } = reachability.connections(world.peer(from), world.peer(to));
      const entries = ports === reachability.ports.all ? [{ protocol: 'any', ports: 'all' }] : portsByProtocol(ports);
      for (const { protocol, ports } of entries) found.push([from, to, protocol, ports].join(' '));
    }
    const expected = allowed.map(({ from, to, protocol, ports }) => [from, to, protocol, ports].join(' '));
    assert.deepEqual(found.toSorted(), expected.toSorted());
    for (const direction of ['ingress', 'egress'] as const) {
      const names = [...world.pods.keys()].filter((name) => {
        const peer = world.peer(name);
        return peer.kind === 'pods' && reachability.policiesOn(peer, direction).network.length > 0;
      });
      assert.deepEqual(names.toSorted(), isolated[direction].toSorted());
    }
  });

  interface Why {
    readonly id: string;
    readonly objects: Objects;
    readonly from: string;
    readonly to: string;
    readonly protocol: Protocol;
    readonly port: number;
    readonly allowed: boolean;
    readonly allowedBy: readonly { readonly policy: string; readonly direction: string; readonly rule: number }[];
    readonly deniedBy: readonly { readonly policy: string; readonly direction: string }[];
    readonly notIsolated: readonly string[];
  }
  file<Why>('reach-why', (line) => {
    const world = worldOf(line.objects);
    const [from, to] = [world.end(line.from), world.end(line.to)];
    const proof = world.reachability.prove(from, to, line.protocol, line.port);
    const sorted = (list: readonly object[]) => list.map((each) => JSON.stringify(each)).toSorted();
    const named = <T extends { readonly policy: number }>(list: readonly T[]) =>
      list.map((each) => ({ ...each, policy: world.policies[each.policy] }));
    assert.equal(proof.answer === 'yes', line.allowed);
    assert.deepEqual(sorted(named(proof.allowedBy)), sorted(line.allowedBy));
    assert.deepEqual(sorted(named(proof.deniedBy)), sorted(line.deniedBy));
    assert.deepEqual(proof.notIsolated.toSorted(), line.notIsolated.toSorted());
  });

  interface Cases {
    readonly id: string;
    readonly objects: Objects;
    readonly addresses: readonly string[];
    readonly tables: readonly {
      readonly protocol: Protocol;
      readonly port: number;
      readonly denied: readonly (readonly [from: string, to: string])[];
    }[];
  }
  file<Cases>('reach-cases', ({ objects, addresses, tables }) => {
    const world = worldOf(objects);
    for (const { protocol, port, denied } of tables) {
      const found = [...pairsOf(world, addresses)].filter(([from, to]) => {
        const { allowed } = world.reachability.connections(world.peer(from), world.peer(to));
        return !hasPort(allowed, protocol, port);
      });
      assert.deepEqual(found.map(String).toSorted(), denied.map(String).toSorted());
    }
  });
});
