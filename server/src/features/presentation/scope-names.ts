/** The names of the kinds of scopes in sentences. */

import { english, localized } from '../../text/localize.ts';
import type { Scope } from '../../workspace/scopes/model.ts';

const kinds: Readonly<Record<Scope['kind'], string>> = {
  kustomization: english`the kustomization`,
  chart: english`the chart`,
  template: english`the Template`,
  folder: english`the folder`,
  file: english`the file`,
  declared: english`the scope`,
  'argo-application': english`the Application`,
  'flux-kustomization': english`the Flux Kustomization`,
  'helm-release': english`the HelmRelease`,
};

/** Returns the kind of a scope as a phrase, such as `the Application`. */
export function scopeKindName({ kind }: Pick<Scope, 'kind'>): string {
  return localized(kinds[kind]);
}
