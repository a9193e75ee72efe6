/** The hover for node affinity, pod affinity and weights: their effect on scheduling, and the matching nodes. */

import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { childOf, type MapEntry, type Node } from '../../manifests/yaml/tree.ts';
import { lineEndAt } from '../../text/lines.ts';
import { localize } from '../../text/localize.ts';
import { touches } from '../../text/span.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import {
  type FittingNode,
  type NodeFits,
  nodeFits,
  podSpecAround,
  podSpecPaths,
} from '../../workspace/selection/node-fits.ts';
import { appliedLead } from '../presentation/applied-name.ts';
import { group, objectLine } from '../presentation/object-lines.ts';
import { objectName } from '../presentation/object-names.ts';
import { type Block, type Line, paragraph, type RichText, sentence } from '../presentation/rich-text.ts';
import type { FileView } from '../view.ts';

type Affinity = 'nodeAffinity' | 'podAffinity' | 'podAntiAffinity';
type Field = 'required' | 'preferred' | 'weight';

const affinities: readonly Affinity[] = ['nodeAffinity', 'podAffinity', 'podAntiAffinity'];
const lists = {
  required: 'requiredDuringSchedulingIgnoredDuringExecution',
  preferred: 'preferredDuringSchedulingIgnoredDuringExecution',
} as const;

/** Returns the hover for an affinity field at an offset; undefined elsewhere. */
export function aboutAffinityAt(view: FileView, object: ManifestObject, offset: number) {
  const { text } = view;
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, lineEndAt(text, offset));
  if (!line.includes('During') && !line.includes('weight')) return undefined;
  const root = treeOf({ ...view, uri: view.file.uri }, object);
  for (const spec of podSpecPaths(object)) {
    const affinity = childOf(nodeBelow(root, spec), 'affinity');
    for (const kind of affinities) {
      const found = fieldAt(childOf(affinity, kind), offset);
      if (found === undefined) continue;
      const effect = [paragraph(...sentence(effectOf(kind, found.field))), ...nodes(view, object, kind, spec)];
      return { span: found.entry.key.span, text: effect };
    }
  }
  return undefined;
}

function nodeBelow(root: Node | undefined, path: string): Node | undefined {
  return path.split('.').reduce<Node | undefined>((node, step) => childOf(node, step), root);
}

interface FieldAt {
  readonly field: Field;
  readonly entry: MapEntry;
}

function fieldAt(affinity: Node | undefined, offset: number): FieldAt | undefined {
  if (affinity?.kind !== 'map' || !touches(affinity.span, offset)) return undefined;
  for (const entry of affinity.entries) {
    const field = (['required', 'preferred'] as const).find((each) => entry.key.text === lists[each]);
    if (field === undefined) continue;
    if (touches(entry.key.span, offset)) return { field, entry };
    const items = entry.value.kind === 'list' ? entry.value.items : [];
    for (const item of items) {
      const weight = item.kind === 'map' ? item.entries.find(({ key }) => key.text === 'weight') : undefined;
      const isAt = weight !== undefined && [weight.key, weight.value].some(({ span }) => touches(span, offset));
      if (weight !== undefined && isAt) return { field: 'weight', entry: weight };
    }
  }
  return undefined;
}

function nodes(view: FileView, object: ManifestObject, kind: Affinity, spec: string): readonly Block[] {
  return kind === 'nodeAffinity' ? aboutNodes(view, { file: view.file, object }, spec) : [];
}

/** Describes the effect of a node selector site on scheduling, and the nodes that fit; empty for any other site. */
export function aboutScheduling(view: FileView, object: ManifestObject, site: SelectorSite): RichText {
  const spec = object.inline || object.inValues ? undefined : podSpecAround(object, site.path);
  if (spec === undefined) return [];
  const field = site.fact.role === 'nodePreference' ? 'preferred' : 'required';
  return [
    paragraph(...sentence(effectOf('nodeAffinity', field))),
    ...aboutNodes(view, { file: view.file, object }, spec),
  ];
}

