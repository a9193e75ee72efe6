/** The user journeys in each kind of VS Code, and next to other extensions. */
import { allNeighbors } from '../neighbors.ts';
import { useStage } from '../stage.ts';
import type { HostKind } from '../window-host.ts';
import { defineJourneys, defineJourneysAcrossFiles, defineJourneysInFile } from './journeys.ts';

const hosts: readonly HostKind[] = ['desktop-like', 'web'];

for (const host of hosts) {
  describe(`the user interface (${host})`, () => {
    const open = useStage(() => ({ host }));
    defineJourneys(open, { name: host.replaceAll(' ', '-'), previewsMarkdown: host === 'desktop-like' });
  });
}

describe('the user interface (web without search)', () => {
  const open = useStage(() => ({ host: 'web without search' }));
  defineJourneysAcrossFiles(open, 'web-without-search');
});

/** The real extensions, if they are available. */
const neighbors = allNeighbors.at(-1);

describe(`the user interface (next to ${neighbors?.name})`, () => {
  const open = useStage(() => ({ ...neighbors }));
  defineJourneysInFile(open, 'neighbors');
});
