/** Reports selectors that changed since the base although they cannot change after creation. */

import { localize } from '../../text/localize.ts';
import { rule } from '../framework/rule.ts';
import { basketDeployment } from '../helpers/example-manifests.ts';
import { shorten } from '../helpers/sentences.ts';
import {
  consequenceOf,
  namesIn,
  oldSelector,
  scopesIn,
  selectorFixes,
  type UpdateFact,
  updateFacts,
} from '../helpers/update-findings.ts';

const before = basketDeployment;

export const immutableSelectorChanged = rule<UpdateFact>({
  id: 'immutable-selector-changed',
  severity: 'warning',
  acrossFiles: true,
  summary: 'An immutable selector that changed since HEAD.',
  why: 'The selector of a Deployment, StatefulSet, DaemonSet, ReplicaSet or Job is immutable. The API server rejects every update with a different selector, even if only the form of the selector changed, so the next rollout fails. There are three remedies: restore the selector, and add the new label only to `metadata.labels` and the labels of the template; give the object a new name; or delete the object and create it again, which restarts its pods. The previous state comes from git: HEAD in the editor, and the commit given by `check --base` on the command line. A label that a kustomization or a helper adds to selectors is reported where the label is defined. If Flux, Argo CD or Helm deletes and recreates the object for each update, the severity of the finding is `information`.',
  bad: [
    {
      title: 'A label that was added to the selector. At HEAD, the selector has only `app: basket`.',
      text: before
        .replace('app: basket\n  template', 'app: basket\n      tier: shop\n  template')
        .concat('        tier: shop\n'),
      beside: { 'at-base/example.yaml': before },
    },
  ],
  good: [
    {
      title: 'A label that was added only to the template.',
      text: `${before}        tier: shop\n`,
      beside: { 'at-base/example.yaml': before },
    },
  ],
  check: (context) => updateFacts(context, true),
  message(fact) {
    const was = oldSelector(fact);
    const from = was === undefined || was === '' ? '' : ` (${shorten(was)})`;
    const [first, ...others] = `${consequenceOf(fact)}.`;
    return localize`The selector of ${namesIn(fact)} differs from ${fact.base}${from}${scopesIn(fact)} and is immutable. ${first?.toUpperCase()}${others.join('')}`;
  },
  fixes: selectorFixes,
});
