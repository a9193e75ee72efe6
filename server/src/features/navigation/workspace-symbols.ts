/** Workspace symbols: objects by `kind/name`, and labeled objects by `key=value`. */

import { storedGroup } from '../../engine/catalogue/stored-group.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { compareText } from '../../text/order.ts';
import { idsIn } from '../../workspace/index/folder-index.ts';
import { labeledObjectWith } from '../../workspace/index/index-entries.ts';
import type { LabeledObjectId } from '../../workspace/model.ts';
import { everyCluster } from '../../workspace/scopes/model.ts';
import { objectsOf } from '../../workspace/snapshot.ts';
import { entrySpan, type FileSpan } from '../locations.ts';
import { objectName } from '../presentation/object-names.ts';
import type { View } from '../view.ts';

export interface WorkspaceSymbol {
  readonly kind: 'object' | 'label';
  readonly name: string;
  /** For an object, its namespace; for a label, the object that has it. */
  readonly container: string;
  readonly place: FileSpan;
}

/** The maximum number of symbols in a response; a more specific query narrows them down. */
const maximumSymbols = 200;

/** Returns the symbols that match a query: first names that contain it, then names that contain its letters in this order. */
export function workspaceSymbols(view: View, query: string): readonly WorkspaceSymbol[] {
  const wanted = query.replace(/\s+/g, '').toLowerCase();
  const found = [...objectNames(view, wanted), ...(wanted === '' ? [] : labelNames(view, wanted))];
  const symbols: WorkspaceSymbol[] = [];
  for (const { symbols: make } of found.toSorted((a, b) => a.rank - b.rank || compareText(a.order, b.order))) {
    for (const symbol of make()) {
      if (symbols.length === maximumSymbols) return symbols;
      symbols.push(symbol);
    }
  }
  return symbols;
}

/** A name that matches the query. Its symbols are created lazily, because creating them deserializes files. */
interface Named {
  readonly rank: number;
  /** The string by which symbols of equal rank are sorted. */
  readonly order: string;
  symbols(): Iterable<WorkspaceSymbol>;
}

/** Yields the objects whose names match. Uses the facts that the index stores about each file, so that files without a matching name need not be deserialized. */
function* objectNames(view: View, wanted: string): Iterable<Named> {
  const { workspace } = view;
  const scopes = workspace.scopes();
  for (const [uri, { identities, templates, config }] of scopes.facts()) {
    if (uri === everyCluster || config !== undefined || scopes.isPatch(uri)) continue;
    for (const identity of [...identities, ...templates.flatMap((each) => each.identities)]) {
      const [group, kind = '', namespace = '', name = ''] = identity.split('\n');
      const rank = rankOf(`${kind}/${name}`, wanted);
      if (rank === undefined) continue;
      yield {
        rank,
        order: `${kind}/${name} ${namespace} ${uri}`,
        *symbols() {
          const file = workspace.files.get(uri);
          if (file === undefined) return;
          for (const object of objectsOf(workspace, file)) {
            if (storedGroup(object) !== group || object.kind !== kind || object.name?.text !== name) continue;
            if ((object.namespace?.text ?? '') !== namespace) continue;
            const place = { file, span: nameSpan(object), around: object.span };
            yield { kind: 'object', name: objectName(object), container: namespace, place };
          }
        },
      };
    }
  }
}

function* labelNames(view: View, wanted: string): Iterable<Named> {
  const seen = new Set<string>();
  for (const target of view.workspace.targets()) {
    for (const [key, values] of view.workspace.labelsOf(target)) {
      for (const value of values) {
        const name = `${key}=${value}`;
        const rank = rankOf(name, wanted);
        if (rank === undefined || seen.has(name)) continue;
        seen.add(name);
        // Objects come before labels with an equal rank.
        yield { rank: rank + 0.5, order: name, symbols: () => carrying(view, key, value) };
      }
    }
  }
}

function* carrying(view: View, key: string, value: string): Iterable<WorkspaceSymbol> {
  for (const id of idsIn(view.workspace.carrying(key, value))) {
    const symbol = labelSymbol(view, id, key, value);
    if (symbol !== undefined) yield symbol;
  }
}

function labelSymbol(view: View, id: LabeledObjectId, key: string, value: string): WorkspaceSymbol | undefined {
  const found = labeledObjectWith(view.workspace, id);
  const entry = found?.labeledObject.site?.entries.findLast((each) => each.key.text === key);
  if (found === undefined || entry === undefined || !labeledObjectsOf(found.object).includes(found.labeledObject))
    return undefined;
  const place = { file: found.file, span: entrySpan(entry) };
  return { kind: 'label', name: `${key}=${value}`, container: objectName(found.object), place };
}

/** Returns the rank of a name in the results, where lower ranks come first; undefined if the name does not contain the characters of `wanted` in this order. */
function rankOf(name: string, wanted: string): number | undefined {
  const text = name.toLowerCase();
  if (text === wanted) return 0;
  const at = text.indexOf(wanted);
  if (at === 0) return 1;
  if (at > 0) return /[\w]/.test(text[at - 1] ?? '') ? 3 : 2;
  let from = 0;
  for (const letter of wanted) {
    const next = text.indexOf(letter, from);
    if (next === -1) return undefined;
    from = next + letter.length;
  }
  return 4;
}
