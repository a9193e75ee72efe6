/** Describes the content of a window in a few lines of text, for failed tests. */
import type { Page } from 'playwright-core';

/** A part of the window, and the texts in it. */
type Part = readonly [name: string, texts: readonly string[]];

/** Complaints of a VS Code without a network, and without native modules. */
const harmless = /bindings file|native-watchdog|authentication provider|An unknown error occurred/;

/** Returns the visible texts of a page, by the part of the window. */
export async function screenOf(page: Page): Promise<string> {
  const messages = await page.consoleMessages();
  const complaints = messages
    .filter((message) => message.type() === 'error' && !harmless.test(message.text()))
    .map((message) =>
      message
        .text()
        .replaceAll(/%c|color: \S*/g, '')
        .replaceAll(/\s+/g, ' ')
        .slice(0, 200),
    );
  const told: Part[] = [
    ...(await page.evaluate(readScreen)),
    ['errors', (await page.pageErrors()).slice(-3).map(String)],
    ['complaints', [...new Set(complaints)].slice(-5)],
  ];
  return told
    .filter(([, texts]) => texts.length > 0)
    .map(([name, texts]) => `${name}: ${texts.join(' | ')}`)
    .join('\n');
}

/** Runs in the page, so it must not use anything from outside of it. */
function readScreen(): Part[] {
  const textOf = (element: Element) => (element.textContent ?? '').replaceAll(/\s+/g, ' ').trim();
  const fileNameOf = (element: Element) => element.getAttribute('aria-label') ?? textOf(element);
  const all = (selector: string, within: ParentNode = document) =>
    [...within.querySelectorAll(selector)].filter((element) => element.checkVisibility());
  const texts = (selector: string, within?: ParentNode) =>
    all(selector, within)
      .map((element) => fileNameOf(element).slice(0, 200))
      .filter((text) => text !== '');

  const editors = all('.editor-instance .monaco-editor[data-uri]').map((editor): Part => {
    const lines = texts('.line-numbers', editor).map(Number);
    const shown = `lines ${Math.min(...lines)} to ${Math.max(...lines)}`;
    const squiggles = `${all('[class*="squiggly-"]', editor).length} squiggles`;
    const lenses = texts('.codelens-decoration', editor).map((lens) => `lens '${lens}'`);
    const name = editor.getAttribute('data-uri')?.split('/').at(-1);
    return [`editor ${name}`, [shown, squiggles, ...lenses]];
  });
  const views = all('.pane, .panel').map(
    (view): Part => [
      `view ${texts('.pane-header, .title-label', view)[0] ?? ''}`,
      texts('.pane-body .monaco-list-row, .bulk-edit-panel .monaco-list-row, .welcome-view-content', view),
    ],
  );
  const focused = document.activeElement;
  const within = focused?.closest('[data-uri]')?.getAttribute('data-uri')?.split('/').at(-1);
  const named = within ?? focused?.closest('[aria-label]')?.getAttribute('aria-label') ?? '';
  return [
    ['keyboard', focused === null ? [] : [`${focused.tagName.toLowerCase()}.${focused.className}`, named]],
    ...editors,
    ...views,
    ['quick input', all('.quick-input-widget input[type=text]').map((input) => (input as HTMLInputElement).value)],
    ['its choices', texts('.quick-input-widget .monaco-list-row')],
    ['suggestions', texts('.suggest-widget.visible .monaco-list-row, .suggest-widget.visible .message')],
    ['actions', texts('.action-widget .monaco-list-row')],
    ['hovers', texts('.monaco-hover')],
    ['notices', texts('.notification-list-item-message')],
    ['dialogs', texts('.monaco-dialog-box')],
    ['status', texts('.statusbar-item a, .statusbar-item [role=button]')],
  ];
}
