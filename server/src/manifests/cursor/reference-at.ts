/** Finds the name under the cursor: a reference to an object or to a key of an object, or a name or key to which other fields refer. */

import type { Catalogue, KindFact } from '../../engine/catalogue/types.ts';
import { type Span, touches } from '../../text/span.ts';
import type { Manifest, ManifestObject, ReferenceSite, Written } from '../model.ts';
import { allReferenceSites, localTargets, namespaceReference } from '../sites/references.ts';
import type { Node } from '../yaml/tree.ts';
import { objectAt } from './cursor-target.ts';

/** A reference to another object, or to a key of another object, and the object that contains the reference. */
export interface ReferenceAt {
  readonly object: ManifestObject;
  readonly site: ReferenceSite;
  /** The key at the offset; absent if the offset is in the name of the object. */
  readonly key?: Written;
  readonly span: Span;
}

/** Returns the reference to another object at an offset, in a field, a label or an annotation; undefined if there is none. */
export function referenceAt(manifest: Manifest, offset: number): ReferenceAt | undefined {
  for (const object of manifest.objects) {
    if (!touches(object.span, offset)) continue;
    const namespace = namespaceReference(object);
    const found = siteAt(
      object,
      [...(object.references ?? []), ...(namespace === undefined ? [] : [namespace])],
      offset,
    );
    if (found !== undefined) return found;
  }
  return undefined;
}

function siteAt(object: ManifestObject, sites: readonly ReferenceSite[], offset: number): ReferenceAt | undefined {
  for (const site of sites) {
    const { name, keys = [] } = site;
    if (isHere(name, offset)) return { object, site, span: name.span };
    const key = keys.find((each) => isHere(each, offset));
    if (key !== undefined) return { object, site, key, span: key.span };
  }
  return undefined;
}

/** Whether an offset is in a scalar of this file. A scalar that another file adds to the object has no position in this file. */
export function isHere({ origin, span }: Written, offset: number): boolean {
  return origin === undefined && touches(span, offset);
}

/** A reference to a part of the same object, such as the reference of a volume mount to a volume. */
export interface LocalReferenceAt extends ReferenceAt {
  /** The syntax tree of the object that contains the target. */
  readonly root: Node;
  /** All references of the object to its own parts. */
  readonly sites: readonly ReferenceSite[];
}

/** Returns the key before the value at an offset, if the value has the form of a name; undefined if the line contains no key. */
function keyBefore(text: string, offset: number): string | undefined {
  const skip = (from: number, isSkipped: RegExp) => {
    let at = from;
    while (at > 0 && isSkipped.test(text.charAt(at - 1))) at--;
    return at;
  };
  const colon = skip(skip(offset, /[\w.-]/), /["' \t]/) - 1;
  if (text[colon] !== ':') return undefined;
  const end = skip(colon, /["' \t]/);
  return text.slice(skip(end, /[\w.-]/), end);
}

/** Returns the reference to a part of the same object at an offset, or a reference to the part whose name is at the offset. These references are not stored, so the tree of the object is requested from `treeOf` if the key on the line may belong to such a field. */
export function localReferenceAt(
  { manifest, text, catalogue }: { readonly manifest: Manifest; readonly text: string; readonly catalogue: Catalogue },
  offset: number,
  treeOf: (object: ManifestObject) => Node | undefined,
): LocalReferenceAt | undefined {
  const object = objectAt(manifest, offset);
  const facts = object && catalogue.kind(object.group, object.version, object.kind);
  const key = keyBefore(text, offset);
  if (object === undefined || facts === undefined || key === undefined || !hasLocal(facts, key)) return undefined;
  const root = treeOf(object);
  if (root === undefined) return undefined;
  const sites = allReferenceSites(root, facts).filter(({ fact }) => isLocal(fact));
  const here = siteAt(object, sites, offset) ?? declaredPartAt(object, root, sites, offset);
  return here && { ...here, root, sites };
}

/** Returns a reference to the part whose own name (not a reference to it) is at the offset. */
function declaredPartAt(
  object: ManifestObject,
  root: Node,
  sites: readonly ReferenceSite[],
  offset: number,
): ReferenceAt | undefined {
  for (const site of sites) {
    const part = localTargets(root, site).find(({ text, span }) => text === site.name.text && touches(span, offset));
    if (part !== undefined) return { object, site, span: part.span };
  }
  return undefined;
}

function hasLocal({ references = [] }: KindFact, key: string): boolean {
  return references.some((fact) => isLocal(fact) && fact.path.endsWith(`.${key}`));
}

function isLocal({ local, part }: ReferenceSite['fact']): boolean {
  return local !== undefined || part !== undefined;
}
