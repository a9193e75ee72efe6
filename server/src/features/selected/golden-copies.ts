/** Leaves out rendered manifests that are committed beside the chart or kustomization that renders them: they are copies of its objects. */

import type { ManifestObject } from '../../manifests/model.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { areVersions, isSameObject } from '../../workspace/same-object.ts';

/** A folder of the expected or committed output of a build. */
const golden = /\/(?:rendered|goldens?|expected|(?:__)?snapshots(?:__)?)\//;

/** Returns the objects without those in folders of rendered manifests of which another one is the source, or an equal copy. */
export function withoutGoldenCopies<T extends ObjectInFile>(
  found: readonly T[],
  known: readonly ObjectInFile[] = [],
): readonly T[] {
  if (!found.some(isGolden)) return found;
  const sources = [...known, ...found].filter((each) => !isGolden(each));
  const kept: ObjectInFile[] = [];
  return found.filter((each) => {
    const isCopy =
      isGolden(each) &&
      [...sources, ...kept].some((other) => !isSameObject(other, each) && mayRender(other.object, each.object));
    if (!isCopy) kept.push(each);
    return !isCopy;
  });
}

function isGolden({ file }: ObjectInFile): boolean {
  return golden.test(file.uri);
}

/** Whether an object may be the source of another one: their names are equal, or a template of the name may render the other one. */
function mayRender(source: ManifestObject, other: ManifestObject): boolean {
  if (areVersions(source, other)) return true;
  const template = source.name?.text ?? '';
  const rendered = other.name?.value;
  if (source.kind !== other.kind || !template.includes('{{') || typeof rendered !== 'string') return false;
  const start = template.slice(0, template.indexOf('{{'));
  const end = template.slice(template.lastIndexOf('}}') + 2);
  return start.length + end.length <= rendered.length && rendered.startsWith(start) && rendered.endsWith(end);
}
