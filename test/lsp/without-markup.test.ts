/** Tests text of a workspace in notifications, CodeLenses and pickers, in which VS Code renders links and icons. */
import assert from 'node:assert/strict';
import { shownAction } from '../../server/src/lsp/code-actions.ts';
import { refusal } from '../../server/src/lsp/refusal.ts';
import { shownText } from '../../server/src/lsp/shown-text.ts';
import { withoutMarkup } from '../../server/src/protocol.ts';

/** The markup that VS Code renders in plain text. */
const markup = /\[[^\]]+\]\([^)]+\)|\$\([a-z-]+(?:~[a-z]+)?\)/i;

describe('text that VS Code scans for links and icons', () => {
  for (const text of ['[Copy](command:x)', '$(trash)', '[a]( https://host.io) $(sync~spin)', '[[a](file:///b)']) {
    it(`contains none for ${text}`, () => {
      assert.doesNotMatch(withoutMarkup(text), markup);
      assert.doesNotMatch(refusal(`the name '${text}' is taken`).message, markup);
      assert.equal(withoutMarkup(text).replaceAll('\u200B', ''), text);
    });
  }

  it('contains no invisible character', () =>
    assert.equal(shownText('a\u001B[31m\u202E$(b)\uD800'), 'a\uFFFD[31m\uFFFD$\u200B(b)\uFFFD'));

  it('is escaped in titles of code actions', () => {
    const title = 'Create a Service for Deployment/a\u001B[31m\u202E';
    const shown = 'Create a Service for Deployment/a\uFFFD[31m\uFFFD';
    assert.deepEqual(shownAction({ title, kind: 'refactor' }), { title: shown, kind: 'refactor' });
    const command = shownAction({ title, command: { title, command: 'x' } }).command;
    assert.deepEqual(command, { title: shown, command: 'x' });
  });

  it('is otherwise unchanged', () =>
    assert.equal(withoutMarkup('Deployment/web (2) [x] $A'), 'Deployment/web (2) [x] $A'));
});
