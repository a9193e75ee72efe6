/** Reports patches of a kustomization that match none of its objects, or whose operations are invalid. */

import { parseSelector } from '../../engine/index.ts';
import type { PatchEntry, PatchTarget } from '../../manifests/kustomize/model.ts';
import { type OperationFault, operationFault } from '../../manifests/kustomize/operation-faults.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { itemsOf, type Node } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import { scopesDefinedBy } from '../../workspace/gitops/defined-scopes.ts';
import type { Identity } from '../../workspace/kustomize/resource.ts';
import type { IdlePatch, Rendering } from '../../workspace/model.ts';
import { folderOf } from '../../workspace/uri.ts';
import { type Fact, type Related, type RuleContext, rule } from '../framework/rule.ts';
import { gitopsPatchesIn, isAppliedAsWritten } from '../helpers/applied-as-written.ts';
import { operationsIn } from '../helpers/patch-parts.ts';
import { rootRenderings } from '../helpers/root-renderings.ts';
import { shorten } from '../helpers/sentences.ts';

interface Idle extends Fact {
  readonly is: 'idle';
  readonly entry: PatchEntry;
  /** The object that a patch without a target identifies by its kind and name; undefined if the patch has a target. */
  readonly object: ManifestObject | undefined;
  readonly closest: Identity | undefined;
}

interface Invalid extends Fact {
  readonly is: 'invalid';
  readonly fault: OperationFault;
}

