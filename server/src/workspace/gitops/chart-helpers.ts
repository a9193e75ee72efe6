/** Finds the helpers of a chart, and those for which Helm reports an error. */

import { type Helper, helpersOf } from '../../manifests/helm/helpers.ts';
import { localize } from '../../text/localize.ts';
import type { FailedTemplate } from '../model.ts';
import type { ChartFiles } from './installed-charts.ts';

/** Returns the helpers of a chart and its dependencies, as Helm chooses among those of one name. */
export function helpersIn({ members, helpers: helpersAt }: ChartFiles): ReadonlyMap<string, Helper> {
  const helpers = new Map<string, Helper>();
  const texts = [...members].flatMap((uri) => {
    const text = helpersAt(uri);
    return text === undefined ? [] : [[uri, text] as const];
  });
  // Helm prefers the template with the shortest path and, among paths of equal length, the first by name.
  const depth = (uri: string) => uri.split('/').length;
  for (const [uri, text] of texts.toSorted(([a], [b]) => depth(a) - depth(b) || (a < b ? -1 : 1))) {
    const own = new Map(helpersOf(uri, text).map((helper) => [helper.name, helper]));
    // As in Go, an empty definition replaces no other one.
    for (const [name, helper] of own) if (isEmpty(helpers.get(name))) helpers.set(name, helper);
  }
  return helpers;
}

/** Returns the helpers that one file defines twice: Go reports an error. */
export function repeatedHelpers({ members, helpers: helpersAt }: ChartFiles): readonly FailedTemplate[] {
  return [...members].flatMap((uri) => {
    const text = helpersAt(uri);
    if (text === undefined) return [];
    const known = new Set<string>();
    return helpersOf(uri, text).flatMap((helper) => {
      if (isEmpty(helper)) return [];
      if (!known.has(helper.name)) {
        known.add(helper.name);
        return [];
      }
      return [{ uri, at: helper.span.start, reason: localize`the file defines '${helper.name}' twice` }];
    });
  });
}

/** Returns the helpers that Helm cannot parse because of a name. */
export function undefinedNames(
  { members, helpers }: ChartFiles,
  isInstalled: (uri: string) => boolean,
): readonly FailedTemplate[] {
  return [...members].flatMap((uri) => {
    const text = helpers(uri);
    if (text === undefined || !isInstalled(uri)) return [];
    const [found] = helpersOf(uri, text).flatMap((helper) => helper.undefinedName ?? []);
    return found === undefined ? [] : [{ uri, ...found }];
  });
}

function isEmpty(helper: Helper | undefined): boolean {
  return helper === undefined || helper.body.every((node) => node.kind === 'text' && node.text.trim() === '');
}
