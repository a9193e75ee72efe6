/** Collects the texts that can be translated: of package.json, of the client and of the server. */

import { parseSync, type TemplateLiteral, Visitor } from 'oxc-parser';
import { localizationKey } from '../../server/src/text/localize.ts';
import { type Source, sourcesIn } from './sources.ts';

/** The fields of `contributes` that VS Code shows. */
const shownFields =
  /^(?:title|shortTitle|category|name|contextualTitle|accessibilityHelpContent|contents|description|markdownDescription|displayName|modelDescription|userDescription|label|altText)$/;
const productName = 'Selector Lens';
const shownLists = /^(?:enumDescriptions|markdownEnumDescriptions)$/;

interface Externalized {
  readonly contributes: unknown;
  readonly texts: Readonly<Record<string, string>>;
}

/**
 * Replaces each text of `contributes` by `%KEY%`. Returns the texts by key; `known` are the texts that have a key
 * already.
 */
export function externalize(contributes: unknown, known: Readonly<Record<string, string>>): Externalized {
  const texts = new Map<string, string>();
  const keyed = (text: string, key: string): string => {
    const reference = /^%(.+)%$/.exec(text)?.[1];
    const own = reference ?? key;
    const stored = reference === undefined ? text : (known[reference] ?? text);
    if (texts.has(own) && texts.get(own) !== stored) throw new Error(`Two texts of package.json have the key ${own}.`);
    texts.set(own, stored);
    return `%${own}%`;
  };
  const walk = (value: unknown, path: readonly string[]): unknown => {
    const field = path.at(-1) ?? '';
    if (Array.isArray(value)) {
      const ids = value.map(idOf);
      return value.map((item, index) => {
        if (typeof item === 'string') return shownLists.test(field) ? keyed(item, [...path, index].join('.')) : item;
        const isUnique = ids.filter((id) => id === ids[index]).length === 1;
        return walk(item, [
          ...path,
          ...(ids[index] === undefined ? [] : [ids[index]]),
          ...(isUnique ? [] : [`${index}`]),
        ]);
      });
    }
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, child]) => {
        const isShown = typeof child === 'string' && child !== productName && shownFields.test(name);
        // A schema of a setting may have a property with one of these names.
        return [
          name,
          isShown && field !== 'properties' ? keyed(child, [...path, name].join('.')) : walk(child, [...path, name]),
        ];
      }),
    );
  };
  const replaced = walk(contributes, []);
  return { contributes: replaced, texts: Object.fromEntries([...texts].sort(([a], [b]) => (a < b ? -1 : 1))) };
}

/** A name of an item that stays when items are added before it. */
function idOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null) return undefined;
  const id = Object.entries(item).find(
    ([key, value]) => /^(?:command|id|name|view)$/.test(key) && typeof value === 'string',
  );
  return id === undefined || id[1].includes(' ') || id[1].includes('%') ? undefined : id[1];
}

/** All texts of client and server, by their key, which is the English text. */
export function localizedTexts(): Readonly<Record<string, string>> {
  const keys = sourcesIn('client/src', 'server/src').flatMap(keysIn);
  return Object.fromEntries([...new Set(keys)].sort().map((key) => [key, key]));
}

/** The texts that `localize`, `english` and `l10n.t` mark in a file. */
function keysIn({ path, text }: Source): readonly string[] {
  const keys: string[] = [];
  const cooked = ({ quasis }: TemplateLiteral) => quasis.map(({ value }) => value.cooked ?? value.raw);
  new Visitor({
    TaggedTemplateExpression({ tag, quasi }) {
      if (tag.type === 'Identifier' && /^(?:localize|english)$/.test(tag.name))
        keys.push(localizationKey(cooked(quasi)));
    },
    CallExpression({ callee, arguments: [first] }) {
      if (!/\bl10n\.t$/.test(text.slice(callee.start, callee.end))) return;
      if (first?.type === 'Literal' && typeof first.value === 'string') keys.push(first.value);
    },
  }).visit(parseSync(path, text).program);
  return keys;
}
