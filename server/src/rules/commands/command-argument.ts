/** Reports command arguments that kubectl rejects, and paths that do not exist although a similar path does. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { validateName, validateTaint } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { wordSpan } from '../../manifests/inline/command-arguments.ts';
import type { CommandWord } from '../../manifests/inline/paths-and-names.ts';
import { kindsOf } from '../../manifests/inline/resources.ts';
import { localize } from '../../text/localize.ts';
import { misspelling, slightDifference } from '../../text/misspelling.ts';
import { pathCandidates, pathTarget } from '../../workspace/command-paths.ts';
import type { ObjectInFile, WorkspaceFile } from '../../workspace/model.ts';
import { identityOf } from '../../workspace/scopes/scope-facts.ts';
import { objectsOf } from '../../workspace/snapshot.ts';
import { fileNameOf, folderOf } from '../../workspace/uri.ts';
import { correctTaint, nearestTaint } from '../fixes/fix-taint.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { patchFault, treeOfPatch } from '../helpers/command-patches.ts';
import { isPlaceholder, isWordPlaceholder } from '../helpers/name-placeholders.ts';
import { isReserved, reservedMessage } from '../helpers/reserved-namespace.ts';
import { objectNameOf, shorten } from '../helpers/sentences.ts';

/** The text that was probably intended in place of the reported one. */
interface Correction {
  readonly what: 'path' | 'taint' | 'operation' | 'value';
  readonly text: string;
  /** Whether the text has the same words, so that editors may prefer it. */
  readonly preferred: boolean;
}

interface BadArgument extends Fact {
  readonly message: string;
  readonly fix?: Correction;
}

/** The values of `--validate` that kubectl accepts, including the values of boolean flags in Go. */
const validations: ReadonlySet<string> = new Set([
  ...['strict', 'warn', 'ignore', '1', 't', 'T', 'true', 'TRUE', 'True', '0', 'f', 'F', 'false', 'FALSE', 'False'],
]);

/** The values of boolean flags that Go accepts. */
const booleans = /^(?:[01tTfF]|true|True|TRUE|false|False|FALSE)$/;

/** The values of `--cascade` that kubectl accepts, including the deprecated boolean values. */
const cascades: ReadonlySet<string> = new Set(['background', 'foreground', 'orphan', 'true', 'false']);

export const commandArgument = rule<BadArgument>({
  id: 'command-argument',
  severity: 'warning',
  needs: 'words',
  acrossFiles: true,
  summary: 'An argument that kubectl rejects or misunderstands, or a path that does not exist.',
  why: '`kubectl` rejects the whole command: `--validate` and `--cascade` accept fixed sets of values, names must follow the rules of their kinds, a ServiceAccount needs its namespace (`namespace:name`), and a taint needs an effect. After the objects, `kubectl label`, `annotate` and `taint` accept only `key=value` and `key-`. A JSON patch must be a list of valid operations. The API server rejects a patch that changes the selector of a workload in this workspace, or after which its pod template does not match. If two files of a folder define one object, `kubectl apply -f` applies both in the order of their names, so the last one wins. A path after `-f` or `-k` is reported, as a hint, only if the path exists relative to none of the parent folders of the file with the command, and exactly one file has a similar name.',
  bad: [
    {
      title: 'An invalid value of `--validate`.',
      file: 'deploy.sh',
      text: `kubectl apply --validate=strikt -f web.yaml
`,
    },
    {
      title: 'A namespace whose name is invalid.',
      file: 'look.sh',
      text: `kubectl get pods --namespace=Shop_EU
`,
    },
  ],
  good: [
    {
      title: 'A file that a program may create.',
      file: 'deploy.sh',
      text: `kubectl apply --validate=warn -n shop -f rendered.yaml
`,
    },
  ],
  *check(context) {
    let paths = 0;
    for (const word of context.manifest.words ?? []) {
      if (word.is === 'path' && ++paths > maximumPaths) continue;
      const fault = faultOf(context, word);
      if (fault !== undefined) yield { span: wordSpan(word), ...fault };
    }
  },
  message: ({ message }) => message,
  fixes({ fix, span }) {
    if (fix === undefined) return [];
    const { what, text, preferred } = fix;
    return [{ title: localize`Change the ${what} to '${shorten(text)}'`, edits: [{ span, text }], preferred }];
  },
});

