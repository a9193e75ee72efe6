/** Reports finalizers that the API server rejects or warns about, and finalizers that are almost equal to a well-known finalizer. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import { knownFinalizers } from '../../engine/catalogue/finalizers.ts';
import { validateLabelKey } from '../../engine/index.ts';
import type { Written } from '../../manifests/model.ts';
import { written } from '../../manifests/sites/sites.ts';
import { replaceScalar } from '../../manifests/write/write-text.ts';
import {
  childOf,
  entryOf,
  itemsOf,
  type MapEntry,
  type Node,
  type ScalarNode,
  startOf,
} from '../../manifests/yaml/tree.ts';
import { editDistance } from '../../text/edit-distance.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { isWordPlaceholder } from '../helpers/name-placeholders.ts';
import { appliedParts, hasOperations } from '../helpers/patch-parts.ts';
import { shorten } from '../helpers/sentences.ts';

interface BadFinalizer extends Fact {
  readonly message: string;
  readonly name: Written;
  /** The well-known finalizer that was probably intended. */
  readonly meant?: string;
  /** The name that is written instead of a list of names. */
  readonly alone?: Span;
}

/** Finalizers of Kubernetes without a prefix. */
const standard: ReadonlySet<string> = new Set(['kubernetes', 'foregroundDeletion', 'orphan']);

