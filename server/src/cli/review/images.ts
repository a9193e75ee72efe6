/** States which images of workloads change. */

import { replicasIn } from '../../compare/replicas.ts';
import { sourceOf, wholeTree, writtenTree } from '../../compare/update-data.ts';
import { getOrAdd } from '../../engine/memoize.ts';
import { imageNodesOf, imagesOf, splitImage } from '../../manifests/sites/images.ts';
import { childOf, textOf } from '../../manifests/yaml/tree.ts';
import { lineNumber } from '../../text/lines.ts';
import { stepsOf, targetAt } from '../../workspace/object-trees.ts';
import { relativePath } from '../../workspace/uri.ts';
import type { AppliedObject } from '../objects/applied-objects.ts';
import { shownName } from '../objects/compared-names.ts';
import { counted } from '../output/counts.ts';
import { listedNames } from '../output/names.ts';
import type { Tree } from '../trees/tree.ts';
import type { Cause } from './causes.ts';
import { scaledBy } from './kustomize-replicas.ts';
import type { Statement } from './model.ts';
import type { Pair } from './pairs-of-trees.ts';

/** Returns a statement for each pair of an old and a new image. */
export function changedImages(trees: readonly [Tree, Tree], pairs: readonly Pair[]): readonly Statement[] {
  const groups = new Map<string, Replaced>();
  for (const { named, before, after } of pairs) {
    if (before === undefined || after === undefined) continue;
    const [was, is] = [imagesIn(trees[0], before), imagesIn(trees[1], after)];
    for (const image of is.filter((each) => !was.includes(each))) {
      const { name } = splitImage(image);
      const earlier = was.find((each) => !is.includes(each) && splitImage(each).name === name);
      const text =
        earlier === undefined
          ? `An image changes to ${image}`
          : `Image ${name} changes from ${changeOf(earlier, image)}`;
      const group = getOrAdd(
        groups,
        text,
        (): Replaced => ({
          ...{ names: [], pods: 0, isKnown: true, jobs: [] },
          positions: new Map(),
        }),
      );
      const position = positionOf(trees[1], after, image);
      if (position !== undefined) group.positions.set(`${position.path}:${position.line}`, position);
      const replicas =
        after.object.kind === 'Deployment' || after.object.kind === 'StatefulSet'
          ? replicasIn({ side: trees[1].side, applied: after })
          : undefined;
      group.names.push(shownName(named, false));
      if (after.object.kind === 'CronJob') {
        group.jobs.push(shownName(named, true));
        continue;
      }
      group.pods += replicas ?? 0;
      group.isKnown &&= replicas !== undefined;
    }
  }
  return [...groups].map(([text, group]) => ({
    text: `${text} in ${listedNames(group.names)}${effectsOf(group)}.`,
    count: group.names.length,
    ...positionsIn(group),
  }));
}

/** Returns the first position of an image, and a sentence with the others. */
function positionsIn({ positions }: Replaced): Pick<Statement, 'cause' | 'more'> {
  const [first, ...others] = positions;
  if (first === undefined) return {};
  const more = others.length === 0 ? undefined : `The image is also in ${listedNames(others.map(([name]) => name))}.`;
  return { cause: first[1], ...(more !== undefined && { more }) };
}

/** Returns what follows for the pods of some workloads. */
function effectsOf({ names, pods, isKnown, jobs }: Replaced): string {
  if (names.length === jobs.length) return `, from ${jobs.length === 1 ? 'its next Job' : 'their next Jobs'} on`;
  const replaced = isKnown ? `${counted(pods, 'pod')} ${pods === 1 ? 'is' : 'are'}` : 'the pods are';
  const later =
    jobs.length === 0
      ? ''
      : `; ${listedNames(jobs)} ${jobs.length === 1 ? 'uses it from its next Job' : 'use it from their next Jobs'} on`;
  return `: ${replaced} replaced${later}`;
}

/** The workloads in which an image changes in the same way, and their known pods. */
interface Replaced {
  readonly names: string[];
  pods: number;
  isKnown: boolean;
  /** The names of the CronJobs, whose pods of earlier Jobs are not replaced. */
  readonly jobs: string[];
  readonly positions: Map<string, Cause>;
}

/** Returns the position of an image, in the file of the object or in the file that changes it; undefined if it is unknown. */
function positionOf(tree: Tree, applied: AppliedObject, image: string): Cause | undefined {
  const root = writtenTree({ side: tree.side, applied });
  const nodes = applied.object.templates.flatMap(({ path }) => {
    const template = targetAt(root, stepsOf(path))?.node;
    return template === undefined ? [] : imageNodesOf(template);
  });
  const node = nodes.find(({ text }) => text === image);
  const own = sourceOf(tree.side, applied)?.file.uri ?? applied.file.uri;
  const { uri, span } = node?.origin ?? { uri: own, span: node?.span };
  const text = tree.side.textOf(uri);
  if (text === undefined || span === undefined) return undefined;
  const line = text.slice(text.lastIndexOf('\n', span.start) + 1).split('\n', 1)[0] ?? '';
  // An image that something else changes is not in the file.
  return line.includes(versionOf(image))
    ? { path: relativePath(tree.root, uri), line: lineNumber(text, span.start) }
    : undefined;
}

/** Returns the old and the new version, and whether it is a new major version. */
function changeOf(earlier: string, image: string): string {
  const [was, is] = [versionOf(earlier), versionOf(image)];
  const [old, fresh] = [was, is].map((version) => Number(/^v?(\d+)\./.exec(version)?.[1]));
  const isMajor = old !== undefined && fresh !== undefined && fresh > old;
  return `${was} to ${is}${isMajor ? ' (a new major version)' : ''}`;
}

function versionOf(image: string): string {
  const { tag, digest } = splitImage(image);
  return tag ?? digest ?? 'no tag';
}

/** Returns a statement for each pair of an old and a new number of replicas. */
export function changedReplicas(trees: readonly [Tree, Tree], pairs: readonly Pair[]): readonly Statement[] {
  const groups = new Map<string, string[]>();
  for (const { named, before, after } of pairs) {
    if (before === undefined || after === undefined) continue;
    const [was, is] = [shownReplicas(trees[0], before), shownReplicas(trees[1], after)];
    if (was !== is) getOrAdd(groups, `from ${was} to ${is}`, () => []).push(shownName(named, false));
  }
  return [...groups].map(([change, names]) => ({
    text: `Replicas of ${listedNames(names)} change ${change}.`,
    count: names.length,
  }));
}

/** Returns the number of replicas, as far as it is known. */
function shownReplicas(tree: Tree, applied: AppliedObject): string {
  const scaled = scaledBy(tree, applied);
  if (/^[^,=]+=\d+$/.test(scaled)) return scaled.slice(scaled.indexOf('=') + 1);
  const root = scaled === '' ? wholeTree({ side: tree.side, applied }) : undefined;
  if (root === undefined) return 'an unknown number';
  return textOf(childOf(childOf(root, 'spec'), 'replicas')) ?? '1';
}

function imagesIn(tree: Tree, applied: AppliedObject): readonly string[] {
  const root = writtenTree({ side: tree.side, applied });
  return applied.object.templates.flatMap(({ path }) => {
    const template = targetAt(root, stepsOf(path))?.node;
    return template === undefined || childOf(template, 'spec') === undefined ? [] : imagesOf(template);
  });
}
