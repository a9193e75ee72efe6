/** Groups index entries by folder and file, so that the nearest entries are found by comparing folders instead of all entries. */

import { getOrAdd } from '../../engine/memoize.ts';
import { compareText, inOrder } from '../../text/order.ts';
import { distanceFrom } from '../uri.ts';

export interface InFile<Id> {
  readonly uri: string;
  /** The ids, in the order in which they were found. */
  readonly ids: readonly Id[];
  /** The number of objects in the file to which the entries belong. */
  readonly objects: number;
}

interface Numbered {
  readonly uri: string;
  readonly object: number;
  readonly labeledObject?: number;
  readonly site?: number;
}

export interface InFolder<Id> {
  /** The URI of the folder with a trailing slash. */
  readonly folder: string;
  readonly files: readonly InFile<Id>[];
  readonly objects: number;
}

/** Groups entries by their folders and files. */
export function byFolder<Id extends Numbered>(ids: Iterable<Id>): readonly InFolder<Id>[] {
  const files = new Map<string, Id[]>();
  const folders = new Map<string, InFile<Id>[]>();
  // An entry is nearly always in the same file as the previous entry, and a file in the same folder as the previous
  // file.
  let file: { readonly uri: string; readonly ids: Id[] } | undefined;
  for (const id of ids) {
    if (file?.uri !== id.uri) file = { uri: id.uri, ids: getOrAdd(files, id.uri, newList<Id>) };
    file.ids.push(id);
  }
  let folder: { readonly name: string; readonly files: InFile<Id>[] } | undefined;
  for (const [uri, ids] of files) {
    const objects = ids.length === 1 ? 1 : new Set(ids.map(({ object }) => object)).size;
    if (folder === undefined || !isIn(uri, folder.name)) {
      const name = folderWithSlash(uri);
      folder = { name, files: getOrAdd(folders, name, newList<InFile<Id>>) };
    }
    folder.files.push({ uri, ids: inOrder(ids, byObject), objects });
  }
  const made = Array.from(folders, ([name, inside]) => inFolder(name, inOrder(inside, byUri)));
  return inOrder(made, byName);
}

function byObject(a: Numbered, b: Numbered): number {
  return a.object - b.object || (a.labeledObject ?? a.site ?? 0) - (b.labeledObject ?? b.site ?? 0);
}

function byUri(a: { readonly uri: string }, b: { readonly uri: string }): number {
  return compareText(a.uri, b.uri);
}

function byName(a: { readonly folder: string }, b: { readonly folder: string }): number {
  return compareText(a.folder, b.folder);
}

function isIn(uri: string, folder: string): boolean {
  return uri.lastIndexOf('/') === folder.length - 1 && uri.startsWith(folder);
}

/** Returns the folders that contain some files, each with a trailing slash. */
export function foldersOf(groups: readonly { readonly files: ReadonlySet<string> }[]): ReadonlySet<string> {
  return new Set(groups.flatMap(({ files }) => Array.from(files, folderWithSlash)));
}

function folderWithSlash(uri: string): string {
  return uri.slice(0, uri.lastIndexOf('/') + 1);
}

function newList<T>(): T[] {
  return [];
}

export function inFolder<Id>(folder: string, files: readonly InFile<Id>[]): InFolder<Id> {
  return { folder, files, objects: files.reduce((sum, { objects }) => sum + objects, 0) };
}

/** Returns all entries in the order of folders and files. */
export function idsIn<Id>(folders: readonly InFolder<Id>[]): readonly Id[] {
  return folders.flatMap(({ files }) => files.flatMap(({ ids }) => ids));
}

/** Sorts folders by their distance from a file, nearest first. */
export function nearestFirst<Id>(folders: readonly InFolder<Id>[], from: string): readonly InFolder<Id>[] {
  const far = distanceFrom(from);
  return inOrderOf(folders, ({ folder }) => far(folder));
}

/** Sorts items by small non-negative integers; the sort is stable. */
export function inOrderOf<T>(things: Iterable<T>, numberOf: (thing: T) => number): readonly T[] {
  const byNumber: T[][] = [];
  for (const thing of things) {
    const number = numberOf(thing);
    while (byNumber.length <= number) byNumber.push([]);
    byNumber[number]?.push(thing);
  }
  return ([] as T[]).concat(...byNumber);
}
