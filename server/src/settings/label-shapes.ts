/** The shape of the descriptions of labels under `labels:` in `.selector-lens.yaml`. */

import { validateLabelKey } from '../engine/index.ts';
import { matcherOf } from '../manifests/go-pattern.ts';
import { localize } from '../text/localize.ts';
import { type Field, flag, list, type MapOf, map, record, type Shape, text, word } from './shape.ts';

/** The sources of allowed values that have one fixed place. */
const valueSources = ['codeowners', 'backstage', 'namespaces'] as const;

/** The source of the allowed values of a label: a fixed place, or the names of the folders that patterns match. */
export type ValueSource =
  | { readonly is: (typeof valueSources)[number] }
  | { readonly is: 'folders'; readonly paths: readonly string[] };

/** All kinds, or some of them. */
export type Kinds = true | readonly string[];

const kinds: Shape<Kinds | false> = either(flag, list(text()), 'list');

/** Returns a shape that parses lists or maps with `structured`, and all other nodes with `simple`. */
function either<A, B>(simple: Shape<A>, structured: Shape<B>, kind: 'list' | 'map'): Shape<A | B> {
  return {
    schema: { anyOf: [simple.schema, structured.schema] },
    read: (node, place, reading) => (node.kind === kind ? structured : simple).read(node, place, reading),
  };
}

/** Returns the fields that state where a label is required. `glob` is the shape of a pattern that counts toward the limit of a configuration. */
function demandFields(glob: Shape<string>) {
  return {
    objects: {
      shape: kinds,
      description:
        'Require the label in the metadata of objects: `true` for all kinds to which the description applies, or a list of kinds.',
    },
    pods: {
      shape: kinds,
      description:
        'Require the label on pods: in the pod templates of all kinds, or of the listed kinds. The kind `Pod` means pods that the files contain.',
    },
    namespaces: { shape: flag, description: 'Require the label on Namespaces.' },
    files: {
      shape: list(glob),
      description: 'Glob patterns of the files in which the label is required. By default, all files.',
    },
  } satisfies Readonly<Record<string, Field<unknown>>>;
}

/** Where a label is required, as a configuration states it. */
export type WrittenDemand = boolean | MapOf<ReturnType<typeof demandFields>>;

const date = text({ pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}$' }, (value) =>
  /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))
    ? undefined
    : localize`a date such as 2026-03-01`,
);

const pattern = text({}, (value) =>
  matcherOf(value) === undefined ? localize`a regular expression in the syntax of RE2` : undefined,
);

const labelKey = text({}, (value) =>
  validateLabelKey(value).length > 0 ? localize`a label key such as 'team' or 'example.com/team'` : undefined,
);

function sourceShape(glob: Shape<string>): Shape<ValueSource> {
  const fixed = word(valueSources);
  const folders = map({
    folders: {
      shape: list(glob),
      description: 'Glob patterns of folders, whose names are the allowed values, such as `teams/*`.',
      required: true as const,
    },
  });
  const written = either(fixed, folders, 'map');
  return {
    schema: written.schema,
    read(node, place, reading) {
      const found = written.read(node, place, reading);
      if (found === undefined) return undefined;
      return typeof found === 'string' ? { is: found } : { is: 'folders', paths: found.folders };
    },
  };
}

/** Returns the fields of the description of a label. */
function labelFields(glob: Shape<string>) {
  const demand: Shape<WrittenDemand> = either(flag, map(demandFields(glob)), 'map');
  return {
    meaning: { shape: text(), description: 'The meaning of the label, which completion and hovers show.' },
    owner: { shape: text(), description: 'The team or person that decides about the label.' },
    kinds: {
      shape: list(text()),
      description: 'The kinds to which the description applies. The default is all kinds.',
    },
    values: { shape: list(text()), description: 'The allowed values.' },
    pattern: {
      shape: pattern,
      description:
        'A regular expression (RE2) that matches the whole of each allowed value. With `values` or `from`, a value is allowed if one of them allows it.',
    },
    from: {
      shape: sourceShape(glob),
      description:
        'The source of the allowed values: `codeowners` for the teams in CODEOWNERS, `backstage` for the Groups in `catalog-info.yaml` files, `namespaces` for the Namespaces in the workspace, or `folders` with patterns for the names of folders.',
    },
    required: {
      shape: demand,
      description:
        'Where the label is required: `true` for all objects of `kinds`, or a map with `objects`, `pods`, `namespaces` and `files`. The rule `label-policy` reports missing labels.',
    },
    recommended: {
      shape: demand,
      description:
        'Where the label is recommended, in the form of `required`. The rule `recommended-labels` reports it.',
    },
    forbidden: { shape: flag, description: 'Forbid the label on objects of these kinds.' },
    since: {
      shape: date,
      description:
        'The date from which the label is required, such as `2026-03-01`. It is shown in hovers and in `selector-lens labels`.',
    },
    replaces: {
      shape: list(labelKey),
      description: 'Keys that this label replaces. The rule `label-policy` reports these keys.',
    },
    selectable: {
      shape: flag,
      description:
        'Set `selectable: false` for a label that selectors must not use, such as a version or a cost center. The rule `label-policy` reports selectors that use it.',
    },
  } satisfies Readonly<Record<string, Field<unknown>>>;
}

/** The description of a label, as a configuration states it. */
export type WrittenLabel = MapOf<ReturnType<typeof labelFields>>;

/** Returns the shape of `labels:`, a map from keys to descriptions. A key without a description is also described. */
export function labelsShape(glob: Shape<string>): Shape<Readonly<Record<string, WrittenLabel>>> {
  const described = map(labelFields(glob));
  const label: Shape<WrittenLabel> = {
    schema: { ...described.schema, type: ['object', 'null'] },
    read: (node, place, reading) =>
      node.kind === 'scalar' && node.type === 'null' ? {} : described.read(node, place, reading),
  };
  return record(label, labelKey);
}
