/** Finds percent-encoded selectors in URLs of the Kubernetes API. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { percentDecode } from '../../text/percent-encoding.ts';
import type { Argument } from './command-arguments.ts';
import { anyKind, kindsOf } from './resources.ts';
import { LetterList, verbatim } from './source-map.ts';

/** The name that is used in place of a command name for selectors in URLs. */
export const urlCommand = 'URL';

const parameter = /[?&](label|field)Selector=((?:[^&\s"'`<>#\\]|<[^<>\s]{1,80}>){1,2000})/g;
const before =
  /\/apis?\/(?:([a-z0-9.-]+)\/)?v\d\w*\/(?:watch\/)?(?:namespaces\/([^/?]+)\/)?([a-z]+)(?:\?[^?\s"'<>]*)?$/;
/** Matches the text before a selector in a query string without a path, as in API documentation: `?labelSelector=app%3Dweb`. */
const bare = /(?:^|[\s"'`(>])(?:\?(?:[^?\s"'<>]*))?$/;

export function selectorsInUrls(text: string, catalogue: Catalogue): readonly Argument[] {
  if (!text.includes('Selector=')) return [];
  return [...text.matchAll(parameter)].flatMap((found): readonly Argument[] => {
    const ahead = text.slice(Math.max(0, found.index - 500), found.index);
    const path = before.exec(ahead);
    const [all, which, encoded] = found;
    if (encoded === undefined || path?.[0].includes(' ')) return [];
    const start = found.index + all.length - encoded.length;
    const end = start + encodedLength(encoded);
    if (end === start) return [];
    const word = decoded(text, start, end);
    if (path === null) {
      // If the kind is unknown, a label selector may select objects of any kind, and a field selector is ignored.
      if (which !== 'label' || !bare.test(ahead)) return [];
      const at = { start: found.index + 1, end: start - 1 };
      const targets = [anyKind];
      return [
        {
          kind: 'selector',
          letters: word,
          placeholders: [],
          flag: at,
          command: urlCommand,
          at,
          targets,
          allNamespaces: true,
        },
      ];
    }
    const [, group = '', namespace, resource = ''] = path;
    const pathStart = found.index - (path[0].length - 1);
    const at = namespace === undefined ? -1 : text.indexOf(namespace, pathStart);
    return [
      {
        kind: which === 'label' ? 'selector' : 'fieldSelector',
        letters: word,
        placeholders: [],
        flag: { start: found.index + 1, end: start - 1 },
        command: urlCommand,
        at: { start: found.index + 1, end: start - 1 },
        targets: kindsOf(catalogue, `${resource}.${group}`),
        ...(namespace !== undefined &&
          at !== -1 && { namespace: { letters: verbatim(namespace, at), placeholders: [] } }),
        allNamespaces: namespace === undefined,
      },
    ];
  });
}

/** Returns the length of a URL without surrounding punctuation of a sentence, as in `(https://...)` or `https://....` */
function encodedLength(encoded: string): number {
  let open = 0;
  for (let at = 0; at < encoded.length; at++) {
    if (encoded[at] === '(') open++;
    else if (encoded[at] === ')' && --open < 0) return at;
  }
  return encoded.length - (/[.,;:!?]$/.test(encoded) && !encoded.endsWith('..') ? 1 : 0);
}

/** Decodes percent-encoding and `+`; bytes that are not valid UTF-8 remain encoded. */
function decoded(text: string, start: number, end: number): LetterList {
  const letters = new LetterList();
  let at = start;
  while (at < end) {
    const run = /^(?:%[0-9A-Fa-f]{2}){1,4}/.exec(text.slice(at, Math.min(end, at + 12)))?.[0] ?? '';
    const length = run === '' ? 0 : utf8Length(Number.parseInt(run.slice(1, 3), 16));
    const piece = length === 0 || run.length < length * 3 ? undefined : percentDecode(run.slice(0, length * 3));
    if (piece !== undefined) {
      letters.add(piece, at, at + length * 3);
      at += length * 3;
    } else {
      letters.add(text[at] === '+' ? ' ' : (text[at] ?? ''), at, at + 1);
      at++;
    }
  }
  return letters;
}

/** Returns the number of bytes of a UTF-8 character that begins with `byte`; 0 if `byte` is not a valid first byte. */
function utf8Length(byte: number): number {
  if (byte < 0x80) return 1;
  if (byte >= 0xc2 && byte < 0xe0) return 2;
  return byte >= 0xe0 && byte < 0xf0 ? 3 : byte >= 0xf0 && byte < 0xf5 ? 4 : 0;
}
