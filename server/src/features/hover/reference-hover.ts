/** The hover for names: a reference to an object, a key of a ConfigMap or Secret, or the name of an object that has references. */

import type { ManifestObject } from '../../manifests/model.ts';
import { nameSpan } from '../../manifests/sites/object-sites.ts';
import { isOfPolicy, targetKinds } from '../../manifests/sites/references.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { type GrantInFile, grantsFor } from '../../workspace/references/grants.ts';
import type { Certainty, ReferenceInFile } from '../../workspace/references/model.ts';
import { inEveryCluster } from '../../workspace/references/near-names.ts';
import { type Unreached, unreachedBy } from '../../workspace/references/targets.ts';
import { scopeName } from '../../workspace/scopes/scope-names.ts';
import { effectiveNamespace } from '../../workspace/selection/namespaces.ts';
import { notSetText } from '../presentation/applied-name.ts';
import { byRelation } from '../presentation/certainty.ts';
import { elsewhere, group, locationParts, objectLine } from '../presentation/object-lines.ts';
import { type Block, inlineCode, type Line, type Part, paragraph, type RichText } from '../presentation/rich-text.ts';
import { appliedTargets } from '../references/applied-targets.ts';
import { distinctObjects, type NameAt, type NamedTarget, nameAt, targetOf } from '../references/name-at.ts';
import { usersOf } from '../references/users.ts';
import { type FileView, whereIn } from '../view.ts';
import { aboutSelectedBy } from './service-name-hover.ts';

/** The maximum number of keys that are listed. */
const maximumKeys = 20;

/** Describes the reference or key at an offset; undefined if there is none or, with `onlyFound`, if its object is not in the workspace. The values of keys are never shown. */
export function aboutReference(
  view: FileView,
  offset: number,
  onlyFound: boolean,
): { readonly span: Span; readonly text: RichText } | undefined {
  const found = view.complete ? nameAt(view, offset) : undefined;
  if (found === undefined || (onlyFound && found.targets.length === 0)) return undefined;
  const { from, key, span } = found;
  // The hover for the name of a Service shows more about it.
  if (from?.site.fact.form === 'host') return undefined;
  if (key !== undefined) return { span, text: aboutKey(view, found, key.text) };
  if (from !== undefined) return { span, text: aboutTargets(view, found, from) };
  // Only users of generated objects are described here; the hover for a written object already contains its users.
  const generated = found.targets.filter(({ object }) => object === undefined);
  const text = generated.flatMap((target) => aboutUsers(view, target, span.start));
  return text.length === 0 ? undefined : { span, text };
}

function aboutTargets(view: FileView, { targets: written, span }: NameAt, from: NonNullable<NameAt['from']>): RichText {
  const { targets, otherValues, replacedIn, notChosenIn } = appliedTargets(view, from, from.site, written);
  const granted = aboutGrants(view, from, span.start, targets.length > 0);
  const withOthers = group(
    view,
    localize`Refers to, with other chart values`,
    otherValues.map((target) => targetLine(view, target)),
    span.start,
  );
  if (targets.length === 0)
    return [
      ...(withOthers.length > 0 ? withOthers : nothingNamed(view, from, span.start)),
      ...(notChosenIn === undefined ? [] : [paragraph(notSetText(notChosenIn, localize`reference`))]),
      ...granted,
    ];
  const replaced =
    replacedIn === undefined
      ? []
      : [paragraph(localize`In ${scopeName(replacedIn, [replacedIn])}, a patch replaces this name. As written:`)];
  const { here, elsewhere: others } = byRelation(targets);
  const groups = [
    [localize`Refers to`, here.certain],
    [localize`May refer to`, here.possible],
    [localize`Refers to, ${elsewhere(view, others.certain)}`, others.certain],
    [localize`May refer to, ${elsewhere(view, others.possible)}`, others.possible],
  ] as const;
  const blocks = groups.flatMap(([title, list]) =>
    group(
      view,
      title,
      list.map((target) => targetLine(view, target)),
      span.start,
    ),
  );
  const [only, ...more] = targets;
  const selecting = only?.object !== undefined && more.length === 0 && only.is === 'object' ? only.object : undefined;
  if (only === undefined || selecting === undefined) return [...replaced, ...blocks, ...withOthers, ...granted];
  return [
    ...replaced,
    ...blocks,
    ...withOthers,
    ...granted,
    ...aboutSelectedBy(view, { file: only.file, object: selecting }, span.start),
  ];
}

