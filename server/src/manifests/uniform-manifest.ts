/** Gives all manifests the same fields in the same order, because V8 optimizes functions for each order of fields, and discards the code if it finds another. */

import type { Manifest } from './model.ts';

/** Returns a manifest without commands, in which absent fields are undefined. */
export function uniformManifest(manifest: Manifest): Manifest {
  const { objects, documents, syntaxErrors, firstErrors, readInPart, tooLargeAt } = manifest;
  const { unresolved, trees, valueSites, obscured, faults, mentions, publishes } = manifest;
  return {
    objects,
    documents,
    syntaxErrors,
    firstErrors,
    readInPart,
    tooLargeAt,
    unresolved,
    trees,
    valueSites,
    obscured,
    faults,
    mentions,
    publishes,
  };
}
