/** A plugin for the Markdown of the site: examples are linked to the playground, and files outside of docs/ to the repository. */
import { posix } from 'node:path';

interface Token {
  info: string;
  content: string;
  type: string;
  children: readonly Token[] | null;
  attrGet(name: string): string | null;
  attrSet(name: string, value: string): void;
}

type Render = (tokens: readonly Token[], index: number, options: unknown, env: Env, self: unknown) => string;

interface Env {
  readonly relativePath?: string;
}

interface Markdown {
  readonly core: { readonly ruler: { push(name: string, rule: (state: State) => void): void } };
  readonly renderer: { readonly rules: { [rule: string]: Render | undefined } };
}

interface State {
  readonly tokens: readonly Token[];
  readonly env: Env;
}

interface Options {
  readonly base: string;
  readonly repository: string;
}

/** Returns the address of the playground with a manifest. */
export function playgroundLink(base: string, manifests: string): string {
  return `${base}playground/#manifests=${encodeURIComponent(manifests)}`;
}

/** The names of sample files that a page states before an example. */
const named = /(?:^|\s)`([\w./-]+\.(?:ya?ml|tpl))`:$/;

export function tryIt(markdown: Markdown, { base, repository }: Options): void {
  markdown.core.ruler.push('links to the repository', ({ tokens, env }) => {
    const folder = posix.join('docs', posix.dirname(env.relativePath ?? ''));
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null;
      if (href === null || /^(?:[a-z]+:|[/#])/.test(href)) continue;
      const target = posix.join(folder, href);
      if (!target.startsWith('docs/') || /\.(?:json|ts)$/.test(target))
        token.attrSet('href', `${repository}/blob/main/${target}`);
      else token.attrSet('href', href.replace(/\bREADME\.md/, 'index.md'));
    }
  });
  const { rules } = markdown.renderer;
  // Pages contain Helm templates, which Vue would evaluate.
  for (const name of ['text', 'code_inline']) {
    const render = rules[name];
    if (render !== undefined) rules[name] = (...given) => render(...given).replaceAll('{{', '&#123;&#123;');
  }
  const fence = rules['fence'];
  if (fence === undefined) return;
  rules['fence'] = (tokens, index, options, env, self) => {
    const shown = fence(tokens, index, options, env, self);
    const { info = '', content = '' } = tokens[index] ?? {};
    if (!/^ya?ml\b/.test(info) || !/^apiVersion:/m.test(content)) return shown;
    const path = named.exec(tokens[index - 2]?.content ?? '')?.[1];
    const manifests = path === undefined ? content : `==> ${path} <==\n${content}`;
    const link = playgroundLink(base, manifests).replaceAll('&', '&amp;').replaceAll("'", '%27');
    return `${shown}<p class="try"><a href="${link}" target="_self">Try it in the playground</a></p>\n`;
  };
}
