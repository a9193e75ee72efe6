/** Formats parts of messages: problems, values and the names of objects. */

import type { Problem } from '../../engine/index.ts';
import type { ManifestObject } from '../../manifests/model.ts';

/** The engine's problems with one key or value as one sentence. */
export function describeProblems(problems: readonly Problem[]): string {
  // An empty name also lacks a letter: one message is sufficient.
  const isEmpty = problems.some(({ code }) => code === 'name-empty');
  const rendered = isEmpty ? problems.filter(({ code }) => code !== 'name-syntax') : problems;
  const messages = rendered.map((problem) => problem.message).join('; ');
  return `${messages.charAt(0).toUpperCase()}${messages.slice(1)}.`;
}

/** A value for a message or a title, shortened if it is long. */
export function shorten(text: string): string {
  return text.length > 40 ? `${text.slice(0, 37)}...` : text;
}

/** The kind and the name of an object for a message: `Deployment/web`. */
export function objectNameOf({
  kind,
  name,
  generateName,
}: Pick<ManifestObject, 'kind' | 'name' | 'generateName'>): string {
  return `${kind}/${shorten(name?.text ?? generateName?.text ?? '')}`;
}
