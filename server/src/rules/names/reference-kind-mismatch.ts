/** Reports a reference whose kind is wrong: the field does not accept it, or only an object of another kind has the name. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { GroupKind } from '../../engine/catalogue/types.ts';
import { fieldPath } from '../../manifests/kustomize/replaced-paths.ts';
import type { ReferenceSite, Written } from '../../manifests/model.ts';
import { nodesBeside } from '../../manifests/sites/references.ts';
import { written } from '../../manifests/sites/sites.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import { keepsField } from '../../workspace/kustomize/kept-fields.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { namingScopesOf } from '../../workspace/references/closed-scope.ts';
import type { ReferenceTarget } from '../../workspace/references/model.ts';
import { isRendered } from '../../workspace/references/near-names.ts';
import { scopesOfTarget, targetsOf } from '../../workspace/references/targets.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { namesOfSome } from '../helpers/scopes-lacking.ts';
import { shorten } from '../helpers/sentences.ts';

interface Mismatch extends Fact {
  readonly object: string;
  readonly wanted: string;
  readonly name: string;
  /** The only object that has the name and a kind that the field accepts. */
  readonly meant: string | undefined;
  /**
   * Whether the field accepts the kind, although no object of the kind has the name. `unknown` if there is no such kind,
   * and exactly one accepted kind, `meant`, is similar.
   */
  readonly isAccepted: boolean | 'unknown';
  /** The names of the scopes in which no object of the kind has the name, if it may exist in others. */
  readonly scopes: string | undefined;
  /** The kind, if it is in the file and can be replaced alone. */
  readonly kind: Written | undefined;
}

export const referenceKindMismatch = rule<Mismatch>({
  id: 'reference-kind-mismatch',
  severity: 'warning',
  needs: 'references',
  acrossFiles: true,
  summary: 'A reference with the wrong kind, such as an autoscaler that refers to a Service.',
  why: 'An autoscaler scales only kinds with a `scale` subresource, and a role binding accepts only a Role or a ClusterRole. With any other kind, the reference has no effect, or the API server rejects it. A kind that does not exist, such as `Deployments`, has no effect either. If all objects of a scope are known, the rule also reports a name that only an object of a different kind has, for example a ClusterIssuer instead of an Issuer.',
  bad: [
    {
      title: 'A Service cannot be scaled.',
      text: `apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  name: checkout
spec:
  scaleTargetRef: {apiVersion: v1, kind: Service, name: checkout}
  maxReplicas: 3
`,
    },
  ],
  good: [
    {
      title: 'A custom resource may have a scale subresource.',
      change: [
        'scaleTargetRef: {apiVersion: v1, kind: Service, name: checkout}',
        'scaleTargetRef: {apiVersion: example.com/v1, kind: Shop, name: checkout}',
      ],
    },
  ],
  *check(context) {
    const { file } = context;
    for (const object of context.stored)
      for (const site of object.references ?? []) {
        const unknown = unknownKindOf(context, { file, object }, site);
        if (unknown === undefined) yield* mismatchOf(context, { file, object }, site);
        else yield unknown;
      }
  },
  message({ object, wanted, name, meant, isAccepted, scopes }) {
    if (isAccepted === 'unknown')
      return localize`There is no kind '${shorten(wanted)}', so the reference to '${shorten(name)}' has no effect. Did you mean ${meant ?? ''}?`;
    if (!isAccepted)
      return localize`${object} cannot refer to ${wanted} '${shorten(name)}'; a reference to this kind has no effect.`;
    const sentence = localize`No ${wanted} '${shorten(name)}' in this scope; the object with this name is ${meant ?? ''} '${shorten(name)}'.`;
    return scopes === undefined ? sentence : localize`${sentence} In ${scopes}.`;
  },
  fixes: ({ kind, meant, scopes }) =>
    kind === undefined || meant === undefined || scopes !== undefined
      ? []
      : [{ title: localize`Change the kind to ${meant}`, edits: [replaceScalar(kind, meant)], preferred: true }],
});

/** Returns a reference with a kind that does not exist, if exactly one kind that the field accepts has a similar name. */
function unknownKindOf(context: RuleContext, where: ObjectInFile, site: ReferenceSite): Mismatch | undefined {
  const { fact, name, kind } = site;
  const { accepts = fact.targets, kindAt } = fact;
  if (kind === undefined || kindAt === undefined || fact.guessed || accepts.some((each) => each.kind === kind))
    return undefined;
  const { catalogue } = context;
  // A custom resource may have any kind.
  if (!/^\w+$/.test(kind) || catalogue.named(kind).some((each) => each.kind === kind)) return undefined;
  const isOfGroup = ({ group }: GroupKind) => (site.group ?? group) === group;
  const plurals = catalogue.named(kind.toLowerCase());
  const isMeant = (each: GroupKind) =>
    misspelling(kind, each.kind) !== undefined ||
    plurals.some(({ group, kind: named }) => group === each.group && named === each.kind);
  const [meant, ...others] = accepts.filter((each) => isOfGroup(each) && isMeant(each));
  const kindInFile = kindOf(context, where, site, kindAt);
  if (meant === undefined || others.length > 0 || kindInFile === undefined || kindInFile.origin !== undefined)
    return undefined;
  return {
    span: kindInFile.span,
    object: where.object.kind,
    wanted: kind,
    name: name.text,
    meant: meant.kind,
    isAccepted: 'unknown',
    scopes: undefined,
    kind: kindInFile,
  };
}

