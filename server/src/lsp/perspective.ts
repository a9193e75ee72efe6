/** Tracks the perspective that the user chooses: the scopes through which files are seen, and the values files with which charts are evaluated. */

import { TextDocumentIdentifier } from 'vscode-languageserver';
import { perspectiveOf } from '../features/perspective.ts';
import {
  type ChosenPerspective,
  choosePerspectiveNotification,
  type PerspectiveResult,
  perspectiveRequest,
} from '../protocol.ts';
import { replaceControls } from '../text/control-characters.ts';
import type { Indexing } from './indexing.ts';
import { inDocument, type RequestContext } from './request-helpers.ts';

/** The maximum number of scopes, and of values files, that are chosen at the same time. */
const maximumChosen = 1_000;

/** Handles the choice of the perspective. `initial` is what the client restores at startup; `changed` is called when other scopes are chosen. */
export function providePerspective(
  context: RequestContext,
  indexing: Indexing,
  initial: unknown,
  changed: () => void,
): void {
  const { connection, session } = context;
  let chosen = chosenIn(initial);
  const apply = () => {
    const { scopes, values } = chosen;
    session.choose({ perspective: { selected: scopes } });
    return values.length === 0 ? undefined : { files: values, areInCharts: true as const };
  };
  session.workspace.configure({ chartValues: apply() });
  connection.onNotification(choosePerspectiveNotification, (given: unknown) => {
    const before = chosen;
    chosen = chosenIn(given);
    const chartValues = apply();
    if (isDifferent(before.values, chosen.values)) {
      session.workspace.configure({ chartValues });
      // The objects of charts, and the files that they read as data, are determined anew.
      indexing.restart(indexing.folders);
    } else if (isDifferent(before.scopes, chosen.scopes)) changed();
  });
  connection.onRequest(perspectiveRequest, (given: unknown, token) => {
    const textDocument = typeof given === 'object' && given !== null && 'textDocument' in given && given.textDocument;
    if (!TextDocumentIdentifier.is(textDocument)) return null;
    return inDocument<PerspectiveResult | null>(context, perspectiveRequest, null, { textDocument }, token, (view) =>
      shown(perspectiveOf(view)),
    );
  });
}

function chosenIn(given: unknown): ChosenPerspective {
  const scopes = typeof given === 'object' && given !== null && 'scopes' in given ? given.scopes : undefined;
  const values = typeof given === 'object' && given !== null && 'values' in given ? given.values : undefined;
  return { scopes: texts(scopes), values: texts(values) };
}

function isDifferent(one: readonly string[], other: readonly string[]): boolean {
  return JSON.stringify(one) !== JSON.stringify(other);
}

function texts(given: unknown): readonly string[] {
  return (Array.isArray(given) ? given : []).filter((each) => typeof each === 'string').slice(0, maximumChosen);
}

/** Replaces control characters in all texts that a client shows; paths and URIs, which it sends back, stay exact. */
function shown(found: PerspectiveResult | undefined): PerspectiveResult | null {
  if (found === undefined) return null;
  const { scopes, values } = found;
  return {
    scopes: scopes.map((scope) => ({
      ...scope,
      name: replaceControls(scope.name),
      ...(scope.appliedBy !== undefined && { appliedBy: replaceControls(scope.appliedBy) }),
    })),
    ...(values && {
      values: {
        ...values,
        chart: replaceControls(values.chart),
        files: values.files.map(({ name, uri }) => ({ name: replaceControls(name), uri })),
      },
    }),
  };
}