/** The maximum number of paths in a file that are checked for existence; real scripts contain fewer. */
const maximumPaths = 500;

function faultOf(context: RuleContext, word: CommandWord): (Omit<BadArgument, 'span'> & Partial<Fact>) | undefined {
  const { text } = word.letters;
  switch (word.is) {
    case 'validate':
      return validations.has(text) || isReplaced(text)
        ? undefined
        : {
            message: localize`\`--validate\` must be 'strict', 'warn' or 'ignore' (or a boolean), not '${shorten(text)}'.`,
          };
    case 'namespace':
      return namespaceFault(text);
    case 'type':
      return isReplaced(text) || /^(?:json|merge|strategic)$/.test(text)
        ? undefined
        : {
            message: localize`\`--type\` must be 'strategic', 'merge' or 'json', not '${shorten(text)}'.`,
            ...fixTo(text, ['strategic', 'merge', 'json']),
          };
    case 'overridden':
      return {
        message: localize`A later \`${word.flag}\` replaces '${shorten(text)}'; separate requirements with commas in one option.`,
      };
    case 'equality':
      return setBasedFault(word, text);
    case 'cascade':
      return cascades.has(text) || isReplaced(text)
        ? undefined
        : {
            message: localize`\`--cascade\` must be 'background', 'foreground' or 'orphan', not '${shorten(text)}'.`,
            ...fixTo(text, ['background', 'foreground', 'orphan']),
          };
    case 'detached':
      return {
        message: localize`\`--cascade\` needs '=' before its value; here, '${text}' is the name of an object to delete.`,
      };
    case 'namespaced':
      return isReplaced(text) || booleans.test(text)
        ? undefined
        : { message: localize`\`--namespaced\` must be 'true' or 'false', not '${shorten(text)}'.` };
    case 'taint':
      return taintFault(text, context.catalogue);
    case 'unpaired':
    case 'removed':
    case 'option':
      return pairFault(context, word);
    case 'name':
      return nameFault(context, word, text);
    case 'account':
      return accountFault(text);
    case 'patch':
      return inPatch(context, word);
    case 'patch file':
      return faultInFile(context, word);
    case 'path':
      return missingPath(context, text) ?? generatedName(context, word) ?? repeatedName(context, word);
    default:
      return undefined;
  }
}

function nameFault({ page }: RuleContext, word: CommandWord & { readonly is: 'name' }, text: string) {
  // On a page, dots are an ellipsis.
  const isDots = page === undefined && word.follows === 'pathSegment' && /^\.{1,2}$/.test(text);
  const [problem] = isDots || isNameInCommand(text) ? validateName(word.follows, text) : [];
  if (problem !== undefined) return { message: localize`Name '${shorten(text)}' is invalid: ${problem.message}.` };
  return word.isNamespace && isReserved(text) ? ({ severity: 'hint', message: reservedMessage() } as const) : undefined;
}

/** Returns the fault of a ServiceAccount that is not `namespace:name`, or has an invalid name. Defined by `clusterRoleBinding` in k8s.io/kubectl/pkg/cmd/create. */
function accountFault(text: string) {
  const parts = text.split(':');
  if (isReplaced(text) || parts.some((part) => part !== '' && isReplaced(part))) return undefined;
  const [namespace = '', name = '', ...others] = parts;
  if (namespace === '' || name === '' || others.length > 0)
    return { message: localize`\`--serviceaccount\` must have the form 'namespace:name', not '${shorten(text)}'.` };
  const [inName] = isNameInCommand(name) ? validateName('dns1123Subdomain', name) : [];
  const fault = namespaceFault(namespace);
  if (fault !== undefined || inName === undefined) return fault;
  return { message: localize`Name '${shorten(name)}' of the ServiceAccount is invalid: ${inName.message}.` };
}

