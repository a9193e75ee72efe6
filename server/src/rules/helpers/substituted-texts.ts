/** Determines the text in which Flux Kustomizations certainly substitute variables: of objects, and of patches and labels that are added to objects. */

import { mayContainVariables } from '../../manifests/gitops/envsubst.ts';
import { knownText } from '../../manifests/gitops/flux.ts';
import { type FieldPath, pathAt, pathInOperations } from '../../manifests/kustomize/replaced-paths.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { blank } from '../../manifests/placeholders/placeholders.ts';
import { parseYaml } from '../../manifests/yaml/parse-yaml.ts';
import { childOf, itemsOf } from '../../manifests/yaml/tree.ts';
import type { Span } from '../../text/span.ts';
import {
  definitionIn,
  type GitopsScope,
  hasGitopsScopes,
  isGitopsScope,
  scopesApplying,
} from '../../workspace/gitops/defined-scopes.ts';
import { disablingMark, type Variables } from '../../workspace/gitops/flux-substitution.ts';
import { variablesOfScope } from '../../workspace/gitops/render-gitops.ts';
import { kustomizationsNaming } from '../../workspace/kustomize/named-files.ts';
import {
  mayReplace,
  setsLabel,
  type TransformerSource,
  transformerSpan,
} from '../../workspace/kustomize/transformer-sources.ts';
import type { EffectiveObject } from '../../workspace/model.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import type { RuleContext } from '../framework/rule.ts';

/** A Flux Kustomization that substitutes variables, and these variables. */
export interface Substitution {
  readonly scope: GitopsScope;
  readonly variables: Variables;
}

/** A part of the text of a file in which Flux Kustomizations substitute variables. */
interface SubstitutedText {
  readonly span: Span;
  readonly substitutions: readonly Substitution[];
  /** Whether the text at an offset is certainly in what a Kustomization builds, so that no later change replaces it. */
  isBuilt(scope: GitopsScope, offset: number): boolean;
}

/** Returns the parts of the file in which Flux Kustomizations substitute variables: objects, patches, and labels that kustomizations add. */
export function substitutedTexts(context: RuleContext): readonly SubstitutedText[] {
  const { workspace, file, uri } = context;
  if (!hasGitopsScopes(workspace.scopes())) return [];
  const objects = context.stored.flatMap((object): readonly SubstitutedText[] => {
    const scopes = isSubstituted(object) ? scopesApplying(workspace, placeOf({ file, object })) : [];
    const substitutions = substitutionsIn(context, scopes);
    if (substitutions.length === 0) return [];
    return [
      { span: object.span, substitutions, isBuilt: (scope, offset) => isUnchanged(context, scope, object, offset) },
    ];
  });
  const kustomizations = file.kustomization === undefined ? kustomizationsNaming(workspace.scopes(), uri) : [uri];
  const scopes = new Set(kustomizations.flatMap((each) => workspace.scopes().building(each).filter(isGitopsScope)));
  return [...objects, ...addedTexts(context, [...scopes])];
}

function substitutionsIn({ workspace, catalogue }: RuleContext, scopes: readonly GitopsScope[]) {
  return scopes.flatMap((scope): readonly Substitution[] => {
    const variables = variablesOfScope(workspace, catalogue, scope);
    return variables !== undefined && substitutes(variables) ? [{ scope, variables }] : [];
  });
}

/** Returns the parts of the file that kustomizations merge into objects. */
function addedTexts(context: RuleContext, applying: readonly GitopsScope[]): readonly SubstitutedText[] {
  const { workspace, uri, catalogue } = context;
  const substitutions = substitutionsIn(context, applying);
  if (substitutions.length === 0 || !mayContainVariables(context.text)) return [];
  const found = new Map<string, { transformer: TransformerSource; scopes: Map<GitopsScope, EffectiveObject[]> }>();
  for (const { scope } of substitutions) {
    for (const each of workspace.rendering(scope.path, catalogue)?.objects ?? []) {
      if (!isSubstituted(each.object)) continue;
      for (const transformer of each.transformers) {
        const { start, end } = transformerSpan(transformer);
        if (
          transformer.uri !== uri ||
          transformer.kind === 'fieldPath' ||
          transformer.kind === 'images' ||
          start === end
        )
          continue;
        const key = `${start} ${end}`;
        const text = found.get(key) ?? { transformer, scopes: new Map<GitopsScope, EffectiveObject[]>() };
        found.set(key, text);
        const objects = text.scopes.get(scope);
        if (objects === undefined) text.scopes.set(scope, [each]);
        else objects.push(each);
      }
    }
  }
  return Array.from(found.values(), ({ transformer, scopes }): SubstitutedText => {
    const span = transformerSpan(transformer);
    return {
      span,
      substitutions: substitutions.filter(({ scope }) => scopes.has(scope)),
      isBuilt: (scope, offset) => (scopes.get(scope) ?? []).some((each) => keepsAdded(context, each, span, offset)),
    };
  });
}

