/** The flags of well-known controllers whose values are selectors. Controllers run in containers, so their flags are in manifests. */

import type { FlagFact } from './tools.ts';

export interface ControllerFact {
  /** Matches a part of the container image's name. */
  readonly image: RegExp;
  readonly flags: readonly FlagFact[];
}

function flag(name: string, ...over: readonly string[]): FlagFact {
  const kind = name.includes('field') ? 'fieldSelector' : 'selector';
  return { flags: [name], kind, over: over.length === 0 ? 'unknown' : over };
}

const crds = ['labelselector'];

export const controllers: readonly ControllerFact[] = [
  { image: /external-dns/, flags: [flag('--label-filter'), flag('--gateway-label-filter')] },
  {
    image: /fluxcd\//,
    flags: [flag('--watch-label-selector'), flag('--watch-configs-label-selector', 'configmaps.', 'secrets.')],
  },
  { image: /ingress-nginx|nginx-ingress/, flags: [flag('--watch-namespace-selector', 'namespaces.')] },
  {
    image: /traefik/,
    flags: ['kubernetescrd', 'kubernetesingress', 'kubernetesgateway'].flatMap((provider) =>
      crds.map((name) => flag(`--providers.${provider}.${name}`)),
    ),
  },
  { image: /kured/, flags: [flag('--blocking-pod-selector', 'pods.'), flag('--drain-pod-selector', 'pods.')] },
  {
    image: /prometheus-operator/,
    flags: [
      flag('--prometheus-instance-selector', 'prometheuses.monitoring.coreos.com'),
      flag('--alertmanager-instance-selector', 'alertmanagers.monitoring.coreos.com'),
      flag('--thanos-ruler-instance-selector', 'thanosrulers.monitoring.coreos.com'),
      flag('--secret-field-selector', 'secrets.'),
      flag('--secret-label-selector', 'secrets.'),
      flag('--configmap-label-selector', 'configmaps.'),
      flag('--kubelet-selector', 'nodes.'),
    ],
  },
  {
    image: /reloader/,
    flags: [flag('--resource-label-selector', 'configmaps.', 'secrets.'), flag('--namespace-selector', 'namespaces.')],
  },
  { image: /metrics-server/, flags: [flag('--node-selector', 'nodes.')] },
];
