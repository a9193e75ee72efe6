/** Links and images in rendered Markdown, by the libraries that VS Code renders hovers and pages with. */

import MarkdownIt from 'markdown-it';
import { Marked, type Token } from 'marked';
import { Marked as Marked14 } from 'marked-14';

/** The result of one renderer. */
export interface Rendered {
  readonly by: string;
  /** The targets of links, character references decoded, percent-encoding kept. */
  readonly links: readonly string[];
  /** The sources of images, and every piece of HTML that the text contains. */
  readonly foreign: readonly string[];
}

/** Configured as VS Code's preview of Markdown: HTML, and addresses in text become links. */
const preview = new MarkdownIt({ html: true, linkify: true });
preview.linkify.set({ fuzzyLink: false });
preview.validateLink = () => true;

/** The text as each renderer interprets it. */
export function renderMarkdown(markdown: string): readonly Rendered[] {
  return [
    ofMarked('marked 18', new Marked().lexer(markdown)),
    // The tokens of an older version have the shape of those of the newer one in all properties that are used here.
    ofMarked('marked 14', new Marked14().lexer(markdown) as Token[]),
    ofMarkdownIt(markdown),
  ];
}

function ofMarked(by: string, tokens: readonly Token[]): Rendered {
  const links: string[] = [];
  const foreign: string[] = [];
  const walk = (token: Token) => {
    if (token.type === 'link') links.push(decoded(String(token['href'])));
    if (token.type === 'image' || token.type === 'html') foreign.push(token.raw);
    for (const child of childrenOf(token)) walk(child);
  };
  for (const token of tokens) walk(token);
  return { by, links, foreign };
}

function childrenOf(token: Token): readonly Token[] {
  if (token.type === 'list') return token['items'];
  if (token.type === 'table') return [...token['header'], ...token['rows'].flat()].flatMap(({ tokens }) => tokens);
  return ('tokens' in token ? token.tokens : undefined) ?? [];
}

function ofMarkdownIt(markdown: string): Rendered {
  const tokens = preview.parse(markdown, {}).flatMap((token) => [token, ...(token.children ?? [])]);
  return {
    by: 'markdown-it',
    links: tokens.flatMap((token) => (token.type === 'link_open' ? [token.attrGet('href') ?? ''] : [])),
    foreign: tokens.flatMap(({ type, content }) => (/^(?:image|html_)/.test(type) ? [content] : [])),
  };
}

function decoded(href: string): string {
  return href.replaceAll('&amp;', '&');
}

/** Parts of names, labels, paths and comments that become markup in a text that does not escape them. */
export const hostilePieces: readonly string[] = [
  '![i](https://host.io/x.png)',
  '[Copy](command:workbench.action.terminal.new)',
  '[a]: https://host.io',
  '[a][a]',
  '](',
  '[',
  ']',
  '!',
  '(',
  ')',
  '<img src=x>',
  '<https://host.io>',
  '<!--',
  'https://host.io/x',
  '//host.io/x',
  'www.host.io',
  'mailto:me@host.io',
  'me@host.io',
  'command:x',
  '&#91;x&#93;(https://host.io)',
  '&lt;b&gt;',
  '`',
  '```',
  '\\',
  '*',
  '**',
  '_',
  '~~',
  '|',
  '# ',
  '- ',
  '1. ',
  '    ',
  '\n',
  '\n\n',
  '\t',
  '$(trash)',
  '$a$',
  ':',
  '/',
  '.',
  '@',
  'a',
  ' ',
  '\u0000',
  '\u001B',
  '\u200B',
  '\u202E',
  '\u2028',
  '\uD800',
  'é',
];
