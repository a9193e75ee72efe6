/** Which manifests do the tests of this folder speak about? A small shop, in the fewest lines that say it. */

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
