/** Tests that the tools solve the tasks of test/agents-tasks.md, with answers of the listed sizes. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { usualSize } from './agent.ts';
import { solve, tasks, tasksPage } from './tasks.ts';

const page = 'test/agents-tasks.md';

describe('the tasks of agents', () => {
  it('are solved by the listed calls, in small answers', async () => {
    const solved = [];
    for (const task of tasks) {
      const calls = await solve(task);
      for (const { tool, input, bytes } of calls) {
        const isLimited = input['limit'] !== undefined;
        assert.ok(isLimited || bytes <= usualSize, `${task.title}: ${tool} answers ${bytes} bytes`);
      }
      solved.push([task, calls] as const);
    }
    const text = readFileSync(new URL(`../../${page}`, import.meta.url), 'utf8');
    assert.equal(text, tasksPage(solved), `Write ${page} again: npm run generate:tasks`);
    assert.ok(tasks.length >= 50, `${tasks.length} tasks`);
  });
});
