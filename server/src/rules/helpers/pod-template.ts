/** Finds the template that a selector of the same object must match, with its labels. */

import type { LabelSet } from '../../engine/index.ts';
import { isOpen, labeledObjectsOf, labelsPathOf } from '../../manifests/label-sets.ts';
import type { ManifestObject, SelectorSite, TemplateSite } from '../../manifests/model.ts';
import { concretePath } from '../../manifests/sites/catalogue-paths.ts';
import { knownLabels } from '../../manifests/sites/sites.ts';

export interface OwnTemplate {
  readonly template: TemplateSite;
  /** The labels in the file, and those that the API server adds before it compares them with the selector. */
  readonly labels: LabelSet;
}

/** The template for a selector, at the path in the catalogue. Undefined if the object has none there. */
export function templateOf(object: ManifestObject, site: SelectorSite): OwnTemplate | undefined {
  const { templateLabelsAt, filledFrom } = site.fact;
  if (templateLabelsAt === undefined) return undefined;
  const path = concretePath(templateLabelsAt, site.path);
  const template = object.templates.find((each) => labelsPathOf(each) === path);
  if (template === undefined) return undefined;
  const written = knownLabels(template.labels?.entries ?? [], isOpen(object, template.labels));
  // Includes labels that the API server itself sets before it compares; excludes those that a controller adds later.
  const made =
    filledFrom === 'generated' ? labeledObjectsOf(object).find(({ via }) => via === template.path) : undefined;
  return { template, labels: { labels: { ...made?.labels, ...written.labels }, open: written.open } };
}
