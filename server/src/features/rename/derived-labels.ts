/** Renames labels of namespaces in selectors of Cilium and Calico, which name them with a prefix: `io.cilium.k8s.namespace.labels.team`, `pcns.team`. */

import { parseGroupKind } from '../../engine/catalogue/kinds.ts';
import { purposeOf } from '../../engine/catalogue/purposes.ts';
import { namespaceLabelPrefix, sourcedKey } from '../../engine/cilium/label-keys.ts';
import { isDerivedCiliumKey } from '../../engine/cilium/own-requirements.ts';
import { everything, type Selector } from '../../engine/index.ts';
import { withoutQuotes } from '../../manifests/cursor/label-name-at.ts';
import type { ManifestObject, SelectorSite, Written } from '../../manifests/model.ts';
import { writtenPiece } from '../../manifests/sites/string-pieces.ts';
import { textTree } from '../../manifests/sites/text-requirements.ts';
import { type Span, touches } from '../../text/span.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { makesNamespace } from '../../workspace/references/namespaces-around.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { FileView } from '../view.ts';
import { type LabelName, type NameEdit, renameWritten } from './label-name.ts';
import type { AsyncAccess } from './patch-targets.ts';
import type { Reach } from './renamed-labels.ts';

/** A key with a prefix in a selector, and the values that the selector compares with it. */
interface DerivedKey {
  /** The key of the label of a namespace, without the prefix; undefined for a name and for labels of other objects. */
  readonly label?: Written | undefined;
  readonly span: Span;
  readonly values: readonly Written[];
}

/** A name at an offset whose label is not a label of the selected objects themselves. */
export type DerivedName =
  | { readonly key: string; readonly value?: string; readonly span: Span; readonly selected: readonly ObjectInFile[] }
  | 'not renamed';

/** Returns the label of namespaces that a selector names with a prefix at an offset; undefined for other texts. */
export function derivedNameAt(
  { workspace, file }: FileView,
  objects: readonly ManifestObject[],
  offset: number,
): DerivedName | undefined {
  const object = objects.find(({ span }) => touches(span, offset));
  for (const { label, span, values } of object?.selectorSites.flatMap(derivedKeysIn) ?? []) {
    const value = values.find((each) => touches(each.span, offset));
    if (object === undefined || (value === undefined && !touches(span, offset))) continue;
    if (typeof label?.value !== 'string' || (value !== undefined && typeof value.value !== 'string'))
      return 'not renamed';
    const key = label.value;
    const requirement =
      typeof value?.value === 'string'
        ? ({ key, operator: '=', values: [value.value] } as const)
        : ({ key, operator: 'exists', values: [] } as const);
    const selector: Selector = { kind: 'all', requirements: [requirement] };
    const around = workspace.scopes().filesAround(placeOf({ file, object }));
    const selected = [...workspace.find('/Namespace', selector, undefined, around)].filter(
      ({ answer }) => answer === 'yes',
    );
    if (selected.length === 0) return 'not renamed';
    if (value === undefined) return { key, span: label.span, selected };
    return { key, value: value.text, span: withoutQuotes(value), selected };
  }
  return undefined;
}

/** Returns the edits in the policies of Cilium and Calico that name a renamed label of namespaces. */
export function inDerivedKeys(reach: Reach, name: LabelName, to: string): readonly AsyncAccess[] {
  const found = new Map<ManifestObject, readonly AsyncAccess[]>();
  for (const renamed of reach.objects.values()) {
    if (!makesNamespace(renamed.object)) continue;
    for (const { world, files } of reach.worlds.inCluster(renamed.world, placeOf(renamed))) {
      const kinds = [...world.workspace.targets()].filter(
        (kind) => purposeOf(parseGroupKind(kind))?.purpose === 'network',
      );
      for (const kind of kinds)
        for (const { file, object } of world.workspace.find(kind, everything, undefined, files)) {
          if (found.has(object)) continue;
          reach.comparisons.add(1);
          const edits = object.selectorSites.flatMap((site) => editsIn(site, name, to));
          found.set(
            object,
            edits.map((edit) => ({ file, edit })),
          );
        }
    }
  }
  return [...found.values()].flat();
}

function editsIn(site: SelectorSite, name: LabelName, to: string): readonly NameEdit[] {
  return derivedKeysIn(site).flatMap(({ label, values }): readonly NameEdit[] => {
    if (label?.value !== name.key || label.origin !== undefined) return [];
    const isKey = name.value === undefined;
    if (isKey) return [{ edit: { span: label.span, text: to }, conditional: false, anchored: label.anchored === true }];
    const meant = values.filter(({ value, origin }) => value === name.value && origin === undefined);
    return meant.map((value) =>
      site.text === undefined
        ? renameWritten(value, to)
        : { edit: { span: value.span, text: to }, conditional: false, anchored: value.anchored === true },
    );
  });
}

function derivedKeysIn(site: SelectorSite): readonly DerivedKey[] {
  if (site.fact.language === 'cilium') return ciliumKeys(site);
  return site.fact.language === 'calico' && site.text !== undefined ? calicoKeys(site, site.text) : [];
}

function ciliumKeys({ entries, expressions }: SelectorSite): readonly DerivedKey[] {
  const pairs = [
    ...entries.map(({ key, value }) => ({ key, values: [value] })),
    ...expressions.flatMap(({ key, values }) => (key === undefined ? [] : [{ key, values }])),
  ];
  return pairs.flatMap(({ key, values }): readonly DerivedKey[] => {
    const plain = sourcedKey(key.text).key;
    if (!isDerivedCiliumKey(plain)) return [];
    const isLabel = plain.startsWith(namespaceLabelPrefix);
    const start = key.text.length - plain.length + namespaceLabelPrefix.length;
    return [
      { label: isLabel ? writtenPiece(key, { start, end: key.text.length }) : undefined, span: key.span, values },
    ];
  });
}

const calicoPrefix = 'pcns.';

function calicoKeys(site: SelectorSite, text: Written): readonly DerivedKey[] {
  return textTree(text.text, site.fact).requirements.flatMap(({ key, values }): readonly DerivedKey[] => {
    if (key === undefined || !/^(?:pcns\.|pcsa\.|projectcalico\.org\/)/.test(key.text)) return [];
    const whole = writtenPiece(text, key);
    if (whole === undefined) return [];
    const isLabel = key.text.startsWith(calicoPrefix) && !key.text.startsWith(`${calicoPrefix}projectcalico.org/`);
    return [
      {
        label: isLabel ? writtenPiece(text, { start: key.start + calicoPrefix.length, end: key.end }) : undefined,
        span: whole.span,
        values: values.flatMap((value) => (value.end > value.start ? (writtenPiece(text, value) ?? []) : [])),
      },
    ];
  });
}
