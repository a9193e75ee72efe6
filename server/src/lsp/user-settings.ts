/** Tracks the user's settings, which may differ between workspace folders. The settings are requested at startup and after every change; clients that do not support such requests include them in notifications. */

import { type Connection, DidChangeConfigurationNotification } from 'vscode-languageserver';
import type { Log } from '../log.ts';
import { ruleIds } from '../rules/framework/check.ts';
import type { Session } from '../session.ts';
import { readHidden, readSettings, readsTheSame } from '../settings/read.ts';
import type { Settings } from '../settings/settings.ts';
import { nearestWord } from '../settings/shape.ts';
import { localize } from '../text/localize.ts';
import type { ClientAbilities } from './client-capabilities.ts';
import type { Indexing } from './indexing.ts';

interface SettingsParts {
  readonly connection: Connection;
  readonly session: Session;
  readonly log: Log;
  readonly abilities: ClientAbilities;
  readonly indexing: Indexing;
  /** The section `selectorLens` in the initialization options. */
  readonly initial: unknown;
  /** Called when settings that affect open documents may have changed. */
  changed(): void;
}

/** The settings of the editor, as JSON that is not yet validated. */
interface Given {
  readonly own: unknown;
  readonly filesExclude?: unknown;
  /** The settings that apply to single workspace folders. */
  readonly ofFolders?: readonly (readonly [folder: string, given: unknown])[];
}

/** Requests the settings, if the editor supports it. */
export async function readUserSettings(parts: SettingsParts): Promise<void> {
  const { connection, abilities, indexing, initial } = parts;
  if (!abilities.configuration) return;
  const { folders } = indexing;
  const [own, filesExclude, ...given] = await connection.workspace.getConfiguration([
    { section: 'selectorLens' },
    { section: 'files.exclude' },
    ...folders.map((scopeUri) => ({ scopeUri, section: 'selectorLens' })),
  ]);
  const ofFolders = folders.map((folder, at) => [folder, given[at]] as const);
  indexBatch(parts, { own: own ?? initial, filesExclude, ofFolders });
}

/** Applies the settings at startup and after each change. The settings come from a notification, or from the response to a request. */
export async function followUserSettings(parts: SettingsParts): Promise<void> {
  const { connection, abilities, initial } = parts;
  if (abilities.configuration) {
    if (abilities.watchConfiguration) {
      const section = ['selectorLens', 'files.exclude'];
      await connection.client.register(DidChangeConfigurationNotification.type, { section });
    }
    connection.onDidChangeConfiguration(() =>
      readUserSettings(parts).catch((error: unknown) => parts.log.warn(`The settings could not be read: ${error}`)),
    );
    return readUserSettings(parts);
  }
  connection.onDidChangeConfiguration(({ settings }) => {
    if (typeof settings === 'object' && settings !== null)
      indexBatch(parts, { own: settings.selectorLens ?? settings });
  });
  indexBatch(parts, { own: initial });
}

/** Indexes the workspace again if a change of the settings, or of the files that the editor hides, affects which files are loaded. */
function indexBatch(
  { session, log, indexing, changed }: SettingsParts,
  { own, filesExclude, ofFolders = [] }: Given,
): void {
  const { settings, problems } = readSettings(own);
  for (const problem of [...problems, ...unknownRules(settings)]) log.warn(problem);
  const hidden = readHidden(filesExclude);
  const readsOthers =
    !readsTheSame(session.workspace.settings, settings) || `${hidden}` !== `${session.workspace.hidden}`;
  session.workspace.configure({ settings, hidden });
  const folderSettings = new Map(ofFolders.map(([folder, given]) => [folder, readSettings(given).settings]));
  session.choose({ folderSettings });
  if (readsOthers) indexing.restart(indexing.folders);
  changed();
}

/** Returns a warning sentence for each configured rule that does not exist. */
function unknownRules({ rules }: Settings): readonly string[] {
  return Object.keys(rules)
    .filter((id) => !ruleIds().includes(id))
    .map((id) => {
      const near = nearestWord(id, ruleIds());
      return localize`selectorLens.rules: there is no rule '${id}'.${near === undefined ? '' : localize` Did you mean '${near}'?`}`;
    });
}
