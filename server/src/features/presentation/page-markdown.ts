/** Renders rich text for a page of an editor. VS Code's Markdown preview opens no file URIs, only paths relative to the first workspace folder. */

import { isWithin, relativePath } from '../../workspace/uri.ts';
import type { FileView } from '../view.ts';
import { escapeMarkdown, link } from './markdown.ts';
import { type RichText, toMarkdown } from './rich-text.ts';

/** Renders the text as the Markdown of a page. A link to a place outside of the first workspace folder is only its text. */
export function toPageMarkdown(text: RichText, view: FileView): string {
  return toMarkdown(text, {}, (shown, target) => {
    const [uri = '', line] = target.split(/[#,]/);
    const path = pagePath(view, uri, line);
    return path === undefined ? escapeMarkdown(shown) : link(shown, path);
  });
}

/** Returns the target of a link to a line, such as `L12`, of a file; undefined if the file is not in the first workspace folder. */
export function pagePath({ workspace }: FileView, uri: string, line?: string): string | undefined {
  const [folder] = workspace.folders;
  if (folder === undefined || !isWithin(uri, folder)) return undefined;
  return `/${relativePath(folder, uri)}${line === undefined ? '' : `#${line}`}`;
}