export const kustomizePatchTarget = rule<Idle | Invalid>({
  id: 'kustomize-patch-target',
  severity: 'warning',
  acrossFiles: true,
  summary: 'A patch that matches no object of its kustomization or GitOps object, or that kustomize cannot apply.',
  why: 'If a patch without a target matches no object, `kustomize build` fails, so the finding is an error. If a patch has a target that matches no object, kustomize ignores the patch without a message, so the intended change is missing. A kustomization without any object is not checked. A common cause is a name or label that was changed in the base. If a file contains several patches, each of them is checked. Patches of Flux Kustomizations and Applications with the name or labels of an object are checked, too, if all objects of their folders are known. `kustomize build` also fails if an operation of a JSON patch has an unknown `op` or no `path`. An operation without a `value` sets null, and the first part of a path without a leading slash is ignored; both are warnings.',
  bad: [
    {
      title: 'A misspelled name.',
      file: 'kustomization.yaml',
      text: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
configMapGenerator:
  - name: prices
    literals: [currency=EUR]
patches:
  - target:
      kind: ConfigMap
      name: price
    patch: |-
      - op: add
        path: /metadata/labels
        value: {team: shop}
`,
    },
  ],
  good: [
    {
      title: 'A target whose name is a regular expression.',
      change: [
        `kind: ConfigMap
      name: price`,
        `kind: ConfigMap
      name: price.*`,
      ],
    },
  ],
  *check(context) {
    for (const operation of operationsIn(context)) {
      const fault = operationFault(operation);
      const severity = fault?.fails ? { severity: 'error' as const } : {};
      if (fault !== undefined) yield { is: 'invalid', span: partOf(fault.node).span, fault, ...severity };
    }
    for (const object of context.stored) yield* ofGitops(context, object);
    const { kustomization, uri } = context.file;
    if (kustomization === undefined || kustomization.changes.length === 0) return;
    const built = rootRenderings(context);
    // A component that no kustomization includes is built alone; then only near misses among its own objects are
    // reported.
    const isAlone = built.length === 0 && kustomization.component;
    const renderings = isAlone ? [context.workspace.rendering(folderOf(uri), context.catalogue) ?? []].flat() : built;
    const [first, ...others] = renderings;
    if (first === undefined || (!isAlone && !renderings.every(({ isWhole }) => isWhole))) return;
    // Several bases of one kustomization may include a component.
    const places = new Set<string>();
    for (const idle of first.idle) {
      const { entry, object } = idle;
      if (idle.uri !== uri || entry.allowNoTargetMatch) continue;
      const place = `${entry.span.start} ${object?.kindSpan.start}`;
      if (places.has(place)) continue;
      places.add(place);
      if (kustomization.component && isForWhateverIsThere(entry)) continue;
      // kustomize ignores the target, and a kustomization without objects has not been filled in yet.
      if (entry.target !== undefined && renderings.every(({ objects }) => objects.length === 0)) continue;
      if (!others.every((other) => other.idle.some((each) => isSame(each, idle)))) continue;
      const closest = closestTo(idle);
      if (isAlone && closest === undefined) continue;
      // kustomize continues if a target matches nothing, but fails if a patch without a target matches nothing.
      const fails = entry.target === undefined && !isAlone;
      const related = relatedTo(context, idle);
      yield {
        is: 'idle',
        span: entry.span,
        entry,
        object,
        closest,
        related,
        ...(fails && { severity: 'error' as const }),
      };
    }
  },
  message(found) {
    if (found.is === 'invalid')
      return found.fault.fails ? localize`${found.fault.message} \`kustomize build\` fails.` : found.fault.message;
    const { entry, object, closest } = found;
    const { target } = entry;
    const near = closest === undefined ? '' : localize` Closest: ${closest.kind}/${shorten(closest.name)}.`;
    if (target !== undefined)
      return localize`Patch target${nameOfTarget(target)} matches no object in this kustomization; the patch has no effect.${near}`;
    const what = object === undefined ? 'Patch' : localize`Patch of ${object.kind}/${shorten(object.name?.text ?? '')}`;
    return localize`${what} matches no object in this kustomization; \`kustomize build\` fails.${near}`;
  },
  fixes(found, { text }) {
    if (found.is === 'idle' || found.fault.meant === undefined || found.fault.node.kind !== 'scalar') return [];
    const { meant, node } = found.fault;
    const { start, end } = node.span;
    const written = text.slice(start, end);
    const quote = /^["']/.exec(written)?.[0] ?? '';
    if (written !== `${quote}${node.text}${quote}`) return [];
    return [
      {
        title: localize`Change '${shorten(node.text)}' to '${shorten(meant)}'`,
        edits: [{ span: node.span, text: `${quote}${meant}${quote}` }],
        preferred: true,
      },
    ];
  },
});

/** Returns the node at which a fault is shown: the first key of a map. */
function partOf(node: Node): Node {
  return node.kind === 'map' ? (node.entries[0]?.key ?? node) : node;
}

/** Yields the patches of a Flux Kustomization or an Application that match none of the objects in its folders. Generic patches are often copied to many definitions. */
function* ofGitops(context: RuleContext, object: ManifestObject): Iterable<Idle> {
  const { workspace, catalogue, uri } = context;
  const scopes = scopesDefinedBy(workspace, uri, object);
  if (scopes.length === 0 || !gitopsPatchesIn(object).some((patches) => itemsOf(patches).length > 0)) return;
  if (!scopes.every((scope) => isAppliedAsWritten(context, scope, object, gitopsPatchesIn))) return;
  const renderings = scopes.map(({ path }) => workspace.rendering(path, catalogue));
  const [first, ...others] = renderings;
  if (first === undefined || !renderings.every((each) => each?.isWhole && each.objects.length > 0)) return;
  for (const idle of first.idle) {
    const { entry, object: patched } = idle;
    if (idle.uri !== uri || entry.allowNoTargetMatch) continue;
    // Objects often have to be labeled in order to be patched, and in some definitions none of them is.
    if (isForWhateverIsThere(entry) && !hasKeys(first, entry)) continue;
    if (!others.every((other) => other?.idle.some((each) => isSame(each, idle)))) continue;
    const fails = entry.target === undefined ? { severity: 'error' as const } : {};
    yield { is: 'idle', span: entry.span, entry, object: patched, closest: closestTo(idle), ...fails };
  }
}

/** Whether an object of the kind of a target has a label key that its selector requires. */
function hasKeys({ objects }: Rendering, { target }: PatchEntry): boolean {
  const selector = parseSelector(target?.labelSelector?.text ?? '');
  const requirements = selector.ok && selector.value.kind === 'all' ? selector.value.requirements : [];
  const keys = requirements.flatMap(({ key, operator }) =>
    operator === '=' || operator === '==' || operator === 'in' ? key : [],
  );
  const isOfKind = (kind: string) => target?.kind === undefined || target.kind.text === kind;
  return objects.some(
    ({ object }) => isOfKind(object.kind) && object.labels?.entries.some(({ key }) => keys.includes(key.text)) === true,
  );
}

/** Whether a patch target is generic, because it has no name. A component with such a target may be meant for many kustomizations, some of which contain no object of the kind. */
function isForWhateverIsThere({ target }: PatchEntry): boolean {
  return target !== undefined && target.name === undefined;
}

function isSame(one: IdlePatch, other: IdlePatch): boolean {
  return (
    one.uri === other.uri &&
    one.entry.span.start === other.entry.span.start &&
    one.object?.kindSpan.start === other.object?.kindSpan.start
  );
}

function nameOfTarget({ kind, name, labelSelector }: PatchTarget): string {
  if (name !== undefined) return ` ${kind === undefined ? '' : `${kind.text}/`}${shorten(name.text)}`;
  if (labelSelector !== undefined) return ` '${shorten(labelSelector.text)}'`;
  return kind === undefined ? '' : ` ${kind.text}`;
}

/** Returns the only object whose name is similar to the name in the patch. */
function closestTo({ entry: { target }, object, present }: IdlePatch): Identity | undefined {
  const name = target === undefined ? object?.name?.text : target.name?.text;
  const kind = target === undefined ? object?.kind : target.kind?.text;
  if (name === undefined || name === '') return undefined;
  const near = new Map<string, { readonly identity: Identity; readonly evident: boolean }>();
  for (const identity of present) {
    if (kind !== undefined && identity.kind !== kind) continue;
    const likeness = misspelling(name, identity.name);
    if (likeness !== undefined) near.set(identity.name, { identity, evident: likeness === 'evident' });
  }
  const evident = [...near.values()].filter((each) => each.evident);
  const [only, ...others] = evident.length > 0 ? evident : [...near.values()];
  return others.length > 0 ? undefined : only?.identity;
}

/** Returns the position of the name in a patch file as related information. */
function relatedTo({ workspace, uri }: RuleContext, { entry, object }: IdlePatch): readonly Related[] {
  const path = entry.path && workspace.files.get(workspace.at(folderOf(uri), entry.path.path));
  const name = object?.name;
  if (path === undefined || name === undefined) return [];
  return [{ file: path, span: name.span, message: localize`${object?.kind} '${shorten(name.text)}' is defined here.` }];
}
