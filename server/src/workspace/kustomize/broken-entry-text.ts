/** Describes entries of kustomizations whose objects are absent, and whether `kustomize build` fails because of them. */

import { localize } from '../../text/localize.ts';
import type { BrokenEntry, Rendering } from '../model.ts';

/** Returns a sentence about an entry. */
export function brokenEntryText({ is, resource, path }: Pick<BrokenEntry, 'is' | 'resource' | 'path'>): string {
  switch (is) {
    case 'no source':
      return localize`Source ${resource} matches no object in this kustomization; \`kustomize build\` fails.`;
    case 'no source field':
      return localize`Source ${resource} has no field '${path}'; \`kustomize build\` fails.`;
    case 'no target':
      return localize`Target ${resource} matches no object in this kustomization; nothing is replaced.`;
    case 'no replicas':
      return localize`'${resource}' is the name of no object in this kustomization; \`kustomize build\` fails.`;
    case 'no generated':
      return localize`No ${resource} in this kustomization to merge into or to replace; \`kustomize build\` fails.`;
    case 'generated again':
      return localize`${resource} already exists in this kustomization; without \`behavior: merge\` or \`replace\`, \`kustomize build\` fails.`;
    case 'added again':
      return localize`'${path}' adds ${resource}, which this kustomization already contains; \`kustomize build\` fails.`;
    case 'same namespace':
      return localize`In this namespace, the kustomization contains ${resource} twice; \`kustomize build\` fails.`;
    case 'not removed':
      return localize`${resource} has no '${path}' to remove; \`kustomize build\` fails.`;
    case 'no target field':
      return localize`Target ${resource} has no field '${path}'; \`kustomize build\` fails (or set \`create\`).`;
  }
}

/** Returns the entry because of which `kustomize build` certainly fails although all files are known; undefined if it does not. */
export function failingEntry({ isWhole, broken }: Rendering): BrokenEntry | undefined {
  return isWhole ? broken.find(({ is }) => is !== 'no target' && is !== 'no target field') : undefined;
}
