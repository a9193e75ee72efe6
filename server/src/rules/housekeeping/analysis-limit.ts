/** Reports the parts of a file that were not analyzed because the analysis would take too long. */

import { maximumValues } from '../../manifests/helm/values.ts';
import { isTooLarge, maximumSelectorSize } from '../../manifests/sites/sites.ts';
import { spanOfProblem } from '../../manifests/yaml/syntax-errors.ts';
import { maximumNesting } from '../../manifests/yaml/tolerant-parser.ts';
import { childOf, maximumTreeSize } from '../../manifests/yaml/tree.ts';
import { english, localize, localized } from '../../text/localize.ts';
import { isInTemplates } from '../../workspace/charts/chart-files.ts';
import { scopesDefinedBy } from '../../workspace/gitops/defined-scopes.ts';
import { maximumLevels, maximumResources, maximumSteps } from '../../workspace/kustomize/build-limits.ts';
import { maximumGeneratorBytes } from '../../workspace/kustomize/generator-contents.ts';
import { isFirstShared, maximumAround, objectsPerScope } from '../../workspace/kustomize/shared-files.ts';
import type { Limit } from '../../workspace/model.ts';
import type { Scope } from '../../workspace/scopes/model.ts';
import { maximumComparisons, missesPerMatch } from '../../workspace/selection/comparison-budget.ts';
import { firstInCrowds, maximumOfScope } from '../../workspace/selection/crowding.ts';
import { folderOf } from '../../workspace/uri.ts';
import { type Fact, maximumFindings, type RuleContext, rule } from '../framework/rule.ts';

interface LeftOut extends Fact {
  readonly what:
    | 'comparisons'
    | 'crowd'
    | 'document'
    | 'contents'
    | 'findings'
    | 'helpers'
    | 'selector'
    | 'sharing'
    | 'sets'
    | 'release'
    | 'values'
    | 'variables'
    | Limit;
  /** The rule whose findings are omitted. */
  readonly of?: string;
}

/** The number of pods and of policies in the example, which is just above the limit. */
const pods = 450;

/** Writes a number with a comma between groups of three digits. `toLocaleString` would load all locales, which is a tenth of the time to load the program. */
function grouped(number: number): string {
  return String(number).replace(/\B(?=(?:\d{3})+$)/g, ',');
}

