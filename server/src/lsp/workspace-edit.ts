/** Converts edits in several files to a workspace edit, with annotations for edits that need confirmation. */

import type { ChangeAnnotation, TextDocuments, WorkspaceEdit } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { LookNote } from '../features/rename/annotated-edits.ts';
import type { Session } from '../session.ts';
import type { Edit } from '../text/edit.ts';
import { rangeOf } from '../text/lines.ts';
import type { WorkspaceFile } from '../workspace/model.ts';
import { canonicalUri } from '../workspace/uri.ts';
import type { ClientAbilities } from './client-capabilities.ts';
import { spanToRange } from './convert.ts';

interface EditParts {
  readonly session: Session;
  readonly documents: TextDocuments<TextDocument>;
  readonly abilities: ClientAbilities;
}

/** The edits of a feature by canonical URI, each with the id of its annotation. */
export interface NotedEdits {
  readonly edits: ReadonlyMap<string, readonly (Edit & { readonly look: string })[]>;
  readonly notes: Readonly<Record<string, LookNote | undefined>>;
}

/** Converts edits to a workspace edit. The edits are versioned for open documents, and annotated if the editor supports this. `closed` contains additional files that were read to compute the edits. */
export function toWorkspaceEdit(
  { session, documents, abilities }: EditParts,
  { edits, notes }: NotedEdits,
  closed: readonly WorkspaceFile[] = [],
): WorkspaceEdit {
  const open = new Map(documents.all().map((document) => [canonicalUri(document.uri), document]));
  const used = new Set<string>();
  const changes = [...edits].map(([uri, list]) => {
    const document = open.get(uri);
    const file = closed.find((each) => each.uri === uri) ?? session.snapshot().files.get(uri);
    const lines = file?.lines ?? [0];
    const inFile = list.map(({ span, text, look }) => {
      const range = document === undefined ? rangeOf(lines, span) : spanToRange(document, span);
      if (!abilities.changeAnnotations) return { range, newText: text };
      used.add(look);
      return { range, newText: text, annotationId: look };
    });
    return { uri: document?.uri ?? uri, version: document?.version ?? null, edits: inFile };
  });
  if (!abilities.versionedEdits) {
    return { changes: Object.fromEntries(changes.map(({ uri, edits: inFile }) => [uri, inFile])) };
  }
  const annotations = [...used].flatMap((look): readonly (readonly [string, ChangeAnnotation])[] => {
    const note = notes[look];
    if (note === undefined) return [];
    const { afterwards: _, ...annotation } = note;
    return [[look, annotation]];
  });
  return {
    documentChanges: changes.map(({ uri, version, edits: inFile }) => ({
      textDocument: { uri, version },
      edits: inFile,
    })),
    ...(annotations.length > 0 && { changeAnnotations: Object.fromEntries(annotations) }),
  };
}
