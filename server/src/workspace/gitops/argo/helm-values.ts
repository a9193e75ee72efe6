/**
 * Computes the values with which Argo CD renders a chart, and the values files that a source names.
 * Source: `util/helm/cmd.go` and `reposerver/repository/repository.go` of Argo CD.
 */

import { type DataMap, textIn } from '../../../manifests/gitops/argo-source.ts';
import { withSetValue } from '../../../manifests/helm/set-value.ts';
import { type Data, isMap } from '../../../manifests/helm/value.ts';
import { overridden, readValues } from '../../../manifests/helm/values.ts';
import { doublestarMatcher } from '../../../text/go-glob.ts';

/** Returns a string in which the build variables are replaced. `$$` becomes `$`, and an unknown variable is empty. */
export function withVariables(text: string, variables: Readonly<Record<string, string>>): string {
  return text.replace(/\$(?:\$|\{(\w+)\}|(\w+))/g, (found, braced?: string, bare?: string) => {
    const name = braced ?? bare;
    if (name === undefined) return '$';
    return Object.hasOwn(variables, name) ? (variables[name] ?? '') : found === '$$' ? '$' : '';
  });
}

/** The facts from which the build variables of an Application are computed. */
export interface BuildFacts {
  readonly name: string;
  readonly namespace: string;
  readonly project: string;
  readonly path: string;
  readonly repository: string;
  readonly revision: string;
}

/** Returns the build variables; variables that depend on the cluster or the commit are unknown. */
export function variablesOf(facts: BuildFacts): Readonly<Record<string, string>> {
  const unknown = (name: string) => `{{ $${name} }}`;
  const names = [
    'ARGOCD_APP_REVISION',
    'ARGOCD_APP_REVISION_SHORT',
    'ARGOCD_APP_REVISION_SHORT_8',
    'KUBE_VERSION',
    'KUBE_API_VERSIONS',
  ];
  return {
    ...Object.fromEntries(names.map((name) => [name, unknown(name)])),
    ARGOCD_APP_NAME: facts.name,
    ARGOCD_APP_NAMESPACE: facts.namespace,
    ARGOCD_APP_PROJECT_NAME: facts.project,
    ARGOCD_APP_SOURCE_PATH: facts.path,
    ARGOCD_APP_SOURCE_REPO_URL: facts.repository,
    ARGOCD_APP_SOURCE_TARGET_REVISION: facts.revision,
  };
}

export type ValueFile =
  | { readonly entry: string; readonly path: string }
  /** A URL, a file of another repository, or a file whose name is unknown. */
  | { readonly entry: string; readonly path?: never; readonly is: 'unknown' }
  | { readonly entry: string; readonly path?: never; readonly is: 'missing' };

/** The files in which values files are searched. Paths are relative to the root of the repository. */
export interface ValueFiles {
  /** The folder of the source; '' is the root. */
  readonly folder: string;
  /** Returns the files of the repository that may match a glob, in lexical order. */
  filesFor(glob: string): readonly string[];
  has(path: string): boolean;
  /** Whether a `ref` refers to a source in this repository; undefined if no source has this `ref`. */
  isHere(ref: string): boolean | undefined;
  /** Replaces the build variables in a string. */
  expand(text: string): string;
}

/** Returns the files that `valueFiles` names, in the order in which they are merged: globs expand in place, each file is used once, and a file that is also listed explicitly stays at its explicit position. */
export function valueFilesOf(entries: readonly string[], around: ValueFiles): readonly ValueFile[] {
  const located = entries.map((entry) => ({ entry, path: pathOf(entry, around) }));
  const isGlob = (path: string) => /[*?[]/.test(path);
  const explicit = new Set(located.flatMap(({ path }) => (path === undefined || isGlob(path) ? [] : [path])));
  const used = new Set<string>();
  const found: ValueFile[] = [];
  for (const { entry, path } of located) {
    const matches = path !== undefined && isGlob(path) ? doublestarMatcher(path) : undefined;
    if (path === undefined || (isGlob(path) && matches === undefined)) {
      found.push({ entry, is: 'unknown' });
      continue;
    }
    const files =
      matches === undefined ? [path].filter((each) => around.has(each)) : around.filesFor(path).filter(matches);
    if (files.length === 0) found.push({ entry, is: 'missing' });
    for (const file of files) {
      if (used.has(file) || (matches !== undefined && explicit.has(file))) continue;
      used.add(file);
      found.push({ entry, path: file });
    }
  }
  return found;
}

/** Returns the path of an entry, relative to the root of the repository; undefined if it is unknown or outside of the repository. */
function pathOf(entry: string, { folder, isHere, expand }: ValueFiles): string | undefined {
  const [, ref = '', below = ''] = /^\$([^/]+)\/(.*)$/s.exec(entry) ?? [];
  if (ref !== '' && !buildVariable.test(ref)) return isHere(ref) ? known(expand(below), '') : undefined;
  const path = expand(entry);
  return known(path, path.startsWith('/') ? '' : folder);
}

const buildVariable = /^\{?(?:ARGOCD|KUBE)_/;

function known(path: string, folder: string): string | undefined {
  const isUnknown = path.includes('{{') || /^[a-z][\w+.-]*:\/\//i.test(path);
  return isUnknown ? undefined : joined(folder, path);
}

function joined(folder: string, path: string): string | undefined {
  const steps: string[] = folder === '' ? [] : folder.split('/');
  for (const step of path.split('/')) {
    if (step === '..') {
      if (steps.pop() === undefined) return undefined;
    } else if (step !== '' && step !== '.') steps.push(step);
  }
  return steps.join('/');
}

/** Returns the values of the chart and its values files, overridden by the values that a source sets: `valuesObject` (or `values` if it is absent), then `parameters` and `fileParameters`, whose contents are unknown. Returns undefined if a name is malformed. */
export function withOwnValues(values: Data, helm: DataMap, expand: (text: string) => string): Data | undefined {
  const { valuesObject, parameters, fileParameters } = helm;
  const text = textIn(helm, 'values');
  const written = isMap(valuesObject) ? valuesObject : text === undefined ? {} : readValues(text);
  let result: Data | undefined = written && overridden(values, written);
  for (const parameter of mapsIn(parameters)) {
    const value = expand(textIn(parameter, 'value') ?? '');
    result = withParameter(result, expand(textIn(parameter, 'name') ?? ''), value, parameter['forceString'] === true);
  }
  for (const parameter of mapsIn(fileParameters)) {
    const content = `{{ ${textIn(parameter, 'path') ?? 'file'} }}`;
    result = withParameter(result, expand(textIn(parameter, 'name') ?? ''), content, true);
  }
  return result;
}

function mapsIn(list: Data | undefined): readonly DataMap[] {
  return Array.isArray(list) ? list.filter(isMap) : [];
}

function withParameter(values: Data | undefined, name: string, value: string, asString: boolean): Data | undefined {
  return values === undefined || name === '' ? values : withSetValue(values, name, value, asString);
}