export const analysisLimit = rule<LeftOut>({
  id: 'analysis-limit',
  severity: 'warning',
  acrossFiles: true,
  afterOthers: true,
  needsNoRendering: true,
  summary: 'A file that exceeds a limit and is not analyzed completely.',
  why: `Limits keep a single file from blocking the editor or a pipeline for minutes.

- Rules stop after ${grouped(maximumComparisons)} comparisons of the selectors of a file with the objects of its scope. If all selectors of a scope would need more than ${grouped(maximumOfScope)} comparisons with objects of one kind, each file of the scope has an equal share of these comparisons. If a selector with several requirements matches nothing, ${missesPerMatch} objects count as one comparison. Rules that need no comparisons check the whole file.
- A kustomization is not built if it nests other kustomizations more than ${maximumLevels} levels deep, builds more than ${grouped(maximumResources)} objects, or needs more than ${grouped(maximumSteps)} steps to build. Rules that do not need the built objects still check its files. Without this limit, a chain of bases that each include two other bases could build millions of objects.
- A file is evaluated as written, without its kustomizations, if these kustomizations build more than ${grouped(maximumAround)} objects in total; each of them counts as at least ${objectsPerScope} objects.
- A document is not analyzed if it is nested more than ${maximumNesting} levels deep, or if its aliases expand to more than ${grouped(maximumTreeSize(0))} nodes plus two nodes for each character, because a few lines can expand to more than the available memory.
- The values of a file are unknown if they are nested more than ${maximumNesting} levels deep, or consist of more than ${grouped(maximumValues)} nodes with all aliases expanded.
- The helpers that the templates of a chart include are expanded in a limited number of steps. What they write after the last step is unknown.
- A selector with more than ${grouped(maximumSelectorSize)} keys, values and lists is not evaluated: its matches are unknown.
- The Applications of all ApplicationSets, and the objects of all charts that GitOps objects install, are found in a limited number of steps, and so are the values of the variables of Flux Kustomizations. A release builds at most twice as many objects as its chart contains or, if loops write more, an equal share of 8,000 objects for all releases of the chart. Objects after the last step are unknown, so that rules report nothing about them.
- The generators of a kustomization read at most ${maximumGeneratorBytes / 1_048_576} MiB; a file that several generators read is counted once for each of them. Beyond this limit, the hash suffixes of generated names are unknown.
- Each rule reports at most ${grouped(maximumFindings)} findings in one file.`,
  withoutFix: 'Such a file is usually generated, and only its maintainer can decide how to split it.',
  bad: [
    {
      title: 'Hundreds of policies that all select the same hundreds of pods.',
      shown: `${policy('web-1')}---
${pod('web-1')}---
# ... and so on, ${pods} of each
`,
      get text() {
        const numbers = Array.from({ length: pods }, (_, number) => `${number}`);
        return [
          ...numbers.map((number) => policy(`web-${number}`)),
          ...numbers.map((number) => pod(`web-${number}`)),
        ].join('---\n');
      },
    },
  ],
  good: [{ title: 'A single policy.', text: policy('web-1') }],
  *check(context) {
    const { comparisons, manifest, file, workspace, catalogue, done } = context;
    for (const [of, span] of done.cut) yield { span, what: 'findings', of };
    const at = manifest.tooLargeAt;
    if (at !== undefined) yield { span: spanOfProblem(context.text, { at }), what: 'document' };
    for (const note of file.notes ?? [])
      if (note.is === 'limit')
        yield { span: spanOfProblem(context.text, note), what: isInTemplates(file.uri) ? 'helpers' : 'values' };
    const large = manifest.objects.flatMap(({ selectorSites }) => selectorSites.filter(isTooLarge));
    // Several selector sites can refer to the same field.
    const spans = new Map(large.map(({ keySpan }) => [keySpan.start, keySpan]));
    for (const span of spans.values()) yield { span, what: 'selector' };
    const [first] = [...manifest.objects, ...(manifest.inline ?? [])];
    const crowds = firstInCrowds(workspace, file);
    // In the view of an overlay, other selectors may be skipped than in its files.
    const isFirst = crowds.has(file.uri) || (comparisons.isInCrowd && crowds.size === 0);
    const isOnlyCrowded = comparisons.isInCrowd || crowds.size > 0;
    if (first !== undefined && isFirst) yield { span: first.kindSpan, what: 'crowd' };
    else if (first !== undefined && comparisons.isIncomplete && !isOnlyCrowded)
      yield { span: first.kindSpan, what: 'comparisons' };
    const [taken] = [...(file.kustomization?.resources ?? []), ...(file.kustomization?.components ?? [])];
    const start = first?.kindSpan ?? taken?.span ?? { start: 0, end: 0 };
    if (isFirstShared(workspace, file.uri)) yield { span: start, what: 'sharing' };
    const [generator] = file.kustomization?.contentsCut ? file.kustomization.generators : [];
    if (generator !== undefined) yield { span: generator.span, what: 'contents' };
    yield* ofGitops(context);
    if (isFirstOfCutChart(context)) yield { span: start, what: 'release' };
    if (file.kustomization === undefined) return;
    const folder = folderOf(file.uri);
    const isBuiltBy = ({ path, gitops }: Scope) =>
      path === folder || gitops?.contents.some((content) => content?.kustomized && content.folder === folder);
    const scope = workspace.scopes().building(file.uri).find(isBuiltBy);
    const limit = scope && workspace.unrendered(scope.path, catalogue);
    if (limit !== undefined && limit !== 'failure' && limit !== 'sharing')
      yield { span: taken?.span ?? { start: 0, end: 0 }, what: limit };
  },
  message: ({ what, of }) =>
    what === 'findings'
      ? localize`This file has more than ${maximumFindings} findings of ${of}; findings from this position on are not reported.`
      : localized(messages[what]),
  fixes: () => [],
});

