/**
 * Defines the keys of `.selector-lens.yaml` in one table, which the parser, the JSON schema and the documentation use.
 */

import { isRecord } from '../engine/structured.ts';
import type { Node } from '../manifests/yaml/tree.ts';
import { globsOf, maximumGlobLength, maximumGlobs, maximumWildcards } from '../text/glob.ts';
import { localize } from '../text/localize.ts';
import type { Span } from '../text/span.ts';
import { statement } from './expectation.ts';
import { labelsShape } from './label-shapes.ts';
import { levels } from './level.ts';
import { ruleSeverities } from './settings.ts';
import {
  type Field,
  flag,
  type JsonSchema,
  list,
  type MapOf,
  map,
  nearestWord,
  type Reading,
  record,
  report,
  reportTooMany,
  ruleName,
  type Shape,
  spanOf,
  text,
  word,
  wrongType,
} from './shape.ts';

export const configName = '.selector-lens.yaml';

/** A glob for paths below the folder of the configuration. */
const globText = text({}, (value) => {
  if (value === '') return localize`a pattern such as \`apps/**\``;
  if (value.length > maximumGlobLength) return localize`a pattern of at most ${maximumGlobLength} characters`;
  return /(?:^|\/)\.\.(?:\/|$)/.test(value) || value.startsWith('/')
    ? localize`a pattern for paths below the folder of this file`
    : undefined;
});

const glob: Shape<string> = patternShape(globText);

/** A pattern that counts toward the limit of all patterns of a configuration. */
function patternShape(shape: Shape<string>): Shape<string> {
  return {
    schema: shape.schema,
    read(found, place, reading) {
      const read = shape.read(found, place, reading);
      if (read === undefined) return undefined;
      const { left } = reading;
      const hadRoom = left.patterns >= 0 && left.wildcards >= 0;
      const globs = globsOf(read);
      left.patterns -= globs.length;
      left.wildcards -= globs.reduce((sum, each) => sum + (/[*?]/.test(each) ? each.length : 0), 0);
      if (left.patterns >= 0 && left.wildcards >= 0) return read;
      if (!hadRoom) return undefined;
      return left.patterns < 0
        ? reportTooMany(found, place, maximumGlobs, 'patterns', reading)
        : reportTooManyWildcards(found, place, reading);
    },
  };
}

function reportTooManyWildcards(node: Node, place: string, reading: Reading): undefined {
  const message = localize`\`${place}\` and all patterns after it are ignored: the patterns with wildcards of a configuration may have at most ${maximumWildcards} characters.`;
  return report(reading, 'wrong-value', spanOf(node), message);
}

/** Returns the shape of a map that applies to some files or some objects, and so needs `files` or `objects`. */
function inFilesOrObjects<F extends Parameters<typeof map>[0]>(fields: F): Shape<MapOf<F>> {
  const shape = map(fields);
  return {
    schema: { ...shape.schema, anyOf: [{ required: ['files'] }, { required: ['objects'] }] },
    read(found, place, reading) {
      const read = shape.read(found, place, reading);
      if (read === undefined || 'files' in read || 'objects' in read) return read;
      // A key that is misspelled or invalid is not also reported as missing.
      const isMeant = (key: string) => ['files', 'objects'].includes(nearestWord(key, Object.keys(fields)) ?? '');
      if (found.kind === 'map' && found.entries.some(({ key }) => isMeant(key.text))) return undefined;
      const message = localize`\`${place}\` must have \`files\` or \`objects\`.`;
      return report(reading, 'missing-key', spanOf(found), message);
    },
  };
}

/** The name of an object, or a pattern for all objects of a kind. */
const objectText = text({}, (value) => {
  if (value.length > maximumGlobLength) return localize`a pattern of at most ${maximumGlobLength} characters`;
  return /^[^/\s]+(?:\/[^/\s]+){1,2}$/.test(value) ? undefined : localize`an object such as \`Deployment/web\``;
});

const objectPattern: Shape<string> = patternShape(objectText);

const severities = record(word(ruleSeverities), ruleName);

/** A placeholder pattern, in which `NAME` matches any name. Only one `NAME` is allowed, because several in a row would be slow to match. */
const placeholder = text({ pattern: 'NAME' }, (value) =>
  value !== 'NAME' && value.split('NAME').length === 2
    ? undefined
    : localize`a string that contains the word NAME, such as '@@NAME@@'`,
);

