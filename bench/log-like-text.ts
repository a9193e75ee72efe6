/** Generates a large log of a cluster, whose lines mention commands and selectors and contain none. */

const lines = [
  '2026-06-15T08:12:44.123Z INFO  basket-7d9f6c5b4-x2x8k GET /api/v1/baskets/4711?limit=20&label=blue 200 12ms user-agent=curl/8.5.0',
  '2026-06-15T08:12:44.207Z WARN  checkout-5c8b7d6f9-2kq4z retry 3 of 5: error-log: connection refused (10.42.0.17:5432) - will retry in 250ms',
  'E0615 08:12:44.300000       1 reflector.go:147] pkg/mod/k8s.io/client-go: failed to list *v1.Pod: labelSelector is invalid',
  '{"level":"info","ts":1750000000.123,"msg":"Reconciling","controller":"deployment","namespace":"shop","name":"basket","labels":{"app":"basket"}}',
  "I0615 08:12:44.401000       1 event.go:307] it's normal: Scaled up replica set basket-7d9f6c5b4 to 3 (ls -l, wc -l, --selector)",
  '\tat org.example.shop.Basket.load(Basket.java:42) [classes/:na] $1 `quoted` "unclosed',
];

/** A text with this number of characters. */
export function logLikeText(length: number): string {
  const block = `${lines.join('\n')}\n`;
  return block.repeat(Math.ceil(length / block.length)).slice(0, length);
}
