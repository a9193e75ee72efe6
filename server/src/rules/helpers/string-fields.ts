/** Finds the strings in objects that the rule for variables of Flux validates after their substitution. */

import type { Written } from '../../manifests/model.ts';
import { written } from '../../manifests/sites/sites.ts';
import { nodeAt } from '../../manifests/yaml/tree.ts';
import type { RuleContext } from '../framework/rule.ts';
import { annotationEntries, labelMapEntries } from './validated-labels.ts';

export interface StringField {
  readonly value: Written;
  readonly field: string;
  /** Whether the API server validates it as the value of a label. */
  readonly isLabel?: boolean;
}

/** Returns the positions of these strings. */
export function stringPositions(context: RuleContext): ReadonlySet<number> {
  return new Set(Array.from(stringFields(context), ({ value }) => value.span.start));
}

/** Yields the strings of which facts are kept: of a ConfigMap or Secret, the data if every key is the name of a variable. */
export function* stringFields({ manifest, stored }: RuleContext): Iterable<StringField> {
  for (const { entry, free } of labelMapEntries(manifest))
    yield { value: entry.value, field: entry.key.text, isLabel: !free };
  for (const { entry } of annotationEntries(manifest)) yield { value: entry.value, field: entry.key.text };
  for (const { name, namespace, selectorSites, variables, gitopsSpec } of stored) {
    const substitute = gitopsSpec && nodeAt(gitopsSpec, 'postBuild', 'substitute');
    for (const data of [variables, substitute])
      for (const { key, value } of data?.kind === 'map' ? data.entries : [])
        yield { value: written(value), field: key.text };
    if (name !== undefined) yield { value: name, field: 'name' };
    if (namespace !== undefined) yield { value: namespace, field: 'namespace' };
    for (const { expressions } of selectorSites)
      for (const { values } of expressions) for (const value of values) yield { value, field: 'values' };
  }
}