/** Yields the GitOps objects that create unknown objects because finding them is too much work. */
function* ofGitops({ stored, uri, workspace, catalogue }: RuleContext): Iterable<LeftOut> {
  const defining = stored.filter(({ gitopsSpec }) => gitopsSpec !== undefined);
  const [first] = defining;
  if (first !== undefined && workspace.scopes().isCut(uri)) yield { span: first.kindSpan, what: 'sets' };
  for (const object of defining) {
    const hasVariables = childOf(object.gitopsSpec, 'postBuild') !== undefined;
    const releases = scopesDefinedBy(workspace, uri, object).filter(({ gitops }) =>
      gitops.contents.some((content) => content?.chart || hasVariables),
    );
    if (releases.some(({ path }) => workspace.rendering(path, catalogue)?.isCut))
      yield { span: object.kindSpan, what: hasVariables ? 'variables' : 'release' };
  }
}

/** Whether a file is the first one with objects, or with helpers if these write all objects, of a chart whose execution is too much work, with the values of the workspace or its default values. */
function isFirstOfCutChart({ uri, workspace, executed = workspace, catalogue }: RuleContext): boolean {
  return executed
    .scopes()
    .of(uri)
    .some((scope) => {
      if (scope.release === undefined || !executed.rendering(scope.path, catalogue)?.isCut) return false;
      const files = [...scope.files];
      const withObjects = files.find((each) => executed.files.get(each)?.manifest.objects.length);
      return uri === (withObjects ?? files.find((each) => executed.files.get(each)?.helm?.helpers));
    });
}

const messages: Readonly<Record<Exclude<LeftOut['what'], 'findings'>, string>> = {
  document: english`This document is nested too deeply, or its aliases expand to too many nodes, so the document is not analyzed. Use fewer levels and aliases.`,
  comparisons: english`Too many selectors and matching objects in this file: some were not compared, so findings may be missing. Split the file.`,
  crowd: english`Too many selectors and objects in this scope: some were not compared, so findings in its files may be missing.`,
  contents: `The generators of this kustomization read more than ${maximumGeneratorBytes / 1_048_576} MiB, so the hashes of some generated names are unknown.`,
  helpers: english`The helpers of this chart take too many steps, so it is unknown what they write from this position on.`,
  levels: `This kustomization includes others on more than ${maximumLevels} levels, so its objects are analyzed only as written.`,
  objects: `This kustomization builds more than ${grouped(maximumResources)} objects, so its objects are analyzed only as written.`,
  release: english`Building this release takes too many steps or builds too many objects, so some of its objects are unknown.`,
  selector: `This selector has more than ${grouped(maximumSelectorSize)} keys, values and lists, so it is unknown what it matches.`,
  sets: english`The ApplicationSets of this workspace create too many Applications, so those of this file are not all known.`,
  sharing: 'The kustomizations that include this file build too many objects, so it is not analyzed as they apply it.',
  values: english`These values are nested too deeply, or too many, so they are unknown. Use fewer levels and aliases.`,
  variables: english`Replacing the variables of this Kustomization takes too many steps, so some of its objects are unknown.`,
  steps: english`Building this kustomization and its bases takes too many steps, so its objects are analyzed only as written in their files.`,
};

/** Returns a policy that selects every pod of the file by a selector that no other policy has. */
function policy(name: string): string {
  return `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: ${name}
spec:
  podSelector:
    matchExpressions:
      - {key: app, operator: In, values: [web, ${name}]}
`;
}

function pod(name: string): string {
  return `apiVersion: v1
kind: Pod
metadata:
  name: ${name}
  labels:
    app: web
`;
}
