/**
 * Groups index entries by folder and file, so that near entries are found by comparing folders instead of all entries.
 */

import { getOrAdd } from '../../engine/memoize.ts';
import { compareText, inOrder } from '../../text/order.ts';
import { distanceFrom } from '../uri.ts';

/** The entries of one file. */
export interface InFile<Id> {
  readonly uri: string;
  /** In the order in which they were found. */
  readonly ids: readonly Id[];
  /** How many objects that is. */
  readonly objects: number;
}

interface Numbered {
  readonly uri: string;
  /** Of the file's objects. */
  readonly object: number;
  /** Of what the object has. */
  readonly labeledObject?: number;
  readonly site?: number;
}

/** The entries of the files in one folder. */
export interface InFolder<Id> {
  /** With a slash at its end. */
  readonly folder: string;
  readonly files: readonly InFile<Id>[];
  /** How many objects that is in all of them. */
  readonly objects: number;
}

/** Things by the folders and files that they are in. */
export function byFolder<Id extends Numbered>(ids: Iterable<Id>): readonly InFolder<Id>[] {
  const files = new Map<string, Id[]>();
  const folders = new Map<string, InFile<Id>[]>();
  // Nearly always, one thing is in the file of the one before, and one file in the folder of the one before.
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

/** The folders in which some files are, each with a slash at its end. */
export function foldersOf(groups: readonly { readonly files: ReadonlySet<string> }[]): ReadonlySet<string> {
  return new Set(groups.flatMap(({ files }) => Array.from(files, folderWithSlash)));
}

function folderWithSlash(uri: string): string {
  return uri.slice(0, uri.lastIndexOf('/') + 1);
}

function newList<T>(): T[] {
  return [];
}

/** Some files of a folder. */
export function inFolder<Id>(folder: string, files: readonly InFile<Id>[]): InFolder<Id> {
  return { folder, files, objects: files.reduce((sum, { objects }) => sum + objects, 0) };
}

/** All of it, one after the other. */
export function idsIn<Id>(folders: readonly InFolder<Id>[]): readonly Id[] {
  return folders.flatMap(({ files }) => files.flatMap(({ ids }) => ids));
}

/** The nearest folders first. */
export function nearestFirst<Id>(folders: readonly InFolder<Id>[], from: string): readonly InFolder<Id>[] {
  const far = distanceFrom(from);
  return inOrderOf(folders, ({ folder }) => far(folder));
}

/** Orders by small whole numbers; what has the same number stays as it came. */
export function inOrderOf<T>(things: Iterable<T>, numberOf: (thing: T) => number): readonly T[] {
  const byNumber: T[][] = [];
  for (const thing of things) {
    const number = numberOf(thing);
    while (byNumber.length <= number) byNumber.push([]);
    byNumber[number]?.push(thing);
  }
  return ([] as T[]).concat(...byNumber);
}
