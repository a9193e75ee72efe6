/** Reports expectations under `expect:` in a `.selector-lens.yaml` that the manifests do not meet. */

import { configName } from '../../settings/config.ts';
import { rule } from '../framework/rule.ts';
import { type BrokenExpectation, brokenExpectations, expectationSentence } from '../helpers/expectations.ts';

const pods = `apiVersion: v1
kind: Pod
metadata: {name: web, labels: {app: web}}
spec: {containers: [{name: web, image: example.com/web}]}
---
apiVersion: v1
kind: Pod
metadata: {name: db, labels: {app: db}}
spec: {containers: [{name: db, image: example.com/db, ports: [{containerPort: 5432}]}]}
`;

const policy = (client: string) => `---
apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: db}
spec:
  podSelector: {matchLabels: {app: db}}
  ingress:
    - from: [{podSelector: {matchLabels: {app: ${client}}}}]
      ports: [{port: 5432}]
`;

const expectation = `expect:
  - name: database
    owner: team-data
    that: web may reach db on 5432
`;

export const expectationBroken = rule<BrokenExpectation>({
  id: 'expectation-broken',
  severity: 'error',
  acrossFiles: true,
  acrossScopes: true,
  summary: 'An expectation under `expect:` that the manifests do not meet.',
  why: 'A change of a network policy or selector can break connections that its author does not know about. An expectation in `.selector-lens.yaml` states a connection or match that must exist, and its owner. The expectation is verified for all objects in the folder of the file as they are applied, once for each overlay that contains the named objects. Uncertain results do not break an expectation.',
  withoutFix: 'Only the owner of the expectation knows whether the manifests or the expectation must change.',
  bad: [
    {
      title: 'A policy that allows another client.',
      file: configName,
      text: expectation,
      beside: { 'shop.yaml': pods + policy('wep') },
    },
  ],
  good: [
    {
      title: 'A policy that allows the expected client.',
      file: configName,
      text: expectation,
      beside: { 'shop.yaml': pods + policy('web') },
    },
  ],
  check: brokenExpectations,
  message: expectationSentence,
  fixes: () => [],
});
