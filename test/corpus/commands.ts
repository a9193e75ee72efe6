/** Lists the selectors and labels in the commands of a corpus, one per line, for review. */

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { type Host, hostOf } from '../../server/src/manifests/inline/host-language.ts';
import { inlineObjects } from '../../server/src/manifests/inline/inline.ts';
import type { ManifestObject } from '../../server/src/manifests/model.ts';
import { fileNameOf } from '../../server/src/workspace/uri.ts';
import type { Corpus } from './corpus.ts';

interface TextFile {
  readonly path: string;
  readonly text: string;
  readonly host: Host;
}

/** Every file of the corpus in a language whose commands are searched. */
function* textFiles({ folder }: Corpus): Iterable<TextFile> {
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
  for (const path of paths) {
    const text = readFileSync(join(folder, path), 'utf8').replace(/^\ufeff/, '');
    const host = hostOf(fileNameOf(path), text);
    if (host !== undefined) yield { path, text, host };
  }
}

/** The found selectors, in the order of the files: `path:line command [selector] over kinds`. */
export function foundCommands(corpus: Corpus): string {
  const lines: string[] = [];
  for (const { path, text, host } of textFiles(corpus)) {
    for (const object of inlineObjects(text, host, catalogue)) {
      const { span } = object.selectorSites[0] ?? object.labelSites[0] ?? object.labelKeySites[0]?.key ?? object;
      const line = text.slice(0, span.start).split('\n').length;
      lines.push(`${path}:${line} ${object.kind} ${described(object)}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function described({
  selectorSites: [site],
  labelSites: [labels],
  labelKeySites: keys,
  namespace,
}: ManifestObject): string {
  if (keys.length > 0) return `names ${keys.map(({ key }) => key.text).join(', ')}`;
  if (site === undefined)
    return `sets ${labels?.entries.map(({ key, value }) => `${key.text}=${value.text}`).join(',')}`;
  const over = site.fact.targets.map(({ kind }) => kind).join(', ') || 'what is not known';
  const read = site.selector ?? site.fieldSelector;
  const where = site.fact.reach === 'all' ? ' everywhere' : namespace === undefined ? '' : ` in ${namespace.text}`;
  return `[${site.text?.text}] over ${over}${where}${read?.ok === false ? ` WRONG ${read.problems[0]?.message}` : ''}`;
}

/** The lines that resemble a supported command, by a pattern without knowledge of shells. */
export function suspectedLines(corpus: Corpus): readonly string[] {
  const suspected: string[] = [];
  for (const { path, text } of textFiles(corpus)) {
    for (const [index, line] of text.split('\n').entries()) {
      // The header that `watch` prints is not a command.
      if (line.startsWith('Every ')) continue;
      if (/\bkubectl\b.*\s(?:-l|--selector|--field-selector)[ =]/.test(line)) suspected.push(`${path}:${index + 1}`);
    }
  }
  return suspected;
}
