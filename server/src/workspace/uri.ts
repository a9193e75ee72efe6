/** Canonical URIs, so that no file is known under two names, and the paths between them. */

import { percentDecode, percentEncode } from '../text/percent-encoding.ts';

/**
 * Returns the canonical form of a URI: every character of its path percent-encoded in one way, no `.` or `..`, a
 * Windows drive in lower case. Two URIs of one file have one canonical URI. A query or fragment, which distinguishes
 * versions of a file and cells of a notebook, is kept without slashes.
 */
export function canonicalUri(uri: string): string {
  // Most URIs are canonical.
  if (/^file:\/\/(?:\/(?!\.{1,2}(?:\/|$))[\w.!~*'()-]+)+$/.test(uri)) return uri;
  const found = /^([A-Za-z][A-Za-z0-9+.-]*):(?:\/\/([^/?#]*))?([^?#]*)(.*)$/s.exec(uri);
  if (found === null) return uri;
  const [, scheme = '', authority, path = '', version = ''] = found;
  if (authority === undefined && !path.startsWith('/')) return uri;
  const segments = resolveDots(path.split('/').map(decode)).map((segment, index) => {
    const isDrive = index === 1 && scheme.toLowerCase() === 'file' && /^[A-Za-z]:$/.test(segment);
    return percentEncode(isDrive ? segment.toLowerCase() : segment);
  });
  const end = scheme === 'file' ? '' : version.replaceAll('/', '%2F');
  return `${scheme.toLowerCase()}://${authority ?? ''}${segments.join('/')}${end}`;
}

/** Returns the scheme of a URI: `file`, `git`, `untitled`. */
export function schemeOf(uri: string): string {
  return uri.slice(0, Math.max(uri.indexOf(':'), 0)).toLowerCase();
}

/** Returns the folder of a file, without a trailing slash. */
export function folderOf(uri: string): string {
  return uri.slice(0, Math.max(uri.lastIndexOf('/'), 0));
}

/** Returns the folders around a file, the innermost first. */
export function foldersAbove(uri: string): readonly string[] {
  const folders: string[] = [];
  for (let at = folderOf(uri); at.includes('/'); at = folderOf(at)) folders.push(at);
  return folders;
}

/** Returns the last part of a path, decoded. */
export function fileNameOf(uri: string): string {
  const name = uri.slice(uri.lastIndexOf('/') + 1);
  return /[%?#]/.test(name) ? decode(name.replace(/[?#].*$/s, '')) : name;
}

/** Resolves a relative path in a folder: `../base` and `../base/` in `file:///a/b` are `file:///a/base`. */
export function resolveUri(folder: string, path: string): string {
  // Nearly all references are names of files in the same folder.
  if (/^\w[\w.-]*$/.test(path)) return `${folder}/${path}`;
  const found = /^([^:]+:\/\/[^/]*)(.*)$/s.exec(folder);
  if (found === null) return folder;
  const [, start = '', base = ''] = found;
  const segments = [...base.split('/'), ...path.split('/').map(percentEncode)];
  return (start + resolveDots(segments).join('/')).replace(/\/$/, '');
}

/** Whether `uri` is the folder or a URI below it. */
export function isWithin(uri: string, folder: string): boolean {
  return uri === folder || uri.startsWith(`${folder}/`);
}

/** Returns the decoded path of `uri` relative to `folder`: `../shop/web.yaml`; the whole path if no folder contains both. */
export function relativePath(folder: string, uri: string): string {
  // Nearly all URIs are below the folder, without encoded characters.
  if (uri.startsWith(`${folder}/`) && !uri.includes('%', folder.length)) return uri.slice(folder.length + 1);
  const from = folder.split('/');
  const to = uri.split('/');
  if (from[0] !== to[0] || from[2] !== to[2]) {
    // An untitled document has a name instead of a path: `untitled:Untitled-1`.
    return to.length < 4 ? decode(uri.slice(uri.indexOf(':') + 1)) : ['', ...to.slice(3).map(decode)].join('/');
  }
  let common = 0;
  while (common < from.length && common < to.length - 1 && from[common] === to[common]) common++;
  return [...from.slice(common).map(() => '..'), ...to.slice(common).map(decode)].join('/');
}

/** Like `relativePath`, but for a URI that may be a parent folder of `folder` (`..`), or `folder` itself (`.`). */
export function relativeFolder(folder: string, uri: string): string {
  if (!isWithin(folder, uri)) return relativePath(folder, uri);
  return '../'.repeat(slashesIn(folder) - slashesIn(uri)).slice(0, -1) || '.';
}

/** Returns a function that computes the number of folders to leave and enter on the path from one file to another; 0 in one folder. */
export function distanceFrom(from: string): (uri: string) => number {
  const depth = slashesIn(from);
  return (uri) => {
    // The common prefix determines the common folders.
    let at = 0;
    let common = 0;
    for (; at < from.length && from.charCodeAt(at) === uri.charCodeAt(at); at++) {
      if (from.charCodeAt(at) === slash) common++;
    }
    return depth - common + slashesIn(uri, at);
  };
}

const slash = 47;

function slashesIn(uri: string, from = 0): number {
  let count = 0;
  for (let at = uri.indexOf('/', from); at !== -1; at = uri.indexOf('/', at + 1)) count++;
  return count;
}

function resolveDots(segments: readonly string[]): readonly string[] {
  const result: string[] = [];
  for (const [index, segment] of segments.entries()) {
    if (segment === '.' || (segment === '' && index > 0 && index < segments.length - 1)) continue;
    if (segment === '..') {
      if (result.length > 1) result.pop();
    } else {
      result.push(segment);
    }
  }
  return result;
}

function decode(text: string): string {
  return percentDecode(text) ?? text;
}
