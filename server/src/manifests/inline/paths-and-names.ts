/** Recognizes the words of kubectl commands that have a meaning but are neither selectors nor labels: paths, namespaces, options, names. */

import type { NameRule } from '../../engine/index.ts';
import type { Span } from '../../text/span.ts';
import { allGiven, type Call, givenFor, isUnknown, positionals, wordSpan } from './command-arguments.ts';
import { type Letters, part } from './source-map.ts';
import { isKubectl } from './tool-flags.ts';
import type { Word } from './word.ts';

export type CommandWord = { readonly letters: Letters; readonly command: string; readonly at: Span } & (
  | {
      /** A path in the option `-f` (a file or folder), or in the option `-k` (the folder of a kustomization). */
      readonly is: 'path';
      readonly flag: '-f' | '-k';
      /** Whether the command also reads the manifests in subfolders (`-R`). */
      readonly recursive: boolean;
    }
  /** A URL in the option `-f`. */
  | { readonly is: 'url' }
  /** The namespace in the option `-n`, or the value of the option `--validate`, `--cascade`, `--namespaced`, `--api-group` or, for a patch, `--type`. */
  | { readonly is: 'namespace' | 'validate' | 'cascade' | 'namespaced' | 'api-group' | 'type' }
  /** A strategy of deletion after `--cascade` without `=`, which kubectl reads as the name of an object. */
  | { readonly is: 'detached' }
  /** A selector or labels in an option of which kubectl uses only the last one. */
  | { readonly is: 'overridden'; readonly flag: string }
  /** The selector that a command writes to the map of a Service, which supports only equality. */
  | { readonly is: 'equality'; readonly flag?: '--selector' }
  /** A taint that `kubectl taint` adds or removes. */
  | { readonly is: 'taint' }
  /** A word in place of a label, annotation or taint, or after one, that neither sets nor removes one. */
  | { readonly is: 'unpaired'; readonly isAfterPair: boolean; readonly resource: string }
  /** The removal of a key that the same command sets. */
  | { readonly is: 'removed' }
  /** A short option that a command for labels, annotations or taints does not have. */
  | { readonly is: 'option' }
  /** The name of an object that a command creates, or of a role that it binds, with the rule that the name follows. */
  | ({ readonly is: 'name' } & NewName)
  /** The ServiceAccount to which a command binds a role, as `namespace:name`. */
  | { readonly is: 'account' }
  | { readonly is: 'created'; readonly creates: CreatedKind }
  /** The name of the object from which `kubectl expose` copies the selector and the labels of the new Service. */
  | ({ readonly is: 'exposed' } & Exposed)
  /** The content of the patch in a `kubectl patch` command, with the resource type if the command contains it. */
  | ({ readonly is: 'patch' } & Patch)
  /** The path of the file with the patch in `kubectl patch --patch-file`. */
  | ({ readonly is: 'patch file' } & Patch)
);

interface Patch {
  /** Undefined if a variable contains the type. */
  readonly type: PatchType | undefined;
  readonly resource?: string;
  /** The name and the namespace of the patched object, if the command contains them. */
  readonly name?: string;
  readonly namespace?: string;
}

