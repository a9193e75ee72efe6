/** Tracks the values files with which the user evaluates charts in the editor. */

import { TextDocumentIdentifier } from 'vscode-languageserver';
import { valuesFilesAround } from '../features/chart-values.ts';
import { chosenValuesNotification, type ValuesFiles, valuesFilesRequest } from '../protocol.ts';
import { replaceControls } from '../text/control-characters.ts';
import type { Indexing } from './indexing.ts';
import { inDocument, type RequestContext } from './request-helpers.ts';

/** The maximum number of charts that are evaluated with chosen values. */
const maximumFiles = 1_000;

/** Handles the choice of values files. `initial` contains the choices that the client restores at startup. */
export function provideChartValues(context: RequestContext, indexing: Indexing, initial: unknown): void {
  const { connection, session } = context;
  let chosen: readonly string[] = [];
  const choose = (given: unknown) => {
    chosen = (Array.isArray(given) ? given : []).filter((each) => typeof each === 'string').slice(0, maximumFiles);
    const chartValues = chosen.length === 0 ? undefined : { files: chosen, areInCharts: true as const };
    session.workspace.configure({ chartValues });
  };
  choose(initial);
  connection.onNotification(chosenValuesNotification, (given: unknown) => {
    const files = typeof given === 'object' && given !== null && 'files' in given ? given.files : [];
    const before = chosen;
    choose(files);
    // The objects of charts, and the files that they read as data, are determined anew.
    if (JSON.stringify(before) !== JSON.stringify(chosen)) indexing.restart(indexing.folders);
  });
  connection.onRequest(valuesFilesRequest, (given: unknown, token) => {
    const textDocument = typeof given === 'object' && given !== null && 'textDocument' in given && given.textDocument;
    if (!TextDocumentIdentifier.is(textDocument)) return null;
    return inDocument<ValuesFiles | null>(context, valuesFilesRequest, null, { textDocument }, token, (view) => {
      const found = valuesFilesAround(view.workspace, view.file.uri);
      return found === undefined
        ? null
        : { ...found, files: found.files.map(({ name, uri }) => ({ name: replaceControls(name), uri })) };
    });
  });
}
