/** Tests that every call ends in time, even if the thread that computes its answer hangs or crashes. */

import assert from 'node:assert/strict';
import { Worker } from 'node:worker_threads';
import { dataNotice } from '../../server/src/agents/answer.ts';
import type { ToolAnswer } from '../../server/src/agents/call-tool.ts';
import { CallThread } from '../../server/src/node/call-thread.ts';

/** A thread whose tools hang, wait, crash, use all memory, or count the calls of this thread. */
const script = `
  const { parentPort } = require('node:worker_threads');
  let count = 0;
  let roots = [];
  const answer = (id) => parentPort.postMessage({ id, answer: { text: roots + ++count, isError: false } });
  parentPort.on('message', (request) => {
    if (request === 'ping') parentPort.postMessage('pong');
    else if (request.roots) roots = request.roots;
    else if (request.name === 'hang') for (;;);
    else if (request.name === 'crash') throw new Error('a\\u200bbug');
    else if (request.name === 'fill') for (const all = []; ; ) all.push(new Array(1e6).fill(all));
    else if (request.name === 'count') answer(request.id);
  });
`;

const limits = { call: 1_000, response: 200 };

async function withThread(use: (thread: CallThread, started: () => number) => Promise<void>, given = limits) {
  let started = 0;
  const resourceLimits = { maxOldGenerationSizeMb: 30 };
  const thread = new CallThread(() => {
    started++;
    return new Worker(script, { eval: true, resourceLimits });
  }, given);
  try {
    await use(thread, () => started);
  } finally {
    await thread.close();
  }
}

function errorIn({ text, isError }: ToolAnswer): string {
  assert.equal(isError, true);
  assert.ok(text.startsWith(`${dataNotice}\n`), text);
  return JSON.parse(text.slice(dataNotice.length)).error;
}

describe('a call of an agent', () => {
  it('ends in time although its thread hangs, and a new thread answers the next calls', async () => {
    await withThread(async (thread, started) => {
      thread.open(['root']);
      assert.equal((await thread.call('count', {})).text, 'root1');
      assert.equal(
        errorIn(await thread.call('hang', {})),
        'This takes too long: name fewer paths, or repeat the call.',
      );
      assert.deepEqual(await thread.call('count', {}), { text: 'root1', isError: false });
      assert.equal(started(), 2);
    });
  });

  it('does not stop a thread that pauses', async () => {
    await withThread(async (thread, started) => {
      assert.match(errorIn(await thread.call('wait', {})), /^This takes too long/);
      assert.match(errorIn(await thread.call('wait', {})), /^This takes too long/);
      assert.equal((await thread.call('count', {})).text, '1');
      assert.equal(started(), 1);
    });
  });

  it('is answered if its thread crashes, or uses all memory', async () => {
    const long = { call: 60_000, response: 60_000 };
    await withThread(async (thread) => {
      assert.equal(
        errorIn(await thread.call('crash', {})),
        'The call was stopped: Error: a\uFFFDbug. Name fewer paths.',
      );
      assert.equal((await thread.call('count', {})).text, '1');
      assert.match(
        errorIn(await thread.call('fill', {})),
        /^The call was stopped: .*memory limit.* Name fewer paths\.$/,
      );
      assert.equal((await thread.call('count', {})).text, '1');
    }, long);
  });
});
