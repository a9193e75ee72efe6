/** The pages about the commands: one page for each group, and an overview. */

import { commands } from '../../server/src/cli/commands/all.ts';
import { commandLinePage } from '../../server/src/cli/output/documentation.ts';

/** A page about commands, in the order in which they are documented. */
interface Group {
  readonly page: string;
  readonly title: string;
  readonly about: string;
  readonly names: readonly string[];
}

const groups: readonly Group[] = [
  { page: 'check', title: 'Check manifests', about: 'Findings, their formats and baselines.', names: ['check'] },
  {
    page: 'changes',
    title: 'Review and plan changes',
    about: 'What a change means before it is merged or written.',
    names: ['review', 'diff', 'impact', 'rename-plan', 'adopt'],
  },
  {
    page: 'selectors',
    title: 'Ask about selectors and objects',
    about: 'What a selector matches, what matches an object, and why not.',
    names: ['match', 'explain', 'who-selects', 'uses', 'objects', 'labels'],
  },
  {
    page: 'network',
    title: 'Connections and maps',
    about: 'Which connections network policies allow, and pictures of objects.',
    names: ['reach', 'graph'],
  },
  {
    page: 'setup',
    title: 'Set up',
    about: 'Configuration, rules, completion, and servers for editors and agents.',
    names: ['init', 'rule', 'completion', 'lsp', 'mcp'],
  },
];

/** Returns the link to the documentation of a command, from a page in docs/. */
export function linkToCommand(name: string): string {
  const group = groups.find(({ names }) => names.includes(name)) ?? otherGroup();
  return `commands/${group.page}.md#${name}`;
}

/** The commands that no group names: they follow on the last page. */
function otherGroup(): Group {
  return groups.at(-1) ?? { page: 'setup', title: '', about: '', names: [] };
}

/** Returns the pages of the groups, by their paths from the root. */
export function commandPages(generatedBy: string): readonly (readonly [path: string, text: string])[] {
  return groups.map((group) => {
    const text = commandLinePage(commandsOf(group)).trimEnd();
    const more = 'Paths, exit codes and the cache are the same for all commands: [Command line](../command-line.md).';
    return [`docs/commands/${group.page}.md`, `${generatedBy}# ${group.title}\n\n${group.about} ${more}\n\n${text}\n`];
  });
}

/** Returns the overview of all commands, for the folder docs/commands/. */
export function commandsIndex(generatedBy: string): string {
  return `${generatedBy}# Commands\n\n[Command line](../command-line.md) describes paths, exit codes, formats and baselines, which all commands share.\n\n${commandsTable('')}`;
}

/** Returns the table of all commands; links begin with `prefix`. */
export function commandsTable(prefix: string): string {
  const rows = groups.flatMap((group) =>
    commandsOf(group).map(({ name, summary }) => `| [\`${name}\`](${prefix}${group.page}.md#${name}) | ${summary} |`),
  );
  return ['| Command | What it does |', '| --- | --- |', ...rows, ''].join('\n');
}

function commandsOf(group: Group) {
  const known = new Set(groups.flatMap(({ names }) => names));
  const named = group.names.flatMap((name) => commands.filter((command) => command.name === name));
  return group === otherGroup() ? [...named, ...commands.filter(({ name }) => !known.has(name))] : named;
}
