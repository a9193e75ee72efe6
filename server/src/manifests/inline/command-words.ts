/** Recognizes the words of kubectl commands that have a meaning but are neither selectors nor labels: paths, namespaces, options, names. */

import type { Span } from '../../text/span.ts';
import { allGiven, type Call, givenFor, isUnknown, positionals, wordSpan } from './recognize.ts';
import { type Letters, part } from './source-map.ts';
import { isKubectl } from './tools.ts';
import type { Word } from './word.ts';

export type CommandWord = { readonly letters: Letters; readonly command: string; readonly at: Span } & (
  | {
      /** A path in the option `-f` (a file or folder), or in the option `-k` (the folder of a kustomization). */
      readonly is: 'path';
      readonly flag: '-f' | '-k';
      /** Whether the command also reads the manifests in subfolders (`-R`). */
      readonly recursive: boolean;
    }
  /** The namespace in the option `-n`, or the value of the option `--validate`. */
  | { readonly is: 'namespace' | 'validate' }
  | { readonly is: 'created'; readonly creates: CreatedKind }
  /** The name of the object from which `kubectl expose` copies the selector and the labels of the new Service. */
  | ({ readonly is: 'exposed' } & Exposed)
  /** The content of the patch in a `kubectl patch` command. */
  | { readonly is: 'patch'; readonly type: PatchType }
);

interface Exposed {
  /** The resource type as the command contains it, such as `deploy`. */
  readonly resource: string;
  /** The options of the command that take precedence over the copied values. */
  readonly service?: string;
  readonly selector?: string;
  readonly labels?: string;
}

/** The kinds of objects that a command can create with labels that are known without access to the cluster. */
type CreatedKind = 'Deployment' | 'Pod' | 'Service';

type PatchType = 'strategic' | 'merge' | 'json';

/** Returns the words with a meaning in a call of kubectl; none for a call of a different program. */
export function wordsOf({ tool, facts, rest }: Call): readonly CommandWord[] {
  if (!isKubectl(facts)) return [];
  const plain = positionals(rest);
  const [verb = ''] = plain.map(({ letters }) => letters.text);
  const shared = { command: `${tool.letters.text} ${verb}`.trim(), at: wordSpan(tool) };
  const known = (word: Word | undefined): word is Word => word !== undefined && word.placeholders.length === 0;
  const given = (flags: readonly string[]) => [givenFor(rest, flags)?.value].filter(known);
  const paths = (['-f', '-k'] as const).flatMap((flag) => {
    if (flag === '-f' && /^logs?$/.test(verb)) return [];
    const long = flag === '-f' ? '--filename' : '--kustomize';
    const recursive = rest.some(({ letters }) => /^(?:-R|--recursive(?:=true)?)$/.test(letters.text));
    return allGiven(rest, [flag, long])
      .flatMap(({ value }) => (value.placeholders.length === 0 ? listed(value.letters) : []))
      .filter(({ text }) => isPath(text))
      .map((letters) => ({ ...shared, is: 'path' as const, flag, recursive, letters }));
  });
  const others = [
    ...given(['-n', '--namespace']).map(({ letters }) => ({ ...shared, is: 'namespace' as const, letters })),
    ...validated(rest).map((letters) => ({ ...shared, is: 'validate' as const, letters })),
    ...created(plain, rest).map((each) => ({ ...shared, is: 'created' as const, ...each })),
    ...(verb === 'expose' ? exposed(plain, rest) : []).map((each) => ({ ...shared, is: 'exposed' as const, ...each })),
    ...(verb === 'patch' ? given(['-p', '--patch']) : []).map(({ letters }) => {
      return { ...shared, is: 'patch' as const, type: patchType(rest), letters };
    }),
  ];
  return [...paths, ...others].filter(({ letters }) => letters.text !== '');
}

/** Splits a list of files: `-f a.yaml,b.yaml` refers to two files. */
function listed(letters: Letters): readonly Letters[] {
  return [...letters.text.matchAll(/[^,]+/g)].map(({ 0: path, index }) => part(letters, index, index + path.length));
}

/** Whether a word is the path of a file or folder in the workspace, and not standard input, a URL or a shell pattern. */
function isPath(text: string): boolean {
  return text !== '-' && !/^[a-z][a-z0-9+.-]*:|[*?[\]{}~\\\0<>$|"']|^\/|^\.{3}/i.test(text);
}

/** Returns the value of `--validate=…`. The option without a value means strict validation and is ignored. */
function validated(rest: readonly Word[]): readonly Letters[] {
  const flag = '--validate=';
  return rest.flatMap(({ letters, placeholders }) =>
    placeholders.length === 0 && letters.text.startsWith(flag) ? [part(letters, flag.length, letters.text.length)] : [],
  );
}

/** Returns the names of the objects that imperative commands create with default labels. */
function created(plain: readonly Word[], rest: readonly Word[]) {
  const [verb, second, third, fourth] = plain;
  const name = (word: Word | undefined, creates: CreatedKind) =>
    word === undefined || isUnknown(word) || !/^[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?$/.test(word.letters.text)
      ? []
      : [{ letters: word.letters, creates }];
  switch (verb?.letters.text) {
    case 'run':
      // Labels in the command replace the default label.
      return givenFor(rest, ['-l', '--labels']) === undefined ? name(second, 'Pod') : [];
    case 'create':
      if (/^deploy(?:ment)?$/.test(second?.letters.text ?? '')) return name(third, 'Deployment');
      return /^(?:service|svc)$/.test(second?.letters.text ?? '') &&
        /^(?:clusterip|nodeport|loadbalancer|externalname)$/.test(third?.letters.text ?? '')
        ? name(fourth, 'Service')
        : [];
    default:
      return [];
  }
}

/** Returns the object that a command exposes, with the options of the command for the new Service: `kubectl expose deploy web`, or `kubectl expose deploy/web`. */
function exposed(plain: readonly Word[], rest: readonly Word[]): readonly (Exposed & { readonly letters: Letters })[] {
  const [, second, third] = plain;
  if (second === undefined || isUnknown(second) || (third !== undefined && isUnknown(third))) return [];
  const { letters } = second;
  const slash = letters.text.indexOf('/');
  const name = slash === -1 ? third?.letters : part(letters, slash + 1, letters.text.length);
  if (name === undefined || name.text === '') return [];
  const given = (...flags: readonly string[]) => givenFor(rest, flags)?.value.letters.text;
  const options = { service: given('--name'), selector: given('--selector'), labels: given('-l', '--labels') };
  const known = Object.entries(options).filter(([, value]) => value !== undefined);
  const resource = slash === -1 ? letters.text : letters.text.slice(0, slash);
  return [{ letters: name, resource, ...Object.fromEntries(known) }];
}

function patchType(rest: readonly Word[]): PatchType {
  const type = givenFor(rest, ['--type'])?.value.letters.text;
  return type === 'json' || type === 'merge' ? type : 'strategic';
}