/** States which ReferenceGrants allow a reference to a different namespace. The absence of a grant is stated only if the target is in the workspace; otherwise, the grant may be outside the workspace too. */
function aboutGrants(view: FileView, from: NonNullable<NameAt['from']>, offset: number, isFound: boolean): RichText {
  const { site } = from;
  const grants = grantsFor(view.workspace, view.catalogue, from, site);
  if (grants === undefined || site.namespace === undefined) return [];
  if (grants.length === 0) {
    const where = [inlineCode(site.namespace.text), ` ${whereIn(view)} `];
    return isFound
      ? [paragraph(localize`No ReferenceGrant in namespace `, ...where, localize`allows this reference.`)]
      : [];
  }
  const [certain, maybe] = [grants.filter(isSure), grants.filter((each) => !isSure(each))];
  return [
    ...group(view, localize`Allowed by`, linesOf(view, certain), offset),
    ...group(view, localize`May be allowed by`, linesOf(view, maybe), offset),
  ];
}

function linesOf(view: FileView, objects: readonly (GrantInFile | Unreached)[]): readonly Line[] {
  return objects.map((each) => objectLine(view, each, nameSpan(each.object)));
}

/** States that the object of a reference is not in the workspace, and whether the reference is optional. Lists the objects with the name to which the reference does not refer. */
function nothingNamed(view: FileView, from: NonNullable<NameAt['from']>, offset: number): RichText {
  const { site } = from;
  const { workspace, catalogue } = view;
  const kinds = [...new Set(targetKinds(site, catalogue).map(({ kind }) => kind))].join(localize` or `);
  const name: Part = { kind: 'code', text: site.name.text };
  const others = unreachedBy(workspace, catalogue, from, site);
  const namedIn = (place: Unreached['isIn']) => others.filter(({ isIn }) => isIn === place);
  const [inNamespaces, inScopes] = [namedIn('other namespace'), namedIn('other scope')];
  const own = inNamespaces.length > 0 ? effectiveNamespace(workspace, catalogue, from) : undefined;
  const namespace = site.namespace ?? own;
  if (others.length === 0 && inEveryCluster.test(site.name.text))
    return [
      paragraph(
        ...(kinds === '' ? [] : [`${kinds} `]),
        name,
        localize` is not in the files: Kubernetes or a controller creates it in every cluster.`,
      ),
    ];
  const optional = site.optional && !isOfPolicy(site.fact) ? [localize` The reference is optional.`] : [];
  return [
    paragraph(
      localize`No ${kinds === '' ? localize`object` : kinds} `,
      name,
      ...(namespace === undefined ? [] : [localize` in namespace `, inlineCode(namespace.text)]),
      ` ${inScopes.length > 0 ? localize`is applied together with it` : whereIn(view)}.`,
      ...optional,
    ),
    ...group(
      view,
      localize`In another namespace, which this reference does not reach`,
      linesOf(view, inNamespaces),
      offset,
    ),
    ...group(
      view,
      localize`In overlays or folders that are never applied together with it`,
      linesOf(view, inScopes),
      offset,
    ),
  ];
}

/** Returns a line such as `Secret/db in shop — db.yaml:4: keys user, password`. */
function targetLine(view: FileView, target: NamedTarget, keys = keysText(target)): Line {
  const { file, object, is, kind, name, span } = target;
  if (is === 'object' && object !== undefined)
    return [...objectLine(view, { file, object }, span), ...after(': ', keys)];
  const named: Line = [`${kind}/${name}`];
  const maker: Line =
    object === undefined
      ? [localize`, generated by the kustomization`, ...locationParts(view, { file }, span)]
      : [localize`, created by `, ...objectLine(view, { file, object }, span)];
  return [...named, ...maker, ...after(': ', keys)];
}

