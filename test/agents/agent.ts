/** Calls tools over files on disk, without a client. */

import '../../server/src/rules/all.ts';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { answerLimits, dataNotice } from '../../server/src/agents/answer.ts';
import type { ToolAnswer } from '../../server/src/agents/call-tool.ts';
import type { AgentServices } from '../../server/src/agents/services.ts';
import { Bounds } from '../../server/src/node/bounds.ts';
import { openCommit } from '../../server/src/node/git/committed-files.ts';
import { agentServices } from '../../server/src/node/mcp.ts';
import { diskWorld } from '../corpus/disk-world.ts';

/** Returns the tools with a folder as the only root. */
export function agentIn(folder: string, isUnwatched = false, now?: () => number): AgentServices {
  const err: string[] = [];
  return agentServices(diskWorld(folder, [], err), new Bounds(), { isUnwatched, ...(now && { now }) });
}

/** Returns the tools with a folder in a git repository as the only root. */
export function agentAt(folder: string): AgentServices {
  return agentServices({ ...diskWorld(realpathSync(folder), [], []), openCommit }, new Bounds(), { isUnwatched: true });
}

/** Runs git without any configuration. */
export function git(folder: string, ...words: readonly string[]): void {
  const env = { ...process.env, GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const identity = ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com'];
  execFileSync('git', [...identity, ...words], { cwd: folder, env, stdio: 'ignore' });
}

/** Commits all files. */
export function commitAll(folder: string): void {
  git(folder, 'add', '-A');
  git(folder, 'commit', '-q', '-m', 'change');
}

/** The JSON of an answer. Throws for an answer that is an error. */
export function jsonOf({ text, isError }: ToolAnswer): Readonly<Record<string, unknown>> {
  if (isError || !text.startsWith(`${dataNotice}\n`)) throw new Error(text);
  return JSON.parse(text.slice(dataNotice.length + 1));
}

/** The size of an answer in bytes. */
export function sizeOf({ text }: ToolAnswer): number {
  return Buffer.byteLength(text);
}

/** The maximum size of an answer, in bytes. */
export const { usual: usualSize, most: mostSize } = answerLimits;

/** Writes files to a new folder, and calls `use` with its path. */
export async function inFolder<T>(
  files: Readonly<Record<string, string>>,
  use: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'selector-lens-agent-'));
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
