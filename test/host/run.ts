/** Runs the suites inside a real VS Code: a desktop one if there is one, otherwise the browser-hosted one. */
import { cp } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSuite } from './build-suite.ts';
import { type CodeServerOptions, root } from './code-server.ts';
import { commitAll } from './commit-all.ts';
import { writeCounts } from './counts.ts';
import { newFolder, removeFolder } from './folders.ts';
import type { Host, SuiteRun } from './hosts.ts';
import { browserHost, chooseHost } from './hosts.ts';
import type { HostMessage } from './messages.ts';
import { allNeighbors, areRealAtHand } from './neighbors.ts';
import { forHostTest } from './patience.ts';

/** Suites run in separate windows, on copies of the folders with their names under `workspace/`. */
const suites = ['quiet', 'shop', 'git'];
/** A host without any message for this time is broken. */
const patience = 2 * forHostTest;

const counts = { passed: 0, failed: 0 };
await using host = await chooseHost();
console.log(`Host: ${host.name}`);
for (const suite of suites) await runSuite(host, suite, { workspace: suite, tests: suite });
await using page = await browserHost();
if (!areRealAtHand)
  console.log('\nThere are no real extensions in ../shared/extensions: a stand-in runs next to ours.');
for (const { name, ...options } of allNeighbors)
  await runSuite(page, `next to ${name}`, { workspace: 'faults', tests: 'neighbors', ...options });
console.log(`${counts.passed} passed, ${counts.failed} failed in ${host.name}`);
writeCounts(counts);
process.exitCode = counts.failed > 0 ? 1 : 0;

interface Suite extends CodeServerOptions {
  /** The folder under `workspace/` that the window shows. */
  readonly workspace: string;
  /** The folder under `suite/` with the tests. */
  readonly tests: string;
}

async function runSuite(host: Host, name: string, { workspace, tests, ...options }: Suite): Promise<void> {
  console.log(`\n  ${name}`);
  const folder = await newFolder(tests);
  await cp(join(root, 'test', 'host', 'workspace', workspace), folder, { recursive: true });
  if (workspace === 'git') commitAll(folder);
  const { port, ended, stop } = await listen();
  const run: SuiteRun = { ...options, folder, tests: await buildSuite(tests), port, ended };
  try {
    const running = host.run(run);
    await Promise.race([running, ended]);
    await ended;
    // The cause of a failed test is already reported; the next suite begins after all processes of this one have ended.
    await Promise.allSettled([running]);
  } catch (error) {
    counts.failed += 1;
    console.log(`    died: ${error}\n${host.log()}`);
  } finally {
    stop();
    await removeFolder(folder);
  }
}

interface Listener {
  readonly port: number;
  /** Resolves when the suite reports its end; rejects when it crashed or stopped responding. */
  readonly ended: Promise<void>;
  stop(): void;
}

async function listen(): Promise<Listener> {
  const server = createServer();
  const ended = new Promise<void>((resolve, reject) => {
    const disable = setTimeout(() => reject(new Error('The host fell silent.')), patience);
    server.once('close', () => clearTimeout(disable));
    server.on('connection', (socket) => {
      const lines = createInterface(socket);
      lines.on('line', (line) => {
        disable.refresh();
        const message: HostMessage = JSON.parse(line);
        note(message);
        if (message.kind === 'ended') resolve();
        if (message.kind === 'died') reject(new Error(message.text));
      });
      lines.once('close', () => reject(new Error('The host ended before its suite did.')));
    });
  });
  ended.catch(() => {}); // Awaited later; until then a failure must not count as unhandled.
  const port = await portOf(server);
  return { port, ended, stop: () => server.close() };
}

function note(message: HostMessage): void {
  if (message.kind === 'passed') {
    counts.passed += 1;
    console.log(`    ✔ ${message.title}`);
  } else if (message.kind === 'failed') {
    counts.failed += 1;
    console.log(`    ✘ ${message.title}\n${message.text}`);
  }
}

function portOf(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      if (address === null || typeof address === 'string') reject(new Error('No port.'));
      else resolve(address.port);
    });
  });
}
