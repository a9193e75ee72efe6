/** Collects the texts that can be translated: of the client and of the server. */

import { parseSync, type TemplateLiteral, Visitor } from 'oxc-parser';
import { localizationKey } from '../../server/src/text/localize.ts';
import { type Source, sourcesIn } from './sources.ts';

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
