/** The gestures of a user in a window, for the tests of the user interface. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { errors, type Locator, type Page, type PageScreenshotOptions } from 'playwright-core';
import { root } from './code-server.ts';
import { forGesture, forWindow } from './patience.ts';

const screenshots = join(root, 'test', 'host', 'screenshots');

/** The time limits of a gesture and its effect in this attempt. */
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

  /** Waits until the extension has indexed everything, which the accessible name of the language status reports. */
  async indexed(): Promise<void> {
    await this.page.getByRole('button', { name: /Selector Lens: \d+ objects/ }).waitFor();
  }

  /** The lines of the editor that contain a text. */
  line(text: string | RegExp): Locator {
    return this.page.locator('.editor-instance .view-line').filter({ hasText: text });
  }

  /** The first row of a tree whose accessible name matches. */
  row(name: RegExp): Locator {
    return this.page.getByRole('treeitem', { name }).first();
  }

  /**
   * Repeats a gesture until it has its effect: a busy window may lose a key, or move the focus meanwhile. The gesture
   * ends by waiting for its effect; an incomplete attempt is cancelled with Escape.
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

  /** Moves the cursor to the end of the first occurrence of a text in the originally opened file. */
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
      // The editor regains the focus a little later: text that is typed before is lost.
      await this.page.locator('.editor-instance .monaco-editor.focused').waitFor(limit);
    });
  }

  async command(title: string): Promise<void> {
    const choice = this.page.locator('.quick-input-list').getByText(title, { exact: true }).first();
    await this.insist(async (limit) => {
      await this.page.keyboard.press('F1');
      // Text that is typed while the palette opens may go to the part that had the focus.
      await this.page.locator('.quick-input-widget input[type=text]').fill(`>${title}`, limit);
      await choice.click(limit);
    });
    await choice.waitFor({ state: 'hidden' });
  }

  /** Shows the view of matches; the focus moves last to its first row. */
  async showMatches(first: RegExp): Promise<void> {
    await this.command('Selector Lens: Show Selector Matches');
    await this.page
      .locator('.monaco-list-row.focused')
      .and(this.page.getByRole('treeitem', { name: first }))
      .waitFor();
  }

  /** Types a selector into the scratch document next to the editor. */
  async trySelector(selector: string): Promise<void> {
    await this.command('Selector Lens: Try a Selector');
    await this.line('One selector a line').first().waitFor();
    await this.page.locator('.monaco-editor.focused[data-uri^="untitled:"]').waitFor();
    await this.page.keyboard.type(selector);
  }

  /** Types text at the end of a line. */
  async typeAfter(line: string, more: string): Promise<void> {
    await this.line(line).click();
    await this.page.locator('.editor-instance .monaco-editor.focused').waitFor();
    await this.page.keyboard.press('End');
    await this.page.keyboard.type(more);
  }

  /** Triggers suggestions, and waits for one that contains a text. */
  async suggestion(text: string): Promise<Locator> {
    const choice = this.page.locator('.suggest-widget .monaco-list-row').filter({ hasText: text }).first();
    await this.insist(async (limit) => {
      await this.page.keyboard.press('Control+Space');
      await choice.waitFor(limit);
    });
    return choice;
  }

  /** Hovers a word of a line, until the hover contains a text. */
  async hover(line: string | RegExp, word: string, says: string | RegExp): Promise<void> {
    const place = this.line(line).first().locator('span > span').filter({ hasText: word }).last();
    const hover = this.page.locator('.monaco-hover:visible').filter({ hasText: says }).first();
    await this.insist(async (limit) => {
      // A lens that is drawn meanwhile moves the line away from the mouse.
      await this.page.mouse.move(0, 0);
      await place.hover(limit);
      await hover.waitFor(limit);
    });
  }

  /** Waits until some words of the first line that contains a text have different colors. */
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

  /** The first lens that contains a text. */
  lens(says: string | RegExp): Locator {
    return this.page.locator('.editor-instance .codelens-decoration').getByText(says).first();
  }

  squiggles(): Locator {
    return this.page.locator('.editor-instance .squiggly-error');
  }

  squiggle(): Locator {
    return this.squiggles().first();
  }

  /** Stores a screenshot of the window, or of a part of it that starts at `x`, `y`. */
  async screenshot(name: string, clip?: NonNullable<PageScreenshotOptions['clip']>): Promise<void> {
    await screenshot(this.page, name, clip);
  }
}

/** Reads until a condition holds; on timeout, the error contains the last value. */
export async function eventually<T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<void> {
  const end = performance.now() + forWindow;
  for (;;) {
    const value = await read();
    if (holds(value)) return;
    if (performance.now() > end) throw new Error(`It never came to hold. Last was: ${JSON.stringify(value)}`);
    await wait(100);
  }
}

/** Stores a screenshot of a page in `test/host/screenshots/`. */
export async function screenshot(
  page: Page,
  name: string,
  clip?: NonNullable<PageScreenshotOptions['clip']>,
): Promise<void> {
  await mkdir(screenshots, { recursive: true });
  await page.evaluate(finishAnimations);
  await page.screenshot({ path: join(screenshots, `${name}.png`), ...(clip && { clip }) });
}

/** Runs in the page, so it must not use anything from outside of it. */
async function finishAnimations(): Promise<void> {
  const all = document.getAnimations().filter(({ effect }) => effect?.getTiming().iterations !== Infinity);
  await Promise.allSettled(all.map(({ finished }) => finished));
}
