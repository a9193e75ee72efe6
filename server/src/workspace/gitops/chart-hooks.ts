/** Parses the events of chart hooks: https://helm.sh/docs/topics/charts_hooks/. */

import { nodeAt } from '../../manifests/yaml/tree.ts';
import { isInTemplates } from '../charts/chart-files.ts';
import type { Resource } from '../kustomize/resource.ts';

/** The annotation with the events of a hook. */
export const hookKey = 'helm.sh/hook';

/** Whether an object is a test of its chart: https://helm.sh/docs/topics/chart_tests/. */
export function isTest(resource: Resource): boolean {
  return hooksOf(resource)?.some(isTestEvent) === true;
}

/** Whether `helm test` creates the hooks of an event. */
export function isTestEvent(hook: string): boolean {
  return hook === 'test' || hook === 'test-success';
}

/** The events at which Helm creates a hook. */
const events: ReadonlySet<string> = new Set([
  ...['install', 'delete', 'upgrade', 'rollback'].flatMap((operation) => [`pre-${operation}`, `post-${operation}`]),
  'test',
  'test-success',
]);

/** Whether a template contains an object for an event that Helm does not have, such as `crd-install` of Helm 2: Helm ignores it. */
export function isUnknownHook(resource: Resource): boolean {
  return isInTemplates(resource.uri) && hooksOf(resource)?.some((hook) => !events.has(hook)) === true;
}

/** Returns the events of a hook; undefined for an object that is no hook, and if the events are unknown. */
function hooksOf({ tree }: Resource): readonly string[] | undefined {
  const hooks = nodeAt(tree, 'metadata', 'annotations', hookKey);
  if (hooks?.kind !== 'scalar' || hooks.pattern !== undefined || hooks.type === 'null') return undefined;
  return eventsIn(hooks.text);
}

/** Returns the events in the value of the annotation. */
export function eventsIn(text: string): readonly string[] {
  return text.split(',').map((hook) => hook.trim().toLowerCase());
}
