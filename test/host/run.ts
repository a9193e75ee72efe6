/** How does the mocha suite run inside a real VS Code? In a desktop one where there is one, else in the page. */
import { cp } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buildSuite } from './build-suite.ts';
import { root } from './code-server.ts';
import { writeCounts } from './counts.ts';
import { newFolder, removeFolder } from './folders.ts';
import type { Host, SuiteRun } from './hosts.ts';
import { chooseHost } from './hosts.ts';
import type { HostMessage } from './messages.ts';
import { forHostTest } from './patience.ts';

/** Each suite runs in a window of its own, on a copy of the folder of that name under `workspace/`. */
const suites = ['quiet', 'shop'];
/** A host that says nothing for so long is broken. */
const patience = 2 * forHostTest;

const counts = { passed: 0, failed: 0 };
await using host = await chooseHost();
console.log(`Host: ${host.name}`);
for (const suite of suites) await runSuite(host, suite);
console.log(`${counts.passed} passed, ${counts.failed} failed in ${host.name}`);
writeCounts(counts);
process.exitCode = counts.failed > 0 ? 1 : 0;

async function runSuite(host: Host, suite: string): Promise<void> {
  console.log(`\n  ${suite}`);
  const folder = await newFolder(suite);
  await cp(join(root, 'test', 'host', 'workspace', suite), folder, { recursive: true });
  const { port, ended, stop } = await listen();
  const run: SuiteRun = { folder, tests: await buildSuite(suite), port, ended };
  try {
    const running = host.run(run);
    await Promise.race([running, ended]);
    await ended;
    // What a failed test was is told by now; the next suite begins when nothing of this one runs any more.
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
  /** Resolves when the suite said that it ended; rejects when it died or fell silent. */
  readonly ended: Promise<void>;
  stop(): void;
}

async function listen(): Promise<Listener> {
  const server = createServer();
  const ended = new Promise<void>((resolve, reject) => {
    const silence = setTimeout(() => reject(new Error('The host fell silent.')), patience);
    server.once('close', () => clearTimeout(silence));
    server.on('connection', (socket) => {
      const lines = createInterface(socket);
      lines.on('line', (line) => {
        silence.refresh();
        const message: HostMessage = JSON.parse(line);
        note(message);
        if (message.kind === 'ended') resolve();
        if (message.kind === 'died') reject(new Error(message.text));
      });
      lines.once('close', () => reject(new Error('The host ended before its suite did.')));
    });
  });
  ended.catch(() => {}); // It is awaited later; until then a failure is not an unhandled one.
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
