/** Determines the tool with which Argo CD builds a folder, and the files that it reads in a plain folder. Source: `util/app/discovery` and `reposerver/repository` of Argo CD, which differ from its documentation. */

import type { ArgoDirectory, ArgoTool } from '../../../manifests/gitops/argo-source.ts';
import { isKustomizationName } from '../../../manifests/kustomize/kustomization.ts';
import { gobwasMatcher } from '../../../text/go-glob.ts';

/** Returns the tool with which Argo CD builds a folder, determined by the names of the files directly in it; `explicit` is the tool that the source names, and `off` are the tools that Argo CD does not use. */
export function toolFor(names: Iterable<string>, explicit?: ArgoTool, off: readonly ArgoTool[] = []): ArgoTool {
  if (explicit !== undefined) return off.includes(explicit) ? 'directory' : explicit;
  let tool: ArgoTool = 'directory';
  for (const name of names) {
    // A kustomization takes precedence over a chart, because Argo CD uses the last of these files in lexical order.
    if (isKustomizationName(name) && !off.includes('kustomize')) return 'kustomize';
    if (name.endsWith('Chart.yaml') && !off.includes('helm')) tool = 'helm';
  }
  return tool;
}

/** Whether the name of a file can determine the tool of its folder. */
export function isNameForTool(name: string): boolean {
  return toolFor([name]) !== 'directory';
}

/** Returns a function that determines whether Argo CD reads a file of a plain folder; paths are relative to the folder. The function returns undefined if the globs are `unknown`, because they are malformed or contain a placeholder. */
export function directoryFilter(options: ArgoDirectory = {}): ((path: string) => boolean) | undefined {
  const { recurse = false, include = '', exclude = '', anyName = false } = options;
  if (include.includes('{{') || exclude.includes('{{')) return undefined;
  const isIncluded = gobwasMatcher(include);
  const isExcluded = gobwasMatcher(exclude);
  if (isIncluded === undefined || isExcluded === undefined) return undefined;
  return (path) => {
    if (!recurse && path.includes('/')) return false;
    if (!anyName && !/\.(?:ya?ml|json|jsonnet)$/.test(path)) return false;
    if (exclude !== '' && isExcluded(path)) return false;
    return include === '' || isIncluded(path);
  };
}
