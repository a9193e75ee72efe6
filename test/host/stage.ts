/** Stages for the tests of the user interface: windows of a VS Code, each on its own copy of a folder. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openWindow } from './browser.ts';
import { root } from './code-server.ts';
import { screenOf } from './screen.ts';
import { startWindowHost, type WindowHost, type WindowHostOptions } from './window-host.ts';
import { screenshot, Workbench } from './workbench.ts';

export interface StageOptions extends WindowHostOptions {
  /** The folder that the windows show, from the root of the repository; by default the one with the shop. */
  readonly workspace?: string;
  /** Whether the extension finds no manifest in the folder, so that it stays inactive. */
  readonly withoutManifests?: boolean;
}

/** Opens a window on a file, and waits until it shows a text and the extension has indexed everything. */
export type Open = (file: string, shows?: string) => Promise<Workbench>;

/**
 * Creates a stage for the tests of a `describe`, whose windows are closed at its end. The content of the windows of a
 * failed test is printed below its name, and stored as a screenshot.
 */
export function useStage(options: () => StageOptions = () => ({})): Open {
  let stage: Stage | undefined;
  before(async () => {
    stage = await Stage.set(options());
  });
  afterEach(async function () {
    const test = this.currentTest;
    if (test?.state === 'failed') await stage?.tell(test.fullTitle());
    await stage?.closeWindows();
  });
  after(() => stage?.[Symbol.asyncDispose]());
  return async (file, shows = 'apiVersion') => {
    if (stage === undefined) throw new Error('A window opens inside of a test.');
    const { page, text } = await stage.open(file);
    const workbench = new Workbench(page, text);
    await workbench.line(shows).first().waitFor();
    if (!stage.withoutManifests) await workbench.indexed();
    return workbench;
  };
}

class Stage implements AsyncDisposable {
  readonly #workspace: string;
  readonly withoutManifests: boolean;
  readonly #host: WindowHost;
  readonly #browser: Browser;
  readonly #belongings: AsyncDisposableStack;

  private constructor(
    workspace: string,
    withoutManifests: boolean,
    host: WindowHost,
    browser: Browser,
    belongings: AsyncDisposableStack,
  ) {
    this.#workspace = workspace;
    this.withoutManifests = withoutManifests;
    this.#host = host;
    this.#browser = browser;
    this.#belongings = belongings;
  }

  static async set({
    workspace = 'test/host/workspace/shop',
    withoutManifests = false,
    ...options
  }: StageOptions): Promise<Stage> {
    await using belongings = new AsyncDisposableStack();
    const folder = join(root, workspace);
    const host = belongings.use(await startWindowHost(folder, options));
    const browser = belongings.adopt(await launchBrowser(), (launched) => launched.close());
    return new Stage(folder, withoutManifests, host, browser, belongings.move());
  }

  async open(file: string): Promise<{ readonly page: Page; readonly text: string }> {
    const page = await openWindow(this.#browser, await this.#host.address(file));
    return { page, text: await readFile(join(this.#workspace, file), 'utf8') };
  }

  #pages(): Page[] {
    return this.#browser.contexts().flatMap((context) => context.pages());
  }

  /** Prints the content of the windows of a failed test, if it can still be read. */
  async tell(title: string): Promise<void> {
    for (const page of this.#pages()) {
      const name = `failed-${title.replaceAll(/\W+/g, '-')}`;
      const shown = await screenOf(page).catch((error: unknown) => `It cannot be read: ${error}`);
      console.error(indented(`The window showed, as in ${name}.png:\n${indented(shown)}`));
      await screenshot(page, name).catch((error: unknown) => console.error(indented(`No picture: ${error}`)));
    }
    const described = lastLines(this.#host.log(), 6);
    if (described !== '') console.error(indented(`VS Code's server said:\n${indented(described)}`));
  }

  async closeWindows(): Promise<void> {
    await Promise.all(this.#browser.contexts().map((context) => context.close()));
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#belongings.disposeAsync();
  }
}

function lastLines(text: string, count: number): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return lines.slice(-count).join('\n');
}

function indented(text: string): string {
  return text.replaceAll(/^/gm, '    ');
}
