/** Provides navigation: definitions, implementations, references and highlights of selectors and labels. */

import { DocumentHighlightKind, type Location, type LocationLink } from 'vscode-languageserver';
import type { FilePlace } from '../features/locations.ts';
import { definition } from '../features/navigation/definition.ts';
import { highlights } from '../features/navigation/highlights.ts';
import { implementation } from '../features/navigation/implementation.ts';
import { referencedKey, references } from '../features/navigation/references.ts';
import type { FileSource } from '../workspace/live/load.ts';
import type { WorkspaceFile } from '../workspace/model.ts';
import { spanInLines, spanToRange } from './convert.ts';
import { atPosition, type Door, placesForEditor, urisForEditor } from './request-helpers.ts';

interface NavigationDoor extends Door {
  readonly source: FileSource;
}

export function provideNavigation(door: NavigationDoor): void {
  const { connection, abilities } = door;
  connection.onDefinition((params, token) =>
    atPosition(door, 'textDocument/definition', [], params, token, (view, offset) =>
      linked(door, abilities.definitionLinks, definition(view, offset)),
    ),
  );
  connection.onImplementation((params, token) =>
    atPosition(door, 'textDocument/implementation', [], params, token, (view, offset) =>
      linked(door, abilities.implementationLinks, implementation(view, offset)),
    ),
  );
  connection.onReferences(async (params, token) => {
    const name = 'textDocument/references';
    const key = atPosition(door, name, undefined, params, token, referencedKey);
    const closed = key === undefined ? [] : await closedCommandFiles(door, key);
    return atPosition(door, name, [], params, token, ({ file }, offset) => {
      const view = door.session.fileView(file.uri, closed);
      const others = params.context?.includeDeclaration === false;
      return view === undefined ? [] : references(view, offset, others).map(placesForEditor(door));
    });
  });
  connection.onDocumentHighlight((params, token) =>
    atPosition(door, 'textDocument/documentHighlight', [], params, token, (view, offset, document) =>
      highlights(view, offset).map(({ span, kind }) => ({
        range: spanToRange(document, span),
        kind: kind === 'label' ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
      })),
    ),
  );
}

/** Returns the closed files with a label key in their commands; none until the workspace is indexed. */
export async function closedCommandFiles(
  { session, source, log }: NavigationDoor,
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

function linked(door: Door, links: boolean, places: readonly FilePlace[]): Location[] | LocationLink[] {
  if (!links) return places.map(placesForEditor(door));
  const uriOf = urisForEditor(door);
  return places.map(({ file, span, around }) => ({
    targetUri: uriOf(file.uri),
    targetRange: spanInLines(file.lines, around ?? span),
    targetSelectionRange: spanInLines(file.lines, span),
  }));
}
