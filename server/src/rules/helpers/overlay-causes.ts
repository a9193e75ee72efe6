/** Finds the lines in patches and kustomizations that cause the difference between an object in two overlays. */

import type { ManifestObject, Written } from '../../manifests/model.ts';
import type { Origin } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { type Span, touches } from '../../text/span.ts';
import type { Workspace, WorkspaceFile } from '../../workspace/model.ts';
import { isRendered } from '../../workspace/scopes/model.ts';
import type { Finding, Related, RuleContext } from '../framework/rule.ts';

/** A line in a different file that sets a label, a requirement or the namespace of an object. */
export interface Cause {
  readonly file: WorkspaceFile;
  readonly span: Span;
  /** A description such as `app=web`, `app In (web, api)` or `namespace shop`. */
  readonly sets: string;
}

/** The maximum number of lines that are reported, because more lines would not explain the difference better. */
const maximumCauses = 3;

/** A part of an object that a different file may have set. */
interface Setting {
  /** The location of the part: the path of the map that contains it, and its key. */
  readonly at: string;
  /** The key, if the part is a label or a requirement. */
  readonly key?: string;
  readonly sets: string;
  readonly origin: Origin | undefined;
}

interface SpanInFile {
  readonly uri: string;
  readonly span: Span;
}

/**
 * The lines that set the difference between two overlays, in the object of a finding, in its related objects, and in
 * the objects that a selector matches without the fault.
 * @param finding a finding about the file of `sound`
 * @param faulty the workspace as an overlay with the finding applies it
 * @param sound the file as an overlay without the finding applies it, or the written file
 */
export function causesOf(finding: Finding, faulty: Workspace, sound: RuleContext): readonly Cause[] {
  const own = { uri: sound.uri, span: finding.span };
  const others = [...ownRelated(finding, faulty).map(spanInFile), ...matchesAt(sound, finding.span)];
  const changed = [
    ...changedAt(own, faulty, sound, settingsOf),
    ...others.flatMap((place) => changedAt(place, faulty, sound, labelSettings)),
  ].filter(({ key }) => key === undefined || finding.keys === undefined || finding.keys.includes(key));
  // A setting that both overlays contain with different values, such as `env=prod` and `env=dev`, is rarely the cause.
  const onlyHere = changed.filter(({ isSetInBoth }) => !isSetInBoth);
  const causes = new Map<string, Cause>();
  for (const { origin, sets } of onlyHere.length > 0 ? onlyHere : changed) {
    const file = faulty.files.get(origin.uri);
    if (file !== undefined) causes.set(`${origin.uri} ${origin.span.start}`, { file, span: origin.span, sets });
  }
  return [...causes.values()].slice(0, maximumCauses);
}

/** The related positions of a finding, except those in objects that only other kustomizations apply. */
export function ownRelated({ related }: Finding, workspace: Workspace): readonly Related[] {
  const { appliedBy } = workspace;
  return related.filter(({ file }) => {
    const scopes = workspace.scopes().of(file.uri);
    return !scopes.some(isRendered) || scopes.some((scope) => scope === appliedBy);
  });
}

function spanInFile({ file, span }: Related): SpanInFile {
  return { uri: file.uri, span };
}

/** Returns the positions of the objects that the selector at a span matches. */
function matchesAt(context: RuleContext, { start }: Span): readonly SpanInFile[] {
  return context.stored.flatMap((object) =>
    object.selectorSites
      .filter(({ keySpan, span }) => touches(keySpan, start) || touches(span, start))
      .flatMap((site) => context.selectionOf(object, site).matches)
      .map((match) => ({ uri: match.file.uri, span: match.object.kindSpan })),
  );
}

/** Returns the settings that other files wrote into the object at a span, except settings that the object also has in the version without the finding. */
function changedAt(
  { uri, span }: SpanInFile,
  faulty: Workspace,
  sound: RuleContext,
  settings: (object: ManifestObject) => readonly Setting[],
) {
  const object = objectsOf(faulty, uri).find((each) => touches(each.span, span.start));
  const other = objectsOf(sound.workspace, uri).find((each) => each.kindSpan.start === object?.kindSpan.start);
  if (object === undefined) return [];
  const others = other === undefined ? [] : settings(other);
  const known = new Set(others.map(({ at, sets }) => `${at}\n${sets}`));
  const setElsewhere = new Set(others.flatMap(({ at, origin }) => (origin === undefined ? [] : [at])));
  return settings(object).flatMap(({ at, key, sets, origin }) =>
    origin === undefined || known.has(`${at}\n${sets}`)
      ? []
      : [{ key, origin, sets, isSetInBoth: setElsewhere.has(at) }],
  );
}

function objectsOf(workspace: Workspace, uri: string): readonly ManifestObject[] {
  return workspace.files.get(uri)?.manifest.objects ?? [];
}

function settingsOf(object: ManifestObject): readonly Setting[] {
  return [...labelSettings(object), ...selectorSettings(object)];
}

/** Returns all settings of an object that affect which selectors match it: its labels, the labels of its templates, and its namespace. */
function labelSettings({ labelSites, namespace }: ManifestObject): readonly Setting[] {
  const labels = labelSites.filter(({ place }) => place.holds === 'labels').flatMap(entrySettings);
  if (namespace === undefined) return labels;
  return [...labels, { at: 'namespace', sets: localize`namespace ${namespace.text}`, origin: namespace.origin }];
}

function selectorSettings({ selectorSites }: ManifestObject): readonly Setting[] {
  return selectorSites.flatMap((site) => [
    ...entrySettings(site),
    ...site.expressions.map(({ key, operator, values }) => ({
      at: `${site.path}\n${key?.text ?? ''}`,
      key: key?.text ?? '',
      sets: `${key?.text ?? ''} ${operator?.text ?? ''} (${values.map(({ text }) => text).join(', ')})`,
      origin: [key, operator, ...values].find((each) => each?.origin !== undefined)?.origin,
    })),
  ]);
}

interface Entries {
  readonly path: string;
  readonly entries: readonly { readonly key: Written; readonly value: Written }[];
}

function entrySettings({ path, entries }: Entries): readonly Setting[] {
  return entries.map(({ key, value }) => ({
    at: `${path}\n${key.text}`,
    key: key.text,
    sets: `${key.text}=${value.text}`,
    origin: value.origin ?? key.origin,
  }));
}
