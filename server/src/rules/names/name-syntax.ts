/** Reports names that the API server does not accept for objects of their kind. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { Catalogue, KindFact } from '../../engine/catalogue/types.ts';
import { type NameRule, type Problem, validateName } from '../../engine/index.ts';
import { memoized } from '../../engine/memoize.ts';
import { knownData } from '../../manifests/gitops/argo.ts';
import { writtenAt } from '../../manifests/kustomize/kustomization-fields.ts';
import type { ManifestObject, Written } from '../../manifests/model.ts';
import { quoteAsTyped, replaceScalar } from '../../manifests/write/write-text.ts';
import { nodeAt } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { listedNames } from '../../workspace/gitops/argo/application-set.ts';
import { buildsWithAny } from '../../workspace/kustomize/view.ts';
import type { WorkspaceFile } from '../../workspace/model.ts';
import { objectsNamed } from '../../workspace/references/names.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { wordsOf } from '../fixes/fix-label.ts';
import { correctName } from '../fixes/fix-name.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { kubernetesMinor } from '../framework/team-settings.ts';
import { isStringInKustomize } from '../helpers/kustomize-strings.ts';
import { isNamePlaceholder } from '../helpers/name-placeholders.ts';
import { describeProblems, shorten } from '../helpers/sentences.ts';

interface BadName extends Fact {
  readonly name: Written;
  readonly message: string;
  /** The naming rule that a fix applies; absent for a `generateName`. */
  readonly fixBy?: NameFact;
  /** Whether quotes are sufficient to make the name valid. */
  readonly quote?: true;
}

type NameFact = NonNullable<KindFact['name']>;

/** The number of characters that the API server adds to a `generateName`. */
const addedLetters = 5;
const keptCharacters = 58;

