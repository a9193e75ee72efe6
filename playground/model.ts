/** The state of the playground, and what the parts of the page share. */

import type { ProtocolRange } from '../server/src/protocol.ts';

/** The workspace folder that the language server sees. */
export const folder = 'file:///playground';

export interface PlaygroundFile {
  /** The path below the workspace folder. */
  readonly path: string;
  readonly text: string;
  /** The text before the change that is reviewed; null for a file that the change adds; absent if nothing is reviewed. */
  readonly before?: string | null;
}

/** What a link contains. */
export interface PlaygroundState {
  readonly files: readonly PlaygroundFile[];
  /** The path of the open file. */
  readonly open?: string;
  /** A selector in the syntax of `kubectl get -l`; absent for none. */
  readonly selector?: string;
  /** The panel beside the editor. */
  readonly panel?: Panel;
}

export const panels = ['matches', 'map', 'review'] as const;
export type Panel = (typeof panels)[number];

/** The maximum length of all files in UTF-16 units, and their maximum number. */
export const maximumLength = 1_000_000;
export const maximumFiles = 200;

/** A position to show in the editor. */
export interface Place {
  readonly uri: string;
  readonly range: ProtocolRange;
}

export function uriOf(path: string): string {
  return `${folder}/${path.split('/').map(encodeURIComponent).join('/')}`;
}

export function pathOf(uri: string): string {
  return uri.startsWith(`${folder}/`)
    ? uri
        .slice(folder.length + 1)
        .split('/')
        .map(decodeURIComponent)
        .join('/')
    : uri;
}

/** Returns a path below the workspace folder; undefined if nothing is left of it. */
export function normalizedPath(given: string): string | undefined {
  const names = given
    .replaceAll('\\', '/')
    .split('/')
    .map((name) => name.trim().replaceAll(/[^\w.@+ -]/g, '-'))
    .filter((name) => name !== '' && !/^\.+$/.test(name));
  const path = names.join('/');
  return path === '' || path.length > 200 ? undefined : path;
}

/** Returns the files of a text in which lines `==> PATH <==` begin files; the text before the first such line is `manifests.yaml`. */
export function filesIn(text: string): readonly PlaygroundFile[] {
  const files = new Map<string, PlaygroundFile>();
  const add = (path: string, content: string) => {
    if (content.trim() !== '') files.set(path, { path, text: content });
  };
  let path = 'manifests.yaml';
  let start = 0;
  for (const header of text.matchAll(/^==> ([^\n]{1,200}?) <==[ \t]*\r?\n/gm)) {
    add(path, text.slice(start, header.index));
    const [whole, named = ''] = header;
    path = normalizedPath(named) ?? 'manifests.yaml';
    start = header.index + whole.length;
  }
  add(path, text.slice(start));
  return [...files.values()];
}
