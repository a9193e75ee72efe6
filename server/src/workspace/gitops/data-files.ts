/** Accesses the files that GitOps objects read as data: values of charts, and parameters. They are parsed as data on demand. */

import { getOrAdd, memoized } from '../../engine/memoize.ts';
import type { Data } from '../../manifests/helm/value.ts';
import { isTooLargeToRead, readData } from '../../manifests/helm/values.ts';
import type { WorkspaceFile } from '../model.ts';
import type { ScopeFacts } from '../scopes/scope-facts.ts';
import { folderOf, resolveUri } from '../uri.ts';
import type { DataUse } from './model.ts';

export function hasData({ data, template, scope }: WorkspaceFile, use: DataUse | undefined): boolean {
  if (use === 'text') return scope.data !== undefined && 'text' in scope.data;
  if (use === 'template') return template !== undefined;
  if (use === 'layout') return scope.data !== undefined && 'content' in scope.data;
  return use === undefined || data !== undefined;
}

/** Returns the data of a file; undefined if it is not known. */
export function dataIn(file: WorkspaceFile | undefined): Data | undefined {
  const { data, helm } = file ?? {};
  if (data === undefined) return helm?.values;
  return 'text' in data ? readData(data.text) : data.content;
}

/** Whether the data of a file is unknown because the file is too large to be read. */
export function isUnread({ data }: Pick<WorkspaceFile, 'data'>): boolean {
  if (data === undefined) return false;
  return 'text' in data ? isTooLargeToRead(data.text) : data.isTooLarge === true;
}

/** Returns the text of a template that a release executes; undefined if it is not known. */
export function templateIn(file: WorkspaceFile | undefined): string | undefined {
  const { data, template } = file ?? {};
  return template ?? (data !== undefined && 'text' in data ? data.text : undefined);
}

/** A kustomization that generates a ConfigMap from files, or changes it. */
interface ReadingGenerator {
  readonly uri: string;
  /** The files from which it generates the content. */
  readonly inputs: readonly string[];
}

/** Returns the kustomizations that generate ConfigMaps from files, or change them, by the name of the ConfigMap. */
export const generatorsReading = memoized(
  (facts: ReadonlyMap<string, ScopeFacts>): ReadonlyMap<string, readonly ReadingGenerator[]> => {
    const found = new Map<string, ReadingGenerator[]>();
    for (const [uri, { kustomization }] of facts)
      for (const [name = '', ...paths] of kustomization?.generatedFrom ?? []) {
        const inputs = paths.map((path) => resolveUri(folderOf(uri), path));
        getOrAdd(found, name, () => []).push({ uri, inputs });
      }
    return found;
  },
);