function after(separator: string, line: Line): Line {
  return line.length === 0 ? [] : [separator, ...line];
}

/** Returns text such as `keys user, password`; empty for a kind without keys. */
function keysText({ keys }: NamedTarget): Line {
  if (keys === undefined) return [];
  const names = [...new Set(keys.keys.map(({ text }) => text))];
  const shown = names
    .slice(0, maximumKeys)
    .flatMap((text, at): Line => (at === 0 ? [inlineCode(text)] : [', ', inlineCode(text)]));
  const left = names.length - maximumKeys;
  const more = left > 0 ? [localize`, and ${left} more`] : keys.open ? [localize` and unknown keys`] : [];
  if (names.length === 0) return keys.open ? [localize`keys are not in the workspace`] : [localize`no keys`];
  return [names.length === 1 ? localize`key ` : localize`keys `, ...shown, ...more];
}

/** Describes a key: the object that has it, or the keys that this object has instead, and the objects that read the key. */
function aboutKey(view: FileView, found: NameAt, key: string): RichText {
  const { targets, from, span } = found;
  if (targets.length === 0) return from === undefined ? [] : nothingNamed(view, from, span.start);
  const blocks = targets.slice(0, 1).flatMap((target): readonly Block[] => {
    const has = target.keys?.keys.some(({ text }) => text === key) === true;
    const title = has
      ? [localize`Key `, inlineCode(key), localize` of `]
      : target.keys === undefined || target.keys.open
        ? [localize`It is unknown whether the key `, inlineCode(key), localize` exists in `]
        : [localize`No key `, inlineCode(key), localize` in `];
    return [paragraph(...title, ...targetLine(view, target, has ? [] : keysText(target)))];
  });
  const readers = targets.flatMap((target) =>
    usersOf(view, target).users.filter(({ site: { keys = [] } }) => keys.some(({ text }) => text === key)),
  );
  const others = from === undefined ? readers : readers.filter(({ object }) => object !== from.object);
  return [...blocks, ...usersGroup(view, localize`Read by`, others, span.start)];
}

/** Describes the objects that refer to an object by its name; empty if there are none. */
function aboutUsers(view: FileView, target: NamedTarget, offset: number): RichText {
  if (!view.complete) return [];
  const { users, otherValues, differences } = usersOf(view, target);
  const { here, elsewhere: others } = byRelation(users);
  const { certain, possible } = others;
  const { suffix, lines } = differences();
  return [
    ...usersGroup(view, localize`Used${suffix} by`, here.certain, offset),
    ...usersGroup(view, localize`May be used${suffix} by`, here.possible, offset),
    ...usersGroup(view, localize`Used ${elsewhere(view, certain)} by`, certain, offset),
    ...usersGroup(view, localize`May be used ${elsewhere(view, possible)} by`, possible, offset),
    ...(users.length === 0 && lines.length > 0 ? [paragraph(localize`Used${suffix} by no other object.`)] : []),
    ...lines.map((line) => paragraph(...line)),
    ...usersGroup(view, localize`Used with other chart values by`, otherValues, offset),
  ];
}

function isSure({ relation, answer }: Certainty): boolean {
  return relation === 'here' && answer === 'yes';
}

function usersGroup(view: FileView, title: string, users: readonly ReferenceInFile[], offset: number): RichText {
  const lines = distinctObjects(users).map((user) => [
    ...objectLine(view, user, user.site.name.span),
    ': ',
    inlineCode(user.site.path),
  ]);
  return group(view, title, lines, offset);
}

export function aboutUsersOf(view: FileView, object: ManifestObject): RichText {
  const { name } = object;
  return name === undefined ? [] : aboutUsers(view, targetOf(view.file, object, name), name.span.start);
}
