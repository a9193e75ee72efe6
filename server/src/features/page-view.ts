/** A view of the manifests in a Markdown page or a script; their selectors are evaluated only within the page. */

import { touches } from '../text/span.ts';
import { type Page, pageOf } from '../workspace/pages.ts';
import type { FileView } from './view.ts';

/** Returns a view of the manifests in an open page or script; undefined if the file contains no manifests, or if it is itself a manifest. */
export function pageView(view: FileView): FileView | undefined {
  const page = pageIn(view);
  return page && viewOf(view, page);
}

/** Returns the view of the page if the offset is in one of its manifests; otherwise undefined. */
export function pageViewAt(view: FileView, offset: number): FileView | undefined {
  const page = pageIn(view);
  return page?.spans.some((span) => touches(span, offset)) ? viewOf(view, page) : undefined;
}

function pageIn({ file, text, host, catalogue, placeholders, settings }: FileView): Page | undefined {
  if (host === undefined || !settings.inlineSelectors[host]) return undefined;
  return pageOf(file, text, host, catalogue, placeholders);
}

function viewOf({ catalogue, placeholders, settings, perspective }: FileView, page: Page): FileView {
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
    perspective,
  };
}
