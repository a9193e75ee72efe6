/** Narrows down the scopes and files in which a command looks for objects, before any of them is rendered. */

import type { Selector } from '../../engine/index.ts';
import type { Session } from '../../session.ts';
import { labelTerm, nameTerm } from '../../workspace/kustomize/rendering-terms.ts';
import type { Narrowing } from '../../workspace/reach/applied-clusters.ts';
import { isRendered, type Scope } from '../../workspace/scopes/model.ts';
import { allIdentities, type ScopeFacts } from '../../workspace/scopes/scope-facts.ts';
import type { Indexed } from '../indexed-workspace.ts';

type Selecting = Pick<Indexed, 'session' | 'selection'>;

/** Returns the scopes and files with objects that the paths of a command select. */
export function selectedOnly({ session, selection }: Selecting): Narrowing {
  const scopes = session.snapshot().scopes();
  const mayApply = (scope: Scope) => selection.mayApply(scope);
  return { mayApply, mayHold: (uri) => scopes.ofFile(uri).some(mayApply) };
}

/** Returns the selected scopes and files that contain objects with the given name, either as written or as applied. */
export function withName(selecting: Selecting, name: string): Narrowing {
  const facts = selecting.session.snapshot().scopes().facts();
  return narrowed(selecting, [nameTerm(name)], (uri) => mayHoldName(facts.get(uri), name));
}

/** Returns the selected scopes and files with labels that a selector certainly matches. */
export function withLabels(selecting: Selecting, selector: Selector): Narrowing {
  const requirements = selector.kind === 'all' ? selector.requirements : [];
  for (const { key, operator, values } of requirements) {
    const wanted = values.filter((value) => typeof value === 'string');
    if (!(operator === '=' || operator === '==' || operator === 'in') || wanted.length < values.length) continue;
    const workspace = selecting.session.snapshot();
    const folders = wanted.flatMap((value) => workspace.carrying(key, value));
    const uris = new Set(folders.flatMap(({ files }) => files.map(({ uri }) => uri)));
    const terms = wanted.map((value) => labelTerm(key, value));
    return narrowed(selecting, terms, (uri) => uris.has(uri));
  }
  return selectedOnly(selecting);
}

/** Limits the selected scopes and files to the ones that may contain at least one of the given terms. */
function narrowed(selecting: Selecting, terms: readonly string[], mayHold: Narrowing['mayHold']): Narrowing {
  const selected = selectedOnly(selecting);
  return {
    mayApply: (scope) => selected.mayApply(scope) && mayHaveTerm(selecting.session, scope, terms),
    mayHold: (uri) => mayHold(uri) && selected.mayHold(uri),
  };
}

function mayHaveTerm(session: Session, scope: Scope, terms: readonly string[]): boolean {
  if (!isRendered(scope)) return true;
  const known = session.snapshot().terms(scope.path, session.workspace.catalogueOf(scope.path));
  return known === undefined || terms.some((each) => known.terms.has(each));
}

/** Whether a scope may contain an object with the given name. The facts of a scope omit names that templates generate, and they list OpenShift Templates separately. */
function mayHoldName(facts: ScopeFacts | undefined, name: string): boolean {
  if (facts === undefined || facts.templates.length > 0 || facts.identities.length < facts.objects) return true;
  return allIdentities(facts).some((identity) => identity.endsWith(`\n${name}`));
}
