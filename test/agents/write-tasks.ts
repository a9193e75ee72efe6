/** Writes test/agents-tasks.md: `npm run generate:tasks`. */

import { writeFileSync } from 'node:fs';
import { solve, tasks, tasksPage } from './tasks.ts';

const solved = [];
for (const task of tasks) solved.push([task, await solve(task)] as const);
writeFileSync(new URL('../../test/agents-tasks.md', import.meta.url), tasksPage(solved));
