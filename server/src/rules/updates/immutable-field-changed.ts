/** Reports fields, other than selectors, that changed since the base although they cannot change after creation. */

import { localize } from '../../text/localize.ts';
import { rule } from '../framework/rule.ts';
import {
  consequenceOf,
  namesIn,
  renameFixes,
  scopesIn,
  type UpdateFact,
  updateFacts,
} from '../helpers/update-findings.ts';

const before = `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: prices
spec:
  serviceName: prices
  selector:
    matchLabels:
      app: prices
  template:
    metadata:
      labels:
        app: prices
`;

export const immutableFieldChanged = rule<UpdateFact>({
  id: 'immutable-field-changed',
  severity: 'warning',
  acrossFiles: true,
  summary: 'An immutable field that changed since HEAD.',
  why: 'Some fields are immutable after an object has been created: the template of a Job, most fields of a StatefulSet except its template and replicas, the `roleRef` of a RoleBinding, the data of an immutable ConfigMap, and others. The API server rejects every update that changes one of them, and the next rollout fails. Values are compared as the API server stores them, so an explicit default is not a change. Restore the value, give the object a new name, or delete the object and create it again. Fields of custom resources are immutable if a CustomResourceDefinition in the workspace has the validation rule `self == oldSelf` for them. Labels in volume claim templates are immutable too, and kustomize adds `commonLabels` to them.',
  bad: [
    {
      title: 'A different `serviceName` in a StatefulSet. At HEAD, the file has `serviceName: prices`.',
      text: before.replace('serviceName: prices', 'serviceName: prices-headless'),
      beside: { 'at-base/example.yaml': before },
    },
  ],
  good: [
    {
      title: 'An explicit default.',
      text: before.replace('  serviceName', '  podManagementPolicy: OrderedReady\n  serviceName'),
      beside: { 'at-base/example.yaml': before },
    },
  ],
  check: (context) => updateFacts(context, false),
  message(fact) {
    const [first, ...others] = `${consequenceOf(fact)}.`;
    const { path } = fact.update.change;
    return localize`\`${path}\` of ${namesIn(fact)} differs from ${fact.base}${scopesIn(fact)} and is immutable. ${first?.toUpperCase()}${others.join('')}`;
  },
  fixes: renameFixes,
});
