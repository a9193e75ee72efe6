/** Reports names in definitions of custom resources that the API server rejects. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { Catalogue, GroupKind } from '../../engine/catalogue/types.ts';
import { type Problem, validateName } from '../../engine/index.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { written } from '../../manifests/sites/sites.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import { childOf, entryOf, itemsOf, type MapEntry, type Node, type ScalarNode } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { isTrue, textAt, versionsOf } from '../helpers/schema-fields.ts';
import { shorten } from '../helpers/sentences.ts';

interface BadName extends Fact {
  readonly problem: string;
  /** The invalid scalar and its required value, if this value is certain, and what it is. */
  readonly meant?: { readonly scalar: ScalarNode; readonly text: string; readonly is: 'name' | 'plural' };
}

export const crdNames = rule<BadName>({
  id: 'crd-names',
  severity: 'error',
  needs: 'definitions',
  summary: 'A name in a CustomResourceDefinition that the API server rejects.',
  why: 'The API server accepts a definition only if its name is `PLURAL.GROUP`, if the plural is in lower case, if the group is a domain with a dot, if the versions have different names, and if exactly one of them is stored. A group below `k8s.io` or `kubernetes.io` belongs to the Kubernetes project and needs the annotation `api-approved.kubernetes.io`.',
  bad: [
    {
      title: 'A name that is not composed of the plural and the group.',
      text: `apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata:
  name: widget.example.com
spec:
  group: example.com
  scope: Namespaced
  names: {kind: Widget, plural: widgets}
  versions:
    - name: v1
      served: true
      storage: true
      schema: {openAPIV3Schema: {type: object}}
`,
    },
  ],
  good: [
    {
      title: 'The plural and the group.',
      change: ['name: widget.example.com', 'name: widgets.example.com'],
    },
  ],
  *check(context) {
    const earlier = new Map<string, GroupKind>();
    for (const object of context.stored) {
      if (object.defines === undefined || object.version !== 'v1') continue;
      const root = treeOf(context, object);
      const spec = childOf(root, 'spec');
      yield* namesIn(spec);
      yield* groupIn(root, spec);
      yield* scopeIn(spec);
      yield* versionsIn(root, spec);
      yield* wholeName(root, spec);
      yield* sharedNames(spec, object.defines, context.catalogue, earlier);
    }
  },
  message: ({ problem }) => problem,
  fixes: ({ meant }) =>
    meant === undefined
      ? []
      : [
          {
            title: localize`Change the ${meant.is} to '${shorten(meant.text)}'`,
            edits: [replaceScalar(written(meant.scalar), meant.text)],
            preferred: true,
          },
        ],
});

function* namesIn(spec: Node | undefined): Iterable<BadName> {
  const names = childOf(spec, 'names');
  for (const field of ['plural', 'singular', 'kind', 'listKind'] as const) {
    const scalar = scalarAt(names, field);
    if (scalar === undefined) continue;
    // Kinds are compared in lower case; the other names must be in lower case.
    const isKind = field === 'kind' || field === 'listKind';
    const problem = firstProblem(isKind ? scalar.text.toLowerCase() : scalar.text);
    if (problem === undefined) continue;
    yield {
      span: scalar.span,
      problem: localize`\`${field}\` '${shorten(scalar.text)}' is invalid: ${problem.message}.`,
    };
  }
  const kind = scalarAt(names, 'kind');
  const listKind = scalarAt(names, 'listKind');
  if (kind !== undefined && listKind !== undefined && kind.text === listKind.text)
    yield { span: listKind.span, problem: localize`\`listKind\` must differ from \`kind\`.` };
  for (const field of ['shortNames', 'categories']) {
    const list = childOf(names, field);
    for (const item of itemsOf(list)) {
      if (item.kind !== 'scalar' || item.pattern !== undefined) continue;
      const problem = firstProblem(item.text);
      if (problem !== undefined)
        yield {
          span: item.span,
          problem: localize`'${shorten(item.text)}' in \`${field}\` is invalid: ${problem.message}.`,
        };
    }
  }
}

function* groupIn(root: Node | undefined, spec: Node | undefined): Iterable<BadName> {
  const group = scalarAt(spec, 'group');
  if (group === undefined) return;
  const { text, span } = group;
  const [problem] = validateName('dns1123Subdomain', text);
  if (problem !== undefined)
    yield { span, problem: localize`\`group\` '${shorten(text)}' is invalid: ${problem.message}.` };
  else if (!text.includes('.'))
    yield { span, problem: localize`\`group\` '${shorten(text)}' must be a domain with at least one dot.` };
  else if (/(?:^|\.)(?:k8s\.io|kubernetes\.io)$/.test(text)) {
    const annotations = childOf(childOf(root, 'metadata'), 'annotations');
    const isKnown = annotations === undefined || (annotations.kind === 'map' && !annotations.open);
    const approval = textAt(annotations, 'api-approved.kubernetes.io');
    if (!isKnown || entryOf(annotations, 'api-approved.kubernetes.io') !== undefined) {
      if (!isKnown || approval === undefined || /^unapproved|^[a-z][a-z0-9+.-]*:\/\/[^/]/i.test(approval)) return;
    }
    yield {
      span,
      problem: localize`The group '${shorten(text)}' belongs to the Kubernetes project and needs the annotation 'api-approved.kubernetes.io' with a URL.`,
    };
  }
}

