/** The hover for a word of a command: the target of a path, the contents of a namespace, or the meaning of an option. */

import { wordSpan } from '../../manifests/inline/command-arguments.ts';
import type { CommandWord } from '../../manifests/inline/paths-and-names.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { offsetToPosition } from '../../text/lines.ts';
import { localize } from '../../text/localize.ts';
import { type PathTarget, pathTarget } from '../../workspace/command-paths.ts';
import type { WorkspaceFile } from '../../workspace/model.ts';
import { group, objectLine } from '../presentation/object-lines.ts';
import { type Block, inlineCode, paragraph, type RichText } from '../presentation/rich-text.ts';
import type { FileView } from '../view.ts';
import { aboutExposed } from './exposed-hover.ts';
import { aboutNamespaceNamed } from './object-hover.ts';

/** Describes a word of a command; undefined if nothing is known about it. */
export function aboutWord(view: FileView, word: CommandWord): RichText | undefined {
  const { text } = word.letters;
  switch (word.is) {
    case 'path':
      return [...aboutPath(view, word), ...aboutReplacement(word), ...aboutTechnique(view, word)];
    case 'url':
      return [
        paragraph(localize`kubectl downloads the manifest from this URL. Its objects are not part of this workspace.`),
      ];
    case 'namespaced':
      return aboutNamespaced(text);
    case 'api-group':
      return aboutGroup(text);
    case 'namespace':
      return view.complete ? aboutNamespaceNamed(view, text, wordSpan(word).start) : undefined;
    case 'validate':
    case 'cascade':
      return aboutOption(word.is, text);
    case 'created':
      return aboutCreated(word);
    case 'exposed':
      return view.complete ? aboutExposed(view, word) : undefined;
    case 'patch':
      return undefined;
  }
}

function aboutPath(view: FileView, word: CommandWord & { readonly is: 'path' }): RichText {
  if (!view.complete) return [];
  const target = pathTarget(view.workspace, view.file.uri, word.letters.text);
  if (target === undefined) return [paragraph(localize`No manifest or folder in this workspace has this path.`)];
  const { start } = wordSpan(word);
  if (target.is === 'file') return objectsIn(view, [target.file], start);
  const files = word.recursive || word.flag === '-k' ? [...target.direct, ...target.deeper] : target.direct;
  return [...objectsIn(view, files, start), ...withoutRecursion(word, target)];
}

function objectsIn(view: FileView, files: readonly WorkspaceFile[], offset: number): RichText {
  const objects = files.flatMap((file) => file.manifest.objects.map((object) => ({ file, object })));
  const lines = objects.map((each) => objectLine(view, each, nameSpan(each.object)));
  return lines.length === 0
    ? [paragraph(localize`This path contains no objects.`)]
    : group(view, 'Objects', lines, offset);
}

/** Without `-R`, kubectl reads only the manifests in the folder itself. */
function withoutRecursion(
  { recursive, flag }: CommandWord & { readonly is: 'path' },
  { deeper }: PathTarget & { readonly is: 'folder' },
): readonly Block[] {
  const left = deeper.filter(({ manifest }) => manifest.objects.length > 0).length;
  if (recursive || flag === '-k' || left === 0) return [];
  const files = left === 1 ? '1 file' : localize`${left} files`;
  return [paragraph('Without ', { kind: 'code', text: '-R' }, localize`, kubectl skips ${files} in subfolders.`)];
}

/** The management technique of each command that reads files. An object should be managed with only one technique. */
const techniques: ReadonlyMap<string, 'imperative' | 'declarative'> = new Map([
  ['create', 'imperative'],
  ['replace', 'imperative'],
  ['apply', 'declarative'],
]);

/** `kubectl replace` does not merge. */
function aboutReplacement({ command }: CommandWord): readonly Block[] {
  if (!command.endsWith(' replace')) return [];
  return [
    paragraph(
      inlineCode(command),
      localize` replaces the complete object: fields that other clients set, and that the file does not contain, are removed.`,
    ),
  ];
}

function aboutNamespaced(text: string): RichText | undefined {
  if (/^(?:1|t|true)$/i.test(text))
    return [paragraph(localize`Lists the resource types whose objects are in a namespace, such as Pods and Services.`)];
  return /^(?:0|f|false)$/i.test(text)
    ? [paragraph(localize`Lists the resource types whose objects are in no namespace, such as Nodes and Namespaces.`)]
    : undefined;
}

function aboutGroup(text: string): RichText | undefined {
  if (text === '')
    return [paragraph(localize`Lists the resource types of the core API group, such as Pods and Services.`)];
  return /^[a-z0-9.-]+$/.test(text)
    ? [paragraph(localize`Lists the resource types of the API group `, inlineCode(text), '.')]
    : undefined;
}

/** Warns if a different command in the file manages the same manifest with the other technique. */
function aboutTechnique({ file }: FileView, word: CommandWord): readonly Block[] {
  const techniqueOf = ({ command }: CommandWord) => techniques.get(command.slice(command.lastIndexOf(' ') + 1));
  const own = techniqueOf(word);
  const other = (file.manifest.words ?? []).find((each) => {
    const its = each.is === 'path' && each.letters.text === word.letters.text ? techniqueOf(each) : undefined;
    return own !== undefined && its !== undefined && its !== own;
  });
  if (other === undefined) return [];
  const line = offsetToPosition(file.lines, wordSpan(other).start).line + 1;
  return [
    paragraph(
      { kind: 'code', text: other.command },
      localize` on line ${line} manages the same objects. Manage an object with one technique only: `,
      { kind: 'code', text: 'apply' },
      localize`, or `,
      { kind: 'code', text: 'create' },
      ' and ',
      { kind: 'code', text: 'replace' },
      '.',
    ),
  ];
}

/** The values of the options of kubectl that accept a fixed set of values, and what they do. */
export const optionValues = {
  validate: {
    strict: 'The API server rejects objects with unknown or duplicate fields (the default).',
    warn: 'The API server accepts unknown and duplicate fields, and kubectl prints warnings about them.',
    ignore: 'The API server silently drops unknown fields, and of duplicate fields all but the last.',
    true: 'As `strict`: the API server rejects objects with unknown or duplicate fields.',
    false: 'As `ignore`: the API server silently drops unknown fields, and of duplicate fields all but the last.',
  },
  cascade: {
    background: 'The object is deleted at once, and its dependents afterwards (the default).',
    foreground: 'The object is deleted after the dependents that block its deletion.',
    orphan: 'Only the object is deleted; its dependents keep running without an owner.',
  },
} as const;

function aboutOption(option: keyof typeof optionValues, text: string): RichText | undefined {
  const found = Object.entries(optionValues[option]).find(([value]) => value === text);
  return found && [paragraph(...found[1].split('`').map((part, at) => (at % 2 === 1 ? inlineCode(part) : part)))];
}

/** Describes the labels that kubectl sets on an object that it creates. */
function aboutCreated({ letters: { text }, creates }: CommandWord & { readonly is: 'created' }): RichText {
  const label = creates === 'Pod' ? `run: ${text}` : `app: ${text}`;
  const head = paragraph(
    localize`Creates the `,
    creates,
    ' ',
    inlineCode(text),
    localize` with the label `,
    inlineCode(label),
    '.',
  );
  const selects = localize`Its selector requires `;
  if (creates === 'Pod') return [head];
  const selector = paragraph(selects, inlineCode(`app=${text}`), '.');
  return creates === 'Service'
    ? [head, selector]
    : [head, paragraph(localize`Its pods have the same label. `, selects, inlineCode(`app=${text}`), '.')];
}
