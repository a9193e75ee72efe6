/**
 * Defines the keys of `.selector-lens.yaml` in one table, which the parser, the JSON schema and the documentation use.
 */

import type { Node } from '../manifests/yaml/tree.ts';
import { globsOf, maximumGlobLength, maximumGlobs } from '../text/glob.ts';
import { statement } from './expectation.ts';
import { ruleSeverities } from './settings.ts';
import {
  type Field,
  flag,
  isSchema,
  type JsonSchema,
  list,
  map,
  record,
  reportTooMany,
  ruleName,
  type Shape,
  spanOf,
  text,
  word,
  wrongType,
} from './shape.ts';

export const configName = '.selector-lens.yaml';

/** Paths below the file's own folder. */
const globText = text({}, (value) => {
  if (value === '') return 'a pattern such as `apps/**`';
  if (value.length > maximumGlobLength) return `a pattern of at most ${maximumGlobLength} characters`;
  return /(?:^|\/)\.\.(?:\/|$)/.test(value) || value.startsWith('/')
    ? 'a pattern for paths below the folder of this file'
    : undefined;
});

const glob: Shape<string> = {
  schema: globText.schema,
  read(found, place, reading) {
    const read = globText.read(found, place, reading);
    if (read === undefined) return undefined;
    const { left } = reading;
    const hadRoom = left.patterns >= 0;
    left.patterns -= globsOf(read).length;
    if (left.patterns >= 0) return read;
    return hadRoom ? reportTooMany(found, place, maximumGlobs, 'patterns', reading) : undefined;
  },
};

const severities = record(word(ruleSeverities), ruleName);

/** The text `NAME` in a placeholder stands for every name. One only: several in a row would be slow to find. */
const placeholder = text({ pattern: 'NAME' }, (value) =>
  value !== 'NAME' && value.split('NAME').length === 2 ? undefined : "a text around the word NAME, such as '@@NAME@@'",
);

/** Plain nodes, for what other rooms read: they know its keys. */
function node(schema: Readonly<Record<string, unknown>>, kind: 'list' | 'map'): Shape<Node> {
  return {
    schema,
    read: (found, place, reading) => (found.kind === kind ? found : wrongType(found, place, `a ${kind}`, reading)),
  };
}

const labels = record(text());

/** An object that exists in the cluster: shortly told, or written as in a manifest. */
const externalKeys = map({
  files: {
    shape: list(glob),
    description: 'Files of objects that exist elsewhere. An item has either this key or `kind`.',
  },
  apiVersion: {
    shape: text(),
    description: 'The API version, as in a manifest; without it, `group` identifies the kind.',
  },
  group: { shape: text(), description: 'The API group; the core group if left out.' },
  kind: { shape: text(), description: 'The kind of the object.' },
  namespace: { shape: text(), description: 'Its namespace.' },
  name: { shape: text(), description: 'Its name.' },
  labels: { shape: labels, description: 'Its labels.' },
  metadata: { shape: node({ type: 'object' }, 'map'), description: 'As in a manifest, instead of the short keys.' },
  spec: { shape: node({ type: 'object' }, 'map'), description: 'As in a manifest: its selectors and templates count.' },
});

export interface Externals {
  readonly files: readonly string[];
  /** An object, still as it is written: manifests are read elsewhere. */
  readonly object?: Node;
}

const external: Shape<Externals> = {
  schema: externalKeys.schema,
  read(found, place, reading) {
    const read = externalKeys.read(found, place, reading);
    if (read === undefined) return undefined;
    if (read.files !== undefined) return { files: read.files };
    if (read.kind !== undefined) return { files: [], object: found };
    const message = `\`${place}\` must have \`files\` or \`kind\`.`;
    reading.problems.push({ code: 'missing-key', span: spanOf(found), message });
    return undefined;
  },
};

const required = true as const;

const override = map({
  files: { shape: list(glob), description: 'The files it is about.', required },
  rules: { shape: severities, description: 'How severe each rule is in them.', required },
});

const ignored = map({
  rule: { shape: ruleName, description: 'The rule that is silent, or `all`.', required },
  files: { shape: list(glob), description: 'The files in which it is silent.', required },
  reason: { shape: text(), description: 'Why, for the next reader.' },
});

const scope = map({
  name: { shape: text(), description: 'What `with` of other scopes calls it.', required },
  paths: { shape: list(glob), description: 'The files that are applied together.', required },
  namespace: { shape: text(), description: 'The namespace of its objects that name none.' },
  cluster: { shape: text(), description: 'Scopes with different clusters never meet.' },
  with: { shape: list(text()), description: 'Other scopes that are applied together with this one.' },
});

const recommendedLabels = map({
  keys: { shape: list(text()), description: 'The keys that every object should have.' },
  kinds: { shape: list(text()), description: 'The kinds that should have them.' },
});

