/** Which rules are there? In the order in which documentation lists them. */

import { analysisLimit } from './analysis-limit.ts';
import { annotationKeySyntax } from './annotation-key-syntax.ts';
import { annotationValueType } from './annotation-value-type.ts';
import { annotationsSize } from './annotations-size.ts';
import { deprecatedKey } from './deprecated-key.ts';
import { duplicateKey } from './duplicate-key.ts';
import { expiredSuppression } from './expired-suppression.ts';
import { fieldSelectorSyntax } from './field-selector-syntax.ts';
import { fieldSelectorUnsupported } from './field-selector-unsupported.ts';
import { helmUnknownHelper } from './helm-unknown-helper.ts';
import { invalidConfiguration } from './invalid-configuration.ts';
import { kustomizeCycle } from './kustomize-cycle.ts';
import { kustomizeOrphan } from './kustomize-orphan.ts';
import { kustomizePatchTarget } from './kustomize-patch-target.ts';
import { kustomizeResourceMissing } from './kustomize-resource-missing.ts';
import { kustomizeSelectorRewrite } from './kustomize-selector-rewrite.ts';
import { kustomizeUnknownField } from './kustomize-unknown-field.ts';
import { labelKeyStyle } from './label-key-style.ts';
import { labelKeySyntax } from './label-key-syntax.ts';
import { labelPolicy } from './label-policy.ts';
import { labelTooStructured } from './label-too-structured.ts';
import { labelValueNull } from './label-value-null.ts';
import { labelValueSyntax } from './label-value-syntax.ts';
import { labelValueType } from './label-value-type.ts';
import { legacyLabels } from './legacy-labels.ts';
import { nameCollision } from './name-collision.ts';
import { nameSyntax } from './name-syntax.ts';
import { namespaceOnClusterScoped } from './namespace-on-cluster-scoped.ts';
import { namespaceReserved } from './namespace-reserved.ts';
import { namespaceTopLevelDomain } from './namespace-top-level-domain.ts';
import { networkPolicyPeer } from './network-policy-peer.ts';
import { nodeAffinityUnsupportedField } from './node-affinity-unsupported-field.ts';
import { nodeSelectorEmptyTerm } from './node-selector-empty-term.ts';
import { nodeSelectorSyntax } from './node-selector-syntax.ts';
import { overlappingControllers } from './overlapping-controllers.ts';
import { overlappingDisruptionBudgets } from './overlapping-disruption-budgets.ts';
import { peerOrAnd } from './peer-or-and.ts';
import { recommendedLabels } from './recommended-labels.ts';
import { referenceMissing } from './reference-missing.ts';
import type { Rule } from './rule.ts';
import { selectorRedundant } from './selector-redundant.ts';
import { selectorSyntax } from './selector-syntax.ts';
import { selectorTemplateMismatch } from './selector-template-mismatch.ts';
import { selectorUnsatisfiable } from './selector-unsatisfiable.ts';
import { selectsEverything } from './selects-everything.ts';
import { selectsNothing } from './selects-nothing.ts';
import { selectsTooMuch } from './selects-too-much.ts';
import { servicePortWithoutMatch } from './service-port-without-match.ts';
import { syntaxError } from './syntax-error.ts';
import { topologySelectorMissesOwnPods } from './topology-selector-misses-own-pods.ts';
import { unknownNodeLabel } from './unknown-node-label.ts';
import { unknownReservedKey } from './unknown-reserved-key.ts';
import { unknownRule } from './unknown-rule.ts';
import { unstableLabelInSelector } from './unstable-label-in-selector.ts';
import { unusedSuppression } from './unused-suppression.ts';

export const allRules: readonly Rule[] = [
  syntaxError,
  labelKeySyntax,
  labelValueSyntax,
  labelValueType,
  labelValueNull,
  annotationKeySyntax,
  annotationValueType,
  annotationsSize,
  duplicateKey,
  unknownReservedKey,
  deprecatedKey,
  labelTooStructured,
  labelKeyStyle,
  recommendedLabels,
  legacyLabels,
  labelPolicy,
  nameSyntax,
  nameCollision,
  namespaceOnClusterScoped,
  namespaceReserved,
  namespaceTopLevelDomain,
  nodeSelectorSyntax,
  nodeSelectorEmptyTerm,
  nodeAffinityUnsupportedField,
  unknownNodeLabel,
  fieldSelectorSyntax,
  fieldSelectorUnsupported,
  selectorSyntax,
  selectorTemplateMismatch,
  selectorUnsatisfiable,
  selectorRedundant,
  unstableLabelInSelector,
  selectsEverything,
  topologySelectorMissesOwnPods,
  peerOrAnd,
  networkPolicyPeer,
  selectsNothing,
  selectsTooMuch,
  overlappingControllers,
  overlappingDisruptionBudgets,
  servicePortWithoutMatch,
  referenceMissing,
  kustomizeSelectorRewrite,
  kustomizePatchTarget,
  kustomizeResourceMissing,
  kustomizeCycle,
  kustomizeUnknownField,
  kustomizeOrphan,
  helmUnknownHelper,
  unusedSuppression,
  analysisLimit,
  expiredSuppression,
  unknownRule,
  invalidConfiguration,
];
