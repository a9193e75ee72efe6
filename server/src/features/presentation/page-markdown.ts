/** Renders rich text for a page of an editor. VS Code's Markdown preview opens no file URIs, only paths relative to the first workspace folder. */

import { isWithin, relativePath } from '../../workspace/uri.ts';
import type { FileView } from '../view.ts';
import { escapeMarkdown, link } from './markdown.ts';
import { type RichText, toMarkdown } from './rich-text.ts';

/** Renders the text as the Markdown of a page. A link to a place outside of the first workspace folder is only its text. */
export function toPageMarkdown(text: RichText, { workspace }: FileView): string {
  const [folder] = workspace.folders;
  return toMarkdown(text, {}, (shown, target) => {
    const [uri = '', line] = target.split(/[#,]/);
    if (folder === undefined || !isWithin(uri, folder)) return escapeMarkdown(shown);
    return link(shown, `/${relativePath(folder, uri)}${line === undefined ? '' : `#${line}`}`);
  });
}