interface NewName {
  readonly follows: NameRule;
  readonly isNamespace?: true;
}

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
  if (!isKubectl(facts)) return namespaceOfTool(tool, rest);
  const words = positionals(rest);
  // OpenShift's `oc adm taint` is `kubectl taint`.
  const plain = words[0]?.letters.text === 'adm' ? words.slice(1) : words;
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
      .flatMap((letters): readonly CommandWord[] => {
        if (isPath(letters.text)) return [{ ...shared, is: 'path', flag, recursive, letters }];
        return flag === '-f' && /^https?:\/\/[^\s<>{}$]+$/.test(letters.text)
          ? [{ ...shared, is: 'url', letters }]
          : [];
      });
  });
  const others = [
    ...given(['-n', '--namespace']).map(({ letters }) => ({ ...shared, is: 'namespace' as const, letters })),
    ...(['validate', 'cascade', 'namespaced', 'api-group'] as const).flatMap((is) =>
      valuesOf(`--${is}=`, rest).map((letters) => ({ ...shared, is, letters })),
    ),
    ...(verb === 'delete' ? detached(rest) : []).map((letters) => ({ ...shared, is: 'detached' as const, letters })),
    ...(verb === 'taint' ? taints(plain) : []).map((letters) => ({ ...shared, is: 'taint' as const, letters })),
    ...(/^(?:label|annotate|taint)$/.test(verb) ? pairs(plain, rest) : []).map((each) => ({ ...shared, ...each })),
    ...created(plain, rest).map((each) => ({ ...shared, is: 'created' as const, ...each })),
    ...(verb === 'expose' ? exposed(plain, rest) : []).map((each) => ({ ...shared, is: 'exposed' as const, ...each })),
    ...(verb === 'patch' ? patches(plain, rest) : []).map((each) => ({ ...shared, ...each })),
    ...newNames(plain, rest).map((each) => ({ ...shared, is: 'name' as const, ...each })),
    ...bound(plain, rest).map((each) => ({ ...shared, ...each })),
    ...(verb === 'patch' ? valuesOf('--type=', rest) : []).map((letters) => ({
      ...shared,
      is: 'type' as const,
      letters,
    })),
    ...overridden(verb, rest).map((each) => ({ ...shared, is: 'overridden' as const, ...each })),
    ...equalities(plain, rest).map((each) => ({ ...shared, is: 'equality' as const, ...each })),
  ];
  return [...paths, ...others].filter(({ letters }) => letters.text !== '');
}

/** Returns the namespace in the options of a program other than kubectl. */
function namespaceOfTool(tool: Word, rest: readonly Word[]): readonly CommandWord[] {
  const name = tool.letters.text;
  // Argo CD has other options for namespaces.
  const given = /argocd/.test(name) ? undefined : givenFor(rest, ['-n', '--namespace'])?.value;
  if (given === undefined || given.placeholders.length > 0 || given.letters.text === '') return [];
  return [{ command: name, at: wordSpan(tool), is: 'namespace', letters: given.letters }];
}

/** Splits a list of files: `-f a.yaml,b.yaml` refers to two files. */
function listed(letters: Letters): readonly Letters[] {
  return [...letters.text.matchAll(/[^,]+/g)].map(({ 0: path, index }) => part(letters, index, index + path.length));
}

