/** Reports kustomizations that include themselves, directly or through others. */

import type { PathReference } from '../../manifests/kustomize/model.ts';
import { localize } from '../../text/localize.ts';
import { cycleOf } from '../../workspace/kustomize/cycles.ts';
import { kustomizationsBelow } from '../../workspace/kustomize/kustomization-paths.ts';
import type { Workspace, WorkspaceFile } from '../../workspace/model.ts';
import { folderOf, relativeFolder } from '../../workspace/uri.ts';
import { type Fact, maximumRelated, rule } from '../framework/rule.ts';
import { shorten } from '../helpers/sentences.ts';

interface Cycle extends Fact {
  readonly reference: PathReference;
  /** The folders on the path back to the kustomization, beginning with the folder of the reference. */
  readonly way: readonly string[];
}

export const kustomizeCycle = rule<Cycle>({
  id: 'kustomize-cycle',
  severity: 'warning',
  needs: 'kustomization',
  acrossFiles: true,
  needsNoRendering: true,
  summary: 'A kustomization that includes itself, directly or through other kustomizations.',
  why: '`kustomize build` fails for every kustomization of the cycle. The model ignores the reference that closes the cycle.',
  withoutFix: 'Only the author knows which reference of the cycle is wrong.',
  bad: [
    {
      title: 'A kustomization that lists its own folder.',
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
      title: 'A kustomization without a cycle.',
      file: 'kustomization.yaml',
      text: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
namePrefix: dev-
`,
    },
  ],
  *check({ workspace, file }) {
    const cycle = cycleOf(workspace.scopes(), file.uri);
    if (cycle.size === 0) return;
    const back = kustomizationsBelow(workspace, file).find((below) => cycle.has(below.file.uri));
    if (back === undefined) return;
    const way = wayBack(workspace, back.file, file.uri) ?? [];
    yield {
      span: back.reference.span,
      reference: back.reference,
      way: way.map(({ uri }) => relativeFolder(folderOf(file.uri), folderOf(uri))),
      related: way
        .filter(({ uri }) => uri !== file.uri)
        .slice(0, maximumRelated)
        .map((each) => ({
          file: each,
          span: { start: 0, end: 0 },
          message: localize`This reference is part of the cycle.`,
        })),
    };
  },
  message({ reference, way }) {
    const through = way.slice(1, 4).map((path) => `'${shorten(path)}'`);
    const by = through.length === 0 ? '' : localize`, through ${through.join(', ')}`;
    return localize`'${shorten(reference.path)}' leads back to this kustomization${by}; \`kustomize build\` fails.`;
  },
  fixes: () => [],
});

/** The maximum number of references that are followed to find the kustomizations of a cycle. */
const maximumSteps = 1_000;

/** Returns the kustomizations on a path from one kustomization to a different one, without the last; undefined if no short path exists. */
function wayBack(workspace: Workspace, from: WorkspaceFile, to: string): readonly WorkspaceFile[] | undefined {
  if (from.uri === to) return [];
  const cameFrom = new Map<string, WorkspaceFile | undefined>([[from.uri, undefined]]);
  let steps = 0;
  // Entries that are added during the iteration are visited too.
  for (const uri of cameFrom.keys()) {
    const each = workspace.files.get(uri);
    if (each === undefined) continue;
    for (const { file } of kustomizationsBelow(workspace, each)) {
      if (file.uri === to) return wayTo(each, cameFrom);
      if (++steps === maximumSteps) return undefined;
      if (cameFrom.has(file.uri)) continue;
      cameFrom.set(file.uri, each);
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
