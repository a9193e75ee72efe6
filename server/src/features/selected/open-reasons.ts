/** The reasons why the objects of a kustomization are not completely known. */

import { localize } from '../../text/localize.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { scopeName } from '../../workspace/scopes/scope-names.ts';
import { folderOf } from '../../workspace/uri.ts';
import type { FileView } from '../view.ts';

/** Returns the reasons as clauses, each without a period; empty if everything is known. */
export function openReasons({ workspace, file }: FileView): readonly string[] {
  const folder = folderOf(file.uri);
  const own = workspace
    .scopes()
    .all()
    .filter(({ kind, path }) => kind === 'kustomization' && path === folder);
  return [...new Set(own.flatMap(reasonsOf))];
}

/** Returns a reason in one of the kustomizations that include this one, with the number of the others; none if there is no reason. */
export function openReasonOfIncluding({ workspace, file }: FileView): readonly string[] {
  const scopes = workspace.scopes();
  const open = scopes
    .building(file.uri)
    .filter((scope) => scope.kind === 'kustomization' && reasonsOf(scope).length > 0);
  const [first, ...others] = open;
  if (first === undefined) return [];
  const name = scopeName(first, scopes.all());
  const [reason = ''] = reasonsOf(first);
  return [
    others.length === 0 ? localize`In ${name}: ${reason}` : localize`In ${name} and ${others.length} more: ${reason}`,
  ];
}

function reasonsOf({ closed }: Scope): readonly string[] {
  return closed === true ? [] : closed.openBecause;
}
