/** Where do the tests of the user interface play? In windows of a browser-hosted VS Code, each on its own copy of a folder. */
import { cp, mkdtemp, readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { launchBrowser, openWindow } from './browser.ts';
import { type CodeServer, type CodeServerOptions, root, startCodeServer } from './code-server.ts';
import { newFolder, removeFolder } from './folders.ts';
import { screenOf } from './screen.ts';
import { screenshot, Workbench } from './workbench.ts';

export interface StageOptions extends CodeServerOptions {
  /** The folder that the windows show: `shop`, where no other is named. */
  readonly workspace?: string;
}

/** Opens a window on a file, and waits until it shows a text and the extension has read everything. */
export type Open = (file: string, shows?: string) => Promise<Workbench>;

/**
 * Sets a stage for the tests of a `describe`, which end with their windows. What the windows of a failed test showed is
 * told below its name, and kept as a picture.
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
    // The language status, as it is read aloud, tells when everything was read.
    await page.getByRole('button', { name: /Selector Lens: \d+ objects/ }).waitFor();
    return workbench;
  };
}

class Stage implements AsyncDisposable {
  readonly #options: StageOptions;
  readonly #folder: string;
  readonly #server: CodeServer;
  readonly #browser: Browser;
  readonly #belongings: AsyncDisposableStack;

  private constructor(
    options: StageOptions,
    folder: string,
    server: CodeServer,
    browser: Browser,
    belongings: AsyncDisposableStack,
  ) {
    this.#options = options;
    this.#folder = folder;
    this.#server = server;
    this.#browser = browser;
    this.#belongings = belongings;
  }

  static async set(options: StageOptions): Promise<Stage> {
    await using belongings = new AsyncDisposableStack();
    const folder = await newFolder('ui');
    belongings.defer(() => removeFolder(folder));
    const server = belongings.use(await startCodeServer(options));
    const browser = belongings.adopt(await launchBrowser(), (launched) => launched.close());
    return new Stage(options, folder, server, browser, belongings.move());
  }

  /** A copy for each window: what one test changes, and what VS Code remembers of the folder, is nothing to another. */
  async open(file: string): Promise<{ readonly page: Page; readonly text: string }> {
    const { workspace = 'test/host/workspace/shop', vsix } = this.#options;
    const folder = join(await mkdtemp(join(this.#folder, 'window-')), basename(workspace));
    await cp(join(root, workspace), folder, { recursive: true });
    const path = join(folder, file);
    // Where no package is installed, the extension runs from its sources.
    const extension = vsix === undefined ? { extension: root } : {};
    const page = await openWindow(this.#browser, this.#server, { folder, file: path, ...extension });
    return { page, text: await readFile(path, 'utf8') };
  }

  #pages(): Page[] {
    return this.#browser.contexts().flatMap((context) => context.pages());
  }

  /** What is left of a window must not fail once more: it is told as far as it can be seen. */
  async tell(title: string): Promise<void> {
    for (const page of this.#pages()) {
      const name = `failed-${title.replaceAll(/\W+/g, '-')}`;
      const shown = await screenOf(page).catch((error: unknown) => `It cannot be read: ${error}`);
      console.error(indented(`The window showed, as in ${name}.png:\n${indented(shown)}`));
      await screenshot(page, name).catch((error: unknown) => console.error(indented(`No picture: ${error}`)));
    }
    console.error(indented(`VS Code's server said:\n${indented(lastLines(this.#server.log(), 6))}`));
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
