/** Reports owner references that the API server rejects, or that the garbage collector cannot resolve. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { written } from '../../manifests/sites/sites.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { childOf, entryOf, type MapNode, mayHoldMore, type Node, type ScalarNode } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { isLikelyMisspelling } from '../../text/misspelling.ts';
import { type Fact, type Fix, type RuleContext, rule } from '../framework/rule.ts';
import { isTestData } from '../framework/test-data.ts';
import { apiVersionOf } from '../helpers/api-versions.ts';
import { appliedParts, hasOperations } from '../helpers/patch-parts.ts';
import { shorten } from '../helpers/sentences.ts';

interface BadOwner extends Fact {
  readonly message: string;
  readonly fix?: Fix;
}

export const ownerReference = rule<BadOwner>({
  id: 'owner-reference',
  severity: 'error',
  validatesFields: true,
  summary: 'An owner reference that the API server rejects, or whose owner the garbage collector cannot find.',
  why: 'An owner reference needs `apiVersion`, `kind`, `name` and `uid`, and only one owner may be the controller. The garbage collector deletes an object whose owner does not exist; this includes an owner with a wrong UID, and a namespaced owner of a cluster-scoped object.',
  bad: [
    {
      title: 'The UID is missing.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  ownerReferences:
    - apiVersion: apps/v1
      kind: Deployment
      name: basket
`,
    },
  ],
  good: [
    {
      title: 'A reference with all required fields.',
      change: [
        'name: basket',
        `name: basket
      uid: 0a1b2c3d-0000-4000-8000-0123456789ab`,
      ],
    },
  ],
  dependsOnOthers: hasOperations,
  *check(context) {
    if (!context.mentions('owners')) return;
    for (const { object, rootOf } of appliedParts(context)) {
      const entry = entryOf(childOf(rootOf(), 'metadata'), 'ownerReferences');
      if (entry?.value.kind !== 'list' || entry.conditional) continue;
      const owners = entry.value.items.filter((item) => item.kind === 'map');
      for (const owner of owners) if (!mayHoldMore(owner)) yield* faultsOf(context, object, owner);
      const controllers = owners.flatMap((owner) => entryOf(owner, 'controller') ?? []);
      const [, second] = controllers.filter(({ value }) => value.kind === 'scalar' && value.text === 'true');
      if (second !== undefined)
        yield {
          span: second.key.span,
          message: localize`Only one owner may be the controller; the API server rejects a second one.`,
        };
    }
  },
  message: ({ message }) => message,
  fixes: ({ fix }) => (fix === undefined ? [] : [fix]),
});

const required = ['apiVersion', 'kind', 'name', 'uid'];
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

function* faultsOf(context: RuleContext, object: ManifestObject, owner: MapNode): Iterable<BadOwner> {
  const missing = required.filter((field) => isEmpty(childOf(owner, field)));
  const first = owner.entries[0]?.key.span ?? { start: owner.span.start, end: owner.span.start + 1 };
  // A test compares only the fields that an expected state contains.
  if (missing.length > 0 && !isTestData(context.file.uri, context.workspace.folders)) {
    const names = missing.map((field) => `\`${field}\``).join(', ');
    yield { span: first, message: localize`This owner reference has no ${names}; the API server rejects it.` };
  }
  const uid = scalarIn(owner, 'uid');
  if (uid !== undefined && !uuid.test(uid.text)) {
    const message = localize`'${shorten(uid.text)}' is not a Kubernetes UID, so the garbage collector cannot find the owner.`;
    yield { span: uid.span, severity: 'warning', message };
  }
  for (const field of ['controller', 'blockOwnerDeletion']) {
    const flag = scalarIn(owner, field);
    if (flag === undefined || flag.type === 'boolean') continue;
    yield { span: flag.span, message: localize`\`${field}\` must be true or false.`, ...booleanFix(flag) };
  }
  yield* ownerType(context, owner);
  yield* ownerScope(context, object, owner);
  yield* otherOwner(context, object, owner);
}

/** Yields owners that differ from the object of the same kind that a label names, such as the Service of an EndpointSlice. */
function* otherOwner({ catalogue }: RuleContext, object: ManifestObject, owner: MapNode): Iterable<BadOwner> {
  const [apiVersion, kind, name] = ['apiVersion', 'kind', 'name'].map((field) => scalarIn(owner, field));
  if (apiVersion === undefined || kind === undefined || name === undefined) return;
  const group = apiVersion.text.includes('/') ? apiVersion.text.slice(0, apiVersion.text.indexOf('/')) : '';
  for (const { key, value } of object.labels?.entries ?? []) {
    const references = catalogue.keyReferences().get(key.text) ?? [];
    const isNamed = references.some(
      ({ on, kinds, form, to }) =>
        on === 'label' &&
        form === undefined &&
        kinds?.includes(object.kind) === true &&
        to.length === 1 &&
        to.every((target) => target.group === group && target.kind === kind.text),
    );
    if (!isNamed || typeof value.value !== 'string' || value.value === name.text) continue;
    const message = localize`The owner is ${kind.text} '${shorten(name.text)}', but label '${shorten(key.text)}' names '${shorten(value.value)}'.`;
    yield { span: name.span, severity: 'warning', message };
  }
}

