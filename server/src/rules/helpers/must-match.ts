/** Distinguishes selectors that need a match from selectors that may match nothing on purpose. */

import type { SelectorSite } from '../../manifests/model.ts';

/** Whether the selector needs a match; an anti-affinity, a spread constraint, a selector for the whole cluster or an admission policy does not. */
export function mustMatch({ fact: { role, reach, language }, path }: SelectorSite): boolean {
  if (language === 'rules' && !path.endsWith('.objectSelector')) return false;
  return (role === undefined || /\bpodAffinity\b/.test(path)) && (reach === 'own' || typeof reach !== 'string');
}
