/** Describes the effect of `kubectl label`: the number of objects whose label changes, and the selectors that gain or lose matches. */

import { storedGroup } from '../../engine/catalogue/stored-group.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import type { LabeledObjectInFile } from '../../workspace/model.ts';
import { effectiveNamespace } from '../../workspace/selection/namespaces.ts';
import { selectionOf } from '../../workspace/selection/selection.ts';
import { type Block, type Line, type Part, paragraph } from '../presentation/rich-text.ts';
import { type LabelChange, selectionChange } from '../selected/selection-change.ts';
import type { FileView } from '../view.ts';

/** The maximum number of labeled objects for which changed matches are computed. */
const maximumCompared = 200;

/** Describes the effect of a label change in a command; empty for any other command. */
export function aboutLabelCommand(view: FileView, object: ManifestObject, change: LabelChange): readonly Block[] {
  if (!view.complete || !object.inline || !/ label$/.test(object.kind)) return [];
  const labeled = labeledBy(view, object);
  if (labeled === undefined) return [];
  const text: Part = { kind: 'code', text: change.value === undefined ? change.key : `${change.key}=${change.value}` };
  const [verb, on] = change.value === undefined ? ['Removes ', ' from '] : ['Sets ', ' on '];
  const count = labeled.length === 1 ? '1 object' : localize`${labeled.length} objects`;
  const effect = labeled.length > maximumCompared ? [] : effectLine(view, labeled, change);
  const made = labeled.some(({ labeledObject }) => labeledObject.via !== undefined);
  return [
    paragraph(verb, text, on, localize`${count} in this workspace`, ...effect, '.'),
    ...(made
      ? [
          paragraph(
            localize`Pods that the workloads create later are not changed: to change them as well, edit the pod template.`,
          ),
        ]
      : []),
  ];
}

/** Returns the objects that a command labels; undefined if they are unknown. */
function labeledBy(view: FileView, object: ManifestObject): readonly LabeledObjectInFile[] | undefined {
  const { workspace, catalogue, file } = view;
  const sibling = (file.manifest.inline ?? []).find(
    (each) => each.kindSpan.start === object.kindSpan.start && each.selectorSites[0]?.fact.form === 'string',
  );
  const site: SelectorSite | undefined = sibling?.selectorSites[0];
  if (sibling !== undefined && site !== undefined)
    return selectionOf(workspace, catalogue, { file, object: sibling }, site).matches;
  const { name, namespace } = object;
  const of = object.labelSites[0]?.place.of ?? object.labelKeySites[0]?.place.of;
  if (name === undefined || of === undefined) return undefined;
  const found: LabeledObjectInFile[] = [];
  const scopes = workspace.scopes();
  for (const [uri, { identities }] of scopes.facts()) {
    if (scopes.isPatch(uri)) continue;
    const isMeant = (identity: string) =>
      identity.startsWith(`${storedGroup(of)}\n${of.kind}\n`) && identity.endsWith(`\n${name.text}`);
    const there = identities.some(isMeant) ? workspace.files.get(uri) : undefined;
    for (const each of there?.manifest.objects ?? []) {
      if (
        each.kind !== of.kind ||
        storedGroup(each) !== storedGroup(of) ||
        each.name?.text !== name.text ||
        there === undefined
      )
        continue;
      const own = effectiveNamespace(workspace, catalogue, { file: there, object: each })?.value;
      if (namespace !== undefined && own !== undefined && own !== namespace.value) continue;
      const [labeledObject] = labeledObjectsOf(each);
      if (labeledObject !== undefined) found.push({ file: there, object: each, labeledObject });
    }
  }
  return found;
}

/** Returns text such as `; Service/x gains 1; Service/y loses 2`. */
function effectLine(view: FileView, labeled: readonly LabeledObjectInFile[], change: LabelChange): Line {
  const counts = new Map<string, { name: string; gained: number; lost: number }>();
  for (const each of labeled) {
    const { gained, lost } = selectionChange(view, each, change);
    for (const [names, by] of [
      [gained, 'gained'],
      [lost, 'lost'],
    ] as const) {
      for (const [place, name] of names) {
        if (!place.endsWith(' true')) continue;
        const count = counts.get(place) ?? { name, gained: 0, lost: 0 };
        count[by]++;
        counts.set(place, count);
      }
    }
  }
  return [...counts.values()].flatMap(({ name, gained, lost }) => [
    ...(gained > 0 ? [localize`; ${name} gains ${gained}`] : []),
    ...(lost > 0 ? [localize`; ${name} loses ${lost}`] : []),
  ]);
}