/** Returns the shape of a node that is not validated here, because only the modules that parse it know its keys. */
function node(schema: Readonly<Record<string, unknown>>, kind: 'list' | 'map'): Shape<Node> {
  return {
    schema,
    read: (found, place, reading) => (found.kind === kind ? found : wrongType(found, place, `a ${kind}`, reading)),
  };
}

const labelValues = record(text());

/** An object that exists in the cluster, in short form or in the form of a manifest. */
const externalKeys = map({
  files: {
    shape: list(glob),
    description:
      'Files with objects that are applied by other means, for example the output of `kubectl get -o yaml`. The objects are matched, referenced and connected like objects of each scope, and are marked as external; no problems are reported in these files. An object that is also in a scope is used only once. Each item of `externals` has either `files` or `kind`.',
  },
  apiVersion: {
    shape: text(),
    description: 'The `apiVersion` of the object. If it is absent, `group` identifies the kind.',
  },
  group: { shape: text(), description: 'The API group. The default is the core group.' },
  kind: { shape: text(), description: 'The kind of the object.' },
  namespace: { shape: text(), description: 'The namespace of the object.' },
  name: { shape: text(), description: 'The name of the object.' },
  labels: { shape: labelValues, description: 'The labels of the object.' },
  metadata: {
    shape: node({ type: 'object' }, 'map'),
    description: 'The metadata of the object as in a manifest, instead of `name`, `namespace` and `labels`.',
  },
  spec: {
    shape: node({ type: 'object' }, 'map'),
    description: 'The `spec` of the object as in a manifest. Its selectors and pod templates are evaluated.',
  },
});

export interface Externals {
  readonly files: readonly string[];
  /** The object as an unparsed node; other modules parse manifests. */
  readonly object?: Node;
}

const external: Shape<Externals> = {
  schema: externalKeys.schema,
  read(found, place, reading) {
    const read = externalKeys.read(found, place, reading);
    if (read === undefined) return undefined;
    if (read.files !== undefined) return { files: read.files };
    if (read.kind !== undefined) return { files: [], object: found };
    const message = localize`\`${place}\` must have \`files\` or \`kind\`.`;
    reading.problems.push({ code: 'missing-key', span: spanOf(found), message });
    return undefined;
  },
};

const required = true as const;

/** Only other configurations can be extended, because no other file of the workspace is parsed as a configuration. */
const extendedText = text({ pattern: '(^|/)\\.selector-lens\\.yaml$' }, (value) => {
  if (value.length > maximumGlobLength) return localize`a path of at most ${maximumGlobLength} characters`;
  if (/^[/\\]|:/.test(value)) return localize`a path relative to this file`;
  return value === configName || value.endsWith(`/${configName}`) ? undefined : localize`the path of a '${configName}'`;
});

const extended: Shape<{ readonly path: string; readonly span: Span }> = {
  schema: extendedText.schema,
  read(found, place, reading) {
    const path = extendedText.read(found, place, reading);
    return path === undefined ? undefined : { path, span: found.span };
  },
};

const oneOrMore: Shape<readonly string[]> = {
  schema: { anyOf: [text().schema, list(text()).schema] },
  read: (found, place, reading) =>
    found.kind === 'list'
      ? list(text()).read(found, place, reading)
      : [text().read(found, place, reading) ?? []].flat(),
};

const objects = {
  shape: list(objectPattern),
  description:
    'Objects in the form `KIND/NAME` or `NAMESPACE/KIND/NAME`, with the names in the file and the wildcards `*` and `?`. By default, all objects in the files.',
};

const override = inFilesOrObjects({
  files: {
    shape: list(glob),
    description: 'Glob patterns of the files to which this override applies. By default, all files.',
  },
  objects,
  rules: { shape: severities, description: 'The severity of each rule in these files or objects.', required },
});

const ignored = inFilesOrObjects({
  rule: { shape: ruleName, description: 'The name of the rule to disable, or `all`.', required },
  files: {
    shape: list(glob),
    description: 'Glob patterns of the files in which the rule is disabled. By default, all files.',
  },
  objects,
  reason: { shape: text(), description: 'The reason why the rule is disabled, for readers of the file.' },
});

