/** Finds Services by their name and namespace, as DNS names refer to them. */

import type { Catalogue } from '../engine/catalogue/types.ts';
import { getOrAdd } from '../engine/memoize.ts';
import { nameTerm } from './dependencies/questions.ts';
import type { ObjectInFile, Workspace } from './model.ts';
import { SimilarNames } from './references/similar-names.ts';
import { unrecordedScopes } from './scopes/recorded-scopes.ts';
import type { ScopeFacts } from './scopes/scope-facts.ts';
import { effectiveNamespace } from './selection/namespaces.ts';

/** The names of all Services, each with the URIs of the files that contain a Service with this name. */
type ByName = ReadonlyMap<string, readonly string[]>;

const known = new WeakMap<ReadonlyMap<string, ScopeFacts>, ByName>();

export function serviceNames(workspace: Workspace): ByName {
  const scopes = unrecordedScopes(workspace);
  workspace.questions?.note({ about: 'named', term: nameTerm.kind('Service') });
  return getOrAdd(known, scopes.facts(), (facts) => {
    const byName = new Map<string, string[]>();
    for (const [uri, { identities, templates }] of facts) {
      if (scopes.isPatch(uri)) continue;
      for (const identity of [...identities, ...templates.flatMap((each) => each.identities)]) {
        if (!identity.startsWith('\nService\n')) continue;
        getOrAdd(byName, identity.slice(identity.lastIndexOf('\n') + 1), () => []).push(uri);
      }
    }
    return byName;
  });
}

const similar = new WeakMap<ByName, SimilarNames>();

export function similarServiceNames(workspace: Workspace, name: string): readonly string[] {
  return getOrAdd(similar, serviceNames(workspace), (names) => new SimilarNames(names.keys())).near(name);
}

/** A Service and its namespace, which is undefined if it is not known. */
export interface FoundService extends ObjectInFile {
  readonly namespace: string | undefined;
}

export function servicesNamed(workspace: Workspace, catalogue: Catalogue, name: string): readonly FoundService[] {
  const uris = new Set(serviceNames(workspace).get(name));
  return [...uris].flatMap((uri) => {
    const file = workspace.files.get(uri);
    if (file === undefined) return [];
    return file.manifest.objects.flatMap((object): readonly FoundService[] => {
      if (object.group !== '' || object.kind !== 'Service' || object.name?.text !== name) return [];
      const namespace = effectiveNamespace(workspace, catalogue, { file, object })?.value;
      return [{ file, object, namespace: typeof namespace === 'string' ? namespace : undefined }];
    });
  });
}

/** Returns the Services to which a DNS name may refer: the Services in its namespace or, if there are none, the Services whose namespace is unknown. */
export function servicesMeant(
  workspace: Workspace,
  catalogue: Catalogue,
  { service, namespace }: { readonly service: string; readonly namespace: string },
): readonly FoundService[] {
  const named = servicesNamed(workspace, catalogue, service);
  const there = named.filter((each) => each.namespace === namespace);
  return there.length > 0 ? there : named.filter((each) => each.namespace === undefined);
}
