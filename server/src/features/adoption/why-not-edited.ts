/** Determines why an adoption does not edit an object. */

import type { Side } from '../../workspace/base.ts';
import { isExternalFile } from '../../workspace/configs.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { hasErrors } from '../../workspace/snapshot.ts';

/** Returns the reason, as a sentence, why no text of a file is edited; undefined if it may be. */
export function whyFileNotEdited({ workspace }: Side, { file }: ObjectInFile): string | undefined {
  if (workspace.scopes().isGenerated(file.uri)) return 'The file is generated.';
  if (isExternalFile(workspace.configs(), file.uri)) return 'The configuration declares that the object is external.';
  if (hasErrors(file)) return 'The file has syntax errors.';
  return undefined;
}

/** Returns the reason, as a sentence, why the text of an object is not edited; undefined if it may be. */
export function whyNotEdited(side: Side, where: ObjectInFile): string | undefined {
  const reason = whyFileNotEdited(side, where);
  if (reason !== undefined) return reason;
  const { file, object } = where;
  const text = side.textOf(file.uri)?.slice(object.span.start, object.span.end) ?? '';
  if (text.includes('{{')) return 'The object contains template actions.';
  const isUnknown = object.labels?.entries.some(({ key, conditional }) => conditional || typeof key.value !== 'string');
  if (object.obscured || object.labels?.open || isUnknown) return 'Its labels are not completely known.';
  return undefined;
}
