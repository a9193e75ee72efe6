/** Runs a suite inside the extension host with mocha, and sends its messages to the runner over a socket. */
import { connect, type Socket } from 'node:net';
import { inspect } from 'node:util';
import type { HostMessage } from '../messages.ts';
import { forHostTest } from '../patience.ts';

/** Runs the test files that `load` imports; VS Code calls it through the bundle that `build-suite.ts` creates. */
export async function runSuite(load: () => Promise<unknown>): Promise<void> {
  const port = Number(process.env['SELECTOR_LENS_TEST_PORT']);
  const socket = connect(port, '127.0.0.1');
  const say = (message: HostMessage) => socket.write(`${JSON.stringify(message)}\n`);
  try {
    const failed = await runMocha(load, say);
    await closed(socket);
    if (failed > 0) throw new Error(`${failed} tests failed.`);
  } catch (error) {
    say({ kind: 'died', text: inspect(error) });
    await closed(socket);
    throw error;
  }
}

async function runMocha(load: () => Promise<unknown>, say: (message: HostMessage) => void): Promise<number> {
  const { default: Mocha } = await import('mocha');
  const mocha = new Mocha({ ui: 'bdd', timeout: forHostTest, forbidOnly: true, forbidPending: true });
  mocha.reporter(
    class SocketReporter extends Mocha.reporters.Base {
      constructor(runner: Mocha.Runner, options: Mocha.MochaOptions) {
        super(runner, options);
        runner.on('pass', (test) => say({ kind: 'passed', title: test.fullTitle() }));
        runner.on('fail', (test, error: unknown) => {
          say({ kind: 'failed', title: test.fullTitle(), text: inspect(error) });
        });
      }
    },
  );
  // As the command of mocha does before it loads a file: defines `describe` and `it`.
  mocha.suite.emit('pre-require', globalThis, '', mocha);
  await load();
  return new Promise((resolve) => {
    mocha.run((failed) => {
      say({ kind: 'ended' });
      resolve(failed);
    });
  });
}

function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.end(() => resolve()));
}
