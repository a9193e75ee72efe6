/** Identifies objects: an object in a file, as it is written and in all versions that scopes build of it, and objects of several files that the API server stores as one. */

import { storedGroup } from '../engine/catalogue/stored-group.ts';
import { releaseNamespace } from '../manifests/helm/value.ts';
import type { ManifestObject } from '../manifests/model.ts';

/** An object of the file with a URI; its kind starts at an offset. */
interface InFile {
  readonly file: { readonly uri: string };
  readonly object: { readonly kindSpan: { readonly start: number } };
}

interface WithObject {
  readonly object: ManifestObject;
}

/** Whether two objects are written at the same position of a file; scopes may have changed both. */
export function isSameObject(a: InFile, b: InFile): boolean {
  return a.file.uri === b.file.uri && a.object.kindSpan.start === b.object.kindSpan.start;
}

/** Whether two objects differ at most in their namespaces and their content. */
export function isNamesake(one: ManifestObject, other: ManifestObject): boolean {
  const isSameName = typeof one.name?.value === 'string' && one.name.value === other.name?.value;
  return isSameName && one.kind === other.kind && storedGroup(one) === storedGroup(other);
}

/** Whether two objects are versions of one object, unless namespaces that are not set differ: applied together, one of them replaces the other. The namespace of a release is not set. */
export function areVersions(one: ManifestObject, other: ManifestObject): boolean {
  const [namespace, otherNamespace] = [one, other].map((each) => each.namespace?.text ?? releaseNamespace);
  const isOpen = namespace === releaseNamespace || otherNamespace === releaseNamespace;
  return isNamesake(one, other) && (isOpen || namespace === otherNamespace);
}

/** Whether the API server stores two objects of one cluster as one: their kinds, names and namespaces are equal and known. */
export function areStoredAsOne(one: ManifestObject, other: ManifestObject): boolean {
  return isNamesake(one, other) && one.namespace?.value === other.namespace?.value && isKnown(one.namespace?.value);
}

function isKnown(namespace: unknown): boolean {
  return namespace === undefined || typeof namespace === 'string';
}

/** Whether an object is a version of one of some others. */
export function isVersionOfAny(each: WithObject, others: readonly WithObject[]): boolean {
  return others.some(({ object }) => areVersions(object, each.object));
}