function namespaceFault(text: string) {
  const [problem] = isNameInCommand(text) ? validateName('dns1123Label', text) : [];
  return problem && { message: localize`Namespace '${shorten(text)}' is invalid: ${problem.message}.` };
}

function inPatch(context: RuleContext, word: CommandWord & { readonly is: 'patch' }) {
  const fault = patchFault(context, word);
  if (fault?.meant === undefined) return fault;
  const what = fault.meant.startsWith('/') ? ('path' as const) : ('operation' as const);
  return { ...fault, fix: { what, text: fault.meant, preferred: true } };
}

/** Returns the fault of a word in place of labels, annotations or taints that kubectl cannot read as one. */
function pairFault({ catalogue }: RuleContext, word: CommandWord & { readonly is: 'unpaired' | 'removed' | 'option' }) {
  const { command } = word;
  const text = shorten(word.letters.text);
  if (word.is === 'removed')
    return { message: localize`\`${command}\` cannot set and remove '${text.slice(0, -1)}' in one command.` };
  if (word.is === 'option')
    return {
      message: localize`\`${command}\` has no option '${text.slice(0, 2)}'; keys begin with a letter or digit.`,
    };
  const { resource, isAfterPair } = word;
  if (isReplaced(text) || kindsOf(catalogue, resource.replace(/\/.*/, '')).length === 0) return undefined;
  if (isAfterPair)
    return { message: localize`\`${command}\` reads '${text}' as an object, which must come before \`key=value\`.` };
  return command.endsWith(' taint')
    ? { message: localize`\`${command}\` needs a taint such as \`key=value:NoSchedule\`; '${text}' is read as a node.` }
    : { message: localize`\`${command}\` needs \`key=value\` or \`key-\`; '${text}' is read as an object.` };
}