export const finalizerSyntax = rule<BadFinalizer>({
  id: 'finalizer-syntax',
  severity: 'error',
  validatesFields: true,
  summary:
    'A finalizer whose name the API server does not accept, or whose name resembles that of a well-known finalizer.',
  why: 'A finalizer is a qualified name such as `example.com/cleanup`: a prefix that is a DNS subdomain, and a name. Only `foregroundDeletion` and `orphan` have no prefix, and only one of the two may be set. A controller removes its finalizer by this name; an object whose finalizers are not all removed is never deleted.',
  bad: [
    {
      title: 'A finalizer of a built-in kind without a prefix.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  finalizers: [cleanup]
`,
    },
  ],
  good: [
    {
      title: 'A finalizer with the domain of its controller.',
      change: ['finalizers: [cleanup]', 'finalizers: [shop.example.com/cleanup]'],
    },
  ],
  dependsOnOthers: hasOperations,
  *check(context) {
    if (!context.mentions('finalizers')) return;
    for (const { object, isKindKnown, rootOf } of appliedParts(context))
      yield* factsIn(rootOf(), isKindKnown ? object.group : undefined);
  },
  message: ({ message }) => message,
  fixes({ name, meant, alone }, { text }) {
    if (alone !== undefined) {
      const value = text.slice(alone.start, alone.end);
      // In a command, the span is inside of the quotes.
      if (/["']/.test(text.charAt(alone.start - 1)) || !/^(["']|)[\w./-]{1,320}\1$/.test(value)) return [];
      const edits = [{ span: alone, text: `[${value}]` }];
      return [{ title: localize`Write a list with this name`, edits, preferred: true }];
    }
    if (meant === undefined) return [];
    return [
      { title: localize`Change the finalizer to '${meant}'`, edits: [replaceScalar(name, meant)], preferred: true },
    ];
  },
});

/** Yields the faults in an object whose group is known, or in a part of an object. */
function* factsIn(root: Node | undefined, group: string | undefined): Iterable<BadFinalizer> {
  const metadata = childOf(root, 'metadata');
  const entry = entryOf(metadata, 'finalizers');
  yield* typeFault(entry, metadata);
  yield* ofNamespace(root, group);
  if (entry?.value.kind !== 'list' || entry.conditional) return;
  const names = entry.value.items.filter((item): item is ScalarNode => {
    return item.kind === 'scalar' && item.type !== 'null' && item.pattern === undefined;
  });
  for (const item of entry.value.items.filter(isNoName)) {
    const found = item.kind === 'scalar' ? 'null' : localize`a ${item.kind}`;
    yield {
      span: startOf(item),
      name: written(item),
      message: localize`A finalizer must be a name, not ${found}.`,
    };
  }
  const isKnown = group !== undefined && isBuiltIn(group);
  const seen = new Set<string>();
  for (const name of names) {
    const message = typeProblemOf(name) ?? problemOf(name.text, isKnown, seen);
    if (message !== undefined) yield { span: name.span, name: written(name), ...message };
    seen.add(name.text);
  }
}

/** Returns the problem of an item that is a number or a boolean; words such as `yes` are strings for kustomize. */
function typeProblemOf({ type, text }: ScalarNode): Pick<BadFinalizer, 'message'> | undefined {
  if (type !== 'number' && !(type === 'boolean' && /^(?:true|false)$/i.test(text))) return undefined;
  return { message: localize`A finalizer must be a string, and '${shorten(text)}' without quotes is a ${type}.` };
}

/** Whether an item is certainly no name. An empty item is incomplete. */
function isNoName(item: Node): boolean {
  return item.kind === 'scalar' ? item.type === 'null' && item.text !== '' : !item.open;
}

function* typeFault(entry: MapEntry | undefined, parent: Node | undefined): Iterable<BadFinalizer> {
  if (entry === undefined || entry.conditional || !isNoList(entry.value)) return;
  const { key, value } = entry;
  const isInJson = parent?.kind === 'map' && parent.flow;
  const message = isInJson
    ? localize`\`finalizers\` must be a list: write the names in '[' and ']'.`
    : localize`\`finalizers\` must be a list: write each name after '- '.`;
  const isName = value.kind === 'scalar' && value.style !== 'block' && value.type === 'string';
  const isWritten = isName && !value.anchored && !value.tagged && value.origin === undefined;
  yield { span: key.span, name: written(key), message, ...(isWritten && { alone: value.span }) };
}

/** Whether a value is certainly not a list; null is equivalent to an absent field. */
function isNoList(value: Node): boolean {
  if (value.kind === 'scalar') return value.type !== 'null' && value.pattern === undefined;
  return value.kind === 'map' && !value.open;
}

/** Yields the finalizers in the `spec` of a Namespace that are not qualified names; the API server accepts only `kubernetes` without a prefix. */
function* ofNamespace(root: Node | undefined, group: string | undefined): Iterable<BadFinalizer> {
  if (group !== '') return;
  const spec = childOf(root, 'spec');
  const entry = entryOf(spec, 'finalizers');
  yield* typeFault(entry, spec);
  for (const item of itemsOf(entry?.value)) {
    if (item.kind !== 'scalar' || item.type === 'null' || item.pattern !== undefined) continue;
    if (
      item.text === 'kubernetes' ||
      standard.has(item.text) ||
      (item.text.includes('/') && validateLabelKey(item.text).length === 0)
    )
      continue;
    const message = localize`Finalizer '${shorten(item.text)}' of a namespace must be 'kubernetes' or a name with a prefix.`;
    yield { span: item.span, name: written(item), message };
  }
}

function problemOf(
  name: string,
  builtIn: boolean,
  others: ReadonlySet<string>,
): Omit<BadFinalizer, 'span' | 'name'> | undefined {
  const shown = localize`Finalizer '${shorten(name)}'`;
  const [problem] = validateLabelKey(name);
  const fault = problem?.message.replace('label key', 'finalizer');
  if (fault !== undefined) return { message: localize`${shown} is not a qualified name: ${fault}.` };
  if (others.has(name)) return { message: localize`${shown} is listed twice.`, severity: 'information' };
  const opposite = name === 'orphan' ? 'foregroundDeletion' : name === 'foregroundDeletion' ? 'orphan' : '';
  if (others.has(opposite))
    return { message: localize`The finalizers 'orphan' and 'foregroundDeletion' are mutually exclusive.` };
  const meant = knownFinalizers.has(name) ? undefined : meantBy(name);
  if (meant !== undefined) {
    const message = localize`${shown} is not known. Did you mean '${meant}'?`;
    return { message, meant, ...(name.includes('/') && { severity: 'warning' as const }) };
  }
  if (name.includes('/') || standard.has(name) || isWordPlaceholder(name)) return undefined;
  if (builtIn)
    return {
      message: localize`${shown} has no prefix; the API server accepts only names such as 'example.com/${shorten(name)}'.`,
    };
  // Older controllers use a domain without a path.
  return name.includes('.')
    ? undefined
    : { message: localize`${shown} has no prefix; the API server prints a warning.`, severity: 'information' };
}

/** Returns the nearest well-known finalizer, if it differs by at most two letters. */
function meantBy(name: string): string | undefined {
  for (const distance of [1, 2]) {
    const near = [...knownFinalizers.keys()].filter((known) => editDistance(known, name, distance) <= distance);
    if (near.length > 0) return near.length === 1 ? near[0] : undefined;
  }
  return undefined;
}
