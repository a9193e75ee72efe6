/** Tests that connections beside policies of network plugins have the verdicts of the vectors. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { runInMemory } from './memory-world.ts';

interface Vector {
  readonly id: string;
  readonly system: string;
  readonly objects: readonly object[];
  readonly from: string;
  readonly to: string;
  readonly port: number;
  readonly protocol: string;
  readonly verdict: string;
}

const path = new URL('../vectors/policy-connections.jsonl.br', import.meta.url);
const vectors: readonly Vector[] = brotliDecompressSync(readFileSync(path))
  .toString()
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

async function verdictOf({ objects, from, to, port, protocol }: Vector): Promise<string> {
  const files = { 'all.json': JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }) };
  const args = ['reach', from, to, '--port', `${port}`, '--protocol', protocol, '--format', 'json'];
  const { json } = await runInMemory(args, { files });
  const { allowed, unknown } = json as { readonly allowed: boolean; readonly unknown?: boolean };
  return unknown ? 'unknown' : allowed ? 'allowed' : 'denied';
}

describe('connections beside policies', () => {
  const systems = { cilium: 53, calico: 50, istio: 33 };
  for (const [system, count] of Object.entries(systems))
    it(`of ${system} have the verdicts of the vectors`, async () => {
      const own = vectors.filter((vector) => vector.system === system);
      assert.equal(own.length, count);
      const verdicts = await Promise.all(own.map(async (vector) => `${vector.id} ${await verdictOf(vector)}`));
      assert.deepEqual(
        verdicts,
        own.map(({ id, verdict }) => `${id} ${verdict}`),
      );
    });
});
