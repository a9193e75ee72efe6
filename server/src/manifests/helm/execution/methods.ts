/** Evaluates fields and methods of built-in objects: `.Capabilities.APIVersions.Has`, `.Files.Get`, `.Files.Glob`, `.Values.AsMap`. Sources: Helm `pkg/chartutil/capabilities.go`, `pkg/chartutil/values.go`, `pkg/engine/files.go`. */

import { doublestarMatcher } from '../../../text/go-glob.ts';
import { isBuiltIn, versionField } from './capabilities.ts';
import { fail } from './failure.ts';
import {
  codeOf,
  FileContent,
  FilesValue,
  factsOf,
  made,
  OneOf,
  TemplateMap,
  type TemplateValue,
  textValue,
  Unknown,
  unknownCall,
  unknownType,
} from './template-value.ts';
import { base64Of } from './text-functions.ts';
import { field } from './value-functions.ts';
import { yamlText } from './yaml-text.ts';

class FoundFiles extends TemplateMap {}

export function memberOf(of: TemplateValue, name: string): TemplateValue {
  if (of instanceof OneOf) return versionField(of, name);
  if (of instanceof FoundFiles && /^As(?:Config|Secrets)$/.test(name)) return asData(of, name === 'AsSecrets');
  if (of instanceof TemplateMap && factsOf(of).type === unknownType) {
    if (name === 'AsMap') return of.twin;
    if (methodsOfValues.has(name)) return unknownCall(`${codeOf(of)}.${name}`, []);
  }
  return field(of, name);
}

const methodsOfValues = new Set(['YAML', 'Table', 'Encode', 'PathValue']);

export function methodResult(of: TemplateValue, name: string, given: readonly TemplateValue[]): TemplateValue {
  const unknown = unknownCall(`${codeOf(of)}.${name}`, given);
  const [first = null] = given;
  if (typeof first !== 'string') return unknown;
  if (codeOf(of) === '.Capabilities.APIVersions') return name === 'Has' ? (isBuiltIn(first) ?? unknown) : unknown;
  if (of instanceof FoundFiles) {
    const found = of.entries.get(first);
    return name === 'Get' ? (found instanceof FileContent ? found.content : '') : unknown;
  }
  if (!(of instanceof FilesValue)) return unknown;
  if (name === 'Glob') return found(of, first) ?? unknown;
  const text = of.textAt(first);
  if (text === undefined) return unknown;
  if (name === 'Get') return text;
  if (name !== 'Lines') return unknown;
  return made(text === '' ? [] : text.replace(/\n$/, '').split('\n'), { type: '[]string' });
}

/** Returns the files that match a glob; undefined if files may match whose content is unknown. */
function found(files: FilesValue, glob: string): FoundFiles | undefined {
  // Other files than those with YAML are not in the workspace.
  if (!/\.ya?ml$/.test(glob)) return undefined;
  const matches = matcherOf(glob);
  if (matches === undefined) return undefined;
  const entries: [string, TemplateValue][] = [];
  for (const path of files.paths().filter(matches)) {
    const content = files.textAt(path);
    if (content === undefined) return undefined;
    entries.push([path, new FileContent(content, path)]);
  }
  return made(new FoundFiles(entries), { type: 'engine.files' });
}

/** Returns a matcher for a glob in which `*` does not match `/`, and `**` does; undefined for a glob that is not supported. */
function matcherOf(glob: string): ((path: string) => boolean) | undefined {
  const [before = '', after, ...others] = glob.split('**');
  if (after === undefined) return doublestarMatcher(glob);
  if (others.length > 0 || /[*?[\]{}\\]/.test(before + after)) return undefined;
  return (path) => path.startsWith(before) && path.endsWith(after) && path.length >= before.length + after.length;
}

/** Returns the contents by file name as YAML, for the data of a ConfigMap or Secret. */
function asData(files: FoundFiles, isSecret: boolean): TemplateValue {
  const entries = [...files.entries].map(([path, file]) => {
    const content = file instanceof FileContent ? file.content : fail('no file');
    const text = isSecret ? base64Of(content) : content;
    const name = path.slice(path.lastIndexOf('/') + 1);
    return [name, text ?? new Unknown(`base64 ${path}`)] as const;
  });
  return textValue(yamlText(new TemplateMap(entries)));
}
