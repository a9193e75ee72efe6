/** The workspace for the tests of navigation: a shop whose Service a Prometheus in another namespace monitors. */

export const shop = `
  ==> shop/service.yaml <==
  apiVersion: v1
  kind: Service
  metadata:
    name: basket
    #     ^ service
    namespace: shop
    labels: {scrape: basket}
    #        ^ service-label
  spec:
    selector:
    # ^ selector
      app: basket # Kunden 🛒 kaufen
      #^ key
      #    ^ value
      #                  ^ comment
      tier: web
  ==> shop/deployment.yaml <==
  apiVersion: apps/v1
  kind: Deployment
  #     ^ deployment
  metadata:
    name: basket
    namespace: shop
    labels: {app: basket}
    #             ^ own-label
  spec:
    selector:
      matchLabels: &labels
        app: basket
        #    ^ anchored
        tier: web
    template:
      metadata:
        labels: *labels
        # ^ template-labels
  ==> shop/orders.yaml <==
  apiVersion: v1
  kind: Pod
  metadata:
    name: orders
    namespace: shop
    labels: {note: "🛒🛒", app: basket, tier: back}
    #                      ^ astral
  ==> shop/budget.json <==
  {
    "apiVersion": "policy/v1",
    "kind": "PodDisruptionBudget",
    "metadata": {"name": "basket", "namespace": "shop"},
    "spec": {"selector": {"matchExpressions": [
      {"key": "app", "operator": "In", "values": ["basket", "prices"]}
    #                                              ^ json
    ]}}
  }
  ==> shop/policy.yaml <==
  apiVersion: networking.k8s.io/v1
  kind: NetworkPolicy
  metadata: {name: closed, namespace: shop}
  spec:
    podSelector: {}
    # ^ everything
    ingress:
    - from:
      - podSelector: {matchLabels: {app: basket}}
        #                           ^ flow
        namespaceSelector: {matchLabels: {team: blue}}
      - namespaceSelector: {}
      - podSelector: {matchLabels: {tier: web}}
  ==> monitoring/monitor.yaml <==
  apiVersion: monitoring.coreos.com/v1
  kind: ServiceMonitor
  metadata:
    name: basket
    namespace: monitoring
    labels: {release: main}
  spec:
    namespaceSelector: {any: true}
    selector: {matchLabels: {scrape: basket}}
    #                        ^ monitor
  ==> monitoring/prometheus.yaml <==
  apiVersion: monitoring.coreos.com/v1
  kind: Prometheus
  metadata:
    name: main
    #     ^ prometheus
    namespace: monitoring
  spec:
    serviceMonitorSelector: {matchLabels: {release: main}}
`;
