/** Gives an object a new name, so that a new object is created in addition to the existing object. */

import { validateName } from '../../engine/index.ts';
import type { ManifestObject, Written } from '../../manifests/model.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import type { Edit } from '../../text/edit.ts';
import { localize } from '../../text/localize.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { Fix, RuleContext } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

/** The maximum number of files in the scope. In larger scopes, references are not searched, so the fix is not offered. */
const maximumFiles = 300;

/** Renames an object, and changes the autoscalers in its scope that refer to it. Objects that also create objects other than pods, such as PersistentVolumeClaims, are not renamed: the created objects are found by name, so a new name would leave their data behind. */
export function renameObject(context: RuleContext, where: ObjectInFile): readonly Fix[] {
  const { object, file } = where;
  const { workspace, uri, since } = context;
  const text = file.uri === uri ? context.text : since?.now.textOf(file.uri);
  if (object.templates.length !== 1 || object.name === undefined || text === undefined) return [];
  if (!isPlain(text, object.name)) return [];
  const around = workspace.scopes().filesAround(placeOf(where));
  if (around.size > maximumFiles) return [];
  const name = nextName(object.name.text);
  const objects = [...around].flatMap((each) => {
    const other = workspace.files.get(each);
    return other?.manifest.objects.map((found) => ({ file: other, object: found })) ?? [];
  });
  if (validateName('dns1123Subdomain', name).length > 0 || name.length > maximumName) return [];
  if (objects.some((each) => each.object.kind === object.kind && each.object.name?.text === name)) return [];
  const edits = new Map<string, Edit[]>([[file.uri, [replaceScalar(object.name, name)]]]);
  for (const each of objects) {
    const target = targetOf(each.object, object);
    if (target === undefined) continue;
    if (target.origin !== undefined) return [];
    edits.set(each.file.uri, [...(edits.get(each.file.uri) ?? []), replaceScalar(target, name)]);
  }
  const own = edits.get(uri) ?? [];
  edits.delete(uri);
  return [
    {
      title: localize`Rename the ${object.kind} to '${shorten(name)}'`,
      edits: own,
      ...(edits.size > 0 && { elsewhere: edits }),
      preferred: false,
    },
  ];
}

/** The maximum length of the new name of a workload. The names of its pods are longer and could otherwise exceed their own limit. */
const maximumName = 52;

/** Returns the next name: `web-v2` for `web`, `web-v3` for `web-v2`. */
function nextName(name: string): string {
  const counted = /^(.*)-v(\d{1,3})$/.exec(name);
  return counted === null ? `${name}-v2` : `${counted[1]}-v${Number(counted[2]) + 1}`;
}

/** Whether a name is in this file without escapes and without an anchor, so that it can be replaced. */
function isPlain(text: string, { text: name, span, origin, anchored, value }: Written): boolean {
  const written = text.slice(span.start, span.end).replace(/^(["'])(.*)\1$/, '$2');
  return origin === undefined && anchored === undefined && value === name && written === name;
}

/** Returns the target name in an autoscaler, if it refers to the given object. */
function targetOf({ scaleTarget, namespace }: ManifestObject, object: ManifestObject): Written | undefined {
  if (scaleTarget?.kind !== object.kind || scaleTarget.name.text !== object.name?.text) return undefined;
  return namespace?.text === object.namespace?.text ? scaleTarget.name : undefined;
}
