/** Does a kustomization lead back to itself? */

import type { PathReference } from '../../manifests/kustomize/model.ts';
import type { Workspace, WorkspaceFile } from '../../workspace/model.ts';
import { folderOf, relativeFolder } from '../../workspace/uri.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { kustomizationsBelow } from '../helpers/kustomization-paths.ts';
import { shorten } from '../helpers/sentences.ts';

interface Cycle extends Fact {
  readonly reference: PathReference;
  /** What is passed on the way back, the folder of the reference first. */
  readonly way: readonly string[];
}

export const kustomizeCycle = rule<Cycle>({
  id: 'kustomize-cycle',
  severity: 'warning',
  about: 'kustomization',
  acrossFiles: true,
  summary: 'A kustomization that takes itself, directly or through others.',
  why: 'Kustomize refuses to build any of them. Here each of them is modelled as if the way back were not there.',
  withoutFix: 'Every part of a cycle may be the one that is too much.',
  bad: [
    {
      title: 'The folder itself.',
      file: 'kustomization.yaml',
      text: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - .
`,
    },
  ],
  good: [
    {
      title: 'Nothing that leads back.',
      file: 'kustomization.yaml',
      text: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namePrefix: dev-
`,
    },
  ],
  *check({ workspace, file }) {
    for (const { file: below, reference } of kustomizationsBelow(workspace, file)) {
      const way = wayBack(workspace, below, file.uri);
      if (way === undefined) continue;
      yield {
        span: reference.span,
        reference,
        way: way.map(({ uri }) => relativeFolder(folderOf(file.uri), folderOf(uri))),
        related: way
          .filter(({ uri }) => uri !== file.uri)
          .map((each) => ({ file: each, span: { start: 0, end: 0 }, message: 'The cycle goes through this.' })),
      };
    }
  },
  say({ reference, way }) {
    const through = way.slice(1, 4).map((path) => `'${shorten(path)}'`);
    const by = through.length === 0 ? '' : `, by way of ${through.join(', ')}`;
    return `'${shorten(reference.path)}' leads back to this kustomization${by}: kustomize cannot build it.`;
  },
  mend: () => [],
});

/** The kustomizations from one to another, without the other; undefined where no way leads there. */
function wayBack(workspace: Workspace, from: WorkspaceFile, to: string): readonly WorkspaceFile[] | undefined {
  if (from.uri === to) return [];
  const cameFrom = new Map<string, WorkspaceFile | undefined>([[from.uri, undefined]]);
  const waiting = [from];
  for (let each = waiting.shift(); each !== undefined; each = waiting.shift()) {
    for (const { file } of kustomizationsBelow(workspace, each)) {
      if (file.uri === to) return wayTo(each, cameFrom);
      if (cameFrom.has(file.uri)) continue;
      cameFrom.set(file.uri, each);
      waiting.push(file);
    }
  }
  return undefined;
}

function wayTo(
  last: WorkspaceFile,
  cameFrom: ReadonlyMap<string, WorkspaceFile | undefined>,
): readonly WorkspaceFile[] {
  const way: WorkspaceFile[] = [];
  for (let each: WorkspaceFile | undefined = last; each !== undefined; each = cameFrom.get(each.uri)) way.unshift(each);
  return way;
}
