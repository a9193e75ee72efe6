/** The hover for a field of a kustomization: the objects that it changes or adds, as the kustomization builds them. */

import { kustomizationFieldAt } from '../../manifests/kustomize/kustomization-field.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { brokenEntryText, failingEntry } from '../../workspace/kustomize/broken-entry-text.ts';
import { folderOf } from '../../workspace/uri.ts';
import { group, maximumShown, objectLine } from '../presentation/object-lines.ts';
import { inlineCode, paragraph, type RichText, sentence } from '../presentation/rich-text.ts';
import {
  type Affected,
  type Effect,
  effectOf,
  effectTitle,
  type LackedPaths,
  lackedPaths,
  remoteParts,
} from '../selected/kustomization-effects.ts';
import { openReasonOfIncluding, openReasons } from '../selected/open-reasons.ts';
import type { FileView } from '../view.ts';

/** Returns the hover for the field at an offset of a kustomization; undefined elsewhere. */
export function aboutKustomizationAt(view: FileView, offset: number) {
  if (view.file.kustomization === undefined || !view.complete) return undefined;
  const field = kustomizationFieldAt(view.text, offset);
  const effect = field && effectOf(view, view.file, field);
  return field && effect && { span: field.span, text: aboutEffect(view, effect, field.span) };
}

function aboutEffect(view: FileView, effect: Effect, { start }: Span): RichText {
  const { objects, total, isPartial, isAlone, deleted, does } = effect;
  const lines = objects.slice(0, maximumShown).map((each) => {
    return objectLine(view, each.where, nameSpan(each.where.object), detailsOf(does, each));
  });
  const rest = total - objects.length;
  const lacked = does === 'build' && !isPartial ? lackedPaths(view.workspace, view.file) : undefined;
  const unplaced = does === 'place' && objects.length > 0 && rest > 0;
  const rendering = does === 'build' ? view.workspace.rendering(folderOf(view.file.uri), view.catalogue) : undefined;
  const failing = rendering && failingEntry(rendering);
  return [
    ...(failing === undefined ? [] : [paragraph(...sentence(brokenEntryText(failing)))]),
    ...group(view, effectTitle(does), lines, start, objects.length),
    ...(objects.length > 0 || does === 'build'
      ? []
      : [paragraph(deleted === undefined ? noneOf(isPartial) : goneOf(deleted))]),
    ...(lacked === undefined ? [] : aboutLacked(lacked)),
    ...(isAlone
      ? [paragraph(localize`No kustomization includes this component, so the objects that it changes are unknown.`)]
      : []),
    ...(unplaced ? [paragraph(localize`${rest} cluster-scoped objects have no namespace.`)] : []),
    ...(isPartial
      ? [
          paragraph(localize`Not everything about this kustomization is known, so there may be more objects.`),
          ...whyPartial(view),
        ]
      : []),
  ];
}

function aboutLacked({ local, remote }: LackedPaths): RichText {
  const about = ([first, ...others]: readonly string[], text: string): RichText => {
    if (first === undefined) return [];
    const more = others.length === 0 ? '' : localize` and ${others.length} more`;
    return [paragraph({ kind: 'code', text: first }, more, ...sentence(text))];
  };
  return [
    ...about(local, localize` cannot be read, so \`kustomize build\` fails.`),
    ...about(remote, localize` must be downloaded by \`kustomize build\`, and is not read here.`),
  ];
}

/** Lists what is not known about the kustomization. */
function whyPartial(view: FileView): RichText {
  const reasons = openReasons(view);
  const remote = remoteParts(view.workspace, view.file);
  // Only kustomizations that no other one includes have reasons of their own.
  const lines =
    reasons.length > 0
      ? reasons.map(sentence)
      : remote.length > 0
        ? remote.map((path) => [inlineCode(path), localize` is not in the workspace.`])
        : openReasonOfIncluding(view).map(sentence);
  return lines.length === 0 ? [] : [{ kind: 'list', lines: lines.slice(0, maximumShown) }];
}

function goneOf(deleted: NonNullable<Effect['deleted']>): string {
  return deleted === 'by this patch'
    ? localize`Deletes the objects that it matches.`
    : localize`Another patch deletes the objects that this patch matches.`;
}

function noneOf(isPartial: boolean): string {
  return isPartial
    ? localize`Changes no known object of this kustomization.`
    : localize`Changes no object that this kustomization builds.`;
}

function detailsOf(does: Effect['does'], { details }: Affected): readonly string[] {
  const text = details.join('`, `');
  if (text === '') return does === 'label' || does === 'annotate' ? [localize`overwritten by a later change`] : [];
  if (does === 'place' || does === 'rename') return [localize`was \`${text}\``];
  return [`\`${text}\``];
}
