/** Selectors on the command line in the language of a network policy: Calico or Cilium. */

import { calicoToSelector, evaluateCalico, parseCalicoSelector, splitCalico } from '../../engine/calico/index.ts';
import {
  type EndpointSelector,
  matchesEndpoint,
  parseEndpointSelector,
  requirementOn,
} from '../../engine/cilium/endpoint-selector.ts';
import { ciliumOwnRequirements } from '../../engine/cilium/own-requirements.ts';
import { type Answer, formatRequirement, isAddedLabel, parseSelectorTree, type Selector } from '../../engine/index.ts';
import type { PodEndpoint } from '../../workspace/selection/endpoint-answers.ts';
import type { Option } from '../commands/command.ts';
import { UsageError } from './arguments.ts';

export const languageOption: Option = {
  name: 'language',
  value: 'LANGUAGE',
  choices: ['calico', 'cilium'],
  description:
    "The language of the selector, if it is that of a network policy: an expression of Calico such as `app == 'web'`, or keys with the sources of Cilium such as `k8s:app=web`. The selector is then evaluated for pods, with the labels that the system derives from namespaces and service accounts. A match that depends on labels or settings that are not in the files is listed with this reason.",
  input: 'The language of the selector: `calico` or `cilium`.',
};

/** One condition of a selector, with its answer for a pod. */
interface ExplainedCondition {
  readonly requirement: string;
  readonly answer: Answer;
}

/** A selector in the language of a network policy. */
export interface PolicySelector {
  /** The requirements on the pod's own labels that every match meets. */
  readonly own: Selector;
  readonly answer: (pod: PodEndpoint) => Answer;
  readonly explain: (pod: PodEndpoint) => readonly ExplainedCondition[];
}

/** Parses a selector in a language. Throws a UsageError if the system rejects it. */
export function readPolicySelector(text: string, language: string): PolicySelector {
  return language === 'calico' ? readCalico(text) : readCilium(text);
}

/** Returns a selector without the requirements on labels that a cluster adds to pods, which manifests do not contain. */
export function withoutAddedLabels(selector: Selector): Selector {
  if (selector.kind !== 'all') return selector;
  const requirements = selector.requirements.filter(({ key }) => !isAddedLabel(key));
  return requirements.length === 0 ? { kind: 'everything' } : { ...selector, requirements };
}

function readCalico(text: string): PolicySelector {
  const tree = parseCalicoSelector(text, { global: 'never' });
  if (tree.problems.length > 0) throw refused(text, tree.problems);
  const { own } = splitCalico(tree);
  return {
    own: calicoToSelector(tree)?.kind === 'nothing' ? { kind: 'nothing' } : own,
    answer: ({ calico }) => evaluateCalico(tree, calico),
    explain: ({ calico }) =>
      tree.comparisons.map((comparison) => ({
        requirement: text.slice(comparison.start, comparison.end),
        answer: evaluateCalico({ ...tree, root: comparison }, calico),
      })),
  };
}

const ciliumOperators: Readonly<Record<string, string>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  '!': 'DoesNotExist',
};

function readCilium(text: string): PolicySelector {
  const { requirements, problems } = parseSelectorTree(text);
  const syntax = problems.filter(({ code }) => !/^(?:key|prefix|name)-/.test(code) || code === 'key-expected');
  if (syntax.length > 0) throw refused(text, syntax);
  const matchExpressions = requirements.map(({ key, operator, values }) => {
    const name = operator === undefined ? 'Exists' : ciliumOperators[operator.text];
    if (name === undefined)
      throw new UsageError(`The selector '${text}' is invalid: Cilium has no operator '${operator?.text}'.`);
    const hasValues = name === 'In' || name === 'NotIn';
    return { key: key?.text ?? '', operator: name, ...(hasValues && { values: values.map((value) => value.text) }) };
  });
  const read = parseEndpointSelector({ matchExpressions }, { field: 'endpointSelector', namespace: undefined });
  if (!read.ok) throw refused(text, read.problems);
  const own = ciliumOwnRequirements({ matchExpressions });
  return ofCilium(read.value, own.ok ? own.value : { kind: 'everything' });
}

function ofCilium(selector: EndpointSelector, own: Selector): PolicySelector {
  return {
    own,
    answer: ({ cilium }) => matchesEndpoint(selector, cilium),
    explain: ({ cilium }) =>
      selector.requirements.map((each) => ({
        requirement: formatRequirement({
          ...each,
          key: each.source === 'any' ? each.key : `${each.source}:${each.key}`,
        }),
        answer: requirementOn(each, cilium),
      })),
  };
}

function refused(text: string, problems: readonly { readonly message: string }[]): UsageError {
  return new UsageError(`The selector '${text}' is invalid: ${problems.map(({ message }) => message).join('; ')}.`);
}
