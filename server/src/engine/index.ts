/** Public interface of the engine: labels, names and selectors, as strings and plain values. */

export { equivalent, implies, type Overlap, overlap, satisfiable, simplify } from './algebra.ts';
export {
  type Endpoint,
  type EndpointPlace,
  type EndpointSelector,
  matchesEndpoint,
  matchesIdentity,
  parseEndpointSelector,
  readEndpointSelector,
  requirementOn,
  type SourcedRequirement,
} from './cilium/endpoint-selector.ts';
export { isAddedLabel, isIgnoredLabel, type SourcedKey, sourcedKey } from './cilium/label-keys.ts';
export { compile, type Matcher, matches } from './compile.ts';
export { toLabelSelector, toMap, toNodeSelectorTerm } from './convert.ts';
export { describe } from './describe.ts';
export { type Explanation, evaluate, evaluateRequirement, explain, labelOf } from './evaluate.ts';
export { type FieldNode, type FieldTree, matchesFields, parseFieldSelector, parseFieldTree } from './field-selector.ts';
export { format, formatRequirement, type Style } from './format.ts';
export { type IndexedMatch, LabelIndex } from './label-index.ts';
export { fromLabelSelector, fromMap } from './label-selector.ts';
export {
  isLabelKey,
  isLabelValue,
  isReservedPrefix,
  maxAnnotationsBytes,
  maxNameBytes,
  maxPrefixBytes,
  maxValueBytes,
  validateAnnotationKey,
  validateAnnotations,
  validateLabelKey,
  validateLabelValue,
} from './labels.ts';
export { withoutLookalikes } from './lookalikes.ts';
export { maxDnsLabelBytes, maxSubdomainBytes, type NameRule, validateName } from './names.ts';
export {
  fromNodeSelector,
  fromPreferredTerms,
  matchesNode,
  maxWeight,
  minWeight,
  type Node,
  termSatisfiable,
} from './node-selector.ts';
export * from './reach/index.ts';
export { daemonTolerations, type TaintAnswer, type TaintedNode, taintAnswer } from './scheduling-taints.ts';
export { everything, nothing, parseSelector, selectorOf } from './selector.ts';
export { SelectorIndex } from './selector-index.ts';
export type { Placeholder } from './selector-lexer.ts';
export {
  parseSelectorTree,
  type RequirementNode,
  type SelectorTree,
  type Token,
  type TokenRole,
} from './selector-syntax.ts';
export {
  type Taint,
  type Toleration,
  taintEffects,
  tolerates,
  tolerationOperators,
  validateTaint,
  validateToleration,
} from './taints.ts';
export type {
  Answer,
  FieldRequirement,
  FieldSelector,
  LabelSelector,
  LabelSelectorRequirement,
  LabelSet,
  NodeSelector,
  NodeSelectorRequirement,
  NodeSelectorTerm,
  NodeSelectorTermSource,
  Operator,
  Parsed,
  Path,
  PreferredTerm,
  Problem,
  ProblemCode,
  Requirement,
  Selector,
  Unknown,
  Value,
} from './types.ts';
export { isUnknown } from './types.ts';
