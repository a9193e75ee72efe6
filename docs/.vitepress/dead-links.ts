/** Finds links between the pages of a built site whose page, file or heading does not exist. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, posix } from 'node:path';

export interface DeadLink {
  /** The page with the link, relative to the site. */
  readonly page: string;
  readonly link: string;
}

/** Returns the dead links of the pages in a folder, which is served below `base`. */
export function deadLinks(folder: string, base: string): readonly DeadLink[] {
  const pages = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.html') && !path.startsWith('playground/'));
  const texts = new Map(pages.map((page) => [page, readFileSync(join(folder, page), 'utf8')]));
  const anchors = new Map([...texts].map(([page, text]) => [page, new Set(valuesOf(text, 'id'))]));
  return [...texts].flatMap(([page, text]) => {
    const links = [...valuesOf(text, 'href'), ...valuesOf(text, 'src')];
    return [...new Set(links)].filter((link) => isDead(link, page)).map((link) => ({ page, link }));
  });

  function isDead(link: string, page: string): boolean {
    const { origin, pathname, hash } = new URL(link, `https://site.invalid${base}${page}`);
    if (origin !== 'https://site.invalid') return false;
    if (!pathname.startsWith(base)) return true;
    const path = decodeURIComponent(pathname.slice(base.length));
    const file = path === '' || path.endsWith('/') ? posix.join(path, 'index.html') : path;
    const isFile = existsSync(join(folder, file)) && statSync(join(folder, file)).isFile();
    const anchor = decodeURIComponent(hash.slice(1));
    return !isFile || (anchor !== '' && anchors.get(file)?.has(anchor) === false);
  }
}

/** Returns the values of an attribute in HTML. */
function valuesOf(text: string, attribute: string): readonly string[] {
  return [...text.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, 'g'))].map(([, value = '']) =>
    value.replaceAll('&amp;', '&').replaceAll('&quot;', '"').replaceAll('&#39;', "'"),
  );
}
