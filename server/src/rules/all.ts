/** Lists all rules, in the order of the documentation. */

import { commandArgument } from './commands/command-argument.ts';
import { finalizersRemoved } from './commands/finalizers-removed.ts';
import { provideRules } from './framework/loaded-rules.ts';
import type { Rule } from './framework/rule.ts';
import { gitopsDependsOnCycle } from './gitops/gitops-depends-on-cycle.ts';
import { gitopsDestinationNamespace } from './gitops/gitops-destination-namespace.ts';
import { gitopsDoubleOwner } from './gitops/gitops-double-owner.ts';
import { gitopsDuplicateName } from './gitops/gitops-duplicate-name.ts';
import { gitopsParameterMissing } from './gitops/gitops-parameter-missing.ts';
import { gitopsPathMissing } from './gitops/gitops-path-missing.ts';
import { gitopsTrackingLabel } from './gitops/gitops-tracking-label.ts';
import { gitopsValuesIgnored } from './gitops/gitops-values-ignored.ts';
import { gitopsValuesKeyUnused } from './gitops/gitops-values-key-unused.ts';
import { gitopsVariableMalformed } from './gitops/gitops-variable-malformed.ts';
import { gitopsVariableName } from './gitops/gitops-variable-name.ts';
import { gitopsVariableUnset } from './gitops/gitops-variable-unset.ts';
import { gitopsVariableValue } from './gitops/gitops-variable-value.ts';
import { helmUnknownHelper } from './helm/helm-unknown-helper.ts';
import { analysisLimit } from './housekeeping/analysis-limit.ts';
import { expiredSuppression } from './housekeeping/expired-suppression.ts';
import { invalidConfiguration } from './housekeeping/invalid-configuration.ts';
import { syntaxError } from './housekeeping/syntax-error.ts';
import { unknownRule } from './housekeeping/unknown-rule.ts';
import { unusedSuppression } from './housekeeping/unused-suppression.ts';
import { kustomizeCycle } from './kustomize/kustomize-cycle.ts';
import { kustomizeObjectMissing } from './kustomize/kustomize-object-missing.ts';
import { kustomizeOrphan } from './kustomize/kustomize-orphan.ts';
import { kustomizePatchTarget } from './kustomize/kustomize-patch-target.ts';
import { kustomizeResourceMissing } from './kustomize/kustomize-resource-missing.ts';
import { kustomizeSelectorRewrite } from './kustomize/kustomize-selector-rewrite.ts';
import { kustomizeUnknownField } from './kustomize/kustomize-unknown-field.ts';
import { annotationKeySyntax } from './labels/annotation-key-syntax.ts';
import { annotationValueType } from './labels/annotation-value-type.ts';
import { annotationsSize } from './labels/annotations-size.ts';
import { deprecatedKey } from './labels/deprecated-key.ts';
import { duplicateKey } from './labels/duplicate-key.ts';
import { fieldPathUnsupported } from './labels/field-path-unsupported.ts';
import { instanceShared } from './labels/instance-shared.ts';
import { invalidAsApplied } from './labels/invalid-as-applied.ts';
import { labelKeyPrefix } from './labels/label-key-prefix.ts';
import { labelKeyStyle } from './labels/label-key-style.ts';
import { labelKeySyntax } from './labels/label-key-syntax.ts';
import { labelPolicy } from './labels/label-policy.ts';
import { labelTooStructured } from './labels/label-too-structured.ts';
import { labelValueNull } from './labels/label-value-null.ts';
import { labelValueSyntax } from './labels/label-value-syntax.ts';
import { labelValueType } from './labels/label-value-type.ts';
import { legacyLabels } from './labels/legacy-labels.ts';
import { recommendedLabels } from './labels/recommended-labels.ts';
import { unknownReservedKey } from './labels/unknown-reserved-key.ts';
import { unknownReservedValue } from './labels/unknown-reserved-value.ts';
import { generateNameIgnored } from './names/generate-name-ignored.ts';
import { nameCollision } from './names/name-collision.ts';
import { nameSyntax } from './names/name-syntax.ts';
import { namespaceDefault } from './names/namespace-default.ts';
import { namespaceMisspelled } from './names/namespace-misspelled.ts';
import { namespaceNameLabel } from './names/namespace-name-label.ts';
import { namespaceOnClusterScoped } from './names/namespace-on-cluster-scoped.ts';
import { namespacePerVersion } from './names/namespace-per-version.ts';
import { namespaceReserved } from './names/namespace-reserved.ts';
import { namespaceTopLevelDomain } from './names/namespace-top-level-domain.ts';
import { referenceKeyMissing } from './names/reference-key-missing.ts';
import { referenceKindMismatch } from './names/reference-kind-mismatch.ts';
import { referenceMissing } from './names/reference-missing.ts';
import { referencePartMissing } from './names/reference-part-missing.ts';
import { referencePortMissing } from './names/reference-port-missing.ts';
import { serviceNameMisspelled } from './names/service-name-misspelled.ts';
import { unusedObject } from './names/unused-object.ts';
import { expectationBroken } from './network/expectation-broken.ts';
import { networkPolicyDns } from './network/network-policy-dns.ts';
import { networkPolicyNoEffect } from './network/network-policy-no-effect.ts';
import { networkPolicyOneSided } from './network/network-policy-one-sided.ts';
import { networkPolicyPort } from './network/network-policy-port.ts';
import { networkPolicyRejected } from './network/network-policy-rejected.ts';
import { nodeAffinityUnsupportedField } from './nodes/node-affinity-unsupported-field.ts';
import { nodeSelectorEmptyTerm } from './nodes/node-selector-empty-term.ts';
import { nodeSelectorSyntax } from './nodes/node-selector-syntax.ts';
import { taintSyntax } from './nodes/taint-syntax.ts';
import { unknownNodeLabel } from './nodes/unknown-node-label.ts';
import { unschedulable } from './nodes/unschedulable.ts';
import { apiConventions } from './objects/api-conventions.ts';
import { crdNames } from './objects/crd-names.ts';
import { crdSchema } from './objects/crd-schema.ts';
import { duplicateName } from './objects/duplicate-name.ts';
import { fieldType } from './objects/field-type.ts';
import { finalizerSyntax } from './objects/finalizer-syntax.ts';
import { missingField } from './objects/missing-field.ts';
import { ownerReference } from './objects/owner-reference.ts';
import { systemField } from './objects/system-field.ts';
import { unknownField } from './objects/unknown-field.ts';
import { unknownKind } from './objects/unknown-kind.ts';
import { fieldSelectorSyntax } from './selectors/field-selector-syntax.ts';
import { fieldSelectorUnsupported } from './selectors/field-selector-unsupported.ts';
import { matchLabelKeys } from './selectors/match-label-keys.ts';
import { networkPolicyPeer } from './selectors/network-policy-peer.ts';
import { overlappingAutoscalers } from './selectors/overlapping-autoscalers.ts';
import { overlappingControllers } from './selectors/overlapping-controllers.ts';
import { overlappingDisruptionBudgets } from './selectors/overlapping-disruption-budgets.ts';
import { peerOrAnd } from './selectors/peer-or-and.ts';
import { policyLabelMisspelled } from './selectors/policy-label-misspelled.ts';
import { selectorRedundant } from './selectors/selector-redundant.ts';
import { selectorSyntax } from './selectors/selector-syntax.ts';
import { selectorTemplateMismatch } from './selectors/selector-template-mismatch.ts';
import { selectorUnsatisfiable } from './selectors/selector-unsatisfiable.ts';
import { selectsEverything } from './selectors/selects-everything.ts';
import { selectsNothing } from './selectors/selects-nothing.ts';
import { selectsTooMuch } from './selectors/selects-too-much.ts';
import { servicePortWithoutMatch } from './selectors/service-port-without-match.ts';
import { subsetWithoutPods } from './selectors/subset-without-pods.ts';
import { topologySelectorMissesOwnPods } from './selectors/topology-selector-misses-own-pods.ts';
import { unstableLabelInSelector } from './selectors/unstable-label-in-selector.ts';
import { immutableFieldChanged } from './updates/immutable-field-changed.ts';
import { immutableSelectorChanged } from './updates/immutable-selector-changed.ts';
import { matchLost } from './updates/match-lost.ts';

