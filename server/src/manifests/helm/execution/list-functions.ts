/** Implements the template functions for lists. Source: github.com/Masterminds/sprig `list.go`. */

import { fail } from './failure.ts';
import {
  codeOf,
  factsOf,
  isKnown,
  isList,
  kindOf,
  made,
  type TemplateList,
  type TemplateValue,
  truthOf,
  Unknown,
  unordered,
} from './template-value.ts';
import { integerOf } from './text-functions.ts';

/** The maximum number of items that a function creates. */
const maximumItems = 10_000;

export const listFunctions: Readonly<
  Record<string, (parameters: readonly TemplateValue[]) => TemplateValue | undefined>
> = {
  first: ([list = null]) => (isList(list) ? (list[0] ?? null) : noList(list)),
  last: ([list = null]) => (isList(list) ? (list.at(-1) ?? null) : noList(list)),
  rest: ([list = null]) => (isList(list) ? orNil(list.slice(1), list) : noList(list)),
  initial: ([list = null]) => (isList(list) ? orNil(list.slice(0, -1), list) : noList(list)),
  append: ([list = null, item = null]) => (isList(list) ? inOrderOf([list], [...list, item]) : noList(list)),
  push: ([list = null, item = null]) => (isList(list) ? inOrderOf([list], [...list, item]) : noList(list)),
  prepend: ([list = null, item = null]) => (isList(list) ? inOrderOf([list], [item, ...list]) : noList(list)),
  concat: (lists) => {
    const all = lists.flatMap((list): readonly TemplateList[] => (isList(list) ? [list] : (noList(list) ?? [])));
    if (all.length === 0) return undefined;
    return all.length < lists.length ? undefined : limited(inOrderOf(all, all.flat()));
  },
  reverse: ([list = null]) => (isList(list) ? list.toReversed() : noList(list)),
  uniq: ([list = null]) => {
    if (list instanceof Unknown) return undefined;
    const items = listParameter(list);
    const kept = items.flatMap((item, at): TemplateList => {
      const before = items.slice(0, at);
      if (before.some((each) => isSame(each, item))) return [];
      // An unknown item may be equal to an earlier one.
      const isCertain = at === 0 || (isKnown(item) && before.every(isKnown));
      const text = item instanceof Unknown ? item.text : codeOf(item);
      return [isCertain ? item : new Unknown(text, { filled: truthOf(item) === true, mayBeAbsent: true })];
    });
    return inOrderOf([items], kept);
  },
  compact: ([list = null]) => {
    if (!isList(list)) return noList(list);
    const truths = list.map(truthOf);
    return truths.includes(undefined)
      ? undefined
      : inOrderOf(
          [list],
          list.filter((_, at) => truths[at] === true),
        );
  },
  slice: ([list = null, start = 0n, end]) => {
    if (!isList(list)) return noList(list);
    if (list.length === 0) return null;
    const [from, to] = [integerOf(start), end === undefined ? list.length : integerOf(end)];
    if (Number.isNaN(from) || Number.isNaN(to)) return undefined;
    return from < 0 || to < from || to > list.length ? fail('the bounds are out of range') : list.slice(from, to);
  },
};

/** Returns a list that is made of others; its order is random if that of one of them is. */
export function inOrderOf(from: readonly TemplateList[], items: TemplateList): TemplateList {
  return from.some((each) => factsOf(each).isUnordered) ? unordered(items) : items;
}

/** Returns undefined for an unknown list. Go reports an error for a parameter that is no list. */
function noList(value: TemplateValue): undefined {
  return value instanceof Unknown ? undefined : fail('a parameter is not a list');
}

/** Returns a part of a list; sprig returns nil for an empty list. */
function orNil(items: TemplateList, of: TemplateList): TemplateList {
  return of.length === 0 ? made(items, { isNil: true }) : items;
}

function limited(items: TemplateList): TemplateList | undefined {
  return items.length > maximumItems ? undefined : items;
}

export function listParameter(value: TemplateValue | undefined): TemplateList {
  return value !== undefined && isList(value) ? value : fail('a parameter is not a list');
}

export function isSame(a: TemplateValue, b: TemplateValue): boolean {
  return codeOf(a) === codeOf(b) && kindOf(a) === kindOf(b);
}
