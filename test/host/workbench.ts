/** What can a person do in the window? The few gestures that the tests of the user interface are made of. */
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { Browser, Locator, Page } from 'playwright-core';
import { launchBrowser, openWindow } from './browser.ts';
import { type CodeServer, type CodeServerOptions, root, startCodeServer } from './code-server.ts';

const screenshots = join(root, 'test', 'host', 'screenshots');

/** A browser-hosted VS Code with a copy of a workspace: `shop`, where no other is named. */
export class Stage implements AsyncDisposable {
  readonly folder: string;
  readonly #server: CodeServer;
  readonly #browser: Browser;

  private constructor(folder: string, server: CodeServer, browser: Browser) {
    this.folder = folder;
    this.#server = server;
    this.#browser = browser;
  }

  static async set(options: CodeServerOptions = {}, workspace = 'test/host/workspace/shop'): Promise<Stage> {
    const folder = join(await mkdtemp(join(tmpdir(), 'selector-lens-ui-')), basename(workspace));
    await cp(join(root, workspace), folder, { recursive: true });
    const server = await startCodeServer(options);
    return new Stage(folder, server, await launchBrowser());
  }

  /** A new window on a file that shows a text; the extension runs from its sources where its folder is given. */
  async open(file: string, extension?: string, shows = 'apiVersion'): Promise<Workbench> {
    const path = join(this.folder, file);
    const source = extension === undefined ? {} : { extension };
    const page = await openWindow(this.#browser, this.#server, { folder: this.folder, file: path, ...source });
    const workbench = new Workbench(page, await readFile(path, 'utf8'));
    await workbench.line(shows).first().waitFor();
    // The language status, as it is read aloud, tells when everything was read.
    await page.getByRole('button', { name: /Selector Lens: \d+ objects/ }).waitFor();
    return workbench;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#browser.close();
    await this.#server[Symbol.asyncDispose]();
    await rm(dirname(this.folder), { recursive: true, force: true, maxRetries: 10 });
  }
}

export class Workbench {
  readonly page: Page;
  readonly #text: string;

  constructor(page: Page, text: string) {
    this.page = page;
    this.#text = text;
  }

  /** The lines of the editor that hold this text. */
  line(text: string | RegExp): Locator {
    return this.page.locator('.editor-instance .view-line').filter({ hasText: text });
  }

  /** Puts the cursor behind the first place of this text, as the file was when it was opened. */
  async cursorBehind(text: string): Promise<void> {
    const offset = this.#text.indexOf(text);
    if (offset < 0) throw new Error(`The file does not hold '${text}'.`);
    const before = this.#text.slice(0, offset + text.length).split('\n');
    await this.line('apiVersion').first().click();
    await this.page.keyboard.press('Control+g');
    await this.page.locator('.quick-input-widget').waitFor();
    await this.page.keyboard.type(`${before.length}:${(before.at(-1) ?? '').length + 1}`);
    await this.page.keyboard.press('Enter');
    await this.page.locator('.quick-input-widget').waitFor({ state: 'hidden' });
    // The editor has the keyboard again a little later: what is typed before is lost.
    await this.page.locator('.editor-instance .monaco-editor.focused').waitFor();
  }

  async command(title: string): Promise<void> {
    await this.page.keyboard.press('F1');
    // What is typed while the palette opens may land where the keyboard was before.
    await this.page.locator('.quick-input-widget input[type=text]').fill(`>${title}`);
    await this.page.locator('.quick-input-list').getByText(title).first().click();
  }

  /** Lets the mouse rest on a word of a line, and returns what pops up. */
  async hover(line: string | RegExp, word: string): Promise<Locator> {
    const place = this.line(line).first().locator('span > span').filter({ hasText: word }).last();
    const hover = this.page.locator('.monaco-hover:visible').filter({ hasNotText: /^$/ }).first();
    // A lens that is drawn meanwhile moves the line away from under the mouse.
    for (let tries = 0; tries < 4; tries++) {
      await place.hover();
      const isShown = await hover.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      );
      if (isShown) return hover;
      await this.page.mouse.move(0, 0);
    }
    await place.hover();
    await hover.waitFor();
    return hover;
  }

  /** The colours of some words of the first line that holds a text. */
  async coloursOf(line: string, ...words: readonly string[]): Promise<readonly string[]> {
    const pieces = this.line(line).first().locator('span > span');
    return Promise.all(
      words.map((word) =>
        pieces
          .filter({ hasText: word })
          .last()
          .evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).color ?? ''),
      ),
    );
  }

  squiggles(): Locator {
    return this.page.locator('.editor-instance .squiggly-error');
  }

  squiggle(): Locator {
    return this.page.locator('.editor-instance .squiggly-error').first();
  }

  async screenshot(name: string): Promise<void> {
    await mkdir(screenshots, { recursive: true });
    await this.page.screenshot({ path: join(screenshots, `${name}.png`) });
  }

  close(): Promise<void> {
    return this.page.context().close();
  }
}
