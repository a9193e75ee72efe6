/** Example manifests that several rules share. */

export const basketDeployment = `apiVersion: apps/v1
kind: Deployment
metadata:
  name: basket
spec:
  selector:
    matchLabels:
      app: basket
  template:
    metadata:
      labels:
        app: basket
`;

/** Returns a Kustomization of Flux that applies a folder of its own repository; `more` contains further lines of its spec. */
export function fluxKustomization(
  name: string,
  path: string,
  { target, more = '' }: { readonly target?: string; readonly more?: string } = {},
): string {
  return `apiVersion: kustomize.toolkit.fluxcd.io/v1
kind: Kustomization
metadata:
  name: ${name}
  namespace: flux-system
spec:
  interval: 10m
  path: ${path}
${target === undefined ? '' : `  targetNamespace: ${target}\n`}  prune: true
  sourceRef:
    kind: GitRepository
    name: flux-system
${more}`;
}
