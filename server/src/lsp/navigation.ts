/** How does the editor follow a selector to its labels, and a label to all who speak of it? */

import { DocumentHighlightKind, type Location, type LocationLink } from 'vscode-languageserver';
import { definition } from '../features/definition.ts';
import { highlights } from '../features/highlights.ts';
import { implementation } from '../features/implementation.ts';
import type { FilePlace } from '../features/places.ts';
import { references } from '../features/references.ts';
import { spanInLines, spanToRange } from './convert.ts';
import { atPosition, type Door, placeToLocation, uriForEditor } from './door.ts';

export function provideNavigation(door: Door): void {
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
  connection.onReferences((params, token) =>
    atPosition(door, 'textDocument/references', [], params, token, (view, offset) => {
      const others = params.context?.includeDeclaration === false;
      return references(view, offset, others).map((place) => placeToLocation(door, place));
    }),
  );
  connection.onDocumentHighlight((params, token) =>
    atPosition(door, 'textDocument/documentHighlight', [], params, token, (view, offset, document) =>
      highlights(view, offset).map(({ span, kind }) => ({
        range: spanToRange(document, span),
        kind: kind === 'label' ? DocumentHighlightKind.Write : DocumentHighlightKind.Read,
      })),
    ),
  );
}

function linked(door: Door, links: boolean, places: readonly FilePlace[]): Location[] | LocationLink[] {
  if (!links) return places.map((place) => placeToLocation(door, place));
  return places.map(({ file, span, around }) => ({
    targetUri: uriForEditor(door, file.uri),
    targetRange: spanInLines(file.lines, around ?? span),
    targetSelectionRange: spanInLines(file.lines, span),
  }));
}
