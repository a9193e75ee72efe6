/** Fields that the API server accepts in field selectors, by kind. */

import { getOrAdd } from '../memoize.ts';
import type { SerializedFields } from './serialized.ts';
import type { FieldFact, FieldsFact } from './types.ts';

/** The fields that the API server accepts for a kind without a list of its own. */
const EVERY_KIND: FieldsFact = {
  fields: [
    { field: 'metadata.name', type: 'string' },
    { field: 'metadata.namespace', type: 'string' },
  ],
  aliases: {},
};

const deserialized = new WeakMap<SerializedFields, FieldsFact>();

/** Deserializes the fields of one kind. */
export function deserializeFields(serialized: SerializedFields | undefined): FieldsFact {
  return serialized === undefined ? EVERY_KIND : getOrAdd(deserialized, serialized, () => fieldsFact(serialized));
}

function fieldsFact(serialized: SerializedFields): FieldsFact {
  const fields = serialized.f.map(
    ([field, type = 'string', values = [], note]): FieldFact => ({
      field,
      type: type === '' ? 'string' : type,
      ...(values.length > 0 ? { values } : {}),
      ...(note === undefined ? {} : { note }),
    }),
  );
  return { fields, aliases: serialized.a ?? {} };
}
