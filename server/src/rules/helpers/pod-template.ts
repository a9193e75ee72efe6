/** Which template must a selector of the same object match, and what does it carry? */

import type { LabelSet } from '../../engine/index.ts';
import { carriersOf, isOpen, labelsPathOf } from '../../manifests/label-sets.ts';
import type { ManifestObject, SelectorSite, TemplateSite } from '../../manifests/model.ts';
import { concretePath } from '../../manifests/sites/catalogue-paths.ts';
import { knownLabels } from '../../manifests/sites/sites.ts';

export interface OwnTemplate {
  readonly template: TemplateSite;
  /** What the file says, and what the object's own controller adds before the API server compares. */
  readonly labels: LabelSet;
}

/** The template beside a selector, by the place that the catalogue names; undefined where the object has none there. */
export function templateOf(object: ManifestObject, site: SelectorSite): OwnTemplate | undefined {
  const { templateLabelsAt, filledFrom } = site.fact;
  if (templateLabelsAt === undefined) return undefined;
  const path = concretePath(templateLabelsAt, site.path);
  const template = object.templates.find((each) => labelsPathOf(each) === path);
  if (template === undefined) return undefined;
  const written = knownLabels(template.labels?.entries ?? [], isOpen(object, template.labels));
  // Labels that the API server itself makes are there when it compares; what a controller adds later is not.
  const made = filledFrom === 'generated' ? carriersOf(object).find(({ via }) => via === template.path) : undefined;
  return { template, labels: { labels: { ...made?.labels, ...written.labels }, open: written.open } };
}
