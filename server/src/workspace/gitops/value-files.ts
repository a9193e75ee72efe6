/** Finds the values files that a GitOps object names for a chart, and merges their values. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { GitopsSource } from '../../manifests/gitops/model.ts';
import { escapedData } from '../../manifests/helm/execution/template-value.ts';
import { type Data, isMap } from '../../manifests/helm/value.ts';
import { overridden } from '../../manifests/helm/values.ts';
import { compareText, countBefore } from '../../text/order.ts';
import type { ScopeFacts } from '../scopes/scope-facts.ts';
import { isWithin, relativePath, resolveUri } from '../uri.ts';
import { type ValueFile, valueFilesOf } from './argo/helm-values.ts';
import type { LocatedFolder } from './repositories.ts';

export type NamedValues = Pick<GitopsSource, 'valueFiles' | 'refs' | 'repository'>;

type Facts = ReadonlyMap<string, ScopeFacts>;

export interface PathsBelow {
  /** All paths, in lexical order. */
  readonly all: readonly string[];
  /** The paths by file name, each list in lexical order. */
  readonly byName: ReadonlyMap<string, readonly string[]>;
}

const pathsBelow = new WeakMap<Facts, Map<string, PathsBelow>>();

/** Returns the paths of all files below a root. They are computed once for each layout of the workspace. */
export function pathsIn(facts: Facts, root: string): PathsBelow {
  const known = getOrAdd(pathsBelow, facts, () => new Map<string, PathsBelow>());
  return getOrAdd(known, root, () => {
    const inside = [...facts.keys()].filter((uri) => isWithin(uri, root));
    const all = inside.map((uri) => relativePath(root, uri)).toSorted(compareText);
    const byName = new Map<string, string[]>();
    for (const path of all) getOrAdd(byName, path.slice(path.lastIndexOf('/') + 1), () => []).push(path);
    return { all, byName };
  });
}

/** Returns the paths that may match a glob: the paths with the same file name or, if this name contains wildcards, the paths below the folder that precedes the first wildcard. */
function pathsFor(glob: string, { all, byName }: PathsBelow): readonly string[] {
  const name = glob.slice(glob.lastIndexOf('/') + 1);
  const special = /[*?[\]{}\\]/;
  if (!special.test(name)) return byName.get(name) ?? [];
  const folder = glob.slice(0, glob.slice(0, glob.search(special)).lastIndexOf('/') + 1);
  return all.slice(firstFrom(folder, all), folder === '' ? undefined : firstFrom(`${folder.slice(0, -1)}0`, all));
}

/** Returns the index of the first string in a sorted list that is not before `text`. If a final `/` is replaced by `0`, the next character, this is the end of the paths in a folder. */
function firstFrom(text: string, sorted: readonly string[]): number {
  return countBefore(sorted, (each) => each < text);
}

/** Returns the files that `valueFiles` of a source names, in the order in which they are merged, with their URIs. */
export function valueFilesIn(
  { folder, root }: Pick<LocatedFolder, 'folder' | 'root'>,
  { valueFiles = [], refs = {}, repository }: NamedValues,
  facts: Facts,
  expand: (text: string) => string = (text) => text,
): readonly (ValueFile & { readonly uri?: string })[] {
  if (valueFiles.length === 0) return [];
  const found = valueFilesOf(valueFiles, {
    folder: relativePath(root, folder),
    filesFor: (glob) => pathsFor(glob, pathsIn(facts, root)),
    has: (path) => facts.has(resolveUri(root, path)),
    isHere: (ref) => (Object.hasOwn(refs, ref) ? refs[ref] === repository : undefined),
    expand,
  });
  return found.map((each) => (each.path === undefined ? each : { ...each, uri: resolveUri(root, each.path) }));
}

/** Returns the values of files, merged in order; `data` returns the content of a file. Returns undefined if the content of a file is unknown, or if a required file is missing. */
export function mergedValueFiles(
  files: ReturnType<typeof valueFilesIn>,
  data: (uri: string) => Data | undefined,
  mayBeMissing = false,
): Data | undefined {
  let result: Data = {};
  for (const file of files) {
    if (file.uri === undefined && 'is' in file && file.is === 'missing' && mayBeMissing) continue;
    const content = file.uri === undefined ? undefined : (data(file.uri) ?? undefined);
    if (file.uri !== undefined && data(file.uri) === null) continue;
    if (content === undefined || !isMap(content)) return undefined;
    // Actions in values are text, which a template may render with `tpl`.
    result = overridden(result, escapedData(content));
  }
  return result;
}
