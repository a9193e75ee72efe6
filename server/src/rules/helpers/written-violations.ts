/** Finds labels that one file writes into objects of other files, contrary to the label policy. */

import type { LabelEntry } from '../../manifests/model.ts';
import type { Origin } from '../../manifests/yaml/tree.ts';
import type { LabelRegistry } from '../../settings/label-registry.ts';
import { localize } from '../../text/localize.ts';
import { buildsWithAny } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { scopeName } from '../../workspace/scopes/scope-names.ts';
import { maximumRelated, type Related, type RuleContext } from '../framework/rule.ts';
import { mayPatch } from './patched-objects.ts';
import { type LabelViolation, violationsInMaps } from './policy-violations.ts';
import { objectNameOf } from './sentences.ts';
import { flowStyleAt, spanOfWritten } from './written-spans.ts';

/** A violation at the position that writes the label, with the objects into which it is written. */
export interface WrittenViolation {
  readonly violation: LabelViolation;
  readonly related: readonly Related[];
  /** Whether the position contains exactly the key or value. */
  readonly isInPlace: boolean;
}

/** Yields the violations of the registry in labels that a kustomization, a patch or a GitOps object writes. */
export function* writtenViolations(context: RuleContext, registry: LabelRegistry): Iterable<WrittenViolation> {
  const { catalogue, uri } = context;
  const workspace = context.workspace.written ?? context.workspace;
  if (!writesLabels(workspace, uri)) return;
  const byPlace = new Map<string, { readonly first: LabelViolation; readonly objects: (ObjectInFile & InScope)[] }>();
  for (const scope of buildsWithAny(workspace, new Set([uri]))) {
    for (const { file, object } of workspace.rendering(scope.path, catalogue)?.objects ?? []) {
      const isWritten = ({ key, value }: LabelEntry) => [key, value].some(({ origin }) => origin?.uri === uri);
      if (!object.forCluster || !object.labelSites.some(({ entries }) => entries.some(isWritten))) continue;
      for (const violation of violationsInMaps(context, registry, object)) {
        const origin = originOf(violation);
        if (origin?.uri !== uri) continue;
        const place = `${origin.span.start} ${violation.how} ${violation.label.key}`;
        const known = byPlace.get(place) ?? { first: violation, objects: [] };
        known.objects.push({ file, object, scope });
        byPlace.set(place, known);
      }
    }
  }
  for (const { first, objects } of byPlace.values()) {
    const { entry, how } = first;
    const scalar = how === 'value' ? entry.value : entry.key;
    const is = how === 'value' ? 'value' : 'key';
    const place = spanOfWritten(context.text, { scalar, is, key: entry.key });
    if (place === undefined) continue;
    const isInPlace = place.holds === 'scalar' && place.inString === undefined;
    const written = { ...scalar, span: place.span, style: flowStyleAt(context.text, place.span.start) };
    const moved = how === 'value' ? { ...entry, value: written } : { ...entry, key: written };
    yield { violation: { ...first, span: place.span, entry: moved }, related: relatedTo(objects), isInPlace };
  }
}

interface InScope {
  readonly scope: Scope;
}

/** Whether a violation is reported where another file writes the label: in a kustomization, a patch or a GitOps object. */
export function isWrittenElsewhere(context: RuleContext, violation: LabelViolation): boolean {
  const origin = originOf(violation);
  if (origin === undefined || origin.uri === context.uri) return false;
  return writesLabels(context.workspace.written ?? context.workspace, origin.uri);
}

/** Whether a file may write labels into objects of other files, and is checked itself. */
export function writesLabels(workspace: Workspace, uri: string): boolean {
  const file = workspace.files.get(uri);
  if (file === undefined) return false;
  return file.kustomization !== undefined || mayPatch({ file, manifest: file.manifest, workspace });
}

function originOf({ how, entry }: LabelViolation): Origin | undefined {
  return how === 'value' ? entry.value.origin : entry.key.origin;
}

function relatedTo(objects: readonly (ObjectInFile & InScope)[]): readonly Related[] {
  const scopes = objects.map(({ scope }) => scope);
  return objects.slice(0, maximumRelated).map(({ file, object, scope }) => ({
    file,
    span: object.name?.origin === undefined ? (object.name?.span ?? object.kindSpan) : object.kindSpan,
    message: localize`Written into ${objectNameOf(object)} in ${scopeName(scope, scopes)}.`,
  }));
}
