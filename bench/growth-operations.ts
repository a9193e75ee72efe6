/** All requests of an editor or a command, as operations that are measured separately. */

import '../server/src/rules/all.ts';
import { catalogue } from '../server/src/engine/catalogue/index.ts';
import { completion } from '../server/src/features/completion/completion.ts';
import { lenses, lensText } from '../server/src/features/decorations/code-lenses.ts';
import { hints } from '../server/src/features/decorations/inlay-hints.ts';
import { semanticTokens } from '../server/src/features/decorations/semantic-tokens.ts';
import { hover } from '../server/src/features/hover/hover.ts';
import { hierarchyItem, objectOfItem, selectedBy, selects } from '../server/src/features/navigation/call-hierarchy.ts';
import { definition } from '../server/src/features/navigation/definition.ts';
import { documentSymbols } from '../server/src/features/navigation/document-symbols.ts';
import { highlights } from '../server/src/features/navigation/highlights.ts';
import { implementation } from '../server/src/features/navigation/implementation.ts';
import { references } from '../server/src/features/navigation/references.ts';
import { workspaceSymbols } from '../server/src/features/navigation/workspace-symbols.ts';
import { explainObject } from '../server/src/features/pages/explain-object.ts';
import { preview } from '../server/src/features/pages/preview.ts';
import { toMarkdown } from '../server/src/features/presentation/rich-text.ts';
import { refactorings } from '../server/src/features/refactor/refactor.ts';
import { rename } from '../server/src/features/rename/rename.ts';
import type { FileView } from '../server/src/features/view.ts';
import { Session } from '../server/src/session.ts';
import type { FileSource } from '../server/src/workspace/live/load.ts';
import type { Files } from './growth-shapes.ts';

const root = 'file:///work';

/** A workspace in memory, and one of its files, which requests are about. */
export interface Subject {
  readonly session: Session;
  readonly uri: string;
  readonly text: string;
  readonly texts: ReadonlyMap<string, string>;
  /** Adds files to the workspace, as they are found later on the disk. */
  add(files: Files): Promise<void>;
  /** Offsets of a few words in all parts of the file. */
  readonly places: readonly number[];
}

/** Loads files into a workspace; requests are about the file with a path or, by default, about the first file. */
export async function subjectOf(files: Files, path?: string): Promise<Subject> {
  const texts = new Map(files.map(([path, text]) => [`${root}/${path}`, text]));
  const session = new Session({
    catalogue,
    log: {
      info() {},
      warn() {},
      bug(where, error) {
        throw new Error(where, { cause: error });
      },
    },
  });
  await session.workspace.load(
    sourceOf(texts),
    [root],
    () => undefined,
    () => false,
  );
  const [first = ''] = texts.keys();
  const uri = path === undefined ? first : `${root}/${path}`;
  const text = texts.get(uri) ?? '';
  const add = async (more: Files): Promise<void> => {
    for (const [each, content] of more) texts.set(`${root}/${each}`, content);
    const changes = more.map(([each]) => ({ uri: `${root}/${each}`, gone: false }));
    await session.workspace.refresh(sourceOf(texts), changes);
  };
  return { session, uri, text, texts, add, places: placesIn(text) };
}

