/** Tests that every feature returns a result for any incomplete text and any position of the cursor. */

import assert from 'node:assert/strict';
import fc from 'fast-check';
import { lenses, lensText } from '../../server/src/features/decorations/code-lenses.ts';
import { hints } from '../../server/src/features/decorations/inlay-hints.ts';
import { hover } from '../../server/src/features/hover/hover.ts';
import {
  hierarchyItem,
  objectOfItem,
  selectedBy,
  selects,
} from '../../server/src/features/navigation/call-hierarchy.ts';
import { definition } from '../../server/src/features/navigation/definition.ts';
import { documentSymbols, type FileSymbol } from '../../server/src/features/navigation/document-symbols.ts';
import { highlights } from '../../server/src/features/navigation/highlights.ts';
import { implementation } from '../../server/src/features/navigation/implementation.ts';
import { references } from '../../server/src/features/navigation/references.ts';
import { workspaceSymbols } from '../../server/src/features/navigation/workspace-symbols.ts';
import type { Span } from '../../server/src/text/span.ts';
import { bench } from '../harness/bench.ts';
import { shop } from './shop.ts';

describe('any text', () => {
  it('has a result for every feature, with valid positions', async () => {
    const b = await bench(shop);
    fc.assert(
      fc.property(
        fc.constantFrom(...b.files),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.boolean(),
        (file, cutAt, cursorAt, crlf) => {
          const whole = crlf ? file.text.replaceAll('\n', '\r\n') : file.text;
          const text = whole.slice(0, Math.round(cutAt * whole.length));
          const uri = b.uriOf(file.name);
          b.session.workspace.edit(uri, text);
          const view = b.session.fileView(uri);
          assert.ok(view);
          const offset = Math.round(cursorAt * (text.length + 3));
          const isInside = (span: Span) => assert.ok(span.start <= span.end && span.end <= text.length, file.name);
          const hovered = b.session.at(uri, offset, hover);
          if (hovered !== undefined) isInside(hovered.span);
          for (const ask of [definition, references, implementation]) {
            for (const place of ask(view, offset)) if (place.file.uri === uri) isInside(place.span);
          }
          for (const { span } of highlights(view, offset)) isInside(span);
          const item = hierarchyItem(view, view.file, offset);
          const object = item && objectOfItem(view.file, item.start, item.name);
          if (object !== undefined) {
            selects(view, { file: view.file, object });
            selectedBy(view, { file: view.file, object });
          }
          const check = (symbol: FileSymbol): void => {
            isInside(symbol.span);
            assert.ok(symbol.span.start <= symbol.nameSpan.start && symbol.nameSpan.end <= symbol.span.end);
            symbol.children.forEach(check);
          };
          documentSymbols(view).forEach(check);
          for (const lens of lenses(view)) assert.equal(typeof lensText(view, lens), 'string');
          for (const hint of hints(view, { start: 0, end: text.length })) assert.ok(hint.offset <= text.length);
          workspaceSymbols(view, text.slice(-9));
        },
      ),
      { numRuns: 100 },
    );
  });
});
