/** Completion of words in shell commands: label keys and values, namespaces, and option values. */

import type { GroupKind } from '../../engine/catalogue/types.ts';
import { isLabelKey, isLabelValue } from '../../engine/index.ts';
import { type Inline, readInline } from '../../manifests/inline/inline.ts';
import type { Letters } from '../../manifests/inline/source-map.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';
import { optionValues } from '../hover/command-word-hover.ts';
import { knownNamespaces } from '../selected/known-namespaces.ts';
import type { FileView } from '../view.ts';
import { byCount, isWritten, type Tally, tallyOfCounts } from './label-counts.ts';
import { marker } from './marker.ts';
import type { Completion } from './model.ts';

/** The role of the incomplete word at the cursor: a label key or value, a namespace, or a value of an option. */
type Typed =
  | { readonly is: 'key'; readonly of: GroupKind | undefined; readonly others: readonly string[] }
  | { readonly is: 'value'; readonly of: GroupKind | undefined; readonly key: string }
  | { readonly is: 'namespace' | 'validate' | 'cascade' };

/** Returns the completions for a word of a command that is not part of a selector; empty if there is no such word. */
export function commandWordItems(view: FileView, offset: number): readonly Completion[] {
  const { host, text, catalogue, settings } = view;
  if (host === undefined || !settings.inlineSelectors[host]) return [];
  const marked = (word: string) =>
    readInline(text.slice(0, offset) + word + text.slice(offset), host, catalogue, { holding: marker });
  // In `kubectl label pods web ti`, the last word is a label only if an equals sign follows it.
  const typed = typedIn(marked(marker)) ?? typedIn(marked(`${marker}=`));
  if (typed === undefined) return [];
  // The edit replaces the text between the last separator and the cursor.
  let start = offset;
  while (start > 0 && !/[\s,='"]/.test(text.charAt(start - 1))) start--;
  const span = { start, end: offset };
  const filter = text.slice(start, offset);
  return itemsOf(view, typed).map((each) => ({ ...each, filter: each.label, edit: editAt(span, filter, each.label) }));
}

function editAt(span: Span, typed: string, label: string) {
  // A short flag and its value can be a single word: `-Lapp`, `-nshop`.
  const flag = /^-[Ln]/.exec(typed)?.[0] ?? '';
  return { span: { start: span.start + flag.length, end: span.end }, text: label };
}

const holdsMarker = ({ letters }: { readonly letters?: Letters }) => letters?.text.includes(marker) === true;

function typedIn({ objects, words }: Inline): Typed | undefined {
  for (const { labelKeySites, labelSites } of objects) {
    const key = labelKeySites.find((site) => holdsMarker(site.key));
    if (key !== undefined) {
      const others = labelKeySites.filter((site) => site !== key).map((site) => site.key.text);
      return { is: 'key', of: key.place.of, others };
    }
    for (const { entries, place } of labelSites) {
      const entry = entries.find((each) => holdsMarker(each.key) || holdsMarker(each.value));
      if (entry === undefined) continue;
      return holdsMarker(entry.key)
        ? { is: 'key', of: place.of, others: [] }
        : { is: 'value', of: place.of, key: entry.key.text };
    }
  }
  const word = words.find(holdsMarker);
  return word?.is === 'namespace' || word?.is === 'validate' || word?.is === 'cascade' ? { is: word.is } : undefined;
}

type Item = Pick<Completion, 'label' | 'kind' | 'description'>;

function itemsOf(view: FileView, typed: Typed): readonly Item[] {
  switch (typed.is) {
    case 'validate':
    case 'cascade':
      return Object.entries(optionValues[typed.is]).map(([label, description]) => ({
        label,
        kind: 'value',
        description,
      }));
    case 'namespace':
      return [...knownNamespaces(view)].map(([label, description]) => ({ label, kind: 'namespace', description }));
    case 'key': {
      if (typed.of === undefined) return [];
      const tally = tallyOn(view, typed.of);
      const keys = [...tally.keys()].filter(([key]) => isLabelKey(key) && isWritten(tally, key)).toSorted(byCount);
      return keys.flatMap(([label, { certain }]) =>
        typed.others.includes(label) ? [] : [{ label, kind: 'key', description: countOf(certain) }],
      );
    }
    case 'value': {
      if (typed.of === undefined) return [];
      const values = [...tallyOn(view, typed.of).values(typed.key)].filter(([value]) => isLabelValue(value));
      return values
        .toSorted(byCount)
        .flatMap(([label, { certain }]) =>
          label === '' ? [] : [{ label, kind: 'value', description: countOf(certain) }],
        );
    }
  }
}

function countOf(count: number): string {
  return count === 1 ? 'on 1 object' : localize`on ${count} objects`;
}

function tallyOn({ workspace }: FileView, of: GroupKind): Tally {
  const targets = of.kind === '*' ? [...workspace.targets()] : [kindKey(of)];
  return tallyOfCounts(targets.map((target) => workspace.labelCounts(target)));
}