export const allRules: readonly Rule[] = [
  syntaxError,
  unknownField,
  missingField,
  unknownKind,
  systemField,
  ownerReference,
  fieldType,
  duplicateName,
  finalizerSyntax,
  crdNames,
  crdSchema,
  apiConventions,
  labelKeySyntax,
  labelValueSyntax,
  labelValueType,
  labelValueNull,
  invalidAsApplied,
  annotationKeySyntax,
  annotationValueType,
  annotationsSize,
  duplicateKey,
  unknownReservedKey,
  unknownReservedValue,
  deprecatedKey,
  labelTooStructured,
  labelKeyStyle,
  labelKeyPrefix,
  recommendedLabels,
  instanceShared,
  legacyLabels,
  labelPolicy,
  nameSyntax,
  nameCollision,
  generateNameIgnored,
  namespaceOnClusterScoped,
  namespaceNameLabel,
  namespaceDefault,
  namespaceMisspelled,
  namespacePerVersion,
  serviceNameMisspelled,
  namespaceReserved,
  namespaceTopLevelDomain,
  nodeSelectorSyntax,
  taintSyntax,
  nodeSelectorEmptyTerm,
  nodeAffinityUnsupportedField,
  unknownNodeLabel,
  unschedulable,
  fieldPathUnsupported,
  fieldSelectorSyntax,
  fieldSelectorUnsupported,
  selectorSyntax,
  immutableSelectorChanged,
  immutableFieldChanged,
  matchLost,
  selectorTemplateMismatch,
  selectorUnsatisfiable,
  selectorRedundant,
  unstableLabelInSelector,
  selectsEverything,
  topologySelectorMissesOwnPods,
  matchLabelKeys,
  peerOrAnd,
  networkPolicyPeer,
  networkPolicyRejected,
  selectsNothing,
  policyLabelMisspelled,
  subsetWithoutPods,
  selectsTooMuch,
  overlappingControllers,
  overlappingDisruptionBudgets,
  overlappingAutoscalers,
  servicePortWithoutMatch,
  referenceMissing,
  commandArgument,
  finalizersRemoved,
  kustomizeSelectorRewrite,
  kustomizePatchTarget,
  kustomizeObjectMissing,
  kustomizeResourceMissing,
  kustomizeCycle,
  kustomizeUnknownField,
  kustomizeOrphan,
  helmUnknownHelper,
  expectationBroken,
  networkPolicyNoEffect,
  networkPolicyPort,
  networkPolicyDns,
  networkPolicyOneSided,
  referenceKeyMissing,
  referencePortMissing,
  referencePartMissing,
  referenceKindMismatch,
  unusedObject,
  gitopsPathMissing,
  gitopsVariableUnset,
  gitopsVariableName,
  gitopsVariableValue,
  gitopsDoubleOwner,
  gitopsTrackingLabel,
  gitopsValuesIgnored,
  gitopsDestinationNamespace,
  gitopsValuesKeyUnused,
  gitopsDependsOnCycle,
  gitopsVariableMalformed,
  gitopsDuplicateName,
  gitopsParameterMissing,
  unusedSuppression,
  analysisLimit,
  expiredSuppression,
  unknownRule,
  invalidConfiguration,
];

provideRules(allRules);