/** Whether no later transformer replaces the text that a transformer adds to an object. */
function keepsAdded({ text }: RuleContext, { object, transformers }: EffectiveObject, span: Span, offset: number) {
  const index = transformers.findLastIndex((each) => {
    const { start, end } = transformerSpan(each);
    return start === span.start && end === span.end;
  });
  const transformer = transformers[index];
  if (transformer === undefined || object.obscured) return false;
  const later = transformers.slice(index + 1);
  if (transformer.kind === 'labels') {
    const entry = transformer.entries.find(({ key, value }) => key.span.start <= offset && offset < value.span.end);
    // The label is in several maps, so any patch may replace it.
    return (
      entry !== undefined &&
      later.every((each) => each.kind === 'images' || (each.kind === 'labels' && !setsLabel(each, entry.key.text)))
    );
  }
  const path =
    transformer.kind === 'operations'
      ? pathInOperations(transformer.node, object.group, offset)
      : pathAt(
          parseYaml(text, blank(text), { start: text.lastIndexOf('\n', span.start - 1) + 1, end: span.end }).root,
          object.group,
          offset,
        );
  return path !== undefined && later.every((each) => !mayReplace(each, path));
}

function substitutes({ values, always }: Variables): boolean {
  return values.size > 0 || always;
}

function isSubstituted({ labelSites }: ManifestObject): boolean {
  const marks = labelSites.filter(({ path }) => path === 'metadata.labels' || path === 'metadata.annotations');
  return !marks.some(({ entries, open }) => {
    return open || entries.some(({ key, value }) => key.text === disablingMark && value.text !== 'enabled');
  });
}

/** Whether a Kustomization builds an object, and nothing replaces the text at an offset before variables are substituted. */
function isUnchanged(context: RuleContext, scope: GitopsScope, object: ManifestObject, offset: number): boolean {
  const { workspace, catalogue, file } = context;
  const built = workspace
    .rendering(scope.path, catalogue)
    ?.objects.filter((each) => isSameObject(each, { file, object }));
  if (built === undefined || built.length === 0 || !built.every((each) => isSubstituted(each.object))) return false;
  const transformers = built.flatMap((each) => each.transformers);
  const path = pathAt(treeOf(context, object), object.group, offset);
  if (path === undefined || built.some((each) => each.object.obscured)) return false;
  return transformers.every((each) => !mayReplace(each, path)) && !isSetByField(context, scope, path);
}

/** Whether a field of a kustomization or of the Flux Kustomization may replace a namespace, an image, or a number of replicas. */
function isSetByField({ workspace }: RuleContext, scope: GitopsScope, path: FieldPath): boolean {
  const [above = '', field] = path.slice(-2);
  const isSet =
    (field === 'namespace' && (path[0] !== 'spec' || above === 'service')) ||
    (field === 'image' && above.startsWith('[')) ||
    (field === 'replicas' && path.length === 2);
  if (!isSet) return false;
  const spec = definitionIn(scope.gitops, workspace.files)?.gitopsSpec;
  if (knownText(childOf(spec, 'targetNamespace')) !== undefined || itemsOf(childOf(spec, 'images')).length > 0)
    return field !== 'replicas';
  return workspace
    .scopes()
    .partsOf(scope)
    .some((uri) => {
      const { namespace, images = [], edits } = workspace.files.get(uri)?.kustomization ?? {};
      if (field === 'namespace') return namespace !== undefined;
      return field === 'image' ? images.length > 0 : edits === true;
    });
}
