/** Determines what a kustomization or GitOps object can contain at the cursor: a path, or the kind, name or namespace of an object. */

import { argoGroup, fluxGroup, helmGroup } from '../gitops/spec.ts';
import { childOf, type Node } from '../yaml/tree.ts';
import type { Step, Trail } from './marker-path.ts';

/** The purpose of a path, which determines the files and folders to which it can refer. */
export type PathPurpose = 'resource' | 'component' | 'patch' | 'plugin' | 'input' | GitopsPurpose;

/** The purpose of a path in a GitOps object. */
type GitopsPurpose = 'source' | 'chart' | 'values' | 'sourceComponent';

const generated = ['configMapGenerator[]', 'secretGenerator[]'];

const pathFields: Readonly<Record<Exclude<PathPurpose, GitopsPurpose>, readonly string[]>> = {
  resource: ['resources[]', 'bases[]'],
  component: ['components[]'],
  patch: ['patches[].path', 'patchesStrategicMerge[]', 'patchesJson6902[].path'],
  plugin: ['generators[]', 'transformers[]', 'validators[]'],
  input: [
    ...['configurations[]', 'crds[]', 'openapi.path', 'replacements[].path'],
    ...generated.flatMap((each) => [`${each}.files[]`, `${each}.envs[]`, `${each}.env`]),
    ...['helmCharts[].valuesFile', 'helmCharts[].additionalValuesFiles[]'],
  ],
};

const purposes = Object.keys(pathFields) as readonly (keyof typeof pathFields)[]; // a Record has exactly these keys

/** The maps in a kustomization that select its objects by identity. */
const targets = [
  'patches[].target',
  'patchesJson6902[].target',
  'replacements[].source',
  'replacements[].targets[].select',
];

const identityFields = ['group', 'version', 'kind', 'name', 'namespace'] as const;

/** A field of an object's identity, such as its kind or name. */
export type IdentityField = (typeof identityFields)[number];

export type KustomizationTarget =
  /** A path; `others` are the other paths in the same list. */
  | {
      readonly kind: 'path';
      readonly to: PathPurpose;
      /** Whether the cursor is at the position of the whole list, which does not have items yet. */
      readonly whole: boolean;
      readonly others: readonly string[];
      /**
       * In a GitOps object, the folder that the path is relative to. It is given from the root of the repository; the
       * root itself is ''.
       */
      readonly base?: string;
    }
  /**
   * A field that identifies an object of the kustomization; `others` contains the other fields of the same identity.
   */
  | { readonly kind: 'identity'; readonly field: IdentityField; readonly others: ReadonlyMap<IdentityField, string> };

/** Returns the kind of content that a kustomization can have at the cursor, where `path` is the path of the field; undefined for other fields. */
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

interface SourceField {
  readonly path: string;
  readonly to: GitopsPurpose;
  /** Whether the path is relative to the folder of its source instead of the root of the repository. */
  readonly isBelowFolder?: true;
}

const argoFields = ['spec.', 'spec.template.spec.'].flatMap((at) =>
  [`${at}source`, `${at}sources[]`].flatMap((source): readonly SourceField[] => [
    { path: `${source}.path`, to: 'source' },
    { path: `${source}.helm.valueFiles[]`, to: 'values', isBelowFolder: true },
    { path: `${source}.kustomize.components[]`, to: 'sourceComponent', isBelowFolder: true },
  ]),
);

/** The fields that contain paths, by the API group of the GitOps object. */
const sourceFields: Readonly<Record<string, readonly SourceField[]>> = {
  [fluxGroup]: [
    { path: 'spec.path', to: 'source' },
    { path: 'spec.components[]', to: 'sourceComponent', isBelowFolder: true },
  ],
  [helmGroup]: [
    { path: 'spec.chart.spec.chart', to: 'chart' },
    { path: 'spec.chart.spec.valuesFiles[]', to: 'values' },
  ],
  [argoGroup]: argoFields,
};

/** Returns the kind of path that a GitOps object can have at the cursor, where `path` is the path of the field; undefined for other fields. */
export function inGitops(group: string, { steps }: Trail, path: string): KustomizationTarget | undefined {
  const fields = Object.hasOwn(sourceFields, group) ? sourceFields[group] : undefined;
  const general = path.replaceAll(/\[\d+\]/g, '[]');
  for (const whole of [false, true]) {
    const field = fields?.find((each) => each.path === (whole ? `${general}[]` : general));
    if (field === undefined) continue;
    const folders = steps.flatMap(({ holder }) => textOf(childOf(holder, 'path')) ?? []);
    const base = field.isBelowFolder ? (folders.at(-1) ?? '') : '';
    return { kind: 'path', to: field.to, whole, others: itemsBeside(steps.at(-1)), base };
  }
  return undefined;
}

/** Returns the values of the other scalar items in the list that contains an item. */
export function itemsBeside(step: Step | undefined): readonly string[] {
  if (step?.kind !== 'item' || step.holder.kind !== 'list') return [];
  return step.holder.items.flatMap((item, index) => (index !== step.index && item.kind === 'scalar' ? item.text : []));
}

function textOf(node: Node | undefined): string | undefined {
  return node?.kind === 'scalar' && node.type !== 'null' && node.text !== '' ? node.text : undefined;
}
