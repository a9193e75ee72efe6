/** Reports containers, volumes, ports and other parts of an object that have the same name. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import { fieldPath } from '../../manifests/kustomize/replaced-paths.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { repeatedNames } from '../../manifests/sites/repeated-names.ts';
import type { Node } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import { isCompleteExceptObjects, keepsField } from '../../workspace/kustomize/kept-fields.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { isRendered } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { type Fact, type RuleContext, rule } from '../framework/rule.ts';
import { conditionalPaths } from '../helpers/certain-objects.ts';
import { shorten } from '../helpers/sentences.ts';

interface Repeated extends Fact {
  readonly part: string;
  readonly name: string;
}

export const duplicateName = rule<Repeated>({
  id: 'duplicate-name',
  severity: 'error',
  needs: 'stored',
  acrossFiles: true,
  summary: 'Two containers, volumes or ports of an object with the same name, or two mounts with the same path.',
  why: 'The names of the containers and of the volumes of a pod, of the ports of a container and of the ports of a Service must be unique, and so must the paths at which a container mounts volumes. The API server rejects the object. A part that a template writes under a condition is not reported.',
  withoutFix: 'Only the author knows which of the parts needs a different name.',
  bad: [
    {
      title: 'A copied container.',
      text: `apiVersion: v1
kind: Pod
metadata:
  name: basket
spec:
  containers:
    - name: basket
      image: example.com/basket
    - name: basket
      image: example.com/proxy
`,
    },
  ],
  good: [
    {
      title: 'Ports of two containers.',
      text: `apiVersion: v1
kind: Pod
metadata:
  name: basket
spec:
  containers:
    - name: basket
      image: example.com/basket
      ports: [{name: metrics, containerPort: 9000}]
    - name: proxy
      image: example.com/proxy
      ports: [{name: metrics, containerPort: 9001}]
`,
    },
  ],
  *check(context) {
    const { workspace, uri } = context;
    if (context.manifest.readInPart) return;
    for (const object of context.stored) {
      // The controllers of custom resources may merge parts with the same name.
      if (!object.repeatsNames || !object.forCluster || !isBuiltIn(object.group) || workspace.scopes().isPatch(uri))
        continue;
      const root = treeOf(context, object);
      if (root !== undefined) yield* repeatedIn(context, object, root);
    }
  },
  message: ({ part, name }) =>
    part === 'mount'
      ? localize`Two mounts of this container have the path '${shorten(name)}'; the API server rejects this.`
      : localize`Two ${part}s have the name '${shorten(name)}'; the API server rejects this.`,
  fixes: () => [],
});

function* repeatedIn(context: RuleContext, object: ManifestObject, root: Node): Iterable<Repeated> {
  const { workspace, catalogue, file } = context;
  const isConditional = conditionalPaths(context);
  const scopes = workspace
    .scopes()
    .of(placeOf({ file, object }))
    .filter((scope) => !isRendered(scope) || isCompleteExceptObjects(workspace, scope));
  for (const { part, path, scalar, first } of repeatedNames(root, isConditional)) {
    if (!scopes.some((scope) => keepsField(workspace, catalogue, scope, { file, object }, fieldPath(path)))) continue;
    const related = [{ file, span: first.span, message: localize`The first ${part} with this name.` }];
    yield { span: scalar.span, part, name: scalar.text, related };
  }
}
