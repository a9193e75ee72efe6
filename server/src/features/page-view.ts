/** The view of the manifests in a Markdown page or a script, which are matched within the page. */

import { touches } from '../text/span.ts';
import { type Page, pageOf } from '../workspace/pages.ts';
import type { FileView } from './view.ts';

/** Returns the page of an open file as a file of manifests; undefined if it contains none, and for manifests. */
export function pageView(view: FileView): FileView | undefined {
  const page = pageIn(view);
  return page && viewOf(view, page);
}

/** Returns the page if an offset is in one of its manifests. */
export function pageViewAt(view: FileView, offset: number): FileView | undefined {
  const page = pageIn(view);
  return page?.spans.some((span) => touches(span, offset)) ? viewOf(view, page) : undefined;
}

function pageIn({ file, text, host, catalogue, placeholders, settings }: FileView): Page | undefined {
  if (host === undefined || !settings.inlineSelectors[host]) return undefined;
  return pageOf(file, text, host, catalogue, placeholders);
}

function viewOf({ catalogue, placeholders, settings }: FileView, page: Page): FileView {
  return {
    isPage: true,
    workspace: page.workspace,
    catalogue,
    complete: true,
    file: page.file,
    text: page.text,
    placeholders,
    valueSites: [],
    settings,
  };
}
