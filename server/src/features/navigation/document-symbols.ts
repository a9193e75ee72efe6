/** The outline of a file: its objects with their labels and selectors. */

import { describe, format } from '../../engine/index.ts';
import type { LabelSite, ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import type { Span } from '../../text/span.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import { entrySpan } from '../locations.ts';
import { appliedName } from '../presentation/applied-name.ts';
import type { FileView } from '../view.ts';
import { isSelectable } from './mentions.ts';

export interface FileSymbol {
  readonly kind: 'object' | 'labels' | 'label' | 'selector';
  readonly name: string;
  readonly detail: string;
  readonly span: Span;
  /** The span to reveal, which is within `span`. */
  readonly nameSpan: Span;
  readonly children: readonly FileSymbol[];
}

/** Returns the objects of a file in document order, each with its labels and selectors. */
export function documentSymbols(view: FileView): readonly FileSymbol[] {
  const { file, catalogue } = view;
  // Chart values contain parts of objects, but no complete objects.
  const objects = file.manifest.objects.filter(({ inValues }) => !inValues);
  return objects.map((object) => objectSymbol(view, object, resourceOf(object)));

  function resourceOf({ group, version, kind }: ManifestObject): string {
    return catalogue.kind(group, version, kind) === undefined || group === '' ? version : `${group}/${version}`;
  }
}

function objectSymbol(view: FileView, object: ManifestObject, detail: string): FileSymbol {
  const children = [
    ...object.labelSites.filter(isSelectable).map(labelsSymbol),
    ...object.selectorSites.filter(({ state }) => state !== 'absent').map(selectorSymbol),
  ];
  const name = appliedName(view, { file: view.file, object });
  return symbol('object', name, detail, object.span, nameSpan(object), children);
}

function labelsSymbol(site: LabelSite): FileSymbol {
  const labels = site.entries.map((entry) => {
    const span = entrySpan(entry);
    return symbol('label', `${entry.key.text}: ${entry.value.text}`, '', span, entry.key.span);
  });
  return symbol('labels', site.path, '', around(site), site.keySpan, labels);
}

function selectorSymbol(site: SelectorSite): FileSymbol {
  const selector = effectiveSelector(site);
  const text = selector === undefined ? '' : format(selector, 'canonical');
  const detail = selector !== undefined && text === '' ? describe(selector).replace(/\.$/, '') : text;
  return symbol('selector', site.path, detail, around(site), site.keySpan);
}

/** Returns the span of a field with its value, or only of its key if the value is elsewhere, as for an alias. */
function around({ keySpan, span }: { readonly keySpan: Span; readonly span: Span }): Span {
  return { start: keySpan.start, end: span.start >= keySpan.start ? Math.max(keySpan.end, span.end) : keySpan.end };
}

function symbol(
  kind: FileSymbol['kind'],
  name: string,
  detail: string,
  whole: Span,
  nameSpan: Span,
  children: readonly FileSymbol[] = [],
): FileSymbol {
  const span = { start: Math.min(whole.start, nameSpan.start), end: Math.max(whole.end, nameSpan.end) };
  return { kind, name, detail, span, nameSpan, children: children.toSorted((a, b) => a.span.start - b.span.start) };
}
