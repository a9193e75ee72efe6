/** Does a selector look into the namespace of an object? */

import type { Catalogue, Meaning } from '../engine/catalogue/types.ts';
import { evaluate, type Selector } from '../engine/index.ts';
import type { ManifestObject, SelectorSite, Written } from '../manifests/manifest.ts';
import { knownLabels } from '../manifests/sites.ts';
import type { ObjectInFile, Workspace } from './workspace.ts';

export interface Answer {
  readonly answer: 'yes' | 'no' | 'maybe';
  /** Why, where it is not a plain yes. */
  readonly reason?: string;
}

const yes: Answer = { answer: 'yes' };

/** Whether the selector at `site` of `owner` reaches `target`, by what the catalogue says of its reach. */
export function reaches(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  site: SelectorSite,
  target: ObjectInFile,
): Answer {
  const reach = site.fact.reach;
  if (reach === 'cluster' || reach === 'all') return yes;
  if (catalogue.kind(target.object.group, target.object.version, target.object.kind)?.namespaced === false) return yes;
  if (reach === 'unknown')
    return { answer: 'maybe', reason: 'It is not known into which namespaces this selector looks.' };
  if (reach === 'own') return sameNamespace(owner.object.namespace, target.object.namespace);
  return reachesBySibling(workspace, owner, site, reach, target);
}

function reachesBySibling(
  workspace: Workspace,
  owner: ObjectInFile,
  site: SelectorSite,
  reach: { readonly namespaceSelectorAt?: string; readonly namesAt?: string },
  target: ObjectInFile,
): Answer {
  const sibling = reach.namespaceSelectorAt && siteBeside(owner.object, site, reach.namespaceSelectorAt);
  if (reach.namesAt !== undefined && reach.namespaceSelectorAt === undefined) {
    return { answer: 'maybe', reason: 'The namespaces are listed beside the selector.' };
  }
  if (!sibling || sibling.state === 'null') return sameNamespace(owner.object.namespace, target.object.namespace);
  if (sibling.state === 'empty') return byMeaning(sibling.fact.empty, owner, target);
  if (sibling.selector?.ok !== true) return { answer: 'maybe', reason: 'Its namespace selector cannot be read.' };
  return namespaceMatches(workspace, sibling.selector.value, owner, target);
}

function byMeaning(meaning: Meaning, owner: ObjectInFile, target: ObjectInFile): Answer {
  switch (meaning) {
    case 'all':
    case 'notFiltered':
      return yes;
    case 'nothing':
    case 'invalid':
      return { answer: 'no', reason: 'Its namespace selector selects no namespace.' };
    case 'ownNamespace':
    case 'sameAsAbsent':
      return sameNamespace(owner.object.namespace, target.object.namespace);
    case 'unknown':
      return { answer: 'maybe', reason: 'It is not known what its empty namespace selector means.' };
  }
}

/** The selector site at a path of the catalogue, in the same list items as `site`. */
function siteBeside(object: ManifestObject, site: SelectorSite, path: string): SelectorSite | undefined {
  const numbers = [...site.path.matchAll(/\[\d+\]/g)].map((found) => found[0]);
  let next = 0;
  const concrete = path.replaceAll('[]', () => numbers[next++] ?? '[]');
  return object.selectorSites.find((other) => other.path === concrete);
}

/**
 * Whether two objects are in one namespace. A missing namespace is the one that the object will be applied to: the same
 * for two that name none, and it may be any that is named.
 */
export function sameNamespace(a: Written | undefined, b: Written | undefined): Answer {
  if (a === undefined && b === undefined) return yes;
  if (a === undefined || b === undefined) {
    const named = a?.text ?? b?.text;
    return { answer: 'maybe', reason: `Only one of them names its namespace, '${named}'.` };
  }
  if (a.text === b.text) return yes;
  if (typeof a.value !== 'string' || typeof b.value !== 'string') {
    return { answer: 'maybe', reason: 'A template decides on the namespace.' };
  }
  return { answer: 'no', reason: `It is in the namespace '${b.text}', not in '${a.text}'.` };
}

function namespaceMatches(workspace: Workspace, selector: Selector, owner: ObjectInFile, target: ObjectInFile): Answer {
  const name = target.object.namespace;
  if (name === undefined) {
    return { answer: 'maybe', reason: 'It does not name its namespace.' };
  }
  const namespaces = workspace
    .find('/Namespace', { kind: 'everything' })
    .filter(
      (each) =>
        each.object.name?.text === name.text && workspace.scopes().relation(owner.file.uri, each.file.uri) !== 'apart',
    );
  const found = namespaces[0];
  const own =
    found === undefined
      ? { labels: {}, open: true }
      : knownLabels(found.object.labels?.entries ?? [], found.carrier.open);
  const answer = evaluate(selector, {
    labels: { ...own.labels, 'kubernetes.io/metadata.name': name.value },
    open: own.open,
  });
  if (answer === 'yes') return yes;
  if (answer === 'no') return { answer, reason: `Its namespace '${name.text}' is not selected.` };
  return { answer, reason: `The labels of its namespace '${name.text}' are not known.` };
}
