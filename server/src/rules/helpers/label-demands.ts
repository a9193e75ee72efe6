/** Finds the objects and pod templates that lack labels which a team requires or recommends. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import { areOfPod, isOpen, labelsPathOf } from '../../manifests/label-sets.ts';
import type { LabelEntry, LabelSite, ManifestObject, TemplateSite } from '../../manifests/model.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { type Demand, includesKind } from '../../settings/label-registry.ts';
import type { Span } from '../../text/span.ts';
import { labelsConfigOf } from '../../workspace/label-values.ts';
import type { RuleContext } from '../framework/rule.ts';
import { isMeant } from '../framework/team-settings.ts';
import { isExpectedState } from '../framework/test-data.ts';

/** The metadata that needs a label: that of an object, or that of its pods. */
export interface LabelPlace {
  readonly object: ManifestObject;
  /** The pod template; absent for the metadata of the object itself. */
  readonly template?: TemplateSite;
  readonly site: LabelSite | undefined;
  /** The labels that are certainly or possibly there. */
  readonly entries: readonly LabelEntry[];
  /** The span at which a missing label is reported. */
  readonly span: Span;
  /** Whether the place may have labels that are not in any file. */
  readonly mayHaveMore: boolean;
}

/** Returns the label maps of an object in which labels may be required: its own, and those of its pod templates. */
export function labelPlaces(object: ManifestObject): readonly LabelPlace[] {
  const own: LabelPlace = {
    object,
    site: object.labels,
    entries: [...object.inherited, ...(object.labels?.entries ?? [])],
    span: nameSpan(object),
    mayHaveMore: object.labels?.open === true,
  };
  const templates = object.templates.filter(makesPods).map((template): LabelPlace => {
    const { labels: site, fact } = template;
    return {
      object,
      template,
      site,
      entries: site?.entries ?? [],
      span: site?.keySpan ?? nameSpan(object),
      mayHaveMore: fact.open || isOpen(object, site),
    };
  });
  return [own, ...templates.filter((each) => labelsPath(each) !== 'metadata.labels')];
}

function labelsPath({ template }: LabelPlace): string {
  return template === undefined ? 'metadata.labels' : labelsPathOf(template);
}

function makesPods({ fact: { makes } }: TemplateSite): boolean {
  return areOfPod({ target: makes });
}

/** Whether a demand includes the labels at a place. */
export function isDemanded(
  context: Pick<RuleContext, 'uri' | 'workspace' | 'catalogue'>,
  { objects, pods, namespaces, files }: Demand,
  { object, template }: LabelPlace,
): boolean {
  const { kind } = object;
  const isMet =
    template !== undefined
      ? includesKind(pods, kind)
      : (objects !== undefined && isAmong(context, objects, object)) ||
        (areOfPod({ target: object }) && includesKind(pods, kind)) ||
        // Only Namespaces have this label with their name.
        (namespaces && object.nameLabels?.includes(nameLabel) === true);
  return isMet && (files === undefined || files.includes(labelsConfigOf(context.workspace, context.uri)?.path ?? ''));
}

/** Whether an object has one of the kinds of a demand; in a recommendation, an empty list means all kinds that create pods. */
function isAmong(
  { catalogue }: Pick<RuleContext, 'catalogue'>,
  kinds: NonNullable<Demand['objects']>,
  object: ManifestObject,
): boolean {
  return kinds === true || isMeant(object, kinds, catalogue);
}

/** Whether the objects of a file are labeled there: no external objects, which other teams own, no patches, and no states that tests expect. */
export function isLabeledHere({ file, workspace }: RuleContext): boolean {
  return file.config === undefined && !workspace.scopes().isPatch(file.uri) && !isExpectedState(file.uri);
}
