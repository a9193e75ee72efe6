/** Names GitOps objects in messages, and points to their definitions and to the objects that they apply. */

import { localize } from '../../text/localize.ts';
import { definitionIn } from '../../workspace/gitops/defined-scopes.ts';
import { type GitopsObject, kindNames } from '../../workspace/gitops/model.ts';
import type { ObjectInFile, Workspace } from '../../workspace/model.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import type { Related } from '../framework/rule.ts';
import { shorten } from './sentences.ts';

/** Returns the kind and name of a GitOps object, such as `Application 'shop'`. */
export function gitopsNameOf({ kind, facts }: GitopsObject): string {
  return `${kindNames[kind]} '${shorten(facts.name)}'`;
}

/** Returns the position of the definition of a GitOps object, with a note; empty if the file of the definition is not known. */
export function definitionNote({ files }: Workspace, gitops: GitopsObject): readonly Related[] {
  const file = files.get(gitops.uri);
  const span = definitionIn(gitops, files)?.name?.span;
  const message = localize`${gitopsNameOf(gitops)} is defined here.`;
  return file === undefined || span === undefined ? [] : [{ file, span, message }];
}

/** Returns the name of an applied object in its file, with a note; for a generated object, the position at which it is generated. */
export function nameNote({ files }: Workspace, applied: ObjectInFile, message: string): readonly Related[] {
  const file = files.get(applied.file.uri);
  const written = file?.manifest.objects.find((object) => isSameObject({ file, object }, applied));
  const span = written?.name?.span ?? applied.object.kindSpan;
  return file === undefined ? [] : [{ file, span, message }];
}
