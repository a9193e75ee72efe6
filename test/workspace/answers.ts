/** What does a picture of the workspace answer, all in all? Sorted lines, so that two pictures can be compared. */

import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { type Match, selectionOf } from '../../server/src/workspace/selection.ts';
import { objectsOf, type Workspace } from '../../server/src/workspace/workspace.ts';

/** What every selector of every file matches, and how every two files stand to each other. */
export function answersOf(workspace: Workspace): readonly string[] {
  const selections = [...workspace.files.values()].flatMap((file) =>
    objectsOf(workspace, file).flatMap((object, index) =>
      object.selectorSites.flatMap((site) => {
        const owner = `${file.uri}#${index} ${site.path}`;
        const { matches, maybe, elsewhere, nearMisses, ...said } = selectionOf(
          workspace,
          catalogue,
          { file, object },
          site,
        );
        const groups = Object.entries({ matches, maybe, elsewhere, nearMisses });
        const matched = groups.flatMap(([group, found]) =>
          found.map((match) => `${owner} ${group} ${matchText(match)}`),
        );
        return [...matched, `${owner} ${JSON.stringify(said)}`];
      }),
    ),
  );
  const uris = [...workspace.files.keys()];
  const relations = uris.flatMap((from) => uris.map((to) => `${from} ${to} ${workspace.scopes().relation(from, to)}`));
  const patches = uris.filter((uri) => workspace.scopes().isPatch(uri)).map((uri) => `${uri} is a patch`);
  return [...selections, ...relations, ...patches].toSorted();
}

function matchText({ file, object, carrier, reasons }: Match): string {
  return `${file.uri} ${object.kind}/${object.name?.text} ${carrier.via ?? ''} ${reasons.join('; ')}`;
}
