/** Resolves a kind on the command line as kubectl does: `Service`, `services`, `svc`. */

import type { ManifestObject } from '../../manifests/model.ts';
import type { Session } from '../../session.ts';
import type { WorkspaceFile } from '../../workspace/model.ts';

export function isOfKind(
  session: Session,
  file: WorkspaceFile,
  { group, kind }: ManifestObject,
  word: string,
): boolean {
  if (kind.toLowerCase() === word.toLowerCase()) return true;
  return session.workspace
    .catalogueOf(file.uri)
    .named(word)
    .some((each) => each.group === group && each.kind === kind);
}
