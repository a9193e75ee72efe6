/** Tests quickly whether a text may contain selectors in commands or URLs. Most texts contain none, so they need not be parsed. */

import { nextMention } from './tools.ts';

/** Matches text that the arguments of every supported command contain: a short flag, alone or in a group, a long flag, or a subcommand. */
const inCommands =
  /(?:^|[^\w-]|\\[nrt])-[A-Za-z]{0,12}[lLofnkp]|--[\w.-]{0,60}(?:selector|label|filter|output|template|sort-by|for|namespace|filename|kustomize|validate|patch)|(?:label|selector|create|run)[\s"',]/m;
/** Matches flags of controllers, whose command is only recognized by the container image, and parameters of URLs. */
const inOthers = /--[\w.-]{0,60}(?:selector|-filter)[=\s"']|(?:label|field)Selector=/;
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
  if (inOthers.test(text) || (targetSelector.test(text) && targets.test(text))) return true;
  return mentionsCommand(text) && inCommands.test(text);
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
