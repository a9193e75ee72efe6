/** Tests that searching commands takes linear work for any hostile text, measured in steps instead of time. */
import assert from 'node:assert/strict';
import { logLikeText } from '../../../bench/log-like-text.ts';
import { catalogue } from '../../../server/src/engine/catalogue/index.ts';
import { commandsIn } from '../../../server/src/manifests/inline/command-lines.ts';
import { hosts } from '../../../server/src/manifests/inline/host-language.ts';
import { inlineObjects } from '../../../server/src/manifests/inline/inline.ts';
import type { Dialect } from '../../../server/src/manifests/inline/shell.ts';
import { verbatim } from '../../../server/src/manifests/inline/source-map.ts';

const dialects: readonly Dialect[] = ['shell', 'make'];

function steps(text: string, dialect: Dialect): number {
  const plenty = 1_000_000_000;
  const budget = { left: plenty };
  commandsIn(verbatim(text), { dialect, budget, depth: 0 });
  return plenty - budget.left;
}

describe('a large log', () => {
  const text = logLikeText(5_000_000);

  it('contains no commands, in any language', () => {
    for (const host of hosts) if (host !== 'selector') assert.deepEqual(inlineObjects(text, host, catalogue), [], host);
  });

  it('is not parsed, since it mentions no supported program', () => {
    for (const dialect of dialects) assert.equal(steps(text, dialect), 0);
  });
});

const hostile: Readonly<Record<string, string>> = {
  'substitutions that never end': 'kubectl $(',
  'substitutions on lines of their own': 'kubectl $(\n',
  'quotes that never end': 'kubectl "\n',
  'quotes within quotes': `kubectl "'"'$(`,
  backticks: 'kubectl `',
  'continued lines': 'kubectl \\\n',
  'words on one line': 'kubectl ',
  'templates that never end': 'kubectl {{',
  'placeholders that never end': 'kubectl <a',
  'scripts within scripts': `sh -c 'kubectl "sh -c kubectl '`,
};

describe('a hostile text', () => {
  for (const [what, piece] of Object.entries(hostile)) {
    it(`of ${what} needs a bounded number of steps for each character`, () => {
      const text = piece.repeat(Math.ceil(100_000 / piece.length));
      const budget = { left: 100_000 + 2 * text.length };
      for (const dialect of dialects) {
        const left = { ...budget };
        commandsIn(verbatim(text), { dialect, budget: left, depth: 0 });
        assert.ok(left.left > -50_000, `${dialect}: ${left.left}`);
      }
    });
  }
});
