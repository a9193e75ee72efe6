/** Tests that a server answers after any changes of the files as a new server does. */

import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { agentIn, jsonOf } from '../agents/agent.ts';
import { changed, changes, differing, type Files, pools } from '../cli/random-histories.ts';
import { campaignRuns } from './scale.ts';

/** Writes the files that differ, and deletes the files that no longer exist. */
function write(folder: string, before: Files, after: Files): void {
  for (const path of before.keys()) if (!after.has(path)) rmSync(join(folder, path));
  for (const [path, text] of after) {
    if (before.get(path) === text) continue;
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

const step = fc.record({ changes, proposed: changes });

describe('a server for agents', () => {
  it('answers after any changes as a new server does', async () => {
    await fc.assert(
      fc.asyncProperty(pools, fc.array(step, { minLength: 1, maxLength: 5 }), async (pool, steps) => {
        const folder = mkdtempSync(join(tmpdir(), 'selector-lens-agent-'));
        try {
          let now: Files = new Map(pool);
          write(folder, new Map(), now);
          const agent = agentIn(folder, true);
          await agent.call('check', {});
          for (const { changes: made, proposed } of steps) {
            const next = changed(now, pool, made);
            write(folder, now, next);
            now = next;
            const proposal = changed(now, pool, proposed);
            const files = differing(now, proposal).map((path) => ({ path, text: proposal.get(path) ?? null }));
            const calls = [['check', {}], ...(files.length > 0 ? [['impact', { files }] as const] : [])] as const;
            for (const [tool, input] of [...calls, ['check', {}] as const]) {
              const all = { ...input, limit: 500, details: true };
              const fresh = agentIn(folder, true);
              assert.deepEqual(jsonOf(await agent.call(tool, all)), jsonOf(await fresh.call(tool, all)), tool);
            }
          }
        } finally {
          rmSync(folder, { recursive: true });
        }
      }),
      { numRuns: campaignRuns(300) },
    );
  }).timeout(3_600_000);
});
