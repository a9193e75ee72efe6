/**
 * Measures the server for agents over 10,000 files: `npm run bench:agents -- FILES TOOL`. The first answer is compared with a
 * repeated `check` on the command line, as whole processes; later
 * answers are calls of all tools of the running server.
 */

import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { writeWorkspace } from './generate-workspace.ts';
import { processorTime } from './processor-time.ts';

const count = Number(process.argv[2] ?? 10_000);
/** The only tool to measure; `edits` measures only `check` and `impact` after edits of many files. */
const only = process.argv[3];
const rounds = 5;
/** The number of calls of each tool. */
const repetitions = 15;
const command = fileURLToPath(new URL('../dist/cli.js', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'selector-lens-agents-'));
const workspace = join(folder, 'workspace');
const env = { ...process.env, XDG_CACHE_HOME: join(folder, 'cache') } as Record<string, string>;

function middle(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1] ?? Number.NaN;
}

/** The 95th percentile. */
function most(numbers: readonly number[]): number {
  return numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length * 0.95)] ?? Number.NaN;
}

function row(what: string, times: readonly number[], target = ''): void {
  console.log(`| ${what} | ${middle(times).toFixed(1)} ms | ${Math.max(...times).toFixed(1)} ms | ${target} |`);
}

interface Cost {
  /** The time until the answer, in milliseconds. */
  readonly time: number;
  /** The processor time of the whole server in milliseconds; NaN if the system does not provide it. */
  readonly work: number;
}

async function connect(): Promise<{ readonly client: Client; work(): number }> {
  const client = new Client({ name: 'bench', version: '1' });
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [command, 'mcp'],
    cwd: workspace,
    env,
  });
  await client.connect(transport);
  return { client, work: () => processorTime(transport.pid) };
}

/** The text with another value of a label, in all of its label maps. */
function labeled(text: string, value: string): string {
  return text.replaceAll(/^( +app.kubernetes.io\/component): .*$/gm, `$1: ${value}`);
}

function commitAll(): void {
  const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.com'];
  for (const args of [
    ['init', '-q'],
    ['add', '.'],
    [...identity, 'commit', '-q', '-m', 'All files'],
  ])
    spawnSync('git', args, { cwd: workspace, stdio: 'ignore' });
}

/** Proposed texts by path; null deletes a file. */
type Edit = Readonly<Record<string, string | null>>;

/** Edits that change names, lists and the set of files, by what they change. */
function structuralEdits(folder: string, path: string): Readonly<Record<string, Edit>> {
  const [text, list] = [path, `${folder}/kustomization.yaml`].map((each) =>
    readFileSync(join(workspace, each), 'utf8'),
  );
  const extra = 'apiVersion: v1\nkind: ServiceAccount\nmetadata: { name: extra }\n';
  const named = list?.replace(/^resources:\n/m, '$&  - extra.yaml\n') ?? '';
  return {
    'a name': { [path]: text?.replace(/^( {2}name: .*)$/m, '$1-renamed') ?? '' },
    'an added file': { [`${folder}/extra.yaml`]: extra },
    'an added and listed file': { [`${folder}/extra.yaml`]: extra, [`${folder}/kustomization.yaml`]: named },
    'a deleted file': { [path]: null },
    'a list': { [`${folder}/kustomization.yaml`]: list?.replace(/^ +- workload\.yaml\n/m, '') ?? '' },
  };
}

/** Writes an edit, and returns the edit that undoes it. */
function write(edit: Edit): Edit {
  return Object.fromEntries(
    Object.entries(edit).map(([path, text]) => {
      const file = join(workspace, path);
      const before = existsSync(file) ? readFileSync(file, 'utf8') : null;
      if (text === null) rmSync(file);
      else writeFileSync(file, text);
      return [path, before] as const;
    }),
  );
}

/** Measures the answers right after edits that change names, lists and the set of files. */
async function measureStructures(
  cost: (name: string, input: Record<string, unknown>) => Promise<Cost>,
  edits: Readonly<Record<string, Edit>>,
) {
  const tools = ['check', 'diff', 'impact'].filter((each) => only === undefined || only === each);
  if (tools.length === 0) return;
  console.log(
    `\n| ${count} files, right after a change of | ${tools.map((each) => `\`${each}\`, median | p95 | work, median`).join(' | ')} |\n| ---${' | ---'.repeat(3 * tools.length)} |`,
  );
  for (const [shown, edit] of Object.entries(edits)) {
    const costs = new Map(tools.map((tool) => [tool, [] as Cost[]]));
    const files = Object.entries(edit).map(([path, text]) => ({ path, text }));
    const inputs: Readonly<Record<string, Record<string, unknown>>> = {
      check: {},
      diff: { old: 'HEAD' },
      impact: { files },
    };
    for (let round = 0; round < rounds; round++)
      for (const tool of tools) {
        const undo = tool === 'impact' ? {} : write(edit);
        costs.get(tool)?.push(await cost(tool, inputs[tool] ?? {}));
        write(undo);
        await cost('check', {});
      }
    const cells = [...costs.values()].flatMap((each) => {
      const times = each.map(({ time }) => time);
      return [middle(times), most(times), middle(each.map(({ work }) => work))];
    });
    console.log(`| ${shown} | ${cells.map((each) => `${each.toFixed(1)} ms`).join(' | ')} |`);
  }
}

/** The number of edits after which `check` and `impact` are measured, and of those before, which are not counted. */
const [edited, warming] = [120, 20];

/** Measures whole answers right after edits of labels in files all over the workspace. */
async function measureEdits(cost: (name: string, input: Record<string, unknown>) => Promise<Cost>): Promise<void> {
  const isLabeled = (path: string) =>
    /^ +app.kubernetes.io\/component: /m.test(readFileSync(join(workspace, path), 'utf8'));
  const all = readdirSync(workspace, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.yaml'));
  const labels = all.toSorted().filter(isLabeled);
  const textOf = (path: string) => readFileSync(join(workspace, path), 'utf8');
  const costs = new Map<string, Cost[]>([
    ['check', []],
    ['impact', []],
  ]);
  for (let round = 0; round < warming + edited; round++)
    for (const [tool, measured] of costs) {
      const [path = '', proposed = ''] = [round * 37, round * 37 + 11].map((number) => labels[number % labels.length]);
      const files = [{ path: proposed, text: labeled(textOf(proposed), `proposed-${round}`) }];
      writeFileSync(join(workspace, path), labeled(textOf(path), `${tool}-${round}`));
      const taken = await cost(tool, tool === 'impact' ? { files } : {});
      if (round >= warming) measured.push(taken);
    }
  const columns = ['time, median', 'p95', 'maximum', 'work, median', 'p95'];
  console.log(
    `\n| ${count} files, after each of ${edited} edits of labels in ${labels.length} files | ${columns.join(' | ')} |`,
  );
  console.log(`| ---${' | ---'.repeat(columns.length)} |`);
  for (const [tool, all] of costs) {
    const [times, work] = [all.map(({ time }) => time), all.map((each) => each.work)];
    const cells = [middle(times), most(times), Math.max(...times), middle(work), most(work)];
    console.log(`| \`${tool}\` | ${cells.map((each) => `${each.toFixed(1)} ms`).join(' | ')} |`);
  }
}