/** Each operation starts with the subject in the state after the previous one. */
export const operations: readonly (readonly [name: string, run: (subject: Subject) => unknown])[] = [
  [
    'check',
    ({ session, texts }) => {
      for (const file of session.snapshot().files.values()) session.check(file, () => texts.get(file.uri) ?? '');
    },
  ],
  ['open', ({ session, uri, text }) => session.workspace.edit(uri, text)],
  ['findings', ({ session, uri }) => session.findings(uri)],
  [
    'fixes',
    ({ session, uri }) =>
      session
        .findings(uri)
        .slice(0, 10)
        .map((finding) => finding.fixes()),
  ],
  [
    'lenses',
    (subject) => {
      const view = viewOf(subject);
      return someOf(lenses(view)).map((lens) => lensText(view, lens));
    },
  ],
  ['hints', (subject) => hints(viewOf(subject), { start: 0, end: subject.text.length })],
  ['symbols', (subject) => documentSymbols(viewOf(subject))],
  ['tokens', (subject) => semanticTokens(viewOf(subject))],
  ['search', ({ session }) => workspaceSymbols(session.view(), 'p')],
  [
    'hover',
    (subject) =>
      atPlaces(subject, (view, at) => subject.session.at(view.file.uri, at, hover)).map(
        (each) => each && toMarkdown(each.text),
      ),
  ],
  ['preview', (subject) => atPlaces(subject, (view, at) => subject.session.at(view.file.uri, at, preview))],
  ['completion', (subject) => atPlaces(subject, (view, at) => subject.session.at(view.file.uri, at, completion))],
  ['definition', (subject) => atPlaces(subject, definition)],
  ['implementation', (subject) => atPlaces(subject, implementation)],
  ['references', (subject) => atPlaces(subject, (view, at) => references(view, at, true))],
  ['highlights', (subject) => atPlaces(subject, highlights)],
  ['explain', (subject) => atPlaces(subject, (view, at) => subject.session.at(view.file.uri, at, explainObject))],
  [
    'refactorings',
    (subject) =>
      atPlaces(subject, (view, at) => refactorings(view, { start: at, end: at }).map((each) => each.edits())),
  ],
  ['rename', (subject) => atPlaces(subject, (view, at) => rename(view, at, 'renamed'))],
  [
    'hierarchy',
    (subject) =>
      atPlaces(subject, (view, at) => {
        const item = hierarchyItem(view, view.file, at);
        const object = item && objectOfItem(item.file, item.start, item.name);
        return (
          item && object && [selects(view, { file: item.file, object }), selectedBy(view, { file: item.file, object })]
        );
      }),
  ],
  [
    'edit',
    ({ session, uri, text, places }) => {
      for (const place of places.slice(0, 4)) {
        session.workspace.edit(uri, `${text.slice(0, place)}a${text.slice(place)}`);
        session.findings(uri);
      }
    },
  ],
];

function viewOf({ session, uri }: Subject): FileView {
  const view = session.fileView(uri);
  if (view === undefined) throw new Error(`${uri} is not open.`);
  return view;
}

/** Offsets in the middle and at the end of the words on a few lines. */
function placesIn(text: string): readonly number[] {
  const lines = [...text.matchAll(/^.*$/gm)];
  const some = someOf(lines, 6);
  const places = some.flatMap(({ 0: line, index }) =>
    someOf([...line.matchAll(/[^\s:{},[\]"'=]+/g)], 3)
      .map((word) => index + word.index + 1)
      .concat(index + line.length),
  );
  return [...new Set(places)];
}

/** The first, the last, and some items between them. */
function someOf<T>(all: readonly T[], count = 12): readonly T[] {
  if (all.length <= count) return all;
  return Array.from({ length: count }, (_, number) => all[Math.round((number * (all.length - 1)) / (count - 1))] as T);
}

function atPlaces<T>(subject: Subject, ask: (view: FileView, offset: number) => T): readonly T[] {
  const view = viewOf(subject);
  return subject.places.map((place) => ask(view, place));
}

function sourceOf(texts: ReadonlyMap<string, string>): FileSource {
  return {
    list: async (folder) => ({ files: [...texts.keys()].filter((uri) => uri.startsWith(`${folder}/`)), more: false }),
    stat: async (uris) => uris.map((uri) => ({ size: texts.get(uri)?.length ?? 0, modified: 0 })),
    read: async (uris) => uris.map((uri) => ({ text: texts.get(uri) ?? '' })),
    contents: async (_, uris) => uris.map(() => undefined),
    pause: async () => undefined,
  };
}
