/** Completion of the names of other objects, of the keys of ConfigMaps and Secrets, and of parts of an object. */

import { marker } from '../../manifests/cursor/marker-path.ts';
import type { ReferenceSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import { keyCandidates, nameCandidates } from '../../workspace/references/candidates.ts';
import type { ReferenceTarget } from '../../workspace/references/model.ts';
import { effectiveNamespace } from '../../workspace/selection/namespaces.ts';
import { objectName } from '../presentation/object-names.ts';
import { portsMeant } from '../references/ports-meant.ts';
import { subsetsMeant } from '../references/subsets-meant.ts';
import { type Completing, item, ownerOf, scalarItem, type TargetOf } from './completion-item.ts';
import type { Completion } from './model.ts';
import { insideQuotes } from './selector-completion.ts';

/** Returns the names or keys that a reference can contain, the nearest first. */
export function referenceItems(completing: Completing<TargetOf<'reference'>>): readonly Completion[] {
  const { view, place } = completing;
  const { site, on, parts } = place;
  if (parts !== undefined)
    return namedItems(
      completing,
      site,
      parts.map((name) => [name, localize`in this object`]),
    );
  const owner = ownerOf(completing);
  if (site.fact.part !== undefined)
    return namedItems(completing, site, [...portsMeant(view, owner, site), ...subsetsMeant(view, owner, site)]);
  if (on === 'key') {
    const keys = keyCandidates(view.workspace, view.catalogue, owner, site);
    return namedItems(
      completing,
      site,
      keys.map(({ key, target }) => [key.text, `${target.kind}/${target.name}`]),
    );
  }
  return namedItems(completing, site, candidates(completing, site));
}

/** Returns object names for a label whose value is the name of an object. */
export function namesInLabel(completing: Completing): readonly Completion[] {
  const { object } = ownerOf(completing);
  const site = object.references?.find(({ name }) => name.text.includes(marker));
  return site === undefined ? [] : namedItems(completing, site, candidates(completing, site));
}

type Named = readonly (readonly [name: string, description: string])[];

function candidates(completing: Completing, site: ReferenceSite): Named {
  const { workspace, catalogue } = completing.view;
  const found = nameCandidates(workspace, catalogue, ownerOf(completing), site);
  return found.map((target) => [target.name, described(completing, target)]);
}

/** Describes a target: `Secret`, `Secret in shop` or `Secret, created by ExternalSecret/db`. */
function described({ view }: Completing, { kind, is, file, object, relation }: ReferenceTarget): string {
  const { workspace, catalogue } = view;
  const namespace = object && effectiveNamespace(workspace, catalogue, { file, object })?.text;
  const where = namespace === undefined ? kind : `${kind} in ${namespace}`;
  const made = is === 'producer' && object !== undefined ? localize`${where}, created by ${objectName(object)}` : where;
  const generated = is === 'generator' ? localize`${kind}, generated` : made;
  return relation === 'here' ? generated : localize`${generated}, elsewhere`;
}

function namedItems(completing: Completing, site: ReferenceSite, names: Named): readonly Completion[] {
  const distinct = new Map(names.filter(([name]) => !name.includes(marker)).toReversed());
  const isWhole = site.fact.form === undefined || site.fact.form === 'claim';
  return [...distinct]
    .toReversed()
    .map(([label, description]) =>
      isWhole
        ? scalarItem(completing, { label, kind: 'value', description })
        : pieceItem(completing, { label, kind: 'value', description }),
    );
}

/** Returns an item that replaces one of several names in a string, up to the next separator. */
function pieceItem(completing: Completing, shown: Pick<Completion, 'label' | 'kind' | 'description'>): Completion {
  const { view, cursorTarget, offset } = completing;
  const inner = insideQuotes(view.text, cursorTarget.token);
  const isSeparator = (at: number) => /[/,\s]/.test(view.text.charAt(at));
  const span = { start: offset, end: offset };
  while (span.start > inner.start && !isSeparator(span.start - 1)) span.start--;
  while (span.end < inner.end && !isSeparator(span.end)) span.end++;
  const made = item(completing, shown, { edit: { span, text: shown.label } });
  return { ...made, filter: shown.label };
}
