/**
 * Finds values for an unknown parameter in the path of an Application: with `overlays/{{name}}`, each folder in `overlays`
 * is built for a cluster with its name.
 */

import { getOrAdd } from '../../../engine/memoize.ts';
import { argoSourcesOf } from '../../../manifests/gitops/argo-source.ts';
import { plainPath } from '../../../manifests/gitops/repository-url.ts';
import { type Data, isMap } from '../../../manifests/helm/value.ts';
import { applicationOf, optionsOf, type SetResult } from './application-set.ts';
import { type GeneratorFiles, renderedData } from './generators.ts';
import type { ParameterSet } from './set-template.ts';

/** The maximum number of folders for one Application. */
const maximumFolders = 200;

/** Replaces each Application whose path has one unknown parameter by the Applications for the existing folders; undefined if there are no such folders. */
export function withImpliedParameters(
  spec: Data,
  results: readonly SetResult[],
  files: GeneratorFiles,
): readonly SetResult[] | undefined {
  let isFound = false;
  const replaced = results.flatMap((result) => {
    const sets = result.parameters.open ? impliedSets(spec, result, files) : [];
    const implied = sets.flatMap((parameters) => {
      const application = applicationOf(spec, result.generator, parameters);
      return application === undefined ? [] : [{ ...result, application, parameters }];
    });
    if (implied.length === 0) return [result];
    isFound = true;
    return implied;
  });
  return isFound ? replaced : undefined;
}

/** The folders with files directly in them. */
const foldersWithFiles = new WeakMap<GeneratorFiles, ReadonlySet<string>>();

/** The text before a parameter, which names at least one folder, the parameter, and the text after it. */
const withOneParameter = /^([^{}]*\/[^{}/]*)\{\{ *(\.?)([A-Za-z_][\w.-]*) *\}\}([^{}]*)$/;

function impliedSets(
  spec: Data,
  { application, parameters }: SetResult,
  files: GeneratorFiles,
): readonly ParameterSet[] {
  const [sources] = argoSourcesOf(isMap(application) ? (application['spec'] ?? null) : null);
  const { isGo, render } = optionsOf(spec);
  for (const { path = '' } of sources) {
    const [found, before = '', dot, name = '', after = ''] = withOneParameter.exec(plainPath(path)) ?? [];
    if (found === undefined || (dot === '.') !== isGo) continue;
    const folders = getOrAdd(foldersWithFiles, files, () => {
      return new Set(files.files.map((file) => file.slice(0, Math.max(file.lastIndexOf('/'), 0))));
    });
    // A folder that others include contains a common part.
    const matching = [...folders].filter(
      (folder) => folder.startsWith(before) && folder.endsWith(after) && !files.isIncluded(folder),
    );
    const values = matching.map((folder) => folder.slice(before.length, folder.length - after.length));
    return values
      .filter((value) => value !== '' && !value.includes('/'))
      .slice(0, maximumFolders)
      .map((value) => {
        const set = { ...parameters, values: entryFor(isGo ? name.split('.') : [name], value, parameters.values) };
        const known = renderedData(set.values, (text) => (text.includes('{{') ? render(text, set) : text));
        return isMap(known) ? { ...set, values: known } : set;
      });
  }
  return [];
}

/** Returns a map with a value at a path of keys, and all other entries of `around`. */
function entryFor(
  [key = '', ...below]: readonly string[],
  value: string,
  around: Data | undefined,
): { readonly [key: string]: Data } {
  const entries = isMap(around) ? around : {};
  const inner = Object.hasOwn(entries, key) ? entries[key] : undefined;
  return { ...entries, [key]: below.length === 0 ? value : entryFor(below, value, inner) };
}
