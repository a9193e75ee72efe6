/** Accesses the files that GitOps objects read as data: values of charts, and parameters. They are parsed as data on demand. */

import type { Data } from '../../manifests/helm/value.ts';
import { readData } from '../../manifests/helm/values.ts';
import type { WorkspaceFile } from '../model.ts';
import type { DataUse } from './model.ts';

/** Whether a file was parsed for a use of its data. */
export function hasData({ data, scope }: WorkspaceFile, use: DataUse | undefined): boolean {
  if (use === 'text') return scope.data !== undefined && 'text' in scope.data;
  if (use === 'layout') return scope.data !== undefined && 'content' in scope.data;
  return use === undefined || data !== undefined;
}

/** Returns the data of a file; undefined if it is not known. */
export function dataIn(file: WorkspaceFile | undefined): Data | undefined {
  const { data, helm } = file ?? {};
  if (data === undefined) return helm?.values;
  return 'text' in data ? readData(data.text) : data.content;
}
