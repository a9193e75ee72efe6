/** Formats parts of messages: problems, values and the names of objects. */

import type { Problem } from '../../engine/index.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { shownName } from '../../manifests/shown-name.ts';
import { localize } from '../../text/localize.ts';
import type { ObjectInFile } from '../../workspace/model.ts';

/** Returns one sentence that describes the engine's problems with a key or value. */
export function describeProblems(problems: readonly Problem[]): string {
  // An empty name also causes the problem `name-syntax`, but one message is sufficient.
  const isEmpty = problems.some(({ code }) => code === 'name-empty');
  const rendered = isEmpty ? problems.filter(({ code }) => code !== 'name-syntax') : problems;
  const messages = rendered.map((problem) => problem.message).join('; ');
  return `${messages.charAt(0).toUpperCase()}${messages.slice(1)}.`;
}

/** Returns a value for use in a message or title; a long value is truncated. */
export function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
}

/** Returns a name for use in a message or title; of a long name that begins with a template action, its end, which identifies the object. */
export function shortenName(text: string): string {
  return text.startsWith('{{') && text.length > 40 ? `...${text.slice(-37)}` : shorten(text);
}

/** Returns a path for use in a message or title; of a long path, the end and the first name that differs from `other` are shown. */
export function shortenPath(path: string, other = path): string {
  if (path.length <= 40) return path;
  let same = 0;
  while (same < path.length && path[same] === other[same]) same++;
  const differing = same === path.length ? path.length : path.lastIndexOf('/', same - 1) + 1;
  const shown = Math.max(path.length - differing, 25);
  if (shown > 37) return `${differing === 0 ? '' : '...'}${shorten(path.slice(differing))}`;
  return `${path.slice(0, 37 - shown)}...${path.slice(-shown)}`;
}

/** Returns the kind and name of an object for use in a message, such as `Deployment/web`. */
export function objectNameOf({
  kind,
  name,
  generateName,
}: Pick<ManifestObject, 'kind' | 'name' | 'generateName'>): string {
  const written = name ?? generateName;
  return `${kind}/${written === undefined ? '' : shorten(shownName(written))}`;
}

/** Returns the names of objects without duplicates. */
export function distinctNames(objects: readonly ObjectInFile[]): readonly string[] {
  return [...new Set(objects.map(({ object }) => objectNameOf(object)))];
}

/** Returns the names of the first three objects, and the number of the remaining objects. */
export function listObjects(objects: readonly ObjectInFile[]): string {
  const names = distinctNames(objects);
  const more = names.length > 3 ? localize` and ${names.length - 3} more` : '';
  return `${names.slice(0, 3).join(', ')}${more}`;
}
