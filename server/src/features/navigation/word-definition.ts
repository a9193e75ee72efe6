/** Definitions of words that are not labels or selectors: the file of a path, the Namespace of a name, or the Service of a DNS name. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import { wordAt } from '../../manifests/cursor/word-at.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { everyCluster } from '../../workspace/scopes/model.ts';
import type { FileSpan } from '../locations.ts';
import { serviceAt } from '../references/service-at.ts';
import { exposedObjects } from '../selected/exposed-objects.ts';
import { variableAt } from '../selected/flux-variable.ts';
import type { FileView, View } from '../view.ts';
import { fileAtPath, filePathAt } from './file-paths.ts';

/** Returns the target of the word at an offset; empty if the target is not in the workspace. */
export function wordDefinition(view: FileView, offset: number): readonly FileSpan[] {
  const word = wordAt(view.file.manifest, offset);
  if (word?.is === 'namespace') return namespaceLocations(view, word.letters.text);
  if (word?.is === 'exposed') {
    const objects = exposedObjects(view, word.resource, word.letters.text);
    return objects.map(({ file, object }) => ({ file, span: nameSpan(object) }));
  }
  const path = filePathAt(view, offset);
  if (path === undefined) return word === undefined ? serviceLocations(view, offset) : [];
  const file = fileAtPath(view.workspace, path);
  return file === undefined ? [] : [{ file, span: { start: 0, end: 0 } }];
}

/** Returns the locations that set the value of the Flux variable at an offset. */
export function variableDefinition(view: FileView, offset: number): readonly FileSpan[] {
  const found = new Map<string, FileSpan>();
  for (const { variable } of variableAt(view, offset)?.values ?? []) {
    const file = variable && view.workspace.files.get(variable.origin.uri);
    if (variable === undefined || file === undefined) continue;
    const { uri, span } = variable.origin;
    found.set(`${uri} ${span.start}`, { file, span });
  }
  return [...found.values()];
}

/** Returns the Services to which the host name at an offset refers. */
function serviceLocations(view: FileView, offset: number): readonly FileSpan[] {
  const { services = [] } = serviceAt(view, offset) ?? {};
  return services.map(({ file, object }) => ({ file, span: nameSpan(object) }));
}

function namespaceLocations({ workspace }: View, name: string): readonly FileSpan[] {
  return workspace.carrying(nameLabel, name).flatMap(({ files }) =>
    files.flatMap(({ uri, ids }) => {
      const file = uri === everyCluster || workspace.scopes().isPatch(uri) ? undefined : workspace.files.get(uri);
      return ids.flatMap(({ object }) => {
        const found = file?.manifest.objects[object];
        const isNamespace = found?.nameLabels?.includes(nameLabel) === true && found.name?.text === name;
        return file === undefined || !isNamespace ? [] : [{ file, span: nameSpan(found) }];
      });
    }),
  );
}
