/** What can a selector match? An object by its own labels, and what its templates make by theirs. */

import type { Value } from '../engine/index.ts';
import type { Carrier, ManifestObject, TemplateSite } from './manifest.ts';
import { knownLabels } from './sites.ts';

const known = new WeakMap<ManifestObject, readonly Carrier[]>();

/** Everything of an object that a selector can match: itself, and what its templates make. */
export function carriersOf(object: ManifestObject): readonly Carrier[] {
  const before = known.get(object);
  if (before !== undefined) return before;
  const carriers = makeCarriers(object);
  known.set(object, carriers);
  return carriers;
}

/** The same, made anew: for who looks at each object once. */
export function makeCarriers(object: ManifestObject): readonly Carrier[] {
  const own = knownLabels([...object.inherited, ...(object.labels?.entries ?? [])], object.labels?.open ?? false);
  const itself: Carrier = {
    target: { group: object.group, kind: object.kind },
    ...(object.labels && { site: object.labels }),
    labels: { ...own.labels, ...nameLabels(object) },
    open: own.open,
    guessed: false,
  };
  const made = object.templates.map((template): Carrier => {
    const written = knownLabels(template.labels?.entries ?? [], template.labels?.open ?? false);
    const set = labelsSetByController(object, template);
    return {
      target: template.fact.makes,
      via: template.path,
      ...(template.labels && { site: template.labels }),
      labels: { ...written.labels, ...set },
      open: written.open || template.fact.open,
      guessed: template.fact.open && !written.open,
    };
  });
  return [itself, ...made];
}

function nameLabels({ nameLabels, name }: ManifestObject): Readonly<Record<string, Value>> {
  if (nameLabels === undefined || name === undefined) return {};
  return Object.fromEntries(nameLabels.map((key) => [key, name.value]));
}

function labelsSetByController(object: ManifestObject, { path, fact }: TemplateSite): Readonly<Record<string, Value>> {
  const set = Object.entries(fact.sets ?? {}).map(([key, value]): [string, Value] => {
    if (fact.setsName?.includes(key) && object.name !== undefined) return [key, object.name.value];
    return [key, value ?? { unknown: `${key} of ${path}` }];
  });
  return Object.fromEntries(set);
}
