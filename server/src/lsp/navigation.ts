/** Provides navigation for selectors and labels (definitions, implementations, references and highlights), and document links. */

import { DocumentHighlightKind, type DocumentLink, type Location, type LocationLink } from 'vscode-languageserver';
import type { FileSpan } from '../features/locations.ts';
import { chartFilesAt } from '../features/navigation/chart-navigation.ts';
import { definition } from '../features/navigation/definition.ts';
import { highlights } from '../features/navigation/highlights.ts';
import { implementation } from '../features/navigation/implementation.ts';
import { type FileLink, fileLinks } from '../features/navigation/links.ts';
import { referencedKey, references } from '../features/navigation/references.ts';
import type { FileView } from '../features/view.ts';
import { rangeOf } from '../text/lines.ts';
import type { FileSource } from '../workspace/live/load.ts';
import type { WorkspaceFile } from '../workspace/model.ts';
import { spanToRange } from './convert.ts';
import { atPosition, inDocument, locationsForEditor, type RequestContext, urisForEditor } from './request-helpers.ts';

interface NavigationContext extends RequestContext {
  readonly source: FileSource;
}

/** Handles the requests for definitions, implementations, references and highlights. */
export function provideNavigation(context: NavigationContext): void {
  const { connection, abilities } = context;
  connection.onDefinition(async (params, token) => {
    const name = 'textDocument/definition';
    const chartTexts = await textsOfChart(context, atPosition(context, name, [], params, token, chartFilesAt));
    return atPosition<Location[] | LocationLink[]>(context, name, [], params, token, (view, offset) =>
      linked(context, abilities.definitionLinks, definition(withTexts(view, chartTexts), offset)),
    );
  });
  connection.onImplementation((params, token) =>
    atPosition(context, 'textDocument/implementation', [], params, token, (view, offset) =>
      linked(context, abilities.implementationLinks, implementation(view, offset)),
    ),
  );
  connection.onReferences(async (params, token) => {
    const name = 'textDocument/references';
    const key = atPosition(context, name, undefined, params, token, referencedKey);
    const closed = key === undefined ? [] : await closedCommandFiles(context, key);
    const chartTexts = await textsOfChart(context, atPosition(context, name, [], params, token, chartFilesAt));
    return atPosition(context, name, [], params, token, ({ file }, offset) => {
      const view = context.session.fileView(file.uri, closed);
      const others = params.context?.includeDeclaration === false;
      if (view === undefined) return [];
      return references(withTexts(view, chartTexts), offset, others).map(locationsForEditor(context));
    });
  });
  connection.onDocumentLinks(async (params, token) => {
    const name = 'textDocument/documentLink';
    const found = inDocument(context, name, undefined, params, token, fileLinks);
    if (found === undefined) return [];
    const known = [...found.links, ...(await existing(context, found.unknown))];
    return inDocument<DocumentLink[]>(context, name, [], params, token, (_, document) => {
      const uriOf = urisForEditor(context);
      return known.map(({ span, target, at }) => ({
        range: spanToRange(document, span),
        target: `${uriOf(target)}${at === undefined ? '' : `#L${at.line + 1},${at.character + 1}`}`,
      }));
    });
  });
  connection.onDocumentHighlight((params, token) =>
    atPosition(context, 'textDocument/documentHighlight', [], params, token, (view, offset, document) =>
      highlights(view, offset).map(({ span, kind }) => ({
        range: spanToRange(document, span),
        kind: kind === 'label' ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
      })),
    ),
  );
}

/** Returns the closed files whose commands contain a label key; none until the workspace is indexed. */
export async function closedCommandFiles(
  { session, source, log }: NavigationContext,
  key: string,
): Promise<readonly WorkspaceFile[]> {
  if (!session.workspace.complete) return [];
  try {
    return await session.workspace.closedCommandFiles(source, key);
  } catch (error) {
    log.warn(`Commands in closed files could not be read: ${error instanceof Error ? error.message : error}`);
    return [];
  }
}

function withTexts(view: FileView, chartTexts: ReadonlyMap<string, string>): FileView {
  return chartTexts.size === 0 ? view : { ...view, chartTexts };
}

/** Returns the contents of the files of a chart; for open files, the content in the editor. */
async function textsOfChart(
  { session, source, log }: NavigationContext,
  uris: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const texts = new Map<string, string>();
  for (const uri of uris) {
    const text = session.workspace.openFile(uri)?.text;
    if (text !== undefined) texts.set(uri, text);
  }
  const closed = uris.filter((uri) => !texts.has(uri));
  if (closed.length === 0) return texts;
  try {
    const read = await source.read(closed, maximumChartBytes);
    for (const [index, each] of read.entries()) if ('text' in each) texts.set(closed[index] ?? '', each.text);
  } catch (error) {
    log.warn(`Files of a chart could not be read: ${error instanceof Error ? error.message : error}`);
  }
  return texts;
}

/** The maximum size in bytes of the chart files that are searched. */
const maximumChartBytes = 1_000_000;

async function existing({ source, log }: NavigationContext, links: readonly FileLink[]): Promise<readonly FileLink[]> {
  if (links.length === 0) return [];
  try {
    const stats = await source.stat(links.map(({ target }) => target));
    return links.filter((_, index) => stats[index] !== undefined);
  } catch (error) {
    log.warn(`Targets of links could not be read: ${error instanceof Error ? error.message : error}`);
    return [];
  }
}

function linked(context: RequestContext, links: boolean, locations: readonly FileSpan[]): Location[] | LocationLink[] {
  if (!links) return locations.map(locationsForEditor(context));
  const uriOf = urisForEditor(context);
  return locations.map(({ file, span, around }) => ({
    targetUri: uriOf(file.uri),
    targetRange: rangeOf(file.lines, around ?? span),
    targetSelectionRange: rangeOf(file.lines, span),
  }));
}
