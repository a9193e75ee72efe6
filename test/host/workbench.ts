/** What can a person do in the window? The few gestures that the tests of the user interface are made of. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { errors, type Locator, type Page } from 'playwright-core';
import { root } from './code-server.ts';
import { forGesture, forWindow } from './patience.ts';

const screenshots = join(root, 'test', 'host', 'screenshots');

/** How long a gesture and its effect may take this time. */
export interface Limit {
  readonly timeout: number;
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

  /** The first row of a tree whose name, as it is read aloud, is like this. */
  row(name: RegExp): Locator {
    return this.page.getByRole('treeitem', { name }).first();
  }

  /**
   * Makes a gesture until it has its effect, as a person would: a busy window swallows a key, or gives the keyboard to
   * another part meanwhile. The gesture ends with waiting for its effect, and what it left half done is escaped from.
   */
  async insist(gesture: (limit: Limit) => Promise<unknown>): Promise<void> {
    const end = performance.now() + forWindow;
    for (let timeout = forGesture; ; timeout *= 2) {
      try {
        await gesture({ timeout });
        return;
      } catch (error) {
        if (!(error instanceof errors.TimeoutError) || performance.now() > end) throw error;
        await this.page.keyboard.press('Escape');
      }
    }
  }

  /** Puts the cursor behind the first place of this text, as the file was when it was opened. */
  async cursorBehind(text: string): Promise<void> {
    const offset = this.#text.indexOf(text);
    if (offset < 0) throw new Error(`The file does not hold '${text}'.`);
    const before = this.#text.slice(0, offset + text.length).split('\n');
    const [line, column] = [before.length, (before.at(-1) ?? '').length + 1];
    const input = this.page.locator('.quick-input-widget input[type=text]');
    await this.insist(async (limit) => {
      await this.page.keyboard.press('Control+g');
      await input.fill(`:${line}:${column}`, limit);
      await input.press('Enter', limit);
      await this.page.getByRole('button', { name: `Ln ${line}, Col ${column}`, exact: true }).waitFor(limit);
      // The editor has the keyboard again a little later: what is typed before is lost.
      await this.page.locator('.editor-instance .monaco-editor.focused').waitFor(limit);
    });
  }

  async command(title: string): Promise<void> {
    const choice = this.page.locator('.quick-input-list').getByText(title, { exact: true }).first();
    await this.insist(async (limit) => {
      await this.page.keyboard.press('F1');
      // What is typed while the palette opens may land where the keyboard was before.
      await this.page.locator('.quick-input-widget input[type=text]').fill(`>${title}`, limit);
      await choice.click(limit);
    });
    await choice.waitFor({ state: 'hidden' });
  }

  /** Shows the view of matches; it takes the keyboard last of all, on its first row. */
  async showMatches(first: RegExp): Promise<void> {
    await this.command('Selector Lens: Show Selector Matches');
    await this.page
      .locator('.monaco-list-row.focused')
      .and(this.page.getByRole('treeitem', { name: first }))
      .waitFor();
  }

  /** Types a selector into the scratch document beside the editor. */
  async trySelector(selector: string): Promise<void> {
    await this.command('Selector Lens: Try a Selector');
    await this.line('One selector a line').first().waitFor();
    await this.page.locator('.monaco-editor.focused[data-uri^="untitled:"]').waitFor();
    await this.page.keyboard.type(selector);
  }

  /** Types on at the end of a line. */
  async typeAfter(line: string, more: string): Promise<void> {
    await this.line(line).click();
    await this.page.locator('.editor-instance .monaco-editor.focused').waitFor();
    await this.page.keyboard.press('End');
    await this.page.keyboard.type(more);
  }

  /** Asks for completions, and waits for one that holds a text. */
  async suggestion(text: string): Promise<Locator> {
    const choice = this.page.locator('.suggest-widget .monaco-list-row').filter({ hasText: text }).first();
    await this.insist(async (limit) => {
      await this.page.keyboard.press('Control+Space');
      await choice.waitFor(limit);
    });
    return choice;
  }

  /** Lets the mouse rest on a word of a line, until what pops up says this. */
  async hover(line: string | RegExp, word: string, says: string | RegExp): Promise<void> {
    const place = this.line(line).first().locator('span > span').filter({ hasText: word }).last();
    const hover = this.page.locator('.monaco-hover:visible').filter({ hasText: says }).first();
    await this.insist(async (limit) => {
      // A lens that is drawn meanwhile moves the line away from under the mouse.
      await this.page.mouse.move(0, 0);
      await place.hover(limit);
      await hover.waitFor(limit);
    });
  }

  /** Waits until some words of the first line that holds a text have colours that all differ. */
  async coloursDiffer(line: string, ...words: readonly string[]): Promise<void> {
    const pieces = this.line(line).first().locator('span > span');
    const colourOf = (word: string) =>
      pieces
        .filter({ hasText: word })
        .last()
        .evaluate((element) => element.ownerDocument.defaultView?.getComputedStyle(element).color ?? '');
    await eventually(
      () => Promise.all(words.map(colourOf)),
      (colours) => new Set(colours).size === words.length,
    );
  }

  /** The first lens that says this. */
  lens(says: string | RegExp): Locator {
    return this.page.locator('.editor-instance .codelens-decoration').getByText(says).first();
  }

  squiggles(): Locator {
    return this.page.locator('.editor-instance .squiggly-error');
  }

  squiggle(): Locator {
    return this.squiggles().first();
  }

  async screenshot(name: string): Promise<void> {
    await screenshot(this.page, name);
  }
}

/** Reads until what was read holds; where it never does, the failure tells what was read last. */
export async function eventually<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<void> {
  const end = performance.now() + forWindow;
  for (;;) {
    const value = await read();
    if (holds(value)) return;
    if (performance.now() > end) throw new Error(`It never came to hold. Last was: ${JSON.stringify(value)}`);
    await wait(100);
  }
}

/** Keeps a snapshot of a page in `test/host/screenshots/`. */
export async function screenshot(page: Page, name: string): Promise<void> {
  await mkdir(screenshots, { recursive: true });
  await page.screenshot({ path: join(screenshots, `${name}.png`) });
}