/** Yields owners whose type the API server rejects, and misspelled kinds of built-in groups. */
function* ownerType({ catalogue }: RuleContext, owner: MapNode): Iterable<BadOwner> {
  const [apiVersion, kind] = [scalarIn(owner, 'apiVersion'), scalarIn(owner, 'kind')];
  if (apiVersion === undefined || kind === undefined) return;
  const parts = apiVersion.text.split('/');
  if (parts.length > 2)
    yield {
      span: apiVersion.span,
      message: localize`'${shorten(apiVersion.text)}' is not an API version: it has the form 'group/version'.`,
    };
  if (apiVersion.text === 'v1' && kind.text === 'Event')
    yield { span: kind.span, message: localize`An Event must not be an owner; the API server rejects the reference.` };
  const kinds = catalogue.kindsOf(apiVersion.text);
  const group = parts.length === 2 ? (parts[0] ?? '') : '';
  if (!isBuiltIn(group) || kinds.length === 0 || kinds.includes(kind.text)) return;
  const [near, ...others] = kinds.filter((each) => isLikelyMisspelling(each, kind.text));
  if (near === undefined) {
    const meant = apiVersionOf(catalogue, kind.text);
    if (meant === undefined) return;
    const message = localize`${shorten(apiVersion.text)} has no kind '${shorten(kind.text)}'; it is in ${meant}.`;
    yield { span: kind.span, message };
    return;
  }
  if (others.length > 0) return;
  const message = localize`${shorten(apiVersion.text)} has no kind '${shorten(kind.text)}'; did you mean '${near}'?`;
  const fix = { title: localize`Change to '${near}'`, edits: [replaceScalar(written(kind), near)], preferred: true };
  yield { span: kind.span, message, fix };
}

/** Yields owners with the wrong scope: an owner must be cluster-scoped, or in the namespace of the owned object. */
function* ownerScope({ catalogue }: RuleContext, object: ManifestObject, owner: MapNode): Iterable<BadOwner> {
  const [apiVersion, kind] = [scalarIn(owner, 'apiVersion'), scalarIn(owner, 'kind')];
  if (apiVersion === undefined || kind === undefined) return;
  const [group, version] = apiVersion.text.includes('/') ? apiVersion.text.split('/') : ['', apiVersion.text];
  const own = catalogue.kind(object.group, object.version, object.kind);
  const other = catalogue.kind(group ?? '', version ?? '', kind.text);
  if (own?.namespaced !== false || other?.namespaced !== true) return;
  const message = localize`${object.kind} is cluster-scoped, but its owner ${kind.text} is namespaced; the garbage collector cannot find this owner.`;
  yield { span: kind.span, severity: 'warning', message };
}

function booleanFix(flag: ScalarNode): { readonly fix?: Fix } {
  const word = flag.text.toLowerCase();
  const meant = /^(?:yes|true|on|y)$/.test(word) ? 'true' : /^(?:no|false|off|n)$/.test(word) ? 'false' : undefined;
  if (meant === undefined) return {};
  const edit = { span: flag.span, text: meant };
  return {
    fix: {
      title: localize`Change to ${meant}`,
      edits: [flag.style === 'plain' ? replaceScalar(written(flag), meant) : edit],
      preferred: true,
    },
  };
}

function isEmpty(node: Node | undefined): boolean {
  if (node === undefined) return true;
  return node.kind === 'scalar' && (node.type === 'null' || (node.text === '' && node.pattern === undefined));
}

function scalarIn(map: Node, field: string): ScalarNode | undefined {
  const node = childOf(map, field);
  const isKnown = node?.kind === 'scalar' && node.type !== 'null' && node.pattern === undefined && node.text !== '';
  return isKnown ? node : undefined;
}
