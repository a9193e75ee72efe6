/** Terms for facts about the names of objects in all files. A check records the terms on which it depends, and a change of a file concerns the terms of the names that it adds or removes. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { FileChange, WorkspaceFile } from '../model.ts';
import { kindsMadeBy } from '../references/names.ts';
import { allIdentities } from '../scopes/scope-facts.ts';
import { referredNames } from '../store/serialized-file.ts';
import { nameTerm } from './questions.ts';

export function changedNameTerms({ before, after }: FileChange, catalogue: Catalogue): ReadonlySet<string> {
  const terms = termsOfIdentities(difference(identitiesOf(before), identitiesOf(after)), catalogue);
  for (const name of difference(referredNames(before), referredNames(after))) terms.add(nameTerm.reference(name));
  const namespaces = [before, after].map(({ kustomization }) => kustomization?.namespace?.text);
  if (namespaces[0] !== namespaces[1])
    for (const each of namespaces) if (each !== undefined) terms.add(nameTerm.namespace(each));
  return terms;
}

export function nameTermsOf(file: WorkspaceFile, catalogue: Catalogue): ReadonlySet<string> {
  const terms = termsOfIdentities(identitiesOf(file), catalogue);
  for (const name of referredNames(file)) terms.add(nameTerm.reference(name));
  return terms;
}

function termsOfIdentities(identities: Iterable<string>, catalogue: Catalogue): Set<string> {
  const terms = new Set<string>();
  for (const identity of identities) {
    const [group = '', kind = '', namespace = '', name = ''] = identity.split('\n');
    const places = group === '' && kind === 'Namespace' ? [namespace, name] : [namespace];
    for (const each of [kind, '*']) terms.add(nameTerm.object(each, name));
    terms.add(nameTerm.kind(kind)).add(nameTerm.all);
    for (const each of places) terms.add(nameTerm.namespace(each));
    for (const made of kindsMadeBy(catalogue, group, kind)) terms.add(nameTerm.maker(made));
  }
  return terms;
}

/** Returns the identities of the objects that a file contains or generates. */
function identitiesOf({ scope, kustomization }: WorkspaceFile): readonly string[] {
  const generated = (kustomization?.generators ?? []).map(({ kind, name }) => `\n${kind}\n\n${name?.text ?? ''}`);
  return [...allIdentities(scope), ...generated];
}

/** Returns the elements that are in only one of two lists. */
function difference(some: readonly string[], others: readonly string[]): readonly string[] {
  const [one, other] = [new Set(some), new Set(others)];
  return [...[...one].filter((each) => !other.has(each)), ...[...other].filter((each) => !one.has(each))];
}