const labelPolicy = map({
  key: { shape: text(), description: 'The label key.', required },
  kinds: { shape: list(text()), description: "The kinds it is about; `['*']`, or nothing, for all." },
  required: { shape: flag, description: 'Every object of these kinds must have it.' },
  forbidden: { shape: flag, description: 'No object of these kinds may have it.' },
  values: { shape: list(text()), description: 'The values it may have.' },
});

const expectation = map({
  name: { shape: text(), description: 'What messages call it.', required },
  owner: { shape: text(), description: 'The team or person to ask when it is not met.', required },
  that: {
    shape: statement,
    description:
      'The statement: `A may reach B on 5432`, `A may not reach B`, or `A selects exactly B and C`. A and B are `NAMESPACE/KIND/NAME`, `KIND/NAME` or `NAME` of a workload, the name of a namespace, or `ip:ADDRESS`; of `selects`, `KIND/NAME`. A port may have a protocol: `53/UDP`.',
    required,
  },
});

const version = text({ type: ['string', 'number'], pattern: '^(any|1\\.[0-9]+)$' }, (value) =>
  /^(?:any|1\.[0-9]+)$/.test(value) ? undefined : "'any' or a version such as '1.36'",
);

const kindsSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['kind'],
    properties: {
      group: { type: 'string', description: 'The API group.' },
      kind: { type: 'string', description: 'The kind.' },
      versions: { type: 'array', items: { type: 'string' }, description: 'The versions it is about; all if left out.' },
      namespaced: { type: 'boolean', description: 'Whether its objects live in a namespace.' },
      plural: { type: 'string', description: 'What `kubectl get` calls it.' },
      shortNames: { type: 'array', items: { type: 'string' }, description: 'Its short names.' },
      selectors: {
        type: 'array',
        items: { type: 'object', required: ['path'] },
        description:
          'Fields that hold selectors: `path`, `form`, `targets`, `reach`, and what absent, null and empty mean.',
      },
      podTemplates: {
        type: 'array',
        items: { type: ['string', 'object'] },
        description: 'Paths of pod templates in it.',
      },
      labels: { type: 'array', items: { type: 'string' }, description: 'Paths of maps of labels that its pods get.' },
      annotations: { type: 'array', items: { type: 'string' }, description: 'Paths of maps of annotations.' },
      labelKeys: { type: 'array', items: { type: 'string' }, description: 'Paths of fields that hold a label key.' },
    },
  },
};

export const configTable = {
  kubernetesVersion: {
    shape: version,
    description: 'The Kubernetes version whose rules count; `any` for every supported one.',
  },
  rules: { shape: severities, description: 'The severity of each rule; `off` disables the rule.' },
  overrides: {
    shape: list(override),
    description:
      'Severity overrides for specific files. If several overrides match the same rule, the last one applies.',
  },
  ignore: { shape: list(ignored), description: 'Rules that are silent in some files, with the reason.' },
  scopes: {
    shape: list(scope),
    description: 'The files that are applied together, if this does not follow from the folders.',
  },
  externals: {
    shape: list(external),
    description: 'Objects that exist in the cluster and that these files do not hold.',
  },
  catalogue: {
    shape: node(kindsSchema, 'list'),
    description: 'Your own kinds: where their selectors, labels and pod templates are.',
  },
  placeholders: {
    shape: list(placeholder),
    description: 'Placeholders that your tools fill in; NAME stands for letters, digits, `_`, `-` and `.`.',
  },
  generated: {
    shape: list(glob),
    description:
      'Files that a tool renders of others: they are read, and never reported on or edited. Nor are files that say in their first comment that they are generated, or that `.gitattributes` calls `linguist-generated`.',
  },
  recommendedLabels: {
    shape: recommendedLabels,
    description: 'The labels that the rule `recommended-labels` requires.',
  },
  labelPolicy: { shape: list(labelPolicy), description: 'What labels of your own must look like.' },
  expect: {
    shape: list(expectation),
    description:
      'What selectors and network policies must do, in the folder of this file. `check` reports what does not hold (`expectation-broken`).',
  },
} satisfies Readonly<Record<string, Field<unknown>>>;

export const configShape = map(configTable);

/** The JSON schema of the file, for editors; it lists the given rules. */
export function configSchema(rules: readonly string[]): JsonSchema {
  const properties = Object.entries(configTable).map(([key, { shape, description }]): [string, JsonSchema] => {
    return [key, { ...withRules(shape.schema, rules), description: description }];
  });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: configName,
    description: 'What a team says about its manifests to Selector Lens.',
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(properties),
  };
}

/** Names the rules wherever they are the keys of severities. */
function withRules(schema: JsonSchema, rules: readonly string[]): JsonSchema {
  const values = schema['additionalProperties'];
  if (isSchema(values) && values['enum'] === ruleSeverities) return { ...schema, propertyNames: { enum: rules } };
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    return [key, isSchema(value) ? withRules(value, rules) : value];
  });
  return Object.fromEntries(entries);
}
