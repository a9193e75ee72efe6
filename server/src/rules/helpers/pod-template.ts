/** Finds the template whose labels a selector of the same object must match. */

import type { LabelSet } from '../../engine/index.ts';
import { isOpen, labeledObjectsOf, labelsPathOf } from '../../manifests/label-sets.ts';
import type { ManifestObject, SelectorSite, TemplateSite } from '../../manifests/model.ts';
import { concretePath } from '../../manifests/sites/catalogue-paths.ts';
import { knownLabels } from '../../manifests/sites/sites.ts';

export interface OwnTemplate {
  readonly template: TemplateSite;
  /** The labels in the file, and the labels that the API server adds before it compares them with the selector. */
  readonly labels: LabelSet;
  /** The labels in the file. */
  readonly written: LabelSet;
}

/** Returns the template that a selector must match, at the path that the catalogue defines; undefined if the object has none there. */
export function templateOf(object: ManifestObject, site: SelectorSite): OwnTemplate | undefined {
  const { templateLabelsAt, filledFrom } = site.fact;
  if (templateLabelsAt === undefined) return undefined;
  const path = concretePath(templateLabelsAt, site.path);
  const template = object.templates.find((each) => labelsPathOf(each) === path);
  if (template === undefined) return undefined;
  return {
    template,
    get written() {
      return knownLabels(template.labels?.entries ?? [], isOpen(object, template.labels));
    },
    get labels() {
      const { written } = this;
      // Labels that the API server sets before the comparison are included; labels that a controller adds later are not.
      const made =
        filledFrom === 'generated' ? labeledObjectsOf(object).find(({ via }) => via === template.path) : undefined;
      return { ...written, labels: { ...made?.labels, ...written.labels } };
    },
  };
}
