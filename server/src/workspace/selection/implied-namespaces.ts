/** Finds the namespaces that a selector matches although no Namespace object is in its scope: other objects are in them. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { Answer } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import type { ObjectInFile, Workspace } from '../model.ts';
import { placeOf } from '../scopes/scope-facts.ts';
import { alternativesOf } from './effective-selector.ts';
import { selectsNamespace } from './endpoint-answers.ts';
import { effectiveNamespace, namespaceLabelsFor } from './namespaces.ts';
import { selectionOf } from './selection.ts';

/** A namespace without a Namespace object, and an object that is in it. */
export interface ImpliedNamespace extends ObjectInFile {
  readonly name: string;
  readonly answer: Exclude<Answer, 'no'>;
  /** Why the answer is `maybe`, without a period. */
  readonly reason?: string;
  /** Whether the selector requires the name of the namespace; only unknown labels decide about any other possible match. */
  readonly isNamed: boolean;
}

/** Returns the namespaces that a selector of namespaces matches or may match, and that have no Namespace object in its scope. Each of them has at least the label that contains its name. */
export function impliedNamespaces(
  workspace: Workspace,
  catalogue: Catalogue,
  owner: ObjectInFile,
  site: SelectorSite,
): readonly ImpliedNamespace[] {
  if (!site.fact.targets.some(({ group, kind }) => group === '' && kind === 'Namespace')) return [];
  const alternatives = alternativesOf(site);
  const { matches, maybe } = selectionOf(workspace, catalogue, owner, site);
  const seen = new Set([...matches, ...maybe].map(({ object }) => object.name?.text));
  const isNamed = alternatives.some(
    (selector) => selector.kind === 'all' && selector.requirements.some(({ key }) => key === nameLabel),
  );
  const found: ImpliedNamespace[] = [];
  for (const uri of workspace.scopes().filesAround(placeOf(owner))) {
    const file = workspace.files.get(uri);
    for (const object of file === undefined ? [] : file.manifest.objects) {
      if (file === undefined || !object.forCluster) continue;
      const where = { file, object };
      const namespace = effectiveNamespace(workspace, catalogue, where);
      if (typeof namespace?.value !== 'string' || seen.has(namespace.value)) continue;
      seen.add(namespace.value);
      const { labels } = namespaceLabelsFor({ workspace, catalogue, owner }, where);
      const answers = alternatives.map((selector) =>
        surest(labels.map((each) => selectsNamespace(site, selector, namespace.value, each))),
      );
      const answer = answers.includes('yes') ? 'yes' : answers.includes('maybe') ? 'maybe' : 'no';
      if (answer === 'no') continue;
      const reason = localize`the labels of namespace '${namespace.value}' are unknown, except \`${nameLabel}\``;
      found.push({ ...where, name: namespace.value, answer, ...(answer === 'maybe' && { reason }), isNamed });
    }
  }
  return found;
}

/** Returns the answer for all possible labels of a namespace. */
function surest(answers: readonly Answer[]): Answer {
  const [first = 'maybe', ...others] = answers;
  return others.every((each) => each === first) ? first : 'maybe';
}