/** Whether a word is the path of a file or folder in the workspace, and not standard input, a URL or a shell pattern. */
function isPath(text: string): boolean {
  return text !== '-' && !/^[a-z][a-z0-9+.-]*:|[*?[\]{}~\\\0<>$|"']|^\/|^\.{3}/i.test(text);
}

/** Returns the value of an option such as `--validate=…`. The option without a value has its default and is ignored. */
function valuesOf(flag: string, rest: readonly Word[]): readonly Letters[] {
  return rest.flatMap(({ letters, placeholders }) =>
    placeholders.length === 0 && letters.text.startsWith(flag) ? [part(letters, flag.length, letters.text.length)] : [],
  );
}

/** Returns the strategies of deletion after `--cascade`, which has a default value and therefore needs `=` before another one. */
function detached(rest: readonly Word[]): readonly Letters[] {
  return rest.flatMap(({ letters }, index) =>
    rest[index - 1]?.letters.text === '--cascade' && /^(?:background|foreground|orphan)$/.test(letters.text)
      ? [letters]
      : [],
  );
}

/** Returns the taints in `kubectl taint nodes n1 dedicated=gpu:NoSchedule`; a name of a node contains none of the characters that distinguish taints. */
function taints([, resource, ...operands]: readonly Word[]): readonly Letters[] {
  if (resource === undefined || !/^(?:no|nodes?)(?:\/|$)/.test(resource.letters.text)) return [];
  const known = operands.filter((word) => !isUnknown(word) && word.placeholders.length === 0);
  return known.map(({ letters }) => letters).filter(({ text }) => /[=:]|[^-]-$/.test(text));
}

/** Returns the faults in the operands of `kubectl label`, `annotate` and `taint`: first the objects, then `key=value` or `key-`. Defined by `GetResourcesAndPairs` and `ParsePairs` in k8s.io/kubectl/pkg/cmd/util. */
function pairs([verb, ...operands]: readonly Word[], rest: readonly Word[]) {
  const options = rest
    .filter(({ letters, placeholders }) => placeholders.length === 0 && /^-[a-zA-Z]/.test(letters.text))
    .filter(({ letters }) => !shortOptions.has(letters.text.charAt(1)))
    // The letters after the first are usually not options.
    .slice(0, 1)
    .map(({ letters }) => ({ is: 'option' as const, letters }));
  const hasOther = rest.some(({ letters: { text } }) => /^(?:--list|--local|--help|-h)(?:=|$)/.test(text));
  if (hasOther || operands.some(({ placeholders }) => placeholders.length > 0)) return options;
  const isPair = ({ letters: { text } }: Word) =>
    /[=]|-$/.test(text) || (verb?.letters.text === 'taint' && text.includes(':'));
  const first = operands.findIndex(isPair);
  const removed = operands.filter(({ letters: { text } }) =>
    operands.some((each) => text.endsWith('-') && each.letters.text.startsWith(`${text.slice(0, -1)}=`)),
  );
  const isTaint = verb?.letters.text === 'taint';
  return [
    ...options,
    ...(isTaint ? [] : removed).map(({ letters }) => ({ is: 'removed' as const, letters })),
    ...unpaired(operands, first === -1 ? undefined : operands.slice(first).filter((each) => !isPair(each)), rest),
  ];
}

/** The short options of `kubectl label`, `annotate` and `taint`, including those of all commands. */
const shortOptions: ReadonlySet<string> = new Set('AfhklnoRsv');

/** The maximum number of words after a label that are reported; more words are probably a sentence. */
const maximumUnpaired = 2;

/** Returns the first operand in place of a pair or, if there is a pair, the first of the other words after it. */
function unpaired(operands: readonly Word[], others: readonly Word[] | undefined, rest: readonly Word[]) {
  const [type, name] = operands;
  const resource = type?.letters.text ?? '';
  const is = ({ letters }: Word) => [{ is: 'unpaired' as const, letters, resource, isAfterPair: others !== undefined }];
  const isWord = ({ letters }: Word) => /^[\w./-]*\w$/.test(letters.text);
  if (others !== undefined) {
    const [word] = others;
    return word === undefined || others.length > maximumUnpaired || !others.every(isWord) ? [] : is(word);
  }
  const isSelected = rest.some(({ letters: { text } }) => /^(?:-l|--selector|--all)(?:=|$)/.test(text));
  const count = isSelected || resource.includes('/') ? 1 : 2;
  const last = operands[count];
  if (last === undefined || operands.length > count + 1 || name === undefined) return [];
  return operands.every(isWord) ? is(last) : [];
}

/** The rules for names of resource types that `kubectl create` creates, with their short names. */
const createdNames: readonly (readonly [RegExp, NewName])[] = [
  [/^(?:ns|namespaces?)$/, { follows: 'dns1123Label', isNamespace: true }],
  [/^(?:pc|priorityclass(?:es)?)$/, { follows: 'priorityClass' }],
  [
    /^(?:cm|configmaps?|deploy|deployments?|jobs?|cj|cronjobs?|sa|serviceaccounts?|ing|ingress|quota|pdb)$/,
    { follows: 'dns1123Subdomain' },
  ],
  [/^(?:roles?|clusterroles?|rolebindings?|clusterrolebindings?)$/, { follows: 'pathSegment' }],
];

/** Returns the name in `kubectl create TYPE NAME`, `kubectl create secret generic NAME`, `kubectl create service clusterip NAME` and `kubectl run NAME`, and the name of the Service in `kubectl expose`. */
function newNames(
  [verb, type, second, third]: readonly Word[],
  rest: readonly Word[],
): readonly (NewName & { readonly letters: Letters })[] {
  const is = (name: Word | undefined, fact: NewName | undefined) =>
    fact === undefined || name === undefined || isUnknown(name) || name.placeholders.length > 0
      ? []
      : [{ letters: name.letters, ...fact }];
  const text = type?.letters.text ?? '';
  switch (verb?.letters.text) {
    case 'run':
      return is(type, { follows: 'dns1123Subdomain' });
    case 'expose':
      return is(givenFor(rest, ['--name'])?.value, { follows: 'dns1123Label' });
    case 'create':
      if (/^secrets?$/.test(text) && /^(?:generic|tls|docker-registry)$/.test(second?.letters.text ?? ''))
        return is(third, { follows: 'dns1123Subdomain' });
      if (/^(?:svc|services?)$/.test(text))
        return /^(?:clusterip|nodeport|loadbalancer|externalname)$/.test(second?.letters.text ?? '')
          ? is(third, { follows: 'dns1123Label' })
          : [];
      return is(second, createdNames.find(([types]) => types.test(text))?.[1]);
    default:
      return [];
  }
}

/** Returns the roles and ServiceAccounts that `kubectl create rolebinding` and `kubectl create clusterrolebinding` bind. */
function bound([verb, type]: readonly Word[], rest: readonly Word[]) {
  if (verb?.letters.text !== 'create' || !/^(?:cluster)?rolebinding$/.test(type?.letters.text ?? '')) return [];
  const given = (...flags: readonly string[]) =>
    allGiven(rest, flags).flatMap(({ value }) => (value.placeholders.length === 0 ? [value.letters] : []));
  return [
    ...given('--role', '--clusterrole').map((letters) => ({
      is: 'name' as const,
      follows: 'pathSegment' as const,
      letters,
    })),
    ...given('--serviceaccount').map((letters) => ({ is: 'account' as const, letters })),
  ];
}

/** Returns the selectors and labels that a later option of the same command replaces. Some commands have an option for labels. */
function overridden(verb: string, rest: readonly Word[]) {
  const hasLabels = verb === 'expose' || verb === 'run';
  const selectors = hasLabels ? [['-l', '--labels'], ['--selector']] : [['-l', '--selector']];
  return [...selectors, ['--field-selector']].flatMap((flags) =>
    allGiven(rest, flags)
      .slice(0, -1)
      .map(({ value: { letters } }) => ({ letters, flag: flags[0] ?? '' })),
  );
}

/** Returns the selector of a Service in `kubectl expose --selector=app=web` and `kubectl set selector service web app=web`. */
function equalities([verb, second, ...operands]: readonly Word[], rest: readonly Word[]) {
  if (verb?.letters.text === 'expose') {
    const given = givenFor(rest, ['--selector']);
    return given === undefined ? [] : [{ letters: given.value.letters, flag: '--selector' as const }];
  }
  if (verb?.letters.text !== 'set' || second?.letters.text !== 'selector') return [];
  return operands.map(({ letters }) => ({ letters })).filter(({ letters }) => /[=!(]/.test(letters.text));
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

/** Returns the patches in a call of `kubectl patch`, as text or in a file. */
function patches([, type, named]: readonly Word[], rest: readonly Word[]) {
  const isKnown = (word: Word | undefined) => word?.placeholders.length === 0;
  const resource = type?.letters.text;
  const [, inResource] = resource?.split('/') ?? [];
  const name = inResource ?? (isKnown(named) ? named?.letters.text : undefined);
  const namespace = givenFor(rest, ['-n', '--namespace'])?.value;
  const shared = {
    type: patchType(rest),
    ...(resource && { resource }),
    ...(name !== undefined && isKnown(type) && { name }),
    ...(namespace !== undefined && isKnown(namespace) && { namespace: namespace.letters.text }),
  };
  const given = (flags: readonly string[]) => [givenFor(rest, flags)?.value].filter((word) => word !== undefined);
  return [
    ...given(['-p', '--patch']).map((word) => ({ is: 'patch' as const, word })),
    ...given(['--patch-file']).map((word) => ({ is: 'patch file' as const, word })),
  ].flatMap(({ is, word }) => (isKnown(word) ? [{ is, letters: word.letters, ...shared }] : []));
}

function patchType(rest: readonly Word[]): PatchType | undefined {
  const type = givenFor(rest, ['--type'])?.value;
  if (type === undefined) return 'strategic';
  const { text } = type.letters;
  return text === 'json' || text === 'merge' || text === 'strategic' ? text : undefined;
}