async function timed(client: Client, name: string, input: Record<string, unknown>): Promise<number> {
  const start = performance.now();
  const { isError, content } = await client.callTool({ name, arguments: input }, undefined, { timeout: 600_000 });
  if (isError === true) throw new Error(`${name}: ${JSON.stringify(content)}`);
  return performance.now() - start;
}

try {
  writeWorkspace(workspace, count);
  commitAll();
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
    const { client } = await connect();
    await timed(client, 'check', {});
    first.push(performance.now() - start);
    await client.close();
  }
  console.log(`| ${count} files | Median | Maximum | Target |\n| --- | --- | --- | --- |`);
  row('`check` on the command line, nothing changed', warm);
  row('start of the server and first `check`', first);
  console.log(`| first answer / command line | ${(middle(first) / middle(warm)).toFixed(2)} | | at most 1.3 |`);
  const { client, work } = await connect();
  const path = 'apps/team-15/prices-364/base/workload.yaml';
  const scope = ['apps/team-15/prices-364/overlays/production'];
  const selector = 'app.kubernetes.io/name=prices-364';
  const object = 'Deployment/prices-364';
  const text = readFileSync(join(workspace, path), 'utf8');
  const cost = async (name: string, input: Record<string, unknown>): Promise<Cost> => {
    const before = work();
    const time = await timed(client, name, input);
    return { time, work: work() - before };
  };
  await cost('check', {});
  if (only === undefined || only === 'edits') await measureEdits(cost);
  let proposals = 0;
  const calls: readonly (readonly [
    shown: string,
    name: string,
    input: Record<string, unknown> | (() => Record<string, unknown>),
  ])[] = [
    ['`check`', 'check', {}],
    ['`check` of a file', 'check', { paths: [path] }],
    ['`match`', 'match', { selector, pods: true }],
    ['`who_selects`', 'who_selects', { object }],
    ['`explain`', 'explain', { selector, object }],
    ['`reach` in an overlay', 'reach', { scope }],
    ['`uses`', 'uses', { object: 'ServiceAccount/prices-364' }],
    ['`objects`', 'objects', {}],
    ['`objects` of a file', 'objects', { paths: [path] }],
    ['`diff` with HEAD', 'diff', { old: 'HEAD' }],
    ['`impact` of a new edit', 'impact', () => ({ files: [{ path, text: labeled(text, `proposed-${proposals++}`) }] })],
    ['`rename_plan`', 'rename_plan', { object, label: selector, to: 'quotes' }],
  ];
  console.log(
    `\n| ${count} files | ${['Again', 'Right after an edit', 'Later after an edit'].map((each) => `${each}, median | p95 | work, median`).join(' | ')} |\n| ---${' | ---'.repeat(9)} |`,
  );
  let edits = 0;
  for (const [shown, name, input] of calls.filter(([, name]) => only === undefined || only === name)) {
    const [same, soon, later]: [Cost[], Cost[], Cost[]] = [[], [], []];
    const call = () => cost(name, typeof input === 'function' ? input() : input);
    const edit = () => writeFileSync(join(workspace, path), labeled(text, `edit-${edits++}`));
    await call();
    for (let round = 0; round < repetitions; round++) {
      same.push(await call());
      edit();
      soon.push(await call());
      edit();
      // The server handles the event while the agent waits for its model.
      await setTimeout(500);
      later.push(await call());
    }
    const cells = [same, soon, later].flatMap((costs) => {
      const times = costs.map(({ time }) => time);
      return [middle(times), most(times), middle(costs.map((each) => each.work))];
    });
    console.log(`| ${shown} | ${cells.map((each) => `${each.toFixed(1)} ms`).join(' | ')} |`);
  }
  await measureStructures(cost, structuralEdits('apps/team-15/prices-364/base', path));
  await client.close();
} finally {
  rmSync(folder, { recursive: true });
}
