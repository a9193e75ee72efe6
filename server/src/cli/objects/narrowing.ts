/** Narrows down the scopes and files in which a command looks for objects, before any of them is rendered. */

import type { Selector } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import type { Session } from '../../session.ts';
import { compareText, inOrder } from '../../text/order.ts';
import { labelTerm, renderedNameTerm } from '../../workspace/kustomize/rendering-terms.ts';
import type { Narrowing } from '../../workspace/reach/applied-clusters.ts';
import { isRendered, type Scope } from '../../workspace/scopes/model.ts';
import type { ScopeFacts } from '../../workspace/scopes/scope-facts.ts';
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
  const { byName, others } = getOrAdd(namedFiles, facts, filesByName);
  return narrowed(selecting, [renderedNameTerm(name)], new Set([...(byName.get(name) ?? []), ...others]));
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
    return narrowed(selecting, terms, uris);
  }
  return selectedOnly(selecting);
}

/** Limits the selected scopes to those that contain at least one of some terms, and the selected files to some files. */
function narrowed(selecting: Selecting, terms: readonly string[], uris: ReadonlySet<string>): Narrowing {
  const selected = selectedOnly(selecting);
  return {
    mayApply: (scope) => selected.mayApply(scope) && mayHaveTerm(selecting.session, scope, terms),
    mayHold: (uri) => uris.has(uri) && selected.mayHold(uri),
    files: inOrder([...uris], compareText),
  };
}

function mayHaveTerm(session: Session, scope: Scope, terms: readonly string[]): boolean {
  if (!isRendered(scope)) return true;
  const known = session.snapshot().terms(scope.path, session.workspace.catalogueOf(scope.path));
  return known === undefined || terms.some((each) => known.terms.has(each));
}

interface NamedFiles {
  /** The files that contain an object with each name. */
  readonly byName: ReadonlyMap<string, readonly string[]>;
  /** The files that may contain further names: the facts do not contain names that templates generate, and they list OpenShift Templates separately. */
  readonly others: readonly string[];
}

/** The files by the names of their objects, cached while no scope changes. */
const namedFiles = new WeakMap<ReadonlyMap<string, ScopeFacts>, NamedFiles>();

function filesByName(facts: ReadonlyMap<string, ScopeFacts>): NamedFiles {
  const byName = new Map<string, string[]>();
  const others: string[] = [];
  for (const [uri, { templates, identities, objects }] of facts) {
    if (templates.length > 0 || identities.length < objects) others.push(uri);
    else
      for (const identity of identities)
        getOrAdd(byName, identity.slice(identity.lastIndexOf('\n') + 1), () => []).push(uri);
  }
  return { byName, others };
}