function* mismatchOf(context: RuleContext, where: ObjectInFile, site: ReferenceSite): Iterable<Mismatch> {
  const { fact, name, kind } = site;
  const { accepts, kindAt } = fact;
  if (accepts === undefined || kindAt === undefined || typeof name.value !== 'string' || name.origin !== undefined)
    return;
  const { catalogue, workspace } = context;
  const wanted = kind ?? fact.targets[0]?.kind ?? '';
  const group = site.group ?? accepts.find((each) => each.kind === wanted)?.group ?? '';
  const isAccepted = accepts.some((each) => each.kind === wanted);
  if (!isAccepted && !isJudged(group, accepts, catalogue.kind(group, '', wanted) !== undefined)) return;
  const others = accepts.filter((each) => each.kind !== wanted && isSameScope(context, each, where));
  const found = others.flatMap((each): readonly ReferenceTarget[] =>
    targetsOf(workspace, catalogue, where, { ...site, kind: each.kind, group: each.group }).filter(
      ({ relation, answer }) => relation === 'here' && answer === 'yes',
    ),
  );
  const [meant] = found;
  const isOne = meant !== undefined && found.every((each) => each.kind === meant.kind);
  const own = workspace.scopes().of(placeOf(where));
  const known = isAccepted && isOne ? knownScopes(context, where, site, meant) : own;
  if (isAccepted) {
    if (!isOne || known.length === 0) return;
    if (targetsOf(workspace, catalogue, where, site).length > 0) return;
    if (isRendered(workspace, catalogue, where, wanted, name.text) || isWrittenAround(context, wanted, name.text))
      return;
  }
  const kindInFile = kindOf(context, where, site, kindAt);
  const related = isOne
    ? [
        {
          file: meant.file,
          span: meant.span,
          message: localize`${meant.kind} '${shorten(meant.name)}' is defined here.`,
        },
      ]
    : [];
  yield {
    span: kindInFile?.span ?? name.span,
    object: where.object.kind,
    wanted,
    name: name.text,
    meant: isOne ? meant.kind : undefined,
    isAccepted,
    scopes: namesOfSome(context, where, known),
    kind: site.group === undefined || site.group === meant?.group ? kindInFile : undefined,
    related,
  };
}

/** Returns the scopes of a reference that contain the object with its name, and in which all objects are known and no patch changes the reference. */
function knownScopes(
  context: RuleContext,
  where: ObjectInFile,
  { name, path }: ReferenceSite,
  meant: ReferenceTarget,
): readonly Scope[] {
  const { workspace, catalogue } = context;
  const closed = namingScopesOf(context, where, [name.text], meant.kind);
  if (closed.length === workspace.scopes().of(placeOf(where)).length) return closed;
  const holding = scopesOfTarget(workspace, meant);
  const field = fieldPath(path).slice(0, -1);
  return closed.filter((each) => holding.includes(each) && keepsField(workspace, catalogue, each, where, field));
}

/** Whether a file of the same scope contains an object with a kind and name, in a namespace that a template may write. */
function isWrittenAround({ workspace, uri }: RuleContext, wanted: string, name: string): boolean {
  return [...workspace.scopes().filesAround(uri)].some((each) =>
    workspace.files.get(each)?.manifest.objects.some((object) => object.kind === wanted && object.name?.text === name),
  );
}

/** Whether it is certain that a field does not accept a kind. This is certain for built-in groups, and for custom groups from which the field accepts a kind; other groups may contain unknown kinds that it accepts. */
function isJudged(group: string, accepts: readonly GroupKind[], isKnown: boolean): boolean {
  return isKnown && (isBuiltIn(group) || accepts.some((each) => each.group === group && !isBuiltIn(group)));
}

/** Whether the scopes of a kind and an object are compatible: false only if the object is cluster-scoped and the kind may be namespaced. */
function isSameScope({ catalogue }: RuleContext, { group, kind }: GroupKind, { object }: ObjectInFile): boolean {
  const namespaced = catalogue.kind(group, '', kind)?.namespaced;
  const own = catalogue.kind(object.group, object.version, object.kind)?.namespaced;
  return namespaced === false || own !== false;
}

function kindOf(
  context: RuleContext,
  { object }: ObjectInFile,
  { fact, path }: ReferenceSite,
  at: string,
): Written | undefined {
  const root = treeOf(context, object);
  const [node] = root === undefined ? [] : nodesBeside(root, at, fact.path, path);
  return node?.kind === 'scalar' && node.pattern === undefined ? written(node) : undefined;
}