function* scopeIn(spec: Node | undefined): Iterable<BadName> {
  const scope = scalarAt(spec, 'scope');
  if (scope === undefined || scope.text === 'Cluster' || scope.text === 'Namespaced') return;
  yield {
    span: scope.span,
    problem: localize`\`scope\` must be 'Cluster' or 'Namespaced', not '${shorten(scope.text)}'.`,
  };
}

function* versionsIn(root: Node | undefined, spec: Node | undefined): Iterable<BadName> {
  const entry = entryOf(spec, 'versions');
  const list = entry?.value;
  const versions = versionsOf(root);
  if (entry === undefined || list?.kind !== 'list' || versions.length !== list.items.length) return;
  const seen = new Set<string>();
  for (const version of versions) {
    const name = scalarAt(version, 'name');
    if (name === undefined) continue;
    const problem = firstProblem(name.text);
    if (problem !== undefined)
      yield { span: name.span, problem: localize`Version '${shorten(name.text)}' is invalid: ${problem.message}.` };
    if (seen.has(name.text))
      yield { span: name.span, problem: localize`Version '${shorten(name.text)}' is defined twice.` };
    seen.add(name.text);
  }
  const isUnknown = versions.some((version) => isUndecided(entryOf(version, 'storage')));
  const stored = versions.filter((version) => isTrue(version, 'storage'));
  if (isUnknown || stored.length === 1 || versions.length === 0) return;
  const second = entryOf(stored[1], 'storage');
  yield second === undefined
    ? { span: entry.key.span, problem: localize`Exactly one version must have \`storage: true\`; no version has it.` }
    : {
        span: second.value.span,
        problem: localize`Exactly one version must have \`storage: true\`, not ${stored.length}.`,
      };
}

function* wholeName(root: Node | undefined, spec: Node | undefined): Iterable<BadName> {
  const name = scalarAt(childOf(root, 'metadata'), 'name');
  const plural = scalarAt(childOf(spec, 'names'), 'plural');
  const group = scalarAt(spec, 'group');
  if (name === undefined || plural === undefined || group === undefined) return;
  const text = `${plural.text}.${group.text}`;
  if (name.text === text) return;
  const kind = textAt(childOf(spec, 'names'), 'kind')?.toLowerCase();
  const first = name.text.endsWith(`.${group.text}`) ? name.text.slice(0, -group.text.length - 1) : undefined;
  // Roles and paths contain the plural, so that it must not follow from a misspelling.
  if (kind !== undefined && first !== undefined && isPlural(first, kind) && !isPlural(plural.text, kind)) {
    const problem = localize`The plural must be '${shorten(first)}', as in the name '${shorten(name.text)}', not '${shorten(plural.text)}'.`;
    yield { span: plural.span, problem, meant: { scalar: plural, text: first, is: 'plural' } };
    return;
  }
  const isSound = validateName('dns1123Subdomain', text).length === 0;
  const meant = isSound ? { scalar: name, text, is: 'name' as const } : undefined;
  const problem = localize`The name must be '${shorten(text)}' (plural and group), not '${shorten(name.text)}'.`;
  yield { span: name.span, problem, ...(meant && { meant }) };
}

/** Whether a word is a regular plural of a kind in lower case. */
function isPlural(word: string, kind: string): boolean {
  return [`${kind}s`, `${kind}es`, kind.replace(/y$/, 'ies')].includes(word) && word !== kind;
}

/** Yields short names that built-in kinds or `earlier` definitions of the file also have. kubectl then finds one of the kinds, and in one group, the API server does not accept the names of the second definition. */
function* sharedNames(
  spec: Node | undefined,
  { group, kind }: GroupKind,
  catalogue: Catalogue,
  earlier: Map<string, GroupKind>,
): Iterable<BadName> {
  for (const item of itemsOf(childOf(childOf(spec, 'names'), 'shortNames'))) {
    if (item.kind !== 'scalar' || item.pattern !== undefined) continue;
    const builtIn = catalogue.named(item.text).find((each) => isBuiltIn(each.group) && each.group !== group);
    const other = builtIn ?? getOrAdd(earlier, item.text, () => ({ group, kind }));
    if (other.group === group && other.kind === kind) continue;
    const shared = localize`Short name '${shorten(item.text)}' is also a name of ${other.kind}`;
    yield other.group === group
      ? {
          span: item.span,
          problem: localize`${shared} in this group, so the API server establishes only one of the kinds.`,
          severity: 'warning',
        }
      : {
          span: item.span,
          problem: localize`${shared}, so \`kubectl\` may use either of the kinds.`,
          severity: 'information',
        };
  }
}

function firstProblem(text: string): Problem | undefined {
  return validateName('dns1035Label', text)[0];
}

function scalarAt(node: Node | undefined, key: string): ScalarNode | undefined {
  const entry = entryOf(node, key);
  const value = entry?.conditional || entry?.merged ? undefined : entry?.value;
  return value?.kind === 'scalar' && value.pattern === undefined && value.type === 'string' && value.text !== ''
    ? value
    : undefined;
}

function isUndecided(entry: MapEntry | undefined): boolean {
  return (
    entry !== undefined && (entry.conditional || (entry.value.kind === 'scalar' && entry.value.pattern !== undefined))
  );
}
