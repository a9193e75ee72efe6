/** Extracts names and labels from renderings, so that only renderings with a wanted name or label are built again. */

import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { Rendering } from '../model.ts';
import type { Files } from './inputs.ts';

/** The term of an object's name. */
export function nameTerm(name: string): string {
  return `name ${name}`;
}

/** The term of a label with a certain value. */
export function labelTerm(key: string, value: string): string {
  return `label ${key}=${value}`;
}

/** The names and certain labels of the objects that a rendering builds, and their names in the files. */
export function termsOf({ objects }: Rendering, files: Files['files']): ReadonlySet<string> {
  const terms = new Set<string>();
  for (const { file, object } of objects) {
    const written = files.get(file.uri)?.manifest.objects ?? [];
    for (const each of [object, ...written.filter(({ kindSpan }) => kindSpan.start === object.kindSpan.start)])
      if (each.name !== undefined) terms.add(nameTerm(each.name.text));
    for (const { labels } of labeledObjectsOf(object))
      for (const [key, value] of Object.entries(labels))
        if (typeof value === 'string') terms.add(labelTerm(key, value));
  }
  return terms;
}
