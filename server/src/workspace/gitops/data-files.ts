/** Accesses the files that GitOps objects read as data: values of charts, and parameters. They are parsed as data on demand. */

import type { Data } from '../../manifests/helm/value.ts';
import type { WorkspaceFile } from '../model.ts';
import type { DataUse } from './model.ts';

/** Whether a file was parsed for a use of its data. */
export function hasData({ data, scope }: WorkspaceFile, use: DataUse | undefined): boolean {
  return use === undefined || (use === 'layout' ? scope.data : data) !== undefined;
}

/** Returns the data of a file; undefined if it is not known. */
export function dataIn(file: WorkspaceFile | undefined): Data | undefined {
  return file?.data === undefined ? file?.helm?.values : file.data.content;
}
