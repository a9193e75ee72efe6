/**
 * Tests that `reach` finds the connections that np-guard recorded, in the folders of `../shared/reach/np-guard` if they
 * exist.
 */

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseCidr } from '../../server/src/engine/index.ts';
import { runOnDisk } from './disk-world.ts';

const folder = fileURLToPath(new URL('../../../shared/reach/np-guard', import.meta.url));

interface Expected {
  readonly folder: string;
  readonly from: string;
  readonly to: string;
  readonly allow: readonly { readonly protocol: string; readonly ports: string }[];
}

type Peer =
  | { readonly kind: 'IPBlock'; readonly cidr: string }
  | { readonly kind: string; readonly namespace: string; readonly name: string };

interface Answer {
  readonly connections: readonly { readonly from: Peer; readonly to: Peer; readonly allow: Expected['allow'] }[];
}

function linesOf<Line>(name: string): readonly Line[] {
  const lines = readFileSync(join(folder, name), 'utf8').trimEnd().split('\n');
  return lines.map((line): Line => JSON.parse(line));
}

function fileNameOf(peer: Peer): string {
  return 'cidr' in peer ? `ip:${peer.cidr}` : `${peer.namespace}/${peer.kind}/${peer.name}`;
}

/** Connections by pair; for addresses, one for each range that begins with a block of `cuts`. */
function byPair(connections: readonly Pick<Expected, 'from' | 'to' | 'allow'>[], cuts: readonly bigint[]) {
  const pairs = new Map<string, string>();
  for (const { from, to, allow } of connections) {
    const ports = allow.map((each) => `${each.protocol} ${each.ports}`).toSorted();
    for (const source of partsOf(from, cuts))
      for (const target of partsOf(to, cuts)) pairs.set(`${source} ${target}`, ports.join());
  }
  return Object.fromEntries([...pairs].filter(([, ports]) => ports !== '').toSorted());
}

function partsOf(name: string, cuts: readonly bigint[]): readonly string[] {
  if (!name.startsWith('ip:')) return [name];
  const range = parseCidr(name.slice(3));
  assert.ok(range, name);
  // np-guard does not support IPv6.
  if (range.family === 6) return [];
  return cuts.filter((cut) => range.first <= cut && cut <= range.last).map((cut) => `ip:${cut}`);
}

function cutsOf(names: readonly string[]): readonly bigint[] {
  const ranges = names.flatMap((name) => (name.startsWith('ip:') ? [parseCidr(name.slice(3))] : []));
  const bounds = ranges.flatMap((range) => (range?.family === 4 ? [range.first, range.last + 1n] : []));
  return [...new Set(bounds)].filter((bound) => bound < 1n << 32n);
}

describe('reach over the folders of np-guard', () => {
  if (!existsSync(folder)) {
    it('has no folders in this clone', () => assert.ok(!existsSync(folder)));
    return;
  }
  const expected = linesOf<Expected>('expected.jsonl');
  const onHost = new Set(
    linesOf<{ folder: string; workload: string }>('host-network.jsonl').map(
      (each) => `${each.folder} ${each.workload}`,
    ),
  );
  for (const name of readFileSync(join(folder, 'folders.txt'), 'utf8').trimEnd().split('\n')) {
    it(name, async () => {
      const { code, out, err } = await runOnDisk(['reach', '--format', 'json', '--root', name], folder);
      assert.equal(code, 0, err);
      const { connections }: Answer = JSON.parse(out);
      const found = connections.map(({ from, to, allow }) => ({ from: fileNameOf(from), to: fileNameOf(to), allow }));
      const recorded = expected.filter((line) => line.folder === name);
      const isCompared = ({ from, to }: { readonly from: string; readonly to: string }) =>
        ![from, to].some((end) => onHost.has(`${name} ${end}`));
      const cuts = cutsOf([...found, ...recorded].flatMap(({ from, to }) => [from, to]));
      assert.deepEqual(byPair(found.filter(isCompared), cuts), byPair(recorded.filter(isCompared), cuts));
    });
  }
});
