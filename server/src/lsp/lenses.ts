/** Provides CodeLenses above objects and inlay hints at the ends of lines, which summarize the matches of selectors. */

import { type CodeLens, Position } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { lenses, lensText, namePath } from '../features/decorations/code-lenses.ts';
import { hints } from '../features/decorations/inlay-hints.ts';
import { perspectiveTitle } from '../features/perspective.ts';
import { fitting } from '../features/presentation/titles.ts';
import type { FileView } from '../features/view.ts';
import { mayHoldObjects } from '../manifests/parse-manifest.ts';
import { type IndexParams, indexCommand } from '../protocol.ts';
import { localize } from '../text/localize.ts';
import { canonicalUri } from '../workspace/uri.ts';
import { rangeToSpan, spanToRange } from './convert.ts';
import { guard } from './request-guard.ts';
import { inDocument, type RequestContext } from './request-helpers.ts';
import { shownText } from './shown-text.ts';

/** The data that the client sends back to resolve a lens. */
interface LensData {
  readonly uri: string;
  readonly object: number;
  readonly path: string;
  /** The position of the selector, or of the labels of the object. */
  readonly position: Position;
}

/** The number of lenses in a file that are resolved immediately; all other lenses are resolved lazily. VS Code resolves visible lenses after scrolling, but a lens that is not yet drawn at that time is resolved only after the next scroll. */
const maximumAtOnce = 100;

/** Handles the requests for CodeLenses and inlay hints. */
export function provideLenses(context: RequestContext): void {
  const { connection, log } = context;
  connection.onCodeLens((params, token) =>
    inDocument<CodeLens[]>(context, 'textDocument/codeLens', [], params, token, (view, document) => [
      ...unindexedLens(context, view, document),
      ...generatedLens(view, document),
      ...perspectiveLens(context, view, document),
      ...lenses(view).map(({ object, path, span, site }, index) => {
        const position = spanToRange(document, site).start;
        const data: LensData = { uri: document.uri, object, path, position };
        const lens: CodeLens = { range: spanToRange(document, span), data };
        return index < maximumAtOnce ? { ...lens, command: commandOf(context, lens) } : lens;
      }),
    ]),
  );
  connection.onCodeLensResolve((lens, token) =>
    guard(log, 'codeLens/resolve', lens, token, () => ({ ...lens, command: commandOf(context, lens) })),
  );
  connection.languages.inlayHint.on((params, token) =>
    inDocument(context, 'textDocument/inlayHint', [], params, token, (view, document) =>
      (view.settings.inlayHints ? hints(view, rangeToSpan(document, params.range)) : []).map(({ offset, text }) => ({
        position: document.positionAt(offset),
        label: text,
        paddingLeft: true,
      })),
    ),
  );
}

/** Returns lenses above the first object of an open file that is not indexed, so that other files do not know its objects: one states it, and one indexes the file. */
function unindexedLens({ session }: RequestContext, view: FileView, document: TextDocument): readonly CodeLens[] {
  const { uri, manifest } = view.file;
  const skipped = session.workspace.skipped().find((each) => each.uri === uri);
  const reason = skipped?.reason ?? session.workspace.unindexed(uri);
  if (!view.settings.codeLens || reason === undefined) return [];
  const [first] = manifest.objects;
  // A file that is too large is not parsed.
  if (first === undefined && !mayHoldObjects(document.getText())) return [];
  const range = spanToRange(document, first?.kindSpan ?? { start: 0, end: 0 });
  if (session.workspace.indexedAnyway.has(uri))
    return [{ range, command: { title: localize`indexed while open`, command: '' } }];
  const title = fitting([
    [localize`not indexed (${reason}): matches are incomplete`],
    [localize`not indexed (${reason})`],
  ]);
  const argument: IndexParams = { textDocument: { uri: document.uri } };
  return [
    { range, command: { title: shownText(title), command: '' } },
    { range, command: { title: localize`Index anyway`, command: indexCommand, arguments: [argument] } },
  ];
}

/** Returns a lens above the first object of a generated file, which has no problems and no other lenses. */
function generatedLens({ workspace, file, settings }: FileView, document: TextDocument): readonly CodeLens[] {
  const [first] = file.manifest.objects;
  if (first === undefined || !settings.codeLens || !workspace.scopes().isGenerated(file.uri)) return [];
  const title = localize`generated file: its problems and matches are not shown`;
  return [{ range: spanToRange(document, first.kindSpan), command: { title, command: '' } }];
}

/** Returns a lens above the first object that names the perspective of the file and lets the user choose another one. */
function perspectiveLens({ abilities }: RequestContext, view: FileView, document: TextDocument): readonly CodeLens[] {
  const { perspective: command } = abilities.commands;
  const [first] = view.file.manifest.objects;
  if (command === undefined || first === undefined || !view.settings.codeLens) return [];
  const title = perspectiveTitle(view);
  return title === undefined
    ? []
    : [{ range: spanToRange(document, first.kindSpan), command: { title: shownText(title), command } }];
}

/** If the client has no command that lists the locations or opens the preview, the lens is text that cannot be clicked. */
function commandOf({ session, abilities }: RequestContext, { data }: CodeLens): NonNullable<CodeLens['command']> {
  const view = isLensData(data) ? session.fileView(canonicalUri(data.uri)) : undefined;
  const text = isLensData(data) && view ? lensText(view, data) : undefined;
  const title = text === undefined ? undefined : shownText(text);
  const { peek, preview, references } = abilities.commands;
  const command = isLensData(data) && data.path === namePath ? references : (peek ?? preview);
  if (title === undefined || command === undefined || !isLensData(data)) return { title: title ?? '', command: '' };
  return { title, command, arguments: [{ uri: data.uri, position: data.position }] };
}

function isLensData(data: unknown): data is LensData {
  return (
    typeof data === 'object' &&
    data !== null &&
    'uri' in data &&
    typeof data.uri === 'string' &&
    'object' in data &&
    typeof data.object === 'number' &&
    'path' in data &&
    typeof data.path === 'string' &&
    'position' in data &&
    Position.is(data.position)
  );
}
