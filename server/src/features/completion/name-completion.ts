/** Completion in fields whose value is the name of a namespace, a label or a field. */

import { nameLabel } from '../../engine/catalogue/name-labels.ts';
import { validateName } from '../../engine/index.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { stop, typedEntry } from '../../manifests/write/write-completion.ts';
import { compareText } from '../../text/order.ts';
import { kindKey } from '../../workspace/index/file-outline.ts';
import { everyCluster } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { fieldsOf } from '../../workspace/selectable-fields.ts';
import { aboutKey } from '../presentation/key-text.ts';
import { type Completing, item, ownerOf, scalarItem, soundKeys, type TargetOf } from './completion-item.ts';
import { tallyOfCounts } from './label-counts.ts';
import type { Completion } from './model.ts';
import { insideQuotes, wellKnownOn } from './selector-completion.ts';

/** The maximum number of files in a scope for offering the namespaces of its objects; in larger scopes, only declared namespaces are offered. */
const mostFiles = 800;

/** Returns the namespaces that objects in the same scopes use, the namespaces that files declare, and the namespaces that every cluster has. */
export function namespaceItems(completing: Completing<TargetOf<'namespace'>>): readonly Completion[] {
  const { view, place } = completing;
  const { workspace } = view;
  const names = new Map<string, string>();
  const add = (name: string | undefined, why: string) => {
    const isSound = name !== undefined && validateName('dns1123Label', name).length === 0;
    if (isSound && !names.has(name) && !place.others.includes(name)) names.set(name, why);
  };
  for (const name of namesAround(completing)) add(name, 'used here');
  const declared = [...workspace.targets()].flatMap((target) => [...workspace.labelCounts(target).values(nameLabel)]);
  for (const name of declared.map(([each]) => each).toSorted(compareText)) add(name, 'in this workspace');
  for (const { nameLabels, name } of workspace.files.get(everyCluster)?.manifest.objects ?? []) {
    if (nameLabels?.includes(nameLabel)) add(name?.text, 'in every cluster');
  }
  return [...names].map(([label, description]) => scalarItem(completing, { label, kind: 'namespace', description }));
}

function namesAround(completing: Completing): readonly string[] {
  const { workspace } = completing.view;
  const owner = ownerOf(completing);
  const files = workspace.scopes().filesAround(placeOf(owner));
  if (files.size > mostFiles) return [];
  const counts = new Map<string, number>();
  for (const uri of files) {
    for (const { namespace, kindSpan } of workspace.files.get(uri)?.manifest.objects ?? []) {
      // The object at the cursor is skipped, because its namespace may be incomplete.
      const isItself = uri === owner.file.uri && kindSpan.start === owner.object.kindSpan.start;
      if (typeof namespace?.value === 'string' && !isItself)
        counts.set(namespace.text, (counts.get(namespace.text) ?? 0) + 1);
    }
  }
  return [...counts].toSorted(([a, one], [b, other]) => other - one || (a < b ? -1 : 1)).map(([name]) => name);
}

/** The most common topology keys. */
const topologies: readonly string[] = [
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
];

/** Returns label keys for the objects to which the field refers: well-known keys, and keys in use. */
export function labelKeyItems(completing: Completing<TargetOf<'labelKey'>>): readonly Completion[] {
  const { view, place } = completing;
  const { workspace, catalogue } = view;
  const targets = place.of === undefined || place.of.kind === '*' ? [...workspace.targets()] : [kindKey(place.of)];
  const tally = tallyOfCounts(targets.map((target) => workspace.labelCounts(target)));
  const wellKnown = wellKnownOn(catalogue.keys(), place.of?.kind).map(({ key }) => key);
  const keys = new Map<string, string>();
  const add = (key: string, why: string) => {
    if (!keys.has(key) && !place.others.includes(key)) keys.set(key, why);
  };
  for (const key of topologies) if (wellKnown.includes(key)) add(key, 'well-known');
  for (const [key] of soundKeys(tally.keys(), completing.typed)) add(key, 'in this workspace');
  for (const key of wellKnown) add(key, 'well-known');
  return [...keys].map(([label, description]) => {
    const fact = catalogue.key(label);
    return scalarItem(completing, {
      label,
      kind: 'key',
      description,
      ...(fact && { documentation: () => aboutKey(fact) }),
    });
  });
}

/** Returns the paths of the labels and annotations that the downward API can read, each with its value. */
export function fieldPathItems(completing: Completing<TargetOf<'fieldPath'>>): readonly Completion[] {
  const { labels, annotations } = completing.place;
  return Object.entries({ labels, annotations }).flatMap(([field, entries]) => {
    const known = entries.filter(({ key }) => typeof key.value === 'string' && !key.text.includes("'"));
    const values = new Map(known.map(({ key, value }) => [key.text, value.text]));
    return [...values].map(([key, description]) =>
      scalarItem(completing, { label: `metadata.${field}['${key}']`, kind: 'key', description }),
    );
  });
}

/** Returns the fields that field selectors support for the kinds that a selector site selects, with the possible values of each field. */
function fieldsAt({ view }: Completing, { fact }: SelectorSite) {
  return fact.targets.flatMap(
    (target) => (fieldsOf(view, target) ?? view.catalogue.fields(target.group, target.kind)).fields,
  );
}

/** Returns the fields that can be added to a field selector that is written as a map. */
export function fieldItems(completing: Completing<TargetOf<'field'>>): readonly Completion[] {
  const { view, cursorTarget, place } = completing;
  return fieldsAt(completing, place.site)
    .filter(({ field }) => !place.others.includes(field))
    .map(({ field, values, note }) => {
      const typed = typedEntry(view.text, cursorTarget, field, stop(...(values ?? [])));
      return item(completing, { label: field, kind: 'field', ...(note !== undefined && { description: note }) }, typed);
    });
}

/** Returns the fields or values for a field selector that is written as a single string. */
export function fieldTextItems(completing: Completing<TargetOf<'fieldText'>>): readonly Completion[] {
  const { view, cursorTarget, place, offset } = completing;
  const inner = insideQuotes(view.text, cursorTarget.token);
  const before = view.text.slice(inner.start, offset);
  const behind = view.text.slice(offset, inner.end);
  if (offset < inner.start || /[\\]/.test(before)) return [];
  const piece = before.slice(before.lastIndexOf(',') + 1);
  const value = /^([^=!]*)(?:!=|==|=)([^=!]*)$/.exec(piece);
  const start = offset - (value?.[2] ?? piece).length;
  const rest = /^[^,=!]*/.exec(behind)?.[0] ?? '';
  const span = { start, end: offset + rest.length };
  const quoted = cursorTarget.style.quotes === 'double' && inner.start === cursorTarget.token.start;
  const written = (text: string) => ({ edit: { span, text: quoted ? JSON.stringify(text) : text } });
  const fields = fieldsAt(completing, place.site);
  if (value !== null) {
    const values = fields.find(({ field }) => field === value[1])?.values ?? [];
    return values.map((label) => ({ label, kind: 'value', filter: label, ...written(label) }));
  }
  if (/[=!]/.test(piece)) return [];
  return fields.map(({ field, note }) => {
    return {
      label: field,
      kind: 'field',
      filter: field,
      ...(note !== undefined && { description: note }),
      ...written(field),
    };
  });
}
