/** Runs a rule on a file as each kustomization applies it, and merges the findings. The message of a finding that does not occur in all kustomizations names the kustomizations in which it occurs, and the patches that cause it. */

import type { Manifest, ManifestObject } from '../../manifests/model.ts';
import type { Steps } from '../../steps.ts';
import { localize } from '../../text/localize.ts';
import { type Span, touches } from '../../text/span.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { namesOf } from '../../workspace/scopes/scope-names.ts';
import { folderOf, isWithin, relativePath } from '../../workspace/uri.ts';
import { type Cause, causesOf, ownRelated } from '../helpers/overlay-causes.ts';
import type { Context, Version } from './context.ts';
import type { Finding, Fix, Related } from './rule.ts';

/** Returns the findings for all versions of a file that kustomizations apply, with a step for each version. */
export function* findAsApplied(
  context: Context,
  versions: readonly Version[],
  find: (context: Context) => readonly Finding[],
): Steps<readonly Finding[]> {
  let found: Map<string, Map<Scope, Finding>> | undefined;
  for (const { scope, context: seen } of versions) {
    yield;
    const findings = find(seen);
    if (findings.length === 0) continue;
    found ??= new Map<string, Map<Scope, Finding>>();
    const counts = new Map<string, number>();
    for (const finding of findings) {
      // Findings at the same span are treated as the same finding, although their messages may contain different names.
      const place = `${finding.span.start} ${finding.span.end}`;
      const count = (counts.get(place) ?? 0) + 1;
      counts.set(place, count);
      if (count > maximumAlike && isInSeveral(seen.manifest, finding.span)) continue;
      const key = `${place} ${count}`;
      const known = found.get(key) ?? new Map<Scope, Finding>();
      found.set(key, known.set(scope, finding));
    }
  }
  if (found === undefined) return [];
  const all = [...found.values()].flatMap((findings) => merged(context, versions, findings));
  // A kustomization that includes an object several times has the same finding for each copy.
  return all.length < 2 ? all : [...new Map(all.map((each) => [textKey(each), each])).values()];
}

function textKey({ span, message }: Finding): string {
  return `${span.start} ${span.end} ${message}`;
}

/** The maximum number of findings at the same span, because a kustomization may include an object hundreds of times. */
const maximumAlike = 10;

/** Whether several applied objects come from the same object in the file. */
function isInSeveral({ objects }: Manifest, { start }: Span): boolean {
  const isAround = ({ span }: ManifestObject) => span.start <= start && start < span.end;
  const first = objects.findIndex(isAround);
  return objects.findLastIndex(isAround) > first;
}

/** Merges the findings that report the same problem in several versions of a file; the result is empty if there are none. */
function merged(
  context: Context,
  versions: readonly Version[],
  findings: ReadonlyMap<Scope, Finding>,
): readonly Finding[] {
  const faulty = versions.filter(({ scope }) => findings.has(scope));
  const [lead] = faulty;
  const finding = lead && findings.get(lead.scope);
  if (lead === undefined || finding === undefined) return [];
  const isEverywhere = faulty.length === versions.length;
  const fixes = () =>
    finding.fixes().filter((fix) => !replacesActions(fix, context) && suits(fix, faulty, findings, isEverywhere));
  const sound = versions.find(({ scope }) => !findings.has(scope))?.context ?? context;
  // If all overlays have a problem, its cause is usually in the file itself, so other files are not searched.
  const causes = isEverywhere && !isForeign(finding, lead) ? [] : causesOf(finding, lead.workspace, sound);
  const scopes = [...findings.keys()];
  if (isEverywhere && causes.length === 0) return [{ ...finding, fixes, scopes }];
  const all = versions.map(({ scope }) => scope);
  const names = namesOf(scopes, all);
  const folder = nearbyFolder(lead.scope, context);
  const files = [...new Set(causes.map(({ file }) => relativePath(folder, file.uri)))];
  const through = files.length === 0 ? '' : localize`, through ${files.join(' and ')}`;
  const message = `${finding.message} In ${names}${through}.`;
  const others = causes.length === 0 ? [] : faulty.slice(1);
  const sets = others.map((version) => {
    const own = causesOf(findings.get(version.scope) ?? finding, version.workspace, sound);
    return { scope: version.scope, keys: new Set(own.map(causeKey)) };
  });
  const lines = causes.map((cause): Related => {
    const key = causeKey(cause);
    const alike = sets.flatMap(({ scope, keys }) => (keys.has(key) ? [scope] : []));
    return { file: cause.file, span: cause.span, message: causeText([lead.scope, ...alike], all, cause) };
  });
  return [{ ...finding, fixes, scopes, message, related: [...finding.related, ...lines] }];
}

