/** Provides the call hierarchy: from selectors to the objects that they select, and back. */

import { type CallHierarchyItem, SymbolKind } from 'vscode-languageserver';
import {
  type HierarchyItem,
  hierarchyItem,
  objectOfItem,
  selectedBy,
  selects,
} from '../features/navigation/call-hierarchy.ts';
import { rangeOf } from '../text/lines.ts';
import type { ObjectInFile } from '../workspace/model.ts';
import { canonicalUri } from '../workspace/uri.ts';
import { guard } from './request-guard.ts';
import { atPosition, type RequestContext, urisForEditor } from './request-helpers.ts';

/** Handles the requests of the call hierarchy (`textDocument/prepareCallHierarchy`, `callHierarchy/*`). */
export function provideCallHierarchy(context: RequestContext): void {
  const { connection, session, log } = context;
  connection.languages.callHierarchy.onPrepare((params, token) =>
    atPosition<CallHierarchyItem[] | null>(
      context,
      'textDocument/prepareCallHierarchy',
      null,
      params,
      token,
      (view, offset) => {
        const item = hierarchyItem(view, view.file, offset);
        return item === undefined ? null : [itemToLsp(urisForEditor(context), item)];
      },
    ),
  );
  connection.languages.callHierarchy.onOutgoingCalls(({ item }, token) =>
    guard(log, 'callHierarchy/outgoingCalls', [], token, () => {
      const from = objectOf(context, item);
      if (from === undefined) return [];
      const uriOf = urisForEditor(context);
      return selects(session.view(from.file.uri), from).map((call) => ({
        to: itemToLsp(uriOf, call.item),
        fromRanges: call.spans.map((span) => rangeOf(from.file.lines, span)),
      }));
    }),
  );
  connection.languages.callHierarchy.onIncomingCalls(({ item }, token) =>
    guard(log, 'callHierarchy/incomingCalls', [], token, () => {
      const to = objectOf(context, item);
      if (to === undefined) return [];
      const uriOf = urisForEditor(context);
      return selectedBy(session.view(to.file.uri), to).map((call) => ({
        from: itemToLsp(uriOf, call.item),
        fromRanges: call.spans.map((span) => rangeOf(call.item.file.lines, span)),
      }));
    }),
  );
}

function itemToLsp(uriOf: (uri: string) => string, item: HierarchyItem): CallHierarchyItem {
  return {
    name: item.name,
    kind: SymbolKind.Object,
    detail: item.detail,
    uri: uriOf(item.file.uri),
    range: rangeOf(item.file.lines, item.span),
    selectionRange: rangeOf(item.file.lines, item.nameSpan),
    data: item.start,
  };
}

/** Returns the object of a call hierarchy item that the client sends back, possibly long after the file has changed. */
function objectOf({ session }: RequestContext, item: CallHierarchyItem): ObjectInFile | undefined {
  const file = session.fileOf(canonicalUri(item.uri));
  const object = file && objectOfItem(file, typeof item.data === 'number' ? item.data : -1, item.name);
  return file && object && { file, object };
}
