/**
 * Measures the server for agents over 10,000 files: `npm run bench:agents -- FILES`. The first answer is compared with a
 * repeated `check` on the command line, as whole processes; later answers are calls of the running server.
 */

import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { writeWorkspace } from './generate-workspace.ts';

const files = Number(process.argv[2] ?? 10_000);
const rounds = 5;
const command = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'selector-lens-agents-'));
const workspace = join(folder, 'workspace');
const env = { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') } as Record<string, string>;

function middle(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}

function row(what: string, times: readonly number[], target = ''): void {
  console.log(`| ${what} | ${middle(times).toFixed(1)} ms | ${Math.max(...times).toFixed(1)} ms | ${target} |`);
}

async function connect(): Promise<Client> {
  const client = new Client({ name: 'bench', version: '1' });
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [command, 'mcp'], cwd: workspace, env }),
  );
  return client;
}

async function timed(client: Client, name: string, input: Record<string, unknown>): Promise<number> {
  const start = performance.now();
  const { isError, content } = await client.callTool({ name, arguments: input }, undefined, { timeout: 600_000 });
  if (isError === true) throw new Error(`${name}: ${JSON.stringify(content)}`);
  return performance.now() - start;
}

try {
  writeWorkspace(workspace, files);
  const check = () => {
    const start = performance.now();
    spawnSync(process.execPath, [command, 'check', '--format', 'json'], { cwd: workspace, env, stdio: 'ignore' });
    return performance.now() - start;
  };
  // The cache is written by a run whose files are old enough.
  spawnSync('sleep', ['2.5']);
  check();
  check();
  const [warm, first]: [number[], number[]] = [[], []];
  for (let round = 0; round < rounds; round++) {
    warm.push(check());
    const start = performance.now();
    const client = await connect();
    await timed(client, 'check', {});
    first.push(performance.now() - start);
    await client.close();
  }
  console.log(`| ${files} files | Median | Maximum | Target |\n| --- | --- | --- | --- |`);
  row('`check` on the command line, nothing changed', warm);
  row('start of the server and first `check`', first);
  console.log(`| first answer / command line | ${(middle(first) / middle(warm)).toFixed(2)} | | at most 1.3 |`);
  const client = await connect();
  const path = 'apps/team-15/prices-364/base/workload.yaml';
  const calls: readonly (readonly [string, Record<string, unknown>])[] = [
    ['check', {}],
    ['check', { paths: [path] }],
    ['match', { selector: 'app.kubernetes.io/name=prices-364', pods: true }],
    ['explain', { selector: 'app.kubernetes.io/name=prices-364', object: 'Deployment/prices-364' }],
    ['objects', { paths: [path] }],
  ];
  for (const [name, input] of calls) await timed(client, name, input);
  const text = readFileSync(join(workspace, path), 'utf8');
  for (const [name, input] of calls) {
    const [same, edited]: [number[], number[]] = [[], []];
    for (let round = 0; round < rounds; round++) {
      same.push(await timed(client, name, input));
      writeFileSync(join(workspace, path), `# Round ${round}.\n${text}`);
      edited.push(await timed(client, name, input));
    }
    const shown = `\`${name}\`${'paths' in input ? ' of a file' : ''}`;
    row(`${shown}, nothing changed`, same, 'under 20 ms');
    row(`${shown} after an edit`, edited, 'under 20 ms');
  }
  await client.close();
} finally {
  rmSync(folder, { recursive: true });
}
