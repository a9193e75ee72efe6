/** Determines what a kustomization expects at the cursor: a path, or the kind, name or namespace of an object. */

import { argoGroup, fluxGroup } from '../gitops/spec.ts';
import { childOf, type Node } from '../yaml/tree.ts';
import type { Step, Trail } from './marker-path.ts';

/** The purpose of a path, which decides what it may lead to. */
export type PathPurpose = 'resource' | 'component' | 'patch' | 'plugin' | 'input' | 'source';

const generated = ['configMapGenerator[]', 'secretGenerator[]'];

/** The fields that contain paths. */
const pathFields: Readonly<Record<PathPurpose, readonly string[]>> = {
  resource: ['resources[]', 'bases[]'],
  component: ['components[]'],
  patch: ['patches[].path', 'patchesStrategicMerge[]', 'patchesJson6902[].path'],
  // The folders that GitOps objects build are relative to the root of the repository.
  source: [],
  plugin: ['generators[]', 'transformers[]', 'validators[]'],
  input: [
    ...['configurations[]', 'crds[]', 'openapi.path', 'replacements[].path'],
    ...generated.flatMap((each) => [`${each}.files[]`, `${each}.envs[]`, `${each}.env`]),
    ...['helmCharts[].valuesFile', 'helmCharts[].additionalValuesFiles[]'],
  ],
};

const purposes = Object.keys(pathFields) as readonly PathPurpose[]; // a Record has exactly these keys

/** Maps that select objects of the kustomization by their identities. */
const targets = [
  'patches[].target',
  'patchesJson6902[].target',
  'replacements[].source',
  'replacements[].targets[].select',
];

const identityFields = ['group', 'version', 'kind', 'name', 'namespace'] as const;

/** A field of an identity. */
export type IdentityField = (typeof identityFields)[number];

export type KustomizationTarget =
  /** A path, next to other paths of a list. `whole`: the list itself is not written yet. */
  | { readonly kind: 'path'; readonly to: PathPurpose; readonly whole: boolean; readonly others: readonly string[] }
  /** A field of the identity of an object that the kustomization builds; `others` are its other fields. */
  | { readonly kind: 'identity'; readonly field: IdentityField; readonly others: ReadonlyMap<IdentityField, string> };

/** Returns what is expected at the end of a path of keys in a kustomization. */
export function inKustomization({ steps }: Trail, path: string): KustomizationTarget | undefined {
  const general = path.replaceAll(/\[\d+\]/g, '[]');
  const last = steps.at(-1);
  for (const whole of [false, true]) {
    const to = purposes.find((each) => pathFields[each].includes(whole ? `${general}[]` : general));
    if (to !== undefined) return { kind: 'path', to, whole, others: itemsBeside(last) };
  }
  const field = identityFields.find((each) => targets.some((target) => general === `${target}.${each}`));
  if (field === undefined || last?.kind !== 'entry') return undefined;
  const others = identityFields.flatMap((each) => {
    const text = each === field ? undefined : textOf(childOf(last.holder, each));
    return text === undefined ? [] : [[each, text] as const];
  });
  return { kind: 'identity', field, others: new Map(others) };
}

/** The fields with the folders that GitOps objects build. */
const sourceFields: Readonly<Record<string, readonly string[]>> = {
  [fluxGroup]: ['spec.path'],
  [argoGroup]: ['spec.', 'spec.template.spec.'].flatMap((at) => [`${at}source.path`, `${at}sources[].path`]),
};

/** Returns the path that is expected at the end of a path of keys in a GitOps object. */
export function inGitops(group: string, path: string): KustomizationTarget | undefined {
  const isSource = sourceFields[group]?.includes(path.replaceAll(/\[\d+\]/g, '[]'));
  return isSource ? { kind: 'path', to: 'source', whole: false, others: [] } : undefined;
}

/** The texts of the other items in the list of an item. */
export function itemsBeside(step: Step | undefined): readonly string[] {
  if (step?.kind !== 'item' || step.holder.kind !== 'list') return [];
  return step.holder.items.flatMap((item, index) => (index !== step.index && item.kind === 'scalar' ? item.text : []));
}

function textOf(node: Node | undefined): string | undefined {
  return node?.kind === 'scalar' && node.type !== 'null' && node.text !== '' ? node.text : undefined;
}
