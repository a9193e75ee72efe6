/** Renames labels of namespaces and service accounts in selectors of Cilium and Calico, which name them with a prefix: `io.cilium.k8s.namespace.labels.team`, `pcns.team`, `pcsa.role`. */

import { parseGroupKind } from '../../engine/catalogue/deserialize-kind.ts';
import { purposeOf } from '../../engine/catalogue/purposes.ts';
import { namespaceLabelPrefix, sourcedKey } from '../../engine/cilium/label-keys.ts';
import { isDerivedCiliumKey } from '../../engine/cilium/own-requirements.ts';
import { everything, type Selector } from '../../engine/index.ts';
import { withoutQuotes } from '../../manifests/cursor/label-name-at.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { ManifestObject, SelectorSite, Written } from '../../manifests/model.ts';
import { writtenPiece } from '../../manifests/sites/string-pieces.ts';
import { textTree } from '../../manifests/sites/text-requirements.ts';
import { type Span, touches } from '../../text/span.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { makesNamespace } from '../../workspace/references/namespaces-around.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { FileView, View } from '../view.ts';
import { hasName, type LabelName, type NameEdit, renameInSelector, renameWritten } from './label-name.ts';
import { reachesInCluster, type World } from './overlays.ts';
import type { AsyncAccess } from './patch-targets.ts';
import { isOver, type Reach, selectorKey } from './renamed-labels.ts';

/** A key with a prefix in a selector, and the values that the selector compares with it. */
interface DerivedKey {
  /** The key of the label, without the prefix; undefined for a name. */
  readonly label?: Written | undefined;
  /** The kind of the labeled objects. */
  readonly of: '/Namespace' | '/ServiceAccount';
  readonly span: Span;
  readonly values: readonly Written[];
}

/** A name at an offset whose label is not a label of the selected objects themselves. */
export type DerivedName =
  | { readonly key: string; readonly value?: string; readonly span: Span; readonly selected: readonly ObjectInFile[] }
  | 'not renamed';

/** Returns the label of namespaces or service accounts that a selector names with a prefix at an offset; undefined for other texts. */
export function derivedNameAt(
  { workspace, file }: FileView,
  objects: readonly ManifestObject[],
  offset: number,
): DerivedName | undefined {
  const object = objects.find(({ span }) => touches(span, offset));
  for (const { label, of, span, values } of object?.selectorSites.flatMap(derivedKeysIn) ?? []) {
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
    const selected = [...workspace.find(of, selector, undefined, around)].filter(({ answer }) => answer === 'yes');
    if (selected.length === 0) return 'not renamed';
    if (value === undefined) return { key, span: label.span, selected };
    return { key, value: value.text, span: withoutQuotes(value), selected };
  }
  return undefined;
}

/** Returns the edits in selectors of Calico that name the label in alternatives or negations, which the index of selectors does not contain. Whether the policy applies to the renamed objects depends on the other parts. */
export function inAlternatives(view: View, reach: Reach, name: LabelName, to: string): readonly AsyncAccess[] {
  const found = new Map<ManifestObject, readonly AsyncAccess[]>();
  for (const renamed of reach.objects.values()) {
    const labeled = labeledObjectsOf(renamed.object).filter((each) => hasName(each, name));
    const isOn = (from: SiteInWorld) =>
      labeled.some(
        (labeledObject) =>
          isOver(from.site, labeledObject.target) &&
          reachesInCluster(view, from, { ...renamed, labeledObject }) !== 'no',
      );
    for (const { file, object, world } of labeled.length === 0 ? [] : networkPolicies(reach, renamed)) {
      if (found.has(object)) continue;
      reach.comparisons.add(1);
      const sites = object.selectorSites.filter((site) => {
        const from = { file, object, site, world };
        return site.fact.language === 'calico' && !reach.selectors.has(selectorKey(from, world)) && isOn(from);
      });
      const edits = sites.flatMap((site) => renameInSelector(site, name, to));
      if (edits.length > 0)
        found.set(
          object,
          edits.map((edit) => ({ file, edit })),
        );
    }
  }
  return [...found.values()].flat();
}

type SiteInWorld = ObjectInFile & { readonly site: SelectorSite; readonly world: World };

/** Yields the policies of network plugins that may be applied to the cluster of an object. */
function* networkPolicies(
  reach: Reach,
  renamed: ObjectInFile & { readonly world: World },
): Iterable<ObjectInFile & { readonly world: World }> {
  for (const { world, files } of reach.worlds.inCluster(renamed.world, placeOf(renamed))) {
    const kinds = [...world.workspace.targets()].filter(
      (kind) => purposeOf(parseGroupKind(kind))?.purpose === 'network',
    );
    for (const kind of kinds)
      for (const { file, object } of world.workspace.find(kind, everything, undefined, files))
        yield { file, object, world };
  }
}

/** Returns the edits in the policies of Cilium and Calico that name a renamed label of namespaces or service accounts. */
export function inDerivedKeys(reach: Reach, name: LabelName, to: string): readonly AsyncAccess[] {
  const found = new Map<ManifestObject, readonly AsyncAccess[]>();
  for (const renamed of reach.objects.values()) {
    const { group, kind: renamedKind } = renamed.object;
    const of = makesNamespace(renamed.object) ? '/Namespace' : `${group}/${renamedKind}`;
    if (of !== '/Namespace' && of !== '/ServiceAccount') continue;
    for (const { file, object } of networkPolicies(reach, renamed)) {
      if (found.has(object)) continue;
      reach.comparisons.add(1);
      const edits = object.selectorSites.flatMap((site) => editsIn(site, of, name, to));
      found.set(
        object,
        edits.map((edit) => ({ file, edit })),
      );
    }
  }
  return [...found.values()].flat();
}

function editsIn(site: SelectorSite, of: DerivedKey['of'], name: LabelName, to: string): readonly NameEdit[] {
  return derivedKeysIn(site).flatMap(({ label, of: own, values }): readonly NameEdit[] => {
    if (own !== of) return [];
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
      {
        label: isLabel ? writtenPiece(key, { start, end: key.text.length }) : undefined,
        of: '/Namespace',
        span: key.span,
        values,
      },
    ];
  });
}

/** The length of the prefixes `pcns.` and `pcsa.`. */
const prefixLength = 5;

function calicoKeys(site: SelectorSite, text: Written): readonly DerivedKey[] {
  return textTree(text.text, site.fact).requirements.flatMap(({ key, values }): readonly DerivedKey[] => {
    if (key === undefined || !/^(?:pcns\.|pcsa\.|projectcalico\.org\/)/.test(key.text)) return [];
    const whole = writtenPiece(text, key);
    if (whole === undefined) return [];
    const isLabel = !/^(?:pcns\.|pcsa\.)?projectcalico\.org\//.test(key.text);
    return [
      {
        label: isLabel ? writtenPiece(text, { start: key.start + prefixLength, end: key.end }) : undefined,
        of: key.text.startsWith('pcsa.') ? '/ServiceAccount' : '/Namespace',
        span: whole.span,
        values: values.flatMap((value) => (value.end > value.start ? (writtenPiece(text, value) ?? []) : [])),
      },
    ];
  });
}