/** Returns a key that is equal for causes that set the same value at the same position. */
function causeKey({ file, span, sets }: Cause): string {
  return `${file.uri} ${span.start} ${sets}`;
}

function causeText(some: readonly Scope[], all: readonly Scope[], { sets }: Cause): string {
  const names = namesOf(some, all);
  return names === namesOf(some.slice(0, 1), all)
    ? localize`${names} sets ${sets} here.`
    : localize`${names} set ${sets} here.`;
}

/** Returns the folder of a kustomization. A GitOps object has no folder of its own, so the result for it is the workspace folder. */
function nearbyFolder({ path, gitops }: Scope, { workspace }: Context): string {
  if (gitops === undefined) return path;
  return workspace.folders.find((folder) => isWithin(gitops.uri, folder)) ?? folderOf(gitops.uri);
}

/** Whether a finding refers to text from a different file. Such a finding is shown at the `kind` of the object. */
function isForeign(finding: Finding, { file, workspace }: Version): boolean {
  return [{ file, span: finding.span }, ...ownRelated(finding, workspace)].some((place) => {
    const objects = workspace.files.get(place.file.uri)?.manifest.objects ?? [];
    return objects.some(({ kindSpan }) => kindSpan.start === place.span.start);
  });
}

/** Whether a fix replaces template actions or variables, for which other releases and GitOps objects may insert other values. */
function replacesActions({ edits }: Fix, context: Context): boolean {
  return edits.some(({ span }) => /\{\{|\$\{/.test(context.text.slice(span.start, span.end)));
}

/** Whether a fix is correct for every overlay that applies the file. All overlays with the finding must have the same fix for it; if there are overlays without the finding, the fix must also be safe, so that it does not affect them. */
function suits(
  fix: Fix,
  faulty: readonly Version[],
  findings: ReadonlyMap<Scope, Finding>,
  isEverywhere: boolean,
): boolean {
  if (!isEverywhere && fix.safe !== true) return false;
  return faulty.every((version) => {
    const others = findings.get(version.scope)?.fixes() ?? [];
    return isApplied(fix, version) && others.some((other) => haveEqualEdits(fix, other));
  });
}

function haveEqualEdits(a: Fix, b: Fix): boolean {
  if (a === b) return true;
  const editsOf = ({ edits, elsewhere }: Fix) => JSON.stringify([edits, [...(elsewhere ?? [])]]);
  return editsOf(a) === editsOf(b);
}

/** Whether a fix only edits text in its own files, and not text that a different file writes into an object. */
function isApplied({ edits, elsewhere }: Fix, { file, workspace }: Version): boolean {
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

/** Returns the spans at which text from other files is shown; the result is cached, because it is needed for each fix of each finding. */
function foreignIn(manifest: Manifest): readonly Span[] {
  const known = foreignSpans.get(manifest);
  if (known !== undefined) return known;
  const spans = manifest.objects.flatMap(foreignOf);
  foreignSpans.set(manifest, spans);
  return spans;
}

/** Returns the spans of an object at which text from other files is shown. Text without a position in this file has the span of the object's `kind`. */
function foreignOf(object: ManifestObject): readonly Span[] {
  const sites = [...object.labelSites, ...object.selectorSites];
  const written = sites.flatMap(({ entries }) => entries.flatMap(({ key, value }) => [key, value]));
  const input = object.selectorSites.flatMap(({ expressions }) =>
    expressions.flatMap(({ key, operator, values }) => [...values, ...[key, operator].flatMap((each) => each ?? [])]),
  );
  const spans = [...written, ...input].flatMap(({ origin, span }) => (origin === undefined ? [] : span));
  return [object.kindSpan, ...spans];
}
