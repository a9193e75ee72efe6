/** States which value or helper of a chart determines a text in a template. Such a text is not renamed, because more than one name may depend on the value. */

import { cursorAt } from '../../manifests/cursor/cursor-target.ts';
import { namesInTemplate } from '../../manifests/helm/chart-names.ts';
import { localize } from '../../text/localize.ts';
import { isInside, touches } from '../../text/span.ts';
import { chartFamilyOf, chartFilesOf, chartPartOf } from '../../workspace/charts/chart-family.ts';
import { folderOf, relativePath } from '../../workspace/uri.ts';
import type { FileView } from '../view.ts';
import type { Refused } from './annotated-edits.ts';

/** Returns the reason why the name at an offset cannot be renamed; undefined if no action of a template writes a label, a requirement or the name of an object there. */
export function determinedBy(view: FileView, offset: number): Refused | undefined {
  const { workspace, file, text } = view;
  const family = chartPartOf(file.uri) === 'template' ? chartFamilyOf(workspace, file.uri) : undefined;
  const start = text.lastIndexOf('{{', offset);
  const end = text.indexOf('}}', start) + 2;
  if (family === undefined || start === -1 || end < Math.max(offset, start)) return undefined;
  const cursor = cursorAt(file.manifest, text, offset);
  if (cursor === undefined || (cursor.kind === 'object' && cursor.on !== 'name')) return undefined;
  const names = namesInTemplate(text).filter(({ span }) => isInside(span, { start, end }));
  const { name } = names.find(({ span }) => touches(span, offset)) ?? names[0] ?? {};
  if (name === undefined) return undefined;
  if (name.is === 'helper')
    return { refused: localize`the helper '${name.name}' determines this text: change it there` };
  const files = chartFilesOf(workspace, family);
  const folder = files.get(file.uri) ?? family.folder;
  const field =
    name.is === 'value' ? name.path.join('.') : `${name.field.charAt(0).toLowerCase()}${name.field.slice(1)}`;
  const uri = `${folder}/${name.is === 'value' ? 'values.yaml' : 'Chart.yaml'}`;
  if (!files.has(uri)) return { refused: localize`the chart value '${field}' determines this text: change it there` };
  return {
    refused: localize`'${field}' in ${relativePath(folderOf(file.uri), uri)} determines this text: change it there`,
  };
}
