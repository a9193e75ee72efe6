/**
 * A campaign of 5000 crafted caches with valid checksums. Every command ends with one of its exit codes, and a changed
 * file is parsed again.
 */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { StoredFiles } from '../../server/src/workspace/store/file-store.ts';
import { badPrices, service, web } from '../cli/manifests.ts';
import { runInMemory } from '../cli/memory-world.ts';
import { campaignRuns } from './scale.ts';

const files = {
  'web.yaml': web,
  'service.yaml': service,
  'base/kustomization.yaml': 'resources: [../web.yaml]\nconfigMapGenerator: [{name: a, literals: [a=b]}]\n',
  'chart/Chart.yaml': 'apiVersion: v2\nname: chart\nversion: 1.0.0\n',
  'chart/templates/a.yaml': service.replaceAll('web', '{{ .Release.Name }}'),
  'prices.yaml': badPrices.replace('Team Blue', 'team-blue'),
};

/** FNV-1a of 32 bits, as in the store. */
function checksum(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = Math.imul(hash ^ byte, 0x01000193);
  return hash >>> 0;
}

/** Replaces a value in a JSON document; the number selects which one. */
type Change = readonly [at: number, value: unknown];

const value = fc.oneof(
  fc.constantFrom<unknown>(null, true, -1, 0.5, 1e15, 2 ** 31, '', '__proto__', 'metadata', [], {}, [[]], [null]),
  fc.integer({ min: 0, max: 300 }),
  fc.string({ maxLength: 8 }),
);
const changes: fc.Arbitrary<readonly Change[]> = fc.array(fc.tuple(fc.nat(), value), { maxLength: 4 });
const edits = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 40 });

/** A copy of a document with one part replaced: parts are counted in the order of a walk. */
function changed(document: unknown, [at, put]: Change): unknown {
  let left = at % countParts(document);
  const walk = (part: unknown): unknown => {
    if (left-- === 0) return put;
    if (Array.isArray(part)) return part.map(walk);
    if (typeof part !== 'object' || part === null) return part;
    return Object.fromEntries(Object.entries(part).map(([key, inner]) => [key, walk(inner)]));
  };
  return walk(document);
}

function countParts(part: unknown): number {
  if (typeof part !== 'object' || part === null) return 1;
  return Object.values(part).reduce((sum: number, inner) => sum + countParts(inner), 1);
}

function crafted(
  { header, bytes }: StoredFiles,
  parts: readonly Change[],
  bytesAt: readonly (readonly [number, number])[],
): StoredFiles {
  const damaged = Uint8Array.from(bytes);
  for (const [at, byte] of bytesAt) if (damaged.length > 0) damaged[at % damaged.length] = byte;
  const document = parts.reduce<unknown>(changed, JSON.parse(header));
  const isIndex = typeof document === 'object' && document !== null && 'checksum' in document;
  return { header: JSON.stringify(isIndex ? { ...document, checksum: checksum(damaged) } : document), bytes: damaged };
}

describe('campaign: crafted caches', () => {
  it('neither stop a command nor hide changes', async () => {
    const caches = new Map<string, StoredFiles>();
    await runInMemory(['check'], { files, caches });
    await runInMemory(['objects'], { files, caches });
    assert.equal(caches.size, 2, [...caches.keys()].join());
    const commands = [
      ['check'],
      ['check', '--format', 'json'],
      ['check', '--format', 'sarif'],
      ['match', '-l', 'app'],
      ['objects'],
      ['graph'],
    ];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...commands),
        changes,
        edits,
        fc.boolean(),
        async (words, parts, bytesAt, isNew) => {
          const theirs = new Map([...caches].map(([key, stored]) => [key, crafted(stored, parts, bytesAt)]));
          const now = isNew ? { ...files, 'prices.yaml': badPrices } : files;
          const { code, out, err } = await runInMemory(words, { files: now, caches: theirs });
          assert.ok(code === 0 || code === 1 || code === 2);
          const isSound = code !== 2 && err.every((line) => !line.includes('This should not happen'));
          if (isNew && isSound && words[0] === 'check')
            assert.ok(
              out.some((line) => line.includes("must not contain ' '")),
              out.join('\n'),
            );
        },
      ),
      { numRuns: campaignRuns(5000), ignoreEqualValues: false },
    );
  });
});
