/** The model of an adoption: a plan that adds recommended labels to the objects of a workspace, or moves selectors to them. */

import type { Edit } from '../../text/edit.ts';
import type { Side } from '../../workspace/base.ts';
import type { ObjectInFile } from '../../workspace/model.ts';

/** A label to add. */
export type Label = readonly [key: string, value: string];

export interface AdoptionOptions {
  /** The keys of the labels to adopt; absent for the keys of the configuration or, if it lists none, the recommended labels. */
  readonly keys?: readonly string[];
  /** `1` adds labels to objects, `2` moves selectors that can be updated to these labels. */
  readonly stage: 1 | 2;
  /** The labels that the adopted labels replace, by the keys of the latter; absent for the labels that the recommended labels replace. With it, values are never derived. */
  readonly replaced?: ReplacedKeys;
  /** Whether stage 1 also adds labels to pod templates, which replaces the pods. */
  readonly templates: boolean;
}

/** Keys of labels, each with the keys of the labels that it replaces. */
export type ReplacedKeys = Readonly<Record<string, readonly string[]>>;

/** The state for which an adoption is planned. */
export interface AdoptionState {
  readonly side: Side;
  /** Whether an object is in the part of the workspace that the plan may change. */
  isWanted(where: ObjectInFile): boolean;
}

/** Evaluates the state with other texts, by URI; the texts are not written. */
export type EvaluateTexts = (texts: ReadonlyMap<string, string>) => Promise<Side>;

/** A change of one object, or of a kustomization that adds labels to several objects. */
export interface PlannedChange {
  /** The keys of the objects that the change concerns, as `objectKey` returns them; the first is the changed object. */
  readonly objects: readonly string[];
  /** The name of the changed object, for reports. */
  readonly name: string;
  readonly uri: string;
  readonly edits: readonly Edit[];
  readonly labels: readonly Label[];
  /** Whether the change concerns the labels of a pod template. */
  readonly isTemplate: boolean;
}

/** A part of the workspace that the plan does not change, and the reason. */
export interface LeftOut {
  readonly uri: string;
  /** The offset of the object in its file. */
  readonly offset: number;
  readonly name: string;
  /** The reason, as a sentence. */
  readonly reason: string;
}

/** The changes of one stage, and the objects that it leaves as they are. */
export interface StagePlan {
  readonly changes: readonly PlannedChange[];
  readonly left: readonly LeftOut[];
  readonly immutable?: readonly LeftOut[];
}

/** A file that a plan changes. */
export interface ChangedText {
  readonly uri: string;
  readonly before: string;
  readonly after: string;
  readonly edits: readonly Edit[];
}

/** The facts that the comparison of both states established. */
export interface Proof {
  /** The number of objects whose labels or selectors were compared, as each scope applies them. */
  readonly objects: number;
  /** The number of matches that are the same in both states. */
  readonly matches: number;
  /** The names of the workloads whose pods are replaced. */
  readonly restarts: readonly string[];
  /** The number of these pods; absent if it is unknown for one of the workloads. */
  readonly pods?: number;
  /** Sentences about matches that cannot be compared in either state. */
  readonly notes: readonly string[];
}

export interface AdoptionPlan {
  readonly stage: 1 | 2;
  readonly files: readonly ChangedText[];
  readonly changes: readonly PlannedChange[];
  readonly left: readonly LeftOut[];
  /** In stage 2, the selectors that cannot be updated, with the consequence of recreating their objects. */
  readonly immutable: readonly LeftOut[];
  readonly proof: Proof;
}

/** Returns a key that identifies an object in the state before the adoption. */
export function objectKey({ file, object }: ObjectInFile): string {
  return `${file.uri}\n${object.kindSpan.start}`;
}

/** Returns the key of a file whose changes concern several objects: a kustomization, or the helpers of a chart. */
export function fileKey({ uri }: { readonly uri: string }): string {
  return `${uri}\n0`;
}

/** Returns the key of the pod templates of an object, which can be left as they are while the object is labeled. */
export function templatesKey(where: ObjectInFile): string {
  return `${objectKey(where)}${templatesSuffix}`;
}

export const templatesSuffix = ' templates';

/** Whether a key is that of an object, whose `kind` is never at the start of a file. */
export function isObjectKey(key: string): boolean {
  return !key.endsWith('\n0');
}
