/** Formats all results of a snapshot of the workspace as sorted lines, so that two snapshots can be compared. */

import assert from 'node:assert/strict';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import type { Workspace } from '../../server/src/workspace/model.ts';
import type { Match } from '../../server/src/workspace/selection/model.ts';
import { selectionOf } from '../../server/src/workspace/selection/selection.ts';
import { objectsOf } from '../../server/src/workspace/snapshot.ts';
import { folderOf } from '../../server/src/workspace/uri.ts';

/** The matches of every selector of every file, and the relation of every two files. */
export function answersOf(workspace: Workspace): readonly string[] {
  const selections = [...workspace.files.values()].flatMap((file) =>
    objectsOf(workspace, file).flatMap((object, index) =>
      object.selectorSites.flatMap((site) => {
        const owner = `${file.uri}#${index} ${site.path}`;
        const { matches, maybe, elsewhere, nearMisses, ...described } = selectionOf(
          workspace,
          catalogue,
          { file, object },
          site,
        );
        const groups = Object.entries({ matches, maybe, elsewhere, nearMisses });
        const matched = groups.flatMap(([group, found]) =>
          found.map((match) => `${owner} ${group} ${matchText(match)}`),
        );
        return [...matched, `${owner} ${JSON.stringify(described)}`];
      }),
    ),
  );
  const carried = [...workspace.targets()].flatMap((target) =>
    Array.from(workspace.labelsOf(target), ([key, values]) => [key, [undefined, ...values]] as const).flatMap(
      ([key, values]) => [
        ...values.flatMap((value) => carryingText(workspace, key, value)),
        speakingText(workspace, key),
      ],
    ),
  );
  const uris = [...workspace.files.keys()];
  const relations = uris.flatMap((from) => uris.map((to) => `${from} ${to} ${relationIn(workspace, from, to)}`));
  const patches = uris.filter((uri) => workspace.scopes().isPatch(uri)).map((uri) => `${uri} is a patch`);
  return [...selections, ...carried, ...relations, ...patches].toSorted();
}

/** A file in none of the folders around a position is elsewhere. */
function relationIn(workspace: Workspace, from: string, to: string): string {
  const relation = workspace.scopes().relation(from, to);
  const isNear =
    workspace
      .scopes()
      .foldersAround(from)
      ?.has(`${folderOf(to)}/`) ?? true;
  if (!isNear) assert.equal(relation, 'elsewhere', `${from} ${to}`);
  return relation;
}

function carryingText(workspace: Workspace, key: string, value: string | undefined): readonly string[] {
  const files = workspace.carrying(key, value).flatMap(({ files }) => files);
  return files.map(({ uri, ids, objects }) => {
    const places = ids.map(({ object, labeledObject }) => `${object}.${labeledObject}`).toSorted();
    return `${key}=${value} is in ${uri} on ${objects} at ${places.join(' ')}`;
  });
}

function speakingText(workspace: Workspace, key: string): string {
  const places = workspace.speaking(key, []).map(({ uri, object, site }) => `${uri} ${object}.${site}`);
  return `${key} is asked for in ${places.toSorted().join(', ')}`;
}

function matchText({ file, object, labeledObject, reasons }: Match): string {
  return `${file.uri} ${object.kind}/${object.name?.text} ${labeledObject.via ?? ''} ${reasons.join('; ')}`;
}
