/** What do other extensions of the editor say already? We do not say it again, and our fixes are offered in its place. */

import type { Connection } from 'vscode-languageserver';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import { type OtherTools, otherToolsNotification } from '../protocol.ts';
import type { Finding } from '../rules/rule.ts';
import type { Service } from '../service.ts';

const noOtherTools: OtherTools = { syntax: [], duplicateKeys: false, types: [] };

/** What the client told, as far as it can be understood. */
function readOtherTools(given: unknown): OtherTools {
  if (typeof given !== 'object' || given === null) return noOtherTools;
  const strings = (value: unknown) => (Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []);
  return {
    syntax: 'syntax' in given ? strings(given.syntax) : [],
    duplicateKeys: 'duplicateKeys' in given && given.duplicateKeys === true,
    types: 'types' in given ? strings(given.types) : [],
  };
}

/** What others tell of the documents that are open. */
export interface OtherReporters {
  /** Whether another extension reports what was found in a document, too. */
  tell(finding: Finding, document: TextDocument): boolean;
}

/** Knows what the client told at first, and later; `changed` is called when it is something else. */
export function followOtherTools(
  { connection, service }: { readonly connection: Connection; readonly service: Service },
  first: unknown,
  changed: () => void,
): OtherReporters {
  let tools = readOtherTools(first);
  connection.onNotification(otherToolsNotification, (given: unknown) => {
    const before = JSON.stringify(tools);
    tools = readOtherTools(given);
    if (JSON.stringify(tools) !== before) changed();
  });
  return {
    tell({ common }, { languageId, uri }) {
      if (common === undefined || service.settings.coexist === 'off') return false;
      if (common === 'syntax') return tools.syntax.includes(languageId);
      if (languageId !== 'yaml') return false;
      return common === 'duplicateKeys' ? tools.duplicateKeys : tools.types.some((pattern) => endsAs(uri, pattern));
    },
  };
}

/** Whether a text ends as the pattern says, in which `*` stands for any text: so the YAML extension reads its setting. */
function endsAs(text: string, pattern: string): boolean {
  const pieces = pattern.split('*').toReversed();
  const [last = '', ...others] = pieces;
  if (!text.endsWith(last)) return false;
  let end = text.length - last.length;
  for (const piece of others) {
    const at = text.lastIndexOf(piece, end - piece.length);
    if (at < 0 || end < piece.length) return false;
    end = at;
  }
  return true;
}
