/** What did the user choose in the editor? Asked at the start and at every change, for each workspace folder too. */

import { type Connection, DidChangeConfigurationNotification } from 'vscode-languageserver';
import type { Log } from '../log.ts';
import { ruleIds } from '../rules/check.ts';
import type { Service } from '../service.ts';
import { readHidden, readSettings, readsTheSame } from '../settings/read.ts';
import type { Settings } from '../settings/settings.ts';
import { nearestWord } from '../settings/shape.ts';
import type { ClientAbilities } from './client-capabilities.ts';
import type { Indexing } from './indexing.ts';

interface SettingsParts {
  readonly connection: Connection;
  readonly service: Service;
  readonly log: Log;
  readonly abilities: ClientAbilities;
  readonly indexing: Indexing;
  /** The settings may say something else about what is open. */
  changed(): void;
}

/** Takes in the user's settings, and what the editor hides; where they change what is read, everything is read anew. */
export async function readUserSettings(parts: SettingsParts): Promise<void> {
  const { connection, service, log, abilities, indexing, changed } = parts;
  if (!abilities.configuration) return;
  const { folders } = indexing;
  const [own, filesExclude, ...ofFolders] = await connection.workspace.getConfiguration([
    { section: 'selectorLens' },
    { section: 'files.exclude' },
    ...folders.map((scopeUri) => ({ scopeUri, section: 'selectorLens' })),
  ]);
  const { settings, problems } = readSettings(own);
  for (const problem of [...problems, ...unknownRules(settings)]) log.warn(problem);
  const hidden = readHidden(filesExclude);
  const readsOthers = !readsTheSame(service.settings, settings) || `${hidden}` !== `${service.hidden}`;
  service.settings = settings;
  service.folderSettings = new Map(folders.map((folder, at) => [folder, readSettings(ofFolders[at]).settings]));
  service.hidden = hidden;
  if (readsOthers) indexing.restart(indexing.folders);
  changed();
}

/** Reads them now, and whenever they change. */
export async function followUserSettings(parts: SettingsParts): Promise<void> {
  const { connection, abilities } = parts;
  if (!abilities.configuration) return;
  if (abilities.watchConfiguration) {
    const section = ['selectorLens', 'files.exclude'];
    await connection.client.register(DidChangeConfigurationNotification.type, { section });
  }
  connection.onDidChangeConfiguration(() => readUserSettings(parts));
  await readUserSettings(parts);
}

/** A sentence for each rule that is chosen and does not exist. */
function unknownRules({ rules }: Settings): readonly string[] {
  return Object.keys(rules)
    .filter((id) => !ruleIds.includes(id))
    .map((id) => {
      const near = nearestWord(id, ruleIds);
      return `selectorLens.rules: there is no rule '${id}'.${near === undefined ? '' : ` Did you mean '${near}'?`}`;
    });
}
