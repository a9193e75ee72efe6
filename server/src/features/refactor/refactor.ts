/** All refactorings of the selector or object under the cursor. */

import { cursorTargetAt, objectAt } from '../../manifests/cursor/cursor-target.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { type Span, touches } from '../../text/span.ts';
import type { FileView } from '../view.ts';
import { addNearMisses } from './match-object.ts';
import type { Refactoring, RequestedSelector } from './model.ts';
import { newObjects } from './new-objects.ts';
import { addRecommended } from './recommended-labels.ts';
import { otherForms } from './selector-forms.ts';

/** Returns all refactorings at a position, in the order in which they are shown. */
export function refactorings(view: FileView, { start }: Span): readonly Refactoring[] {
  const { workspace, file } = view;
  const context = { ...view, uri: file.uri, manifest: file.manifest };
  const scopes = workspace.scopes();
  if (!workspace.files.has(file.uri) || scopes.isGenerated(file.uri) || file.config !== undefined) return [];
  const selector = selectorAt(context, start);
  const object = objectAt(file.manifest, start);
  const isHead = object?.forCluster === true && !scopes.isPatch(file.uri) && isAtHead(object, start);
  return [
    ...(selector === undefined ? [] : [...otherForms(context, selector), ...addNearMisses(context, selector)]),
    ...(isHead ? [...addRecommended(context, object), ...newObjects(context, object)] : []),
  ];
}

export function selectorAt({ file }: FileView, offset: number): RequestedSelector | undefined {
  const cursorTarget = cursorTargetAt(file.manifest, offset);
  return cursorTarget?.kind === 'selector' ? { object: cursorTarget.object, site: cursorTarget.site } : undefined;
}

/** Whether an offset is at the kind, name or labels of an object; refactorings of the object are offered only there. */
function isAtHead({ kindSpan, name, labels, templates }: ManifestObject, offset: number): boolean {
  const sites = [labels, ...templates.map((template) => template.labels)];
  const spans = [kindSpan, name?.span, ...sites.flatMap((site) => [site?.keySpan, site?.span])];
  return spans.some((span) => span !== undefined && touches(span, offset));
}