const scope = map({
  name: { shape: text(), description: 'The name of the scope, to which `with` in other scopes refers.', required },
  paths: { shape: list(glob), description: 'Glob patterns of the files that belong to the scope.', required },
  namespace: { shape: text(), description: 'The namespace of objects without `metadata.namespace`.' },
  cluster: {
    shape: text(),
    description:
      'The name of the cluster to which the files are applied. Selectors do not match objects of other clusters.',
  },
  with: {
    shape: list(text()),
    description: 'The names of other scopes that are applied to the same cluster together with this scope.',
  },
});

const published = map({
  source: {
    shape: text(),
    description:
      'The URL of the artifact, such as `oci://ghcr.io/acme/manifests`, or the kind and name of the Flux source, such as `Bucket/fleet`.',
    required,
  },
  path: { shape: text(), description: 'The published folder, relative to this file.', required },
});

const recommendedLabels = map({
  keys: { shape: list(text()), description: 'The label keys that every object of these kinds must have.' },
  kinds: { shape: list(text()), description: 'The kinds whose objects must have these labels.' },
});

const labelPolicy = map({
  key: { shape: text(), description: 'The label key.', required },
  kinds: {
    shape: list(text()),
    description: "The kinds to which the policy applies. The default is all kinds, `['*']`.",
  },
  required: { shape: flag, description: 'Require the label on every object of these kinds.' },
  forbidden: { shape: flag, description: 'Forbid the label on objects of these kinds.' },
  values: { shape: list(text()), description: 'The allowed values.' },
});

const expectation = map({
  name: { shape: text(), description: 'The name of the expectation, as messages show it.', required },
  owner: { shape: text(), description: 'The team or person that is responsible for the expectation.', required },
  that: {
    shape: statement,
    description:
      'The statement: `A may reach B on 5432`, `A may not reach B`, or `A selects exactly B and C`. In statements with `reach`, A and B are a workload (`NAMESPACE/KIND/NAME`, `KIND/NAME` or `NAME`), the name of a namespace, or `ip:ADDRESS`; in statements with `selects`, they have the form `KIND/NAME`. A port may have a protocol: `53/UDP`.',
    required,
  },
});

const version = text({ type: ['string', 'number'], pattern: '^(any|1\\.[0-9]+)$' }, (value) =>
  /^(?:any|1\.[0-9]+)$/.test(value) ? undefined : localize`'any' or a version such as '1.36'`,
);

const kindsSchema = {
  type: 'array',
  items: {
    type: 'object',
    required: ['kind'],
    properties: {
      group: { type: 'string', description: 'The API group of the kind.' },
      kind: { type: 'string', description: 'The name of the kind.' },
      versions: {
        type: 'array',
        items: { type: 'string' },
        description: 'The API versions of the kind. The default is all versions.',
      },
      namespaced: { type: 'boolean', description: 'Whether the kind is namespaced.' },
      plural: { type: 'string', description: 'The plural resource name, as in `kubectl get`.' },
      shortNames: {
        type: 'array',
        items: { type: 'string' },
        description: 'The short names of the resource, as in `kubectl get`.',
      },
      selectors: {
        type: 'array',
        items: { type: 'object', required: ['path'] },
        description:
          'The selectors of the kind. For each selector: `path`, `form`, `targets`, `reach`, and the meaning of an absent, null or empty selector.',
      },
      podTemplates: {
        type: 'array',
        items: { type: ['string', 'object'] },
        description: 'Paths of the pod templates of the kind.',
      },
      labels: {
        type: 'array',
        items: { type: 'string' },
        description: 'Paths of the label maps that the controller copies to the pods.',
      },
      annotations: {
        type: 'array',
        items: { type: 'string' },
        description: 'Paths of the annotation maps of the kind.',
      },
      labelKeys: {
        type: 'array',
        items: { type: 'string' },
        description: 'Paths of the fields whose value is a label key.',
      },
      references: {
        type: 'array',
        items: { type: 'object', required: ['path'] },
        description:
          'The fields that name other objects. For each field: `path`, `targets` (the possible kinds, beginning with the default), and the paths `kindAt`, `groupAt`, `namespaceAt`, `keysAt` and `optionalAt` of fields that contain the kind, group, namespace, keys and optionality of the reference.',
      },
    },
  },
};

