/** Which label could stand here? The recommended ones with a value that fits the object, and those of the workspace. */

import type { KeyFact } from '../engine/catalogue/types.ts';
import { type TypingSpot, typingSpotAt } from '../manifests/typing-spot.ts';
import { scalarText } from '../manifests/write.ts';
import type { Edit } from '../text/edit.ts';
import { derivedLabel } from '../workspace/derived-labels.ts';
import { kindKey } from '../workspace/outline.ts';
import { code, escapeMarkdown } from './markdown.ts';
import type { FileView } from './view.ts';

export interface Completion {
  readonly label: string;
  readonly kind: 'key' | 'value';
  /** A few words beside the label. */
  readonly detail?: string;
  readonly markdown?: string;
  readonly edit: Edit;
  /** Lower comes first. */
  readonly order: number;
}

/** What can be typed at an offset of the open file. */
export function completion(view: FileView, offset: number): readonly Completion[] {
  const spot = typingSpotAt(view.text, offset, view.catalogue);
  if (spot === undefined) return [];
  if (spot.place.kind === 'labels' && spot.place.site.place.holds !== 'labels') return [];
  const typed = view.text.slice(spot.word.start, spot.word.end);
  const offered = spot.on === 'key' ? keys(view, spot) : values(view, spot);
  // What is half typed is in the picture already: to accept it would change nothing.
  return offered.filter(({ edit }) => edit.text !== typed);
}

function keys(view: FileView, spot: TypingSpot): readonly Completion[] {
  const there = new Set(spot.others);
  const recommended = spot.place.kind === 'labels' ? recommendedKeys(view).filter((fact) => !there.has(fact.key)) : [];
  const offered = new Set(recommended.map((fact) => fact.key));
  const known = knownLabels(view, spot);
  const others = [...known]
    .filter(([key, values]) => !there.has(key) && !offered.has(key) && !isSetAtRunTime(view, key, values))
    .map(([key]) => key);
  return [
    ...recommended.map((fact, index) => recommendedKey(view, spot, fact, index)),
    ...others.map((key, index): Completion => {
      const edit = keyEdit(view, spot, key, undefined);
      return { label: key, kind: 'key', detail: 'in this workspace', edit, order: 100 + index };
    }),
  ];
}

/** `pod-template-hash`: nobody wrote a value for it, and Kubernetes itself knows the key. */
function isSetAtRunTime(view: FileView, key: string, values: ReadonlySet<string>): boolean {
  const fact = view.catalogue.key(key);
  return values.size === 0 && fact !== undefined && fact.status !== 'recommended' && fact.status !== 'convention';
}

function recommendedKeys(view: FileView): readonly KeyFact[] {
  return view.catalogue.keys().filter((fact) => fact.status === 'recommended' && fact.type !== 'annotation');
}

function recommendedKey(view: FileView, spot: TypingSpot, fact: KeyFact, index: number): Completion {
  const value = sensibleValue(view, spot, fact.key);
  const example = fact.example === undefined ? '' : `\n\nFor example ${code(fact.example)}.`;
  return {
    label: fact.key,
    kind: 'key',
    detail: value === undefined ? 'recommended label' : `recommended label: ${value}`,
    markdown: `${escapeMarkdown(fact.description)}.${example}`,
    edit: keyEdit(view, spot, fact.key, value),
    order: index,
  };
}

function keyEdit(view: FileView, spot: TypingSpot, key: string, value: string | undefined): Edit {
  if (spot.bare) return { span: spot.word, text: key };
  const style = styleAt(view, spot);
  const written = value === undefined ? (style === 'double' ? '""' : '') : scalarText(value, style);
  return { span: spot.word, text: `${scalarText(key, style)}: ${written}` };
}

/** In JSON, every key is quoted: also the one that holds the map. */
function styleAt(view: FileView, spot: TypingSpot): 'plain' | 'double' {
  return view.text[spot.place.site.keySpan.start] === '"' ? 'double' : 'plain';
}

function values(view: FileView, spot: TypingSpot): readonly Completion[] {
  const key = spot.key;
  if (key === undefined) return [];
  const known = knownLabels(view, spot).get(key) ?? new Set();
  const sensible = spot.place.kind === 'labels' ? sensibleValue(view, spot, key) : undefined;
  const offered = new Set([...(sensible === undefined ? [] : [sensible]), ...known]);
  return [...offered].map((value, index) => ({
    label: value,
    kind: 'value',
    ...(value === sensible && { detail: 'from this object' }),
    edit: { span: spot.word, text: spot.bare ? value : scalarText(value, styleAt(view, spot)) },
    order: index,
  }));
}

/** The labels that something of the workspace carries: in a selector, only what it can select. */
function knownLabels(view: FileView, spot: TypingSpot): ReadonlyMap<string, ReadonlySet<string>> {
  const known = new Map<string, Set<string>>();
  const targets = spot.place.kind === 'selector' ? spot.place.site.fact.targets.map(kindKey) : view.workspace.targets();
  for (const target of targets) {
    for (const [key, values] of view.workspace.labelsOf(target)) {
      const all = known.get(key) ?? new Set();
      for (const value of values) if (value !== '') all.add(value);
      known.set(key, all);
    }
  }
  return known;
}

/** A value for a recommended label that is probably right. */
function sensibleValue(view: FileView, { object, root }: TypingSpot, key: string): string | undefined {
  return derivedLabel(key, { object, root, scope: view.workspace.scopes().of(view.file.uri)[0] });
}