/** Returns the fault of a selector that a Service cannot have, because its selector is a map of labels. `kubectl expose` splits the text only at commas and `=`: `parseLabels` in k8s.io/kubectl/pkg/cmd/expose. */
function setBasedFault({ flag, command }: CommandWord & { readonly is: 'equality' }, text: string) {
  const parts = text.split(',');
  const isEqual = flag === undefined ? /^[^=!()]+==?[^=!()]*$/ : /^[^=!()]+=[^=!()]*$/;
  if (parts.every((part) => isEqual.test(part.trim()) || /[$<{]/.test(part))) return undefined;
  return {
    message: localize`The selector of a Service supports only \`key=value\`; \`${command}\` rejects '${shorten(text)}'.`,
  };
}

/** Returns the fault of a taint such as `dedicated=gpu:NoSchedule` or, to remove taints, `dedicated-` and `dedicated:NoSchedule-`. Defined by `parseTaints` in k8s.io/kubectl/pkg/cmd/taint. */
function taintFault(text: string, catalogue: Catalogue): Omit<BadArgument, 'span'> | undefined {
  // An optional part, as in `key=value:NoSchedule[-]`.
  if (/\[[^[\]]{1,50}\]/.test(text)) return undefined;
  const isRemoval = text.endsWith('-');
  const [definition = '', effect, ...others] = (isRemoval ? text.slice(0, -1) : text).split(':');
  const [key = '', value = '', ...values] = definition.split('=');
  if (isPlaceholder(key) || (isReplaced(key) && /^[\w./-]*$/.test(key))) return undefined;
  // On a page, what follows an empty effect may be `<NoSchedule|NoExecute>`.
  if (effect === '' || /%\w{1,50}%/.test(text)) return undefined;
  if (effect !== undefined && (isReplaced(effect) || /^(?:taint|your|the)?[-_ ]?effect$/i.test(effect)))
    return undefined;
  const problems =
    others.length > 0 || values.length > 0
      ? [{ message: "a taint must have the form 'key=value:effect'" }]
      : effect === undefined && isRemoval
        ? validateTaint({ key, value, effect: 'NoSchedule' })
        : validateTaint({ key, value, effect: effect ?? '' });
  const [problem] = problems;
  if (problem === undefined) return isRemoval ? undefined : unknownTaint(key, text, catalogue);
  const fix = correctTaint({ key, value, effect: effect ?? '' }, text);
  return {
    message: localize`Taint '${shorten(text)}' is invalid: ${problem.message}.`,
    ...(fix && { fix: { what: 'taint', ...fix } }),
  };
}

/** Returns the fault of a taint whose key differs by one or two letters from the only similar well-known taint. */
function unknownTaint(key: string, text: string, catalogue: Catalogue): Omit<BadArgument, 'span'> | undefined {
  const meant = nearestTaint(key, catalogue);
  if (meant === undefined) return undefined;
  return {
    message: localize`No well-known taint has the key '${shorten(key)}'. Did you mean '${meant}'?`,
    fix: { what: 'taint', text: text.replace(key, meant), preferred: true },
  };
}

/** Returns the fix to the only allowed value of an option that is similar to a word. */
function fixTo(text: string, allowed: readonly string[]): Pick<BadArgument, 'fix'> {
  const [meant, ...others] = allowed.filter((each) => misspelling(text.toLowerCase(), each) !== undefined);
  return meant === undefined || others.length > 0 ? {} : { fix: { what: 'value', text: meant, preferred: true } };
}

/** Whether a word is empty, as a variable may be, or a placeholder. */
function isReplaced(word: string): boolean {
  return word === '' || isWordPlaceholder(word);
}

/** Whether a word is a name, and no placeholder for one, such as `my_namespace`. */
function isNameInCommand(text: string): boolean {
  return !isReplaced(text) && !/namespace/i.test(text);
}

/** Returns the fault of the patch in a file. */
function faultInFile(
  context: RuleContext,
  word: CommandWord & { readonly is: 'patch file' },
): Omit<BadArgument, 'span'> | undefined {
  for (const uri of pathCandidates(context.workspace, context.uri, word.letters.text)) {
    const text = context.textOf(uri);
    const [tree] = context.workspace.files.get(uri)?.manifest.trees ?? [treeOfPatch(text ?? '')];
    if (tree !== undefined) return patchFault(context, { ...word, is: 'patch' }, tree);
  }
  return undefined;
}

/** Returns the fault of a file for `kubectl apply`, which needs names, if an object in it has only `generateName`. */
function generatedName(
  { workspace, uri }: RuleContext,
  { command, letters }: CommandWord,
): Omit<BadArgument, 'span'> | undefined {
  if (!command.endsWith(' apply')) return undefined;
  const target = pathTarget(workspace, uri, letters.text);
  if (target?.is !== 'file' || target.file.manifest.unresolved === true) return undefined;
  const object = target.file.manifest.objects.find(
    ({ forCluster, name, generateName }) => forCluster && name === undefined && generateName?.type === 'string',
  );
  if (object === undefined) return undefined;
  return {
    message: localize`\`kubectl apply\` rejects ${objectNameOf(object)}, which has only \`generateName\`; use \`kubectl create\`.`,
    related: [{ file: target.file, span: object.kindSpan, message: objectNameOf(object) }],
  };
}

type PathWord = CommandWord & { readonly is: 'path' };

/** Returns the fault of a command that applies two files which define one object: the files of a folder, or those of several options. */
function repeatedName(context: RuleContext, word: PathWord): Omit<BadArgument, 'span'> | undefined {
  const { workspace, manifest } = context;
  if (word.flag !== '-f' || !/ (?:apply|create)$/.test(word.command)) return undefined;
  const words = (manifest.words ?? []).filter((each) => each.is === 'path' && each.at.start === word.at.start);
  // The objects of all paths are compared at the last one.
  if (words.at(-1) !== word) return undefined;
  const all = words.flatMap((each) => (each.is === 'path' && each.flag === '-f' ? filesAt(context, each) : []));
  const files = [...new Set(all)];
  const isOneFolder = words.length === 1;
  const seen = new Map<string, ObjectInFile>();
  for (const file of files.slice(0, maximumPaths)) {
    for (const object of objectsOf(workspace, file)) {
      const identity = identityOf(object);
      const areKnown = [object.name, object.namespace].every((each) => typeof (each?.value ?? '') === 'string');
      if (identity === undefined || !areKnown || object.template !== undefined) continue;
      const first = getOrAdd(seen, identity, () => ({ file, object }));
      if (first.file === file) continue;
      const names = [first.file, file].map((each) => fileNameOf(each.uri));
      return {
        message: isOneFolder
          ? localize`'${names[0]}' and '${names[1]}' in this folder both define ${objectNameOf(object)}; \`${word.command}\` uses both.`
          : localize`'${names[0]}' and '${names[1]}' both define ${objectNameOf(object)}; \`${word.command}\` uses both.`,
        related: [first, { file, object }].map((each) => ({
          file: each.file,
          span: each.object.kindSpan,
          message: objectNameOf(object),
        })),
      };
    }
  }
  return undefined;
}

/** Returns the files that kubectl applies for a path, in the order of their names. */
function filesAt({ workspace, uri, text }: RuleContext, word: PathWord): readonly WorkspaceFile[] {
  const path = word.letters.text;
  // A script often changes its folder before it applies `.`, and a page does not state its folder.
  if (!/\w/.test(path) && (!uri.endsWith('.sh') || !/^\.\/?$/.test(path) || /\b(?:cd|pushd)\b/.test(text))) return [];
  const target = pathTarget(workspace, uri, path);
  if (target?.is === 'file') return isAppliedByName(target.file) ? [target.file] : [];
  if (target === undefined || (!/\w/.test(path) && target.uri !== folderOf(uri))) return [];
  const files = [...target.direct, ...(word.recursive ? target.deeper : [])].filter(isAppliedByName);
  return files.toSorted((a, b) => (a.uri < b.uri ? -1 : 1));
}

/** Whether kubectl applies a file because of its name when it applies the folder of the file. */
function isAppliedByName({ uri, manifest, kustomization }: WorkspaceFile): boolean {
  return /\.(?:ya?ml|json)$/.test(uri) && manifest.unresolved !== true && kustomization === undefined;
}

function missingPath(context: RuleContext, path: string): Omit<BadArgument, 'span'> | undefined {
  const { workspace, uri, text } = context;
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (!/^[\w-][\w.-]*\.(?:ya?ml|json)$/.test(name) || pathTarget(workspace, uri, path) !== undefined) return undefined;
  // If the file name also occurs outside of these arguments, the script may create the file.
  const words = (context.manifest.words ?? []).filter(({ is, letters }) => is === 'path' && letters.text === path);
  if (text.split(name).length - 1 > words.length) return undefined;
  for (const candidate of pathCandidates(workspace, uri, path)) {
    if (context.isUnread(candidate)) return undefined;
    const folder = folderOf(candidate);
    const near: WorkspaceFile[] = [];
    workspace.files.forEach((file) => {
      if (folderOf(file.uri) === folder && isNear(name, fileNameOf(file.uri))) near.push(file);
    });
    const [only, ...others] = near;
    if (only === undefined) continue;
    if (others.length > 0) return undefined;
    const meant = path.slice(0, path.length - name.length) + fileNameOf(only.uri);
    const fault = {
      severity: 'hint',
      message: localize`No file '${shorten(path)}' in this workspace. Closest: '${shorten(meant)}'.`,
    } as const;
    const related = [{ file: only, span: { start: 0, end: 0 }, message: localize`The file with a similar name.` }];
    return /^[\w./-]+$/.test(meant)
      ? { ...fault, related, fix: { what: 'path', text: meant, preferred: true } }
      : { ...fault, related };
  }
  return undefined;
}

/** Whether two names differ only in one letter, or only in their extensions. */
function isNear(wanted: string, actual: string): boolean {
  const stem = (name: string) => name.replace(/\.(?:ya?ml|json)$/, '');
  if (stem(wanted) === stem(actual)) return true;
  const likeness = misspelling(stem(wanted), stem(actual));
  return likeness === 'evident' || likeness === 'likely' || slightDifference(stem(wanted), stem(actual)) === 'swap';
}
