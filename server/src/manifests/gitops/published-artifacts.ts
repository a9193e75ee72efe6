/** Finds the folders that commands of a CI system publish as OCI artifacts, with `flux push artifact` or `oras push`. */

import { repositoryKey } from './repository-url.ts';

/** A folder of the repository that is published under a URL. */
export interface PublishedArtifact {
  /** The `repositoryKey` of the URL without its tag, which may contain `placeholders` for the name of the git repository. */
  readonly repository: string;
  /** The path of the folder, as it is written. */
  readonly path: string;
}

/** The maximum length of a command, and the maximum number of commands in a file. */
const maximumLength = 2_000;
const maximumCommands = 100;
const command = /\b(?:flux\s{1,20}push\s{1,20}artifact|oras\s{1,20}push)\s/g;

/** Returns the folders that a text publishes. The path and the URL may be in any order, and the URL may be a variable that the text sets. */
export function publishedIn(text: string): readonly PublishedArtifact[] {
  if (!text.includes('push artifact') && !text.includes('oras push')) return [];
  return [...text.matchAll(command)].slice(0, maximumCommands).flatMap(({ index }) => {
    const [line = ''] = text
      .slice(index, index + maximumLength)
      .replaceAll(/\\\r?\n/g, ' ')
      .split(/[\r\n;&|]/, 1);
    if (line.startsWith('oras')) return pushedByOras(line, text);
    const path = /\s(?:--path|-f)(?:=|\s{1,20})["']?([^\s"'$]{1,500})["']?(?:\s|$)/.exec(line)?.[1];
    const repository = artifactKey(line, text);
    return path === undefined || repository === undefined ? [] : [{ repository, path }];
  });
}

/** The options of `oras push` that have no value. */
const flags = /^(?:--(?:disable-path-validation|plain-http|insecure|password-stdin|no-tty|verbose|debug)|-[vd])$/;

/** Returns the folder that `oras push` packs: its files have their paths from the folder in which the command runs. */
function pushedByOras(line: string, text: string): readonly PublishedArtifact[] {
  // Blanks in placeholders and in commands do not end a word.
  const words = line
    .replaceAll(/\$\([^)]{0,200}\)/g, '$X')
    .replaceAll(/(\$\{\{)\s{0,9}([^}\s]{0,200})\s{0,9}(\}\})/g, '$1$2$3')
    .split(/\s+/)
    .map((word) => word.replace(/^["']|["']$/g, ''));
  const given: string[] = [];
  for (let at = 2; at < words.length; at++) {
    const word = words[at] ?? '';
    if (!word.startsWith('-')) given.push(word);
    else if (!word.includes('=') && !flags.test(word)) at++;
  }
  const [url = '', ...packed] = given.filter((word) => word !== '');
  const [only, ...others] = packed.map((word) => word.split(':', 1)[0] ?? '');
  const isFolder = only !== undefined && /^(?:\.?[\w-]{0,200}\/){0,20}\.?[\w-]{0,200}$/.test(only);
  const repository = /^\$\{?\w+\}?(?::|$)/.test(url)
    ? artifactKey(` ${url}`, text)
    : keyIn(`oci://${url.replace(/^oci:\/\//, '')}`);
  return isFolder && others.length === 0 && repository !== undefined ? [{ repository, path: '.' }] : [];
}

/** Placeholders in workflows of GitHub, and their names in the keys of artifacts. */
const placeholders: ReadonlyMap<string, string> = new Map([
  ['github.repository', '{repository}'],
  ['github.repository_owner', '{owner}'],
  ['github.event.repository.name', '{name}'],
]);

/** Returns the key of an artifact that a git repository publishes; `remote` is the key of the URL of the git repository. */
export function inRepository(key: string, remote: string): string {
  const [, owner = '', name = ''] = remote.split('/');
  return key.replaceAll('{repository}', `${owner}/${name}`).replaceAll('{owner}', owner).replaceAll('{name}', name);
}

/** Returns the key of the URL to which a command pushes; undefined if it is unknown. */
function artifactKey(line: string, text: string): string | undefined {
  if (line.includes('oci://')) return keyIn(line);
  const name = /\$(?:\{\{\s{0,9}env\.|\{)?(\w{1,100})/.exec(line)?.[1];
  const starts = name === undefined ? [] : [`${name}: `, `${name}=`];
  const set = starts.map((start) => text.indexOf(start)).find((at) => at !== -1);
  return set === undefined ? undefined : keyIn(text.slice(set, set + maximumLength).split('\n', 1)[0] ?? '');
}

/** Matches a placeholder of a workflow, a variable, or the output of a command. */
const variable = /\$\{\{\s{0,9}([^}\s]{0,200})\s{0,9}\}\}|\$\{[^}]{0,200}\}|\$\([^)]{0,200}\)|\$\w{1,200}/g;

function keyIn(text: string): string | undefined {
  const known = text.replaceAll(variable, (_, name?: string) => placeholders.get(name ?? '') ?? '*');
  const [url] = /oci:\/\/[^\s"']*/.exec(known) ?? [];
  if (url === undefined) return undefined;
  const name = url.lastIndexOf('/');
  const tag = url.slice(name).search(/[:@]/);
  const key = repositoryKey(tag === -1 ? url : url.slice(0, name + tag));
  return key.includes('*') ? undefined : key;
}
