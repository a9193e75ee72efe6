/** Manifests for the tests of the server: a small shop in few lines. */

/** A Deployment whose pods have labels. */
export function deployment(name: string, labels: Readonly<Record<string, string>> = { app: name }): string {
  return `apiVersion: apps/v1
kind: Deployment
metadata:
  name: ${name}
spec:
  selector:
    matchLabels:
${lines(labels, 6)}
  template:
    metadata:
      labels:
${lines(labels, 8)}
`;
}

/** A Service with a selector. */
export function service(name: string, selector: Readonly<Record<string, string>> = { app: name }): string {
  return `apiVersion: v1
kind: Service
metadata:
  name: ${name}
spec:
  selector:
${lines(selector, 4)}
`;
}

/** A ConfigMap with one label, whose value is written as given. */
export function configMap(label: string): string {
  return `apiVersion: v1
kind: ConfigMap
metadata:
  name: prices
  labels:
    ${label}
`;
}

function lines(map: Readonly<Record<string, string>>, indentation: number): string {
  return Object.entries(map)
    .map(([key, value]) => `${' '.repeat(indentation)}${key}: ${value}`)
    .join('\n');
}