export const configTable = {
  kubernetesVersion: {
    shape: version,
    description: 'The Kubernetes version to validate against, or `any` for all supported versions.',
  },
  extends: {
    shape: extended,
    description:
      'The path of another `.selector-lens.yaml` in the workspace, relative to this file. The keys `kubernetesVersion`, `level`, `rules`, `overrides`, `ignore`, `catalogue`, `placeholders`, `labels`, `recommendedLabels`, `labelPolicy`, `nodes` and `repository` of the other file are inherited, unless this file sets them. Globs in the other file remain relative to the folder of that file.',
  },
  level: {
    shape: word(levels),
    description:
      'How much to report: `essential` for errors and warnings only, `default` for the default severity of each rule, or `strict` for all rules, including those that are off by default, with information and hints reported as warnings.',
  },
  rules: { shape: severities, description: 'The severity of each rule. `off` disables the rule.' },
  overrides: {
    shape: list(override),
    description:
      'Severity overrides for specific files or objects. If several overrides match the same rule, the last one applies.',
  },
  ignore: { shape: list(ignored), description: 'Rules to disable in specific files or objects, with the reason.' },
  repository: {
    shape: oneOrMore,
    description:
      'The URL of the git repository that contains this file, or a list of its URLs. A [GitOps object](gitops.md) whose source has one of these URLs refers to this repository; a source with any other URL is a different repository. By default, the URLs of the remotes in `.git/config` are used.',
  },
  published: {
    shape: list(published),
    description:
      'Folders of this repository that are published as artifacts, from which [Flux](gitops.md#which-repository) applies them. Folders that a `flux push artifact` or `oras push` in a workflow publishes are known without this key.',
  },
  scopes: {
    shape: list(scope),
    description:
      'Sets of files that are applied together. Define a scope if it differs from the scopes that are detected.',
  },
  externals: {
    shape: list(external),
    description: 'Objects that exist in the cluster, but that are not applied from the manifests of this workspace.',
  },
  catalogue: {
    shape: node(kindsSchema, 'list'),
    description: 'Custom kinds, with the paths of their selectors, labels and pod templates.',
  },
  nodes: {
    shape: word(['complete']),
    description:
      'Set `nodes: complete` if the workspace declares all nodes of the cluster, as objects of the kinds Node and NodePool (Karpenter), with all their custom labels and taints. The rule `unschedulable` then reports pods that no declared node can run.',
  },
  placeholders: {
    shape: list(placeholder),
    description:
      'Patterns of placeholders that other tools replace with values. In a pattern, `NAME` matches letters, digits, `_`, `-` and `.`.',
  },
  generated: {
    shape: list(glob),
    description:
      'Glob patterns of generated files. Generated files are indexed, but problems in them are not reported, and renames and fixes do not change them. Files whose first comment states that they are generated, and files with the attribute `linguist-generated` in `.gitattributes`, are also treated as generated.',
  },
  labels: {
    shape: labelsShape(glob),
    description:
      'The [registry of labels](labels.md): for each key, its meaning, its allowed values, and where it is required.',
  },
  recommendedLabels: {
    shape: recommendedLabels,
    description:
      'The labels that the rule `recommended-labels` requires: a short form of `recommended` in `labels` for several keys.',
  },
  labelPolicy: {
    shape: list(labelPolicy),
    description:
      'Rules for your own labels: required keys, forbidden keys and allowed values. Each item means the same as an entry of `labels` with these keys.',
  },
  expect: {
    shape: list(expectation),
    description:
      'Expected matches of selectors and expected connections between workloads, for the manifests in the folder of this file. The rule `expectation-broken` reports each expectation that is not met.',
  },
} satisfies Readonly<Record<string, Field<unknown>>>;

export const configShape = map(configTable);

/** Returns the JSON schema of `.selector-lens.yaml` for editors; the schema lists the given rules. */
export function configSchema(rules: readonly string[]): JsonSchema {
  const properties = Object.entries(configTable).map(([key, { shape, description }]): [string, JsonSchema] => {
    return [key, { ...withRules(shape.schema, rules), description: description }];
  });
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: configName,
    description: `Configuration of Selector Lens for the manifests in a folder.`,
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(properties),
  };
}

/** Adds the names of rules to every map whose keys are rules. */
function withRules(schema: JsonSchema, rules: readonly string[]): JsonSchema {
  const values = schema['additionalProperties'];
  if (isRecord(values) && values['enum'] === ruleSeverities) return { ...schema, propertyNames: { enum: rules } };
  const entries = Object.entries(schema).map(([key, value]): [string, unknown] => {
    return [key, isRecord(value) ? withRules(value, rules) : value];
  });
  return Object.fromEntries(entries);
}
