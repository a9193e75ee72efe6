/** Completion in manifests and commands: labels, parts of selectors, namespaces, ports and other names. */

import { cursorAt } from '../../manifests/cursor/cursor-target.ts';
import { typingTargetAt } from '../../manifests/cursor/parse-with-marker.ts';
import { mayBeManifest } from '../../manifests/inline/host-language.ts';
import { usualKustomization } from '../../manifests/kustomize/kustomization.ts';
import { helperViewAt } from '../helper-view.ts';
import { pageViewAt } from '../page-view.ts';
import type { FileView } from '../view.ts';
import type { Completing, TargetOf } from './completion-item.ts';
import { finalizerItems } from './finalizer-completion.ts';
import { identityItems } from './identity-completion.ts';
import { inlineItems } from './inline-completion.ts';
import { labelKeys, labelValues } from './label-completion.ts';
import type { Completion, Completions } from './model.ts';
import { isAbbreviation, mostItems } from './most-frequent.ts';
import { fieldItems, fieldPathItems, fieldTextItems, labelKeyItems, namespaceItems } from './name-completion.ts';
import { pathItems } from './path-completion.ts';
import { policyPortItems } from './port-completion.ts';
import { namesInLabel, referenceItems } from './reference-completion.ts';
import {
  expressionFields,
  expressionKeys,
  expressionOperators,
  expressionValues,
  selectorFields,
  wholes,
} from './requirement-completion.ts';
import { restartPolicyItems } from './restart-policy-completion.ts';
import { selectorKeys, selectorText, selectorValues } from './selector-completion.ts';
import { serviceNameItems } from './service-completion.ts';
import { taintItems } from './taint-completion.ts';
import { variableItems } from './variable-completion.ts';

/** Returns the completions at an offset of the open file. */
export function completion(view: FileView, offset: number): Completions {
  const page = pageViewAt(view, offset);
  if (page !== undefined && cursorAt(view.file.manifest, view.text, offset) === undefined)
    return completion(page, offset);
  const helper = helperViewAt(view, offset);
  if (helper !== undefined) return completion(helper, offset);
  const variables = variableItems(view, offset);
  if (variables.length > 0) return { items: variables.slice(0, mostItems), incomplete: variables.length > mostItems };
  const usual = view.file.kustomization && usualKustomization;
  const cursorTarget = mayBeManifest(view.host) ? typingTargetAt(view.text, offset, { ...view, usual }) : undefined;
  if (cursorTarget === undefined) {
    const inline = inlineItems(view, offset);
    const items =
      inline.length > 0
        ? inline
        : [serviceNameItems, finalizerItems, taintItems, restartPolicyItems].flatMap((items) => items(view, offset));
    return { items: items.slice(0, mostItems), incomplete: items.length > mostItems };
  }
  const typed = view.text.slice(cursorTarget.token.start, offset).replace(/^["']/, '');
  const offered = itemsAt({ view, cursorTarget, place: cursorTarget.place, offset, typed });
  // The snapshot already contains the incomplete text, so an item with the same text would change nothing.
  const items = offered.filter(({ edit }) => edit.text !== view.text.slice(edit.span.start, edit.span.end));
  if (items.length <= mostItems) return { items, incomplete: false };
  const fitting = items.filter(({ label }) => isAbbreviation(typed, label));
  return { items: fitting.slice(0, mostItems), incomplete: true };
}

function itemsAt(completing: Completing): readonly Completion[] {
  const { place } = completing;
  switch (place.kind) {
    case 'label':
      return labelItems(completing, place);
    case 'selector':
      return wholes({ ...completing, place });
    case 'selectorField':
      return selectorFields({ ...completing, place });
    case 'expressionField':
      return expressionFields({ ...completing, place });
    case 'expressionKey':
      return expressionKeys({ ...completing, place });
    case 'operator':
      return expressionOperators({ ...completing, place });
    case 'expressionValue':
      return expressionValues({ ...completing, place });
    case 'selectorText':
      return selectorText({ ...completing, place });
    case 'fieldText':
      return fieldTextItems({ ...completing, place });
    case 'field':
      return fieldItems({ ...completing, place });
    case 'labelKey':
      return labelKeyItems({ ...completing, place });
    case 'fieldPath':
      return fieldPathItems({ ...completing, place });
    case 'namespace':
      return namespaceItems({ ...completing, place });
    case 'path':
      return pathItems({ ...completing, place });
    case 'identity':
      return identityItems({ ...completing, place });
    case 'reference':
      return referenceItems({ ...completing, place });
    case 'policyPort':
      return policyPortItems({ ...completing, place });
  }
}

function labelItems(completing: Completing, place: TargetOf<'label'>): readonly Completion[] {
  const { site } = place;
  if ('fact' in site) {
    const inSelector = { ...completing, place: { ...place, site } };
    return place.on === 'key' ? selectorKeys(inSelector) : selectorValues(inSelector);
  }
  const inLabels = { ...completing, place: { ...place, site } };
  return place.on === 'key' ? labelKeys(inLabels) : [...namesInLabel(inLabels), ...labelValues(inLabels)];
}
