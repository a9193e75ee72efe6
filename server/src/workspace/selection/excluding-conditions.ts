/** Decides whether a chart never creates two objects together, because their templates have contradicting conditions. */

import type { ManifestObject } from '../../manifests/model.ts';

interface Created {
  readonly file: { readonly uri: string };
  readonly object: Pick<ManifestObject, 'conditions'>;
}

/** Whether one of two objects of a chart exists only under a condition under which the other one does not exist. */
export function excludeEachOther(one: Created, other: Created): boolean {
  // The expressions in different charts, and those about items of lists, have different values. Objects of other files are read only if necessary.
  if (!areInOneChart(one, other)) return false;
  const [conditions = [], others = []] = [one.object.conditions, other.object.conditions];
  if (conditions.length === 0 || others.length === 0) return false;
  if ([...conditions, ...others].some((each) => /\brange /.test(each))) return false;
  const known = new Map(conditions.flatMap(partsOf));
  return others.flatMap(partsOf).some(([code, holds]) => known.get(code) === !holds);
}

function areInOneChart(one: Created, other: Created): boolean {
  if (!one.file.uri.includes('/templates/')) return false;
  const [chart, otherChart] = [one, other].map(({ file: { uri } }) => uri.split('/templates/', 1)[0]);
  return chart === otherChart;
}

/** Returns the expressions of a condition such as `not if .Values.a, if ne .Values.b 1`, each with whether it holds. */
function partsOf(condition: string): readonly (readonly [code: string, holds: boolean])[] {
  return condition.split(/, (?=(?:not )?if )/).flatMap((part): readonly (readonly [string, boolean])[] => {
    const [, not, written] = /^(not )?if (.*)$/s.exec(part) ?? [];
    if (written === undefined) return [];
    let [code, holds] = [written, not === undefined];
    for (let inner = negated(code); inner !== undefined; inner = negated(code)) [code, holds] = [inner, !holds];
    return [[code, holds]];
  });
}

/** Returns the expression of which another one is the negation; undefined if it is none. */
function negated(code: string): string | undefined {
  const [, inner, plain = inner] = /^not (?:\(([^()]*)\)|(\S+))$/.exec(code) ?? [];
  return plain ?? (code.startsWith('ne ') ? `eq ${code.slice(3)}` : undefined);
}
