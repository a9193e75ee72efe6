/** Tests that a server prepares the answer to the next check after an edit, and continues an interrupted check. */

import '../../server/src/rules/all.ts';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AgentServices } from '../../server/src/agents/services.ts';
import { Bounds } from '../../server/src/node/bounds.ts';
import { agentServices } from '../../server/src/node/mcp.ts';
import { diskWorld } from '../corpus/disk-world.ts';
import { agentIn, inFolder, jsonOf } from './agent.ts';

const pod = (app: string) => `apiVersion: v1\nkind: Pod\nmetadata: { name: ${app}, labels: { app: ${app} } }\n`;
const service = (app: string) =>
  `apiVersion: v1\nkind: Service\nmetadata: { name: ${app} }\nspec:\n  selector: { app: ${app} }\n`;

const names = ['a', 'b', 'c', 'd', 'e'];
const files = Object.fromEntries(
  names.flatMap((name) => [
    [`${name}/pod.yaml`, pod(`web-${name}`)],
    [`${name}/service.yaml`, service(`web-${name}`)],
  ]),
);

/** A server that calls `pause` before it checks a file. */
function pausing(folder: string, pause: () => Promise<void>): AgentServices {
  const world = diskWorld(folder, [], []);
  return agentServices({ ...world, files: { ...world.files, pause } }, new Bounds());
}

async function fresh(folder: string, tool = 'check', input: object = {}) {
  return jsonOf(await agentIn(folder, true).call(tool, input));
}

const proposal = { files: [{ path: 'a/service.yaml', text: service('other') }] };

describe('a server for agents', () => {
  for (const [tool, input] of [
    ['check', {}],
    ['impact', proposal],
  ] as const)
    it(`prepares the next answer of ${tool} after an edit`, async () => {
      // Other systems report changes too late.
      if (process.platform !== 'linux') return;
      await inFolder(files, async (folder) => {
        let checked = 0;
        let onCheck = () => {};
        const agent = pausing(folder, () => {
          checked++;
          onCheck();
          return Promise.resolve();
        });
        await agent.call(tool, input);
        const began = new Promise<void>((resolve) => {
          onCheck = resolve;
        });
        writeFileSync(join(folder, 'a/service.yaml'), service('webb-a'));
        await began;
        // The pauses end at once, so the preparation ends in this iteration of the event loop.
        await new Promise(setImmediate);
        checked = 0;
        assert.deepEqual(jsonOf(await agent.call(tool, input)), await fresh(folder, tool, input));
        assert.equal(checked, 0);
      });
    });

  it('stops its preparation for a call', async () => {
    if (process.platform !== 'linux') return;
    await inFolder(files, async (folder) => {
      let onCheck: (() => Promise<void>) | undefined;
      const agent = pausing(folder, () => onCheck?.() ?? Promise.resolve());
      await agent.call('check', {});
      let checked = 0;
      const answer = new Promise<unknown>((resolve) => {
        onCheck = () => {
          if (checked++ === 0) resolve(agent.call('objects', {}));
          return Promise.resolve();
        };
      });
      writeFileSync(join(folder, 'a/service.yaml'), service('webb-a'));
      await answer;
      assert.equal(checked, 1);
      assert.deepEqual(jsonOf(await agent.call('check', {})), await fresh(folder));
    });
  });

  for (const [what, text, expected] of [
    ['continues an interrupted check', undefined, 2 * names.length],
    ['begins anew if a file has changed', service('webb-a'), 2 * names.length + 8],
  ] as const) {
    it(what, async () => {
      await inFolder(files, async (folder) => {
        let [left, checked] = [0, 0];
        const agent = pausing(folder, () => {
          if (left-- <= 0) return Promise.reject(new Error('interrupted'));
          checked++;
          return Promise.resolve();
        });
        for (const _ of ['once', 'twice']) {
          left = 4;
          assert.equal((await agent.call('check', {})).isError, true);
        }
        left = 2;
        assert.equal((await agent.call('check', { paths: ['b'] })).isError, false);
        checked -= 2;
        if (text !== undefined) writeFileSync(join(folder, 'a/service.yaml'), text);
        left = Number.POSITIVE_INFINITY;
        assert.deepEqual(jsonOf(await agent.call('check', {})), await fresh(folder));
        assert.equal(checked, expected);
      });
    });
  }
});
