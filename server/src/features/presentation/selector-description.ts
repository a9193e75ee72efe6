/** Sentences that describe the objects that a selector selects, for views that show plain text, with keys in backticks. */

import { describe, format, type Requirement, type Selector, termSatisfiable } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { english, localize, localized } from '../../text/localize.ts';
import { effectiveSelector, selectorOfTerm, termsOf } from '../../workspace/selection/effective-selector.ts';
import { hasOtherConditions } from '../../workspace/selection/other-conditions.ts';
import { reachOf } from '../../workspace/selection/selector-reach.ts';
import { withUsualValues } from '../../workspace/selection/template-values.ts';
import { fieldsLine } from '../hover/field-selector-hover.ts';
import { whatOf } from './object-names.ts';
import { selectorText } from './selector-text.ts';

/** Returns a selector to be described: a template may add requirements to it, even if the file contains none. */
export function withUnknown({ open }: Pick<SelectorSite, 'open'>, selector: Selector): Selector {
  if (!open || selector.kind === 'nothing') return selector;
  return { kind: 'all', requirements: selector.kind === 'all' ? selector.requirements : [], open: true };
}

/** Returns the selector of a site in kubectl syntax, with the default values of a chart ('' if this syntax cannot express it), and a sentence about the objects that it selects. */
export function selectorDescription(site: SelectorSite): { readonly selector: string; readonly description: string } {
  if (site.state === 'ignored') return { selector: '', description: localize`This selector is ignored.` };
  const fields = site.fieldSelector;
  if (fields?.ok) {
    const line = fieldsLine(site, fields.value).map((part) => (typeof part === 'string' ? part : `\`${part.text}\``));
    return { selector: format(fields.value, 'kubectl'), description: capitalized(line.join('')) };
  }
  const selector = effectiveSelector(site);
  if (hasOtherConditions(site))
    return {
      selector: '',
      description: localize`Selects ${whatOf(site) ?? 'objects'} for which this holds: \`${selectorText(site)}\``,
    };
  if (selector !== undefined) {
    const described = describe(withUnknown(site, selector), whatOf(site));
    const description = site.fact.targets.length === 0 ? `${described} ${localized(unknownTargets)}` : described;
    return { selector: format(withUsualValues(selector), 'kubectl'), description };
  }
  const terms = termDescriptions(site);
  if (terms.length > 0) return { selector: '', description: terms.join(' Or: ') };
  const isInvalid = [site.selector, fields, site.nodeSelector].some((read) => read?.ok === false);
  return {
    selector: '',
    description: isInvalid
      ? localize`This selector is invalid, so it selects nothing.`
      : localize`The form of this selector is unknown.`,
  };
}

/** Returns the plural of the kind that a selector selects if it certainly selects all objects of the kind in the cluster, of which the files contain only some. */
export function allSelected(site: SelectorSite): string | undefined {
  const reach = reachOf(site);
  const isEverywhere = (reach === 'cluster' || reach === 'all') && !site.open && !hasOtherConditions(site);
  return isEverywhere && effectiveSelector(site)?.kind === 'everything' ? whatOf(site) : undefined;
}

/** The text shown instead of matches if the catalogue does not contain the kinds that a selector selects. */
export const unknownTargets = english`The kind of objects that this selector matches is unknown.`;

export const unevaluated = english`Its matches are unknown, because this form of selector is not evaluated.`;

/** Returns a sentence for each valid term of a node selector; the terms are ORed. */
export function termDescriptions(site: SelectorSite): readonly string[] {
  return termsOf(site).map((term) => {
    const fields = term.fields.map(
      ({ field, operator, value }): Requirement => ({ key: field, operator, values: [value] }),
    );
    const labels = selectorOfTerm(term);
    const requirements = [...(labels.kind === 'all' ? labels.requirements : []), ...fields];
    const described = describe(
      { kind: 'all', requirements, ...(term.open && { open: true }) },
      whatOf(site) ?? 'objects',
    );
    return termSatisfiable(term)
      ? described
      : localize`${described} No node can match: these requirements contradict each other.`;
  });
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
