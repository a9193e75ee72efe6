/** Finds the files of values that a GitOps object names for a chart, and merges their values. */

import { getOrAdd } from '../../engine/memoize.ts';
import type { GitopsSource } from '../../manifests/gitops/model.ts';
import { type Data, isMap } from '../../manifests/helm/value.ts';
import { overridden } from '../../manifests/helm/values.ts';
import { compareText } from '../../text/order.ts';
import type { ScopeFacts } from '../scopes/scope-facts.ts';
import { isWithin, relativePath, resolveUri } from '../uri.ts';
import { type ValueFile, valueFilesOf } from './argo/helm-values.ts';
import type { LocatedFolder } from './repositories.ts';

/** The files of values that a source names. */
export type NamedValues = Pick<GitopsSource, 'valueFiles' | 'refs' | 'repository'>;

type Facts = ReadonlyMap<string, ScopeFacts>;

const pathsBelow = new WeakMap<Facts, Map<string, readonly string[]>>();

/** The paths of all files below a root, in lexical order. */
function pathsIn(facts: Facts, root: string): readonly string[] {
  const known = getOrAdd(pathsBelow, facts, () => new Map<string, readonly string[]>());
  return getOrAdd(known, root, () => {
    const inside = [...facts.keys()].filter((uri) => isWithin(uri, root));
    return inside.map((uri) => relativePath(root, uri)).toSorted(compareText);
  });
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
    get files() {
      return pathsIn(facts, root);
    },
    has: (path) => facts.has(resolveUri(root, path)),
    isHere: (ref) => (Object.hasOwn(refs, ref) ? refs[ref] === repository : undefined),
    expand,
  });
  return found.map((each) => (each.path === undefined ? each : { ...each, uri: resolveUri(root, each.path) }));
}

/**
 * Returns values with those of files over them, in order; `data` returns the content of a file. Undefined if a file is not
 * known, or is missing and must exist.
 */
export function withValueFiles(
  values: Data,
  files: ReturnType<typeof valueFilesIn>,
  data: (uri: string) => Data | undefined,
  mayBeMissing = false,
): Data | undefined {
  let result = values;
  for (const file of files) {
    if (file.uri === undefined && 'is' in file && file.is === 'missing' && mayBeMissing) continue;
    const content = file.uri === undefined ? undefined : (data(file.uri) ?? undefined);
    if (file.uri !== undefined && data(file.uri) === null) continue;
    if (content === undefined || !isMap(content)) return undefined;
    result = overridden(result, content);
  }
  return result;
}
