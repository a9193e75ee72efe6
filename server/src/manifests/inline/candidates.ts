/** Tests quickly whether a text may contain selectors in commands or URLs. Most texts contain none, so they need not be parsed. */

import { nextMention } from './tool-flags.ts';

/** Matches the flags of all supported commands: a short flag, alone or in a group, or a long flag. A pattern that begins with a character is the fastest, so the text before a short flag is tested after its dash. */
const flags =
  /-(?:(?<=(?:^|[^\w-]|\\[nrt])-)[A-Za-z]{0,12}[lLofnkp]|-[\w.-]{0,60}(?:selector|label|filter|output|template|sort-by|for|namespace|filename|kustomize|validate|patch))/m;
const subcommands = /(?:label|selector|create|run|annotate|taint|delete|patch|expose)[\s"',]/;
/** Matches flags of controllers, whose command is only recognized by the container image, and parameters of URLs. */
const controllerFlags = /--[\w.-]{0,60}(?:selector|-filter)[=\s"']/;
const parameters = /(?:label|field)Selector=/;
/** Matches the field `labelSelector`, which contains a selector string in a target of a patch or replacement in a kustomization, but not in other maps. */
const targetSelector = /labelSelector["']?[ \t]*:/;
const targets = /(?:target|select|reject)["']?[ \t]*:/;

/** The text of the last test and its result. A file is tested twice: when it is parsed, and when its commands are needed. */
let last = { text: '', answer: false };

/** Whether the scalars, comments, commands or URLs of a text may contain a selector. */
export function mayHoldSelectors(text: string): boolean {
  if (text !== last.text) last = { text, answer: hasCandidates(text) };
  return last.answer;
}

function hasCandidates(text: string): boolean {
  if (text.includes('Selector=') && parameters.test(text)) return true;
  if (targetSelector.test(text) && targets.test(text)) return true;
  // Every supported command has a flag or a subcommand; the search for names of programs takes longer.
  const hasFlags = flags.test(text);
  if (hasFlags && controllerFlags.test(text)) return true;
  return (hasFlags || subcommands.test(text)) && mentionsCommand(text);
}

/** The text before and after the name of a supported program that is only the value of a label: the program that manages the object. */
const managedBy = /managed-by["']?:[ \t]*["']?$/;
const alone = /\w+["']?[ \t]*\r?(?:\n|$)/y;

function mentionsCommand(text: string): boolean {
  for (let at = nextMention(text, 0); at !== -1; at = nextMention(text, at + 1)) {
    alone.lastIndex = at;
    if (!alone.test(text) || !managedBy.test(text.slice(Math.max(0, at - 20), at))) return true;
  }
  return false;
}
