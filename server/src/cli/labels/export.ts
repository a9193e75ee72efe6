/** Writes the registry of labels as admission policies of Kubernetes, Kyverno and Gatekeeper. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { type AdmissionCheck, type AdmissionPolicies, type AdmissionPolicy, pluralOf } from './admission-checks.ts';

export const exportFormats = ['validating-admission-policy', 'kyverno', 'gatekeeper'] as const;

export type ExportFormat = (typeof exportFormats)[number];

/** Returns the lines of a YAML file with the policies. They warn and do not reject objects, because a policy for all kinds would otherwise also reject objects that the cluster itself creates. */
export function exportedPolicies(
  format: ExportFormat,
  { policies }: AdmissionPolicies,
  catalogue: Catalogue,
): readonly string[] {
  const documents = policies.flatMap((policy) => documentsOf[format](policy, catalogue));
  return [
    `# Written by 'selector-lens labels --export ${format}' from the registry of labels in .selector-lens.yaml.`,
    `# ${enforcement[format]}`,
    ...documents.flatMap((document, index) => [...(index === 0 ? [] : ['---']), ...yamlDocument(document)]),
  ];
}

const enforcement: Readonly<Record<ExportFormat, string>> = {
  'validating-admission-policy':
    'The policies only warn. To reject objects, change validationActions to [Deny] after the warnings are gone.',
  kyverno:
    'The policies only report. To reject objects, change validationActions to [Deny] after the reports are empty.',
  gatekeeper:
    'The policies only warn. To reject objects, change enforcementAction to deny after the warnings are gone.',
};

const documentsOf: Readonly<
  Record<ExportFormat, (policy: AdmissionPolicy, catalogue: Catalogue) => readonly YamlMap[]>
> = {
  'validating-admission-policy': (policy, catalogue) => [
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: policy.name },
      spec: {
        failurePolicy: 'Fail',
        matchConstraints: { resourceRules: resourceRules(policy, catalogue) },
        validations: policy.checks.map(validation),
      },
    },
    {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: policy.name },
      spec: { policyName: policy.name, validationActions: ['Warn', 'Audit'] },
    },
  ],
  kyverno: (policy, catalogue) => [
    {
      apiVersion: 'policies.kyverno.io/v1',
      kind: 'ValidatingPolicy',
      metadata: { name: policy.name },
      spec: {
        validationActions: ['Audit'],
        matchConstraints: { resourceRules: resourceRules(policy, catalogue) },
        validations: policy.checks.map(validation),
      },
    },
  ],
  gatekeeper: (policy) => {
    const kind = policy.name.replace(/(?:^|-)([a-z])/g, (_, letter: string) => letter.toUpperCase());
    return [
      {
        apiVersion: 'templates.gatekeeper.sh/v1',
        kind: 'ConstraintTemplate',
        // Gatekeeper requires the name of the kind in lower case.
        metadata: { name: kind.toLowerCase() },
        spec: {
          crd: { spec: { names: { kind } } },
          targets: [
            {
              target: 'admission.k8s.gatekeeper.sh',
              code: [{ engine: 'K8sNativeValidation', source: { validations: policy.checks.map(unlessDeleted) } }],
            },
          ],
        },
      },
      {
        apiVersion: 'constraints.gatekeeper.sh/v1beta1',
        kind,
        metadata: { name: policy.name },
        spec: { enforcementAction: 'warn', match: { kinds: gatekeeperKinds(policy) } },
      },
    ];
  },
};

function validation({ expression, message }: AdmissionCheck): YamlMap {
  return { expression, message };
}

/** Gatekeeper can also check requests that delete objects, which have no new object. */
function unlessDeleted({ expression, message }: AdmissionCheck): YamlMap {
  return { expression: `object == null || (${expression})`, message };
}

/** Returns the rules for the resources of a policy, one for each API group. */
function resourceRules({ kinds }: AdmissionPolicy, catalogue: Catalogue): readonly YamlMap[] {
  const byGroup = new Map<string, string[]>();
  if (kinds === '*') byGroup.set('*', ['*']);
  else
    for (const [group, names] of groupedKinds(kinds))
      byGroup.set(
        group,
        names.map((kind) => pluralOf({ group, kind }, catalogue)),
      );
  return [...byGroup].map(([group, resources]) => ({
    apiGroups: [group],
    apiVersions: ['*'],
    operations: ['CREATE', 'UPDATE'],
    resources,
  }));
}

function gatekeeperKinds({ kinds }: AdmissionPolicy): readonly YamlMap[] {
  if (kinds === '*') return [{ apiGroups: ['*'], kinds: ['*'] }];
  return [...groupedKinds(kinds)].map(([group, names]) => ({ apiGroups: [group], kinds: names }));
}

function groupedKinds(kinds: Exclude<AdmissionPolicy['kinds'], '*'>): ReadonlyMap<string, readonly string[]> {
  const byGroup = new Map<string, string[]>();
  for (const { group, kind } of kinds) byGroup.set(group, [...(byGroup.get(group) ?? []), kind]);
  return byGroup;
}

type Yaml = string | boolean | readonly Yaml[] | { readonly [key: string]: Yaml };

type YamlMap = { readonly [key: string]: Yaml };

function yamlDocument(value: YamlMap): readonly string[] {
  return mapLines(value);
}

function mapLines(map: YamlMap): readonly string[] {
  return Object.entries(map).flatMap(([key, value]) => entryLines(`${key}:`, value));
}

/** Returns the lines of a value after a key. */
function entryLines(head: string, value: Yaml): readonly string[] {
  if (typeof value === 'string' || typeof value === 'boolean') return [`${head} ${scalar(value)}`];
  if (isList(value)) return listLines(head, value);
  return Object.keys(value).length === 0 ? [`${head} {}`] : [head, ...mapLines(value).map(indented)];
}

function listLines(head: string, items: readonly Yaml[]): readonly string[] {
  const scalars = items.flatMap((item) =>
    typeof item === 'string' || typeof item === 'boolean' ? [scalar(item)] : [],
  );
  return scalars.length === items.length
    ? [`${head} [${scalars.join(', ')}]`]
    : [head, ...items.flatMap(itemLines).map(indented)];
}

function itemLines(item: Yaml): readonly string[] {
  if (typeof item === 'string' || typeof item === 'boolean') return [`- ${scalar(item)}`];
  const lines = isList(item) ? item.flatMap(itemLines) : mapLines(item);
  return lines.map((line, index) => (index === 0 ? `- ${line}` : indented(line)));
}

function isList(value: Yaml): value is readonly Yaml[] {
  return Array.isArray(value);
}

function indented(line: string): string {
  return `  ${line}`;
}

/** Returns a scalar. All strings except for simple names are quoted as in JSON, which YAML reads in the same way. */
function scalar(value: string | boolean): string {
  if (typeof value === 'boolean') return `${value}`;
  const isPlain = /^[A-Za-z][\w./-]*$/.test(value) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(value);
  return isPlain ? value : JSON.stringify(value);
}
