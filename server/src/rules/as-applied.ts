/**
 * What is wrong with objects that kustomizations change on the way? A rule looks at them as each kustomization applies
 * them; what not all of them make wrong is told with the names of those that do.
 */

import type { Manifest, ManifestObject } from '../manifests/manifest.ts';
import { type Span, touches } from '../text/span.ts';
import { namesOf } from '../workspace/scope-names.ts';
import type { Scope } from '../workspace/scopes.ts';
import type { Context, Version } from './context.ts';
import type { Finding, Fix } from './rule.ts';

/** The findings about a file in all versions in which it is applied; as it is written, where no kustomization takes it. */
export function findAsApplied(
  context: Context,
  versions: readonly Version[],
  find: (context: Context) => readonly Finding[],
): readonly Finding[] {
  if (versions.length === 0) return find(context);
  const found = new Map<string, { readonly finding: Finding; readonly scopes: Set<Scope> }>();
  for (const { scope, context: seen } of versions) {
    const findings = find(seen);
    if (findings.length === 0) continue;
    const counts = new Map<string, number>();
    for (const finding of findings) {
      // The words may differ, since names do; what is found is the same.
      const place = `${finding.span.start} ${finding.span.end}`;
      const count = (counts.get(place) ?? 0) + 1;
      counts.set(place, count);
      const key = `${place} ${count}`;
      const known = found.get(key) ?? { finding, scopes: new Set() };
      found.set(key, known);
      known.scopes.add(scope);
    }
  }
  if (found.size === 0) return [];
  const all = versions.map(({ scope }) => scope);
  return [...found.values()].map(({ finding, scopes }) => {
    const applied = versions.filter(({ scope }) => scopes.has(scope));
    const fixes = () => finding.fixes().filter((fix) => applied.every((version) => isInPlace(fix, version)));
    if (scopes.size === all.length) return { ...finding, fixes };
    return { ...finding, fixes, message: `${finding.message} (As ${namesOf([...scopes], all)} applies it.)` };
  });
}

/** No fix edits where something stands that another file writes into an object. */
function isInPlace({ edits, elsewhere }: Fix, { file, workspace }: Version): boolean {
  const others = [...(elsewhere ?? [])].flatMap(([uri, each]) => {
    const other = workspace.files.get(uri);
    return other === undefined ? [] : [[other, each] as const];
  });
  return [[file, edits] as const, ...others].every(([where, each]) => {
    const foreign = foreignIn(where.manifest);
    return each.every(({ span }) => foreign.every((other) => !touches(other, span.start) && !touches(other, span.end)));
  });
}

const foreignSpans = new WeakMap<Manifest, readonly Span[]>();

/** Where in a file stands what others wrote: asked for each fix of each finding in it. */
function foreignIn(manifest: Manifest): readonly Span[] {
  const known = foreignSpans.get(manifest);
  if (known !== undefined) return known;
  const spans = manifest.objects.flatMap(foreignOf);
  foreignSpans.set(manifest, spans);
  return spans;
}

/** What another file wrote without a place in this one stands at the kind. */
function foreignOf(object: ManifestObject): readonly Span[] {
  const sites = [...object.labelSites, ...object.selectorSites];
  const written = sites.flatMap(({ entries }) => entries.flatMap(({ key, value }) => [key, value]));
  const asked = object.selectorSites.flatMap(({ expressions }) =>
    expressions.flatMap(({ key, operator, values }) => [...values, ...[key, operator].flatMap((each) => each ?? [])]),
  );
  const spans = [...written, ...asked].flatMap(({ origin, span }) => (origin === undefined ? [] : span));
  return [object.kindSpan, ...spans];
}
