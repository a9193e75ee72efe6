/** The options `--kind` and `--namespace`, which limit a list of objects as kubectl does. */

import type { Session } from '../../session.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { hasNoNamespace } from '../../workspace/selection/namespaces.ts';
import type { Arguments, Option } from '../commands/command.ts';
import type { World } from '../environment.ts';
import type { Indexed } from '../indexed-workspace.ts';
import { didYouMean } from '../options/arguments.ts';
import { isOfKind } from '../options/kind-argument.ts';
import { namespace } from '../options/shared-options.ts';
import { tame } from '../output/terminal-escape.ts';
import { scopedObjects } from './scoped-objects.ts';

export const kindOption: Option = {
  name: 'kind',
  value: 'KIND',
  description: 'Include only objects of these kinds, separated by commas, such as `Service`, `services` or `svc`.',
  input: 'Include only objects of these kinds, such as `Service,Pod`.',
};

export const inNamespace: Option = {
  ...namespace,
  description:
    'Include only objects in this namespace; an object without a namespace is treated as if it were in this namespace.',
  input: 'Include only objects in this namespace.',
};

/** Returns the words that name kinds: two words for `pods,svc`. */
export function kindsIn(given: Arguments): readonly string[] {
  return given.values.get('kind')?.split(',') ?? [];
}

/** Reports each word that is not the name of a kind: it matches nothing, which is rarely intended. */
export function describeUnknownKinds(world: World, indexed: Indexed, given: Arguments): void {
  for (const word of kindsIn(given)) describeUnknownKind(world, indexed, word);
}

function describeUnknownKind(world: World, indexed: Indexed, word: string): void {
  const { session } = indexed;
  if (session.workspace.catalogueOf(world.currentFolder).named(word).length > 0) return;
  const kinds = new Set<string>();
  const written = indexed.reported.flatMap((file) => file.manifest.objects.map((object) => ({ file, object })));
  for (const { file, object } of [...written, ...scopedObjects(indexed)]) {
    if (isOfKind(session, file, object, word)) return;
    kinds.add(object.kind);
  }
  world.err(`selector-lens: No objects of kind '${tame(word)}'.${tame(didYouMean(word, [...kinds]))}`);
}

/** Whether an object has the requested kind and namespace; `place` is the namespace of the object, if it is known. */
export function isRequired(
  session: Session,
  { file, object }: ObjectInFile,
  place: string | undefined,
  given: Arguments,
): boolean {
  const kinds = kindsIn(given);
  const wanted = given.values.get('namespace');
  if (kinds.length > 0 && !kinds.some((word) => isOfKind(session, file, object, word))) return false;
  const isNowhere = hasNoNamespace(session.workspace.catalogueOf(file.uri), { object });
  return wanted === undefined || !(isNowhere || (place !== undefined && place !== wanted));
}