const effects: Readonly<Record<'nodes' | 'together' | 'apart', Readonly<Record<Field, string>>>> = {
  nodes: {
    required:
      'Required: a pod is scheduled only onto a node that matches. A pod that runs already stays if labels change.',
    preferred:
      'Preferred: of the nodes that fit, the scheduler favors those with the highest sum of weights. A pod is scheduled even if none matches.',
    weight: 'The weight, from 1 to 100, that each node adds to its sum if it matches this preference.',
  },
  together: {
    required:
      'Required: a pod is scheduled only into a domain of `topologyKey` in which a matching pod runs. A pod that runs already stays if labels change.',
    preferred:
      'Preferred: the scheduler favors nodes whose domain of `topologyKey` has matching pods, by the sum of weights. A pod is scheduled even if none matches.',
    weight:
      'The weight, from 1 to 100, that a node adds to its sum for each matching pod in its domain of `topologyKey`.',
  },
  apart: {
    required:
      'Required: a pod is not scheduled into a domain of `topologyKey` in which a matching pod runs. A pod that runs already stays if labels change.',
    preferred:
      'Preferred: the scheduler avoids nodes whose domain of `topologyKey` has matching pods, by the sum of weights. A pod is scheduled even if no other node fits.',
    weight:
      'The weight, from 1 to 100, that a node loses from its sum for each matching pod in its domain of `topologyKey`.',
  },
};

const effectGroups = { nodeAffinity: 'nodes', podAffinity: 'together', podAntiAffinity: 'apart' } as const;

function effectOf(kind: Affinity, field: Field): string {
  return effects[effectGroups[kind]][field];
}

function aboutNodes(view: FileView, owner: ObjectInFile, spec: string): readonly Block[] {
  if (!view.complete) return [];
  const lead = appliedLead(view, owner);
  const fits = nodeFits(lead.workspace, view.catalogue, lead.owner, spec);
  const offset = owner.object.kindSpan.start;
  const summary = paragraph({ kind: 'strong', text: 'Scheduling' }, ': ', ...fitsLine(fits));
  const ranked = fits.fitting.map((each): Line => {
    const weight = fits.hasPreferences ? [localize`weight ${scoreText(each)}`] : [];
    return objectLine(view, each.node, each.node.object.kindSpan, [
      ...weight,
      ...(each.certain ? [] : [localize`may match`]),
    ]);
  });
  const others = fits.others.map((node) => objectLine(view, node, node.object.kindSpan, node.reasons));
  return [
    summary,
    ...group(view, localize`Nodes that fit`, ranked, offset),
    ...group(view, localize`Nodes that do not fit`, others, offset),
  ];
}

/** Returns a sentence such as "1 of 3 Nodes here fits, best n1 (10). Resources are not considered.". */
export function fitsLine({ nodes, here, fitting, hasPreferences, assigned }: NodeFits): Line {
  if (assigned !== undefined)
    return [
      { kind: 'code', text: 'nodeName' },
      localize` assigns the pod to `,
      { kind: 'code', text: assigned },
      localize` without the scheduler; the kubelet of this node rejects the pod if it does not fit.`,
    ];
  if (nodes === 0) return [localize`this workspace contains no Node objects, so the matching nodes are unknown.`];
  const certain = fitting.filter((each) => each.certain).length;
  const may = fitting.length - certain;
  const where = here ? 'here' : localize`elsewhere`;
  const [best] = fitting;
  const shown = hasPreferences && best !== undefined ? localize`, best ${nameOf(best)} (${scoreText(best)})` : '';
  return [
    localize`${certain} of ${nodes} ${nodes === 1 ? 'Node' : 'Nodes'} ${where} ${certain === 1 ? 'fits' : 'fit'}${may === 0 ? '' : localize`, ${may} may fit`}${shown}. Resources are not considered.`,
  ];
}

function nameOf({ node }: FittingNode): string {
  return node.object.name?.text ?? objectName(node.object);
}

/** Returns the sum of a node's weights: `10`, or `10 or more` if some weights are unknown. */
export function scoreText({ weight, mayBeMore }: Pick<FittingNode, 'weight' | 'mayBeMore'>): string {
  return mayBeMore ? localize`${weight} or more` : String(weight);
}