export const nameSyntax = rule<BadName>({
  id: 'name-syntax',
  severity: 'error',
  asApplied: true,
  summary: 'A name that is invalid for an object of this kind, or too long for the objects that are created from it.',
  why: 'The API server rejects an object whose name is invalid for its kind. Most names are DNS subdomains: lower-case letters, digits, `-` and `.`, with a letter or digit at both ends of each part. Names of Services and namespaces must not contain dots, because they are one part of a DNS name. A name that is valid, but too long for the names and labels of the objects that are created from it, is reported as a warning. A `namePrefix` or `nameSuffix` that makes names invalid is reported in the kustomization.',
  bad: [
    {
      title: 'Upper-case letters and an underscore.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: Shop_Prices
`,
    },
    {
      title: 'A dot in the name of a Service: the name must be a single DNS label.',
      text: `apiVersion: v1
kind: Service
metadata:
  name: shop.basket
`,
    },
    {
      title: 'Unquoted digits, which are a number in YAML.',
      change: ['name: Shop_Prices', 'name: 2024'],
    },
  ],
  good: [
    {
      title: 'Names of Roles may contain other characters.',
      text: `apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata:
  name: shop:Prices_reader
`,
    },
    {
      title: 'A `generateName` may end with a dash, because Kubernetes appends characters to it.',
      text: `apiVersion: batch/v1
kind: Job
metadata:
  generateName: sweep-
`,
    },
  ],
  dependsOnOthers: ({ uri, workspace }) => affixesOf(workspace.files.get(uri)).length > 0,
  *check(context) {
    const minor = kubernetesMinor(context);
    yield* wrongAffixes(context, minor);
    const inKustomization = context.file.kustomization?.namespace;
    if (inKustomization !== undefined && context.workspace.appliedBy === undefined)
      yield* wrong({ ...inKustomization, type: 'string' }, 'Namespace', { rule: 'dns1123Label', minor });
    // Another rule reports a variable of Flux that inserts a number, which quotes do not make a string.
    const isInserted = ({ type, span }: Written) =>
      type !== 'string' && context.text.slice(span.start, span.end).includes('${');
    // Another rule reports values in kustomizations that are not strings.
    const isString = (scalar: Written) =>
      context.file.kustomization !== undefined || isStringInKustomize(context, scalar);
    const asRead = (scalar: Written): Written => (isString(scalar) ? { ...scalar, type: 'string' } : scalar);
    // On a page, a name in camel case stands for the name that the reader chooses.
    const isExample = ({ name }: BadName) => context.page !== undefined && /[a-z][A-Z]/.test(name.text);
    for (const object of context.stored) {
      const fact = context.catalogue.kind(object.group, object.version, object.kind);
      if (fact?.namespaced === undefined) {
        yield* wrongCustomName(object, asRead, minor).filter((each) => !isExample(each));
        continue;
      }
      const { name, namespace } = object;
      yield* wrongGeneratedName(object);
      for (const target of targetNamespaces(object))
        yield* wrong(asRead(target), 'Namespace', { rule: 'dns1123Label', minor });
      yield* wrongReferences(object, context.catalogue);
      if (fact.name !== undefined && !(name && isInserted(name)))
        for (const bad of wrongNames(object, fact.name, asRead, minor).filter((each) => !isExample(each)))
          if (!isFaultOfAffix(context, bad, fact.name.rule)) yield withBuiltName(bad, context);
      if (fact.namespaced && namespace !== undefined && !isInserted(namespace) && !isSetElsewhere(context, namespace)) {
        const bad = wrong(asRead(namespace), 'Namespace', { rule: 'dns1123Label', minor });
        yield* bad.filter((each) => !isExample(each));
      }
    }
  },
  message: ({ message }) => message,
  fixes({ name, fixBy, quote }, context) {
    const { text } = context;
    if (quote) return [{ title: localize`Quote the name`, edits: [quoteAsTyped(name)], preferred: true }];
    // A name prefix or suffix that a kustomization adds is not part of the name in the file.
    const typed = text.slice(name.span.start, name.span.end);
    const isAsWritten = typed.includes(name.text);
    const corrected = fixBy && correctName(fixBy.rule, isAsWritten ? name.text : typed, fixBy.maxLength);
    if (corrected === undefined || (!isAsWritten && name.style !== 'plain') || isTaken(context, name, corrected))
      return [];
    const title = localize`Change the name to '${shorten(corrected)}'`;
    const preferred = wordsOf(corrected) === wordsOf(isAsWritten ? name.text : typed);
    return [{ title, edits: [replaceScalar(name, corrected)], preferred }];
  },
});

/** Matches the groups of APIs that are not only served by definitions of custom resources, and may have other rules for names. */
const otherApis = /(?:^|\.)(?:k8s\.io|openshift\.io)$/;

/** Checks the name of an object of an unknown kind: names of all custom resources are DNS subdomains. */
function wrongCustomName(
  { group, name, forCluster }: ManifestObject,
  asRead: (scalar: Written) => Written,
  minor: number | undefined,
): readonly BadName[] {
  if (!forCluster || !group.includes('.') || isBuiltIn(group) || otherApis.test(group) || name === undefined) return [];
  const found = wrong(asRead(name), 'Name', { rule: 'dns1123Subdomain', minor });
  return found.map((each) => ({ ...each, severity: 'warning' }));
}

/** Returns the namespaces in which a GitOps object creates objects. */
function targetNamespaces({ gitopsSpec }: ManifestObject): readonly Written[] {
  if (gitopsSpec === undefined) return [];
  const application = nodeAt(gitopsSpec, 'template', 'spec') ?? gitopsSpec;
  const found = [
    writtenAt(nodeAt(application, 'destination'), 'namespace'),
    writtenAt(gitopsSpec, 'targetNamespace'),
    writtenAt(gitopsSpec, 'storageNamespace'),
  ];
  return found.filter((each) => each !== undefined);
}

/** Whether a kustomization or a GitOps object sets a namespace, which is reported there. */
function isSetElsewhere({ workspace }: RuleContext, { origin }: Written): boolean {
  const file = origin && workspace.files.get(origin.uri);
  return origin !== undefined && file !== undefined && reportedTargets(file).has(origin.span.start);
}

/** The positions of the invalid namespaces that the kustomization and the GitOps objects of a file set. */
const reportedTargets = memoized(({ kustomization, manifest }: WorkspaceFile): ReadonlySet<number> => {
  const inKustomization = kustomization?.namespace;
  const set: readonly Written[] = manifest.objects.flatMap(targetNamespaces);
  const isReported = (each: Written) =>
    wrong({ ...each, type: 'string' }, 'Namespace', { rule: 'dns1123Label', minor: undefined }).length > 0;
  const all = inKustomization === undefined ? set : [{ ...inKustomization, type: 'string' as const }, ...set];
  return new Set(all.filter(isReported).map(({ span }) => span.start));
});

/** A part of names that a kustomization adds, and a name of which it is the only other part. */
interface Affix {
  readonly value: Written;
  readonly example: string;
}

function affixesOf(file: WorkspaceFile | undefined): readonly Affix[] {
  const { namePrefix, nameSuffix } = file?.kustomization ?? {};
  return [
    ...(namePrefix === undefined ? [] : [{ value: namePrefix, example: `${namePrefix.text}a` }]),
    ...(nameSuffix === undefined ? [] : [{ value: nameSuffix, example: `a${nameSuffix.text}` }]),
  ];
}

/** Yields the name prefixes and suffixes of a kustomization that make the name of an object invalid. */
function* wrongAffixes(context: RuleContext, minor: number | undefined): Iterable<BadName> {
  const { workspace, catalogue, uri, file } = context;
  const affixes = workspace.appliedBy === undefined ? affixesOf(file) : [];
  if (affixes.length === 0) return;
  const built = buildsWithAny(workspace, new Set([uri])).flatMap(
    (scope) => workspace.rendering(scope.path, catalogue)?.objects ?? [],
  );
  for (const { value, example } of affixes) {
    for (const { file, object } of built) {
      const rule = catalogue.kind(object.group, object.version, object.kind)?.name?.rule;
      const { name } = object;
      if (rule === undefined || typeof name?.value !== 'string' || !name.value.includes(value.text)) continue;
      const [bad] = wrong({ ...value, type: 'string', value: example, text: example }, 'Name', { rule, minor });
      if (bad === undefined) continue;
      const message = withName(bad.message, name.value);
      const related = [{ file, span: object.kindSpan, message: localize`An object with this name.` }];
      yield { span: value.span, name: value, message, related };
      break;
    }
  }
}

/** Whether a prefix or suffix that a kustomization adds makes a name invalid that is valid as written. */
function isFaultOfAffix({ workspace, text }: RuleContext, { name }: BadName, rule: NameRule): boolean {
  const { appliedBy } = workspace;
  const written = text.slice(name.span.start, name.span.end).replaceAll(/["']/g, '');
  if (appliedBy === undefined || problemsOf(rule, written, false).length > 0) return false;
  return workspace
    .scopes()
    .partsOf(appliedBy)
    .flatMap((uri) => affixesOf(workspace.files.get(uri)))
    .some(({ value, example }) => name.text.includes(value.text) && problemsOf(rule, example, false).length > 0);
}

/** Returns a fault whose message contains the name, if the file does not contain it. */
function withBuiltName(bad: BadName, { text }: RuleContext): BadName {
  const { name, message } = bad;
  return text.slice(name.span.start, name.span.end).includes(name.text)
    ? bad
    : { ...bad, message: withName(message, name.text) };
}

function withName(message: string, name: string): string {
  return message.replace(/^Name\b/, localize`Name '${shorten(name)}'`);
}

/** Checks the names of the Applications that an ApplicationSet creates, as far as its file determines them. */
function wrongGeneratedName({ gitopsSpec }: ManifestObject): readonly BadName[] {
  const name = writtenAt(nodeAt(gitopsSpec, 'template', 'metadata'), 'name');
  if (gitopsSpec === undefined || name === undefined) return [];
  for (const generated of listedNames(knownData(gitopsSpec))) {
    const problems = validateName('dns1123Subdomain', generated);
    if (problems.length === 0) continue;
    const what = localize`Application name '${shorten(generated)}'`;
    return [{ span: name.span, name, message: describeProblems(problems).replace(/^Name\b/, what) }];
  }
  return [];
}

/** Whether another object around the object with a name has the same kind and namespace, and a given name. */
function isTaken({ workspace, file, stored }: RuleContext, { span }: Written, name: string): boolean {
  const object = stored.find((each) => each.name?.span.start === span.start);
  if (object === undefined) return false;
  const { group, kind, namespace } = object;
  const around = workspace.scopes().filesAround(placeOf({ file, object }));
  return objectsNamed(workspace, kind, name).some(
    (each) => each.group === group && each.namespace === (namespace?.text ?? '') && around.has(each.uri),
  );
}

const rbac = 'rbac.authorization.k8s.io';

/** Checks the names in references that the API server validates: to objects whose names are path segments, such as roles, to ServiceAccounts in role bindings, to the Services of an Ingress, and to the target of an autoscaler. */
function wrongReferences({ group, references = [] }: ManifestObject, catalogue: Catalogue): readonly BadName[] {
  if (!isBuiltIn(group)) return [];
  return references.flatMap(({ fact, name, kind, path }) => {
    const target = fact.targets.length === 1 ? fact.targets[0] : fact.targets.find((each) => each.kind === kind);
    const isScaled = group === 'autoscaling' && path.startsWith('spec.scaleTargetRef');
    const rule = isScaled ? 'pathSegment' : target && catalogue.kind(target.group, 'v1', target.kind)?.name?.rule;
    const isOfIngress = group === 'networking.k8s.io' && rule === 'dns1035Label';
    const isChecked = rule === 'pathSegment' || (group === rbac && target?.kind === kind) || isOfIngress;
    const what = target?.kind ?? kind ?? localize`target`;
    return rule !== undefined && isChecked && typeof name.value === 'string' && name.value !== ''
      ? wrong(name, localize`Name of the ${what}`, { rule, minor: undefined })
      : [];
  });
}

function wrongNames(
  { name, generateName }: ManifestObject,
  named: NameFact,
  asRead: (scalar: Written) => Written,
  minor?: number,
): readonly BadName[] {
  const fact: NameAtVersion = { ...named, minor };
  const isNameless = name === undefined || name.value === '';
  if (isNameless && generateName !== undefined && generateName.value !== '')
    return wrong(asRead(generateName), '`generateName`', fact, true);
  return name === undefined ? [] : wrong(asRead(name), 'Name', fact);
}

/** The rule for a name, and the minor version of Kubernetes if the rule depends on it. */
type NameAtVersion = NameFact & { readonly minor: number | undefined };

function wrong(name: Written, what: string, fact: NameAtVersion, prefix = false): readonly BadName[] {
  const { value, type, span, text } = name;
  if (typeof value !== 'string' || type === 'null' || type === 'map' || type === 'list') return [];
  if (isNamePlaceholder(value)) return [];
  const problems = problemsOf(fact.rule, value, prefix);
  const mendable = !prefix && { fixBy: fact };
  if (type !== 'string') {
    const message = localize`${what} '${shorten(text)}' must be quoted; unquoted, it is a ${type}, not a string.`;
    return [{ span, name, message, ...(problems.length === 0 ? { quote: true } : mendable) }];
  }
  if (problems.length > 0) {
    const soon = isWrongForOldReleasesOnly(fact.rule, value, prefix);
    if (soon && fact.minor !== undefined && fact.minor >= digitFirst) return [];
    const message = describeProblems(problems).replace(/^Name\b/, what);
    const severity = soon && fact.minor === undefined && { severity: 'warning' as const };
    return [{ span, name, message, ...mendable, ...severity }];
  }
  const longest = Math.min(value.length, prefix ? keptCharacters : value.length) + (prefix ? addedLetters : 0);
  const { maxLength = longest, childSafeMaxLength = longest } = fact;
  if (longest > maxLength) {
    const limit = prefix ? maxLength - addedLetters : maxLength;
    return [{ span, name, message: localize`${what} must be no more than ${limit} characters.` }];
  }
  if (longest <= childSafeMaxLength) return [];
  const limit = prefix ? childSafeMaxLength - addedLetters : childSafeMaxLength;
  const children = localize`names of other objects are derived from it`;
  const message = localize`${what} must be no more than ${limit} characters: ${children}.`;
  return [{ span, name, message, severity: 'warning' }];
}

/** Returns the problems of a name; for a `generateName`, the problems that every generated name has. */
function problemsOf(rule: NameRule, value: string, prefix: boolean): readonly Problem[] {
  if (value === '') return validateName('dns1123Label', value);
  const problems = validateName(rule, value, { prefix });
  if (!prefix || problems.length > 0) return problems;
  const isSound = validateName(rule, value.slice(0, keptCharacters) + 'a'.repeat(addedLetters)).length === 0;
  return isSound ? [] : validateName(rule, withoutDashes(value) || value);
}

/** Removes trailing dashes. They are valid in a `generateName`, because the API server appends characters to it. */
function withoutDashes(text: string): string {
  let end = text.length;
  while (text.endsWith('-', end)) end--;
  return text.slice(0, end);
}

/** The first minor version of Kubernetes in which names that had to be DNS labels of RFC 1035 can begin with a digit. */
const digitFirst = 36;

function isWrongForOldReleasesOnly(rule: NameRule, name: string, prefix: boolean): boolean {
  return rule === 'dns1035Label' && problemsOf('dns1123Label', name, prefix).length === 0;
}
