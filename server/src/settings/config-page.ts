/** Generates the documentation of `.selector-lens.yaml` from its table, with an example that a test parses. */

import { isRecord } from '../engine/structured.ts';
import { configName, configTable } from './config.ts';
import type { JsonSchema } from './shape.ts';

/** An example that uses every key. */
export const configExample = `kubernetesVersion: any                # or "1.36"
extends: ../.selector-lens.yaml       # inherit the conventions of this file
level: default                        # essential | default | strict
rules: { label-value-type: off }      # off | hint | information | warning | error
overrides:
  - { files: ["examples/**"], rules: { label-value-type: warning } }
  - { objects: ["Deployment/web", "shop/Job/*"], rules: { label-key-style: hint } }
ignore:
  - { rule: label-value-syntax, files: ["fixtures/**"], reason: "made to be wrong" }
published:                            # folders that are published as artifacts
  - { source: oci://ghcr.io/acme/manifests, path: deploy }
scopes:                               # files that are applied together
  - { name: shop, paths: ["apps/shop/**"], namespace: shop, cluster: eu, with: [platform] }
  - { name: platform, paths: [platform/], cluster: eu }
externals:                            # objects that are applied by other means
  - { files: ["shared/*.yaml"] }
  - { kind: Pod, namespace: kube-system, labels: { k8s-app: kube-dns } }
catalogue:                            # your own kinds
  - group: example.com
    kind: Widget
    selectors: [{ path: spec.selector, form: labelSelector, targets: [{ group: "", kind: Pod }] }]
    podTemplates: [spec.template]
    labels: [spec.podLabels]
nodes: complete                       # the workspace declares all nodes
placeholders: ["@@NAME@@"]            # NAME matches letters, digits, \`_\`, \`-\` and \`.\`
generated: ["rendered/**"]
labels:                               # see labels.md
  team: { meaning: the team on call, values: [blue, red], required: { objects: [Deployment], pods: true } }
  cost-center: { pattern: "[0-9]{4}", replaces: [costcenter], selectable: false, since: 2026-03-01 }
recommendedLabels: { keys: [app.kubernetes.io/name], kinds: [Deployment] }
labelPolicy:
  - { key: team, kinds: ["*"], required: true, values: [blue, red] }
  - { key: "example.com/old", forbidden: true }
expect:                               # verified by \`check\`
  - { name: database, owner: blue, that: web may reach db on 5432 }
  - { name: isolation, owner: red, that: default may not reach db }
  - { name: endpoints, owner: blue, that: Service/web selects exactly Deployment/web }
`;

/** The documentation of all keys, as Markdown. */
export function configPage(): string {
  const keys = Object.entries(configTable).map(([key, { shape, description }]) =>
    keySection(key, description, shape.schema),
  );
  return [
    `# ${configName}`,
    `This file contains the conventions of a team for its manifests, so that everyone who opens the manifests gets the same ` +
      `results. The \`.selector-lens.yaml\` that applies to a manifest is the one in the folder of the manifest or, if there is none, in the ` +
      `nearest parent folder within the Git repository. Several such files are not merged unless one file extends another. ` +
      `The values in \`.selector-lens.yaml\` take precedence over the settings of the editor.`,
    `\`\`\`yaml\n${configExample}\`\`\``,
    `Globs are relative to the folder of \`.selector-lens.yaml\`: \`*\` and \`?\` match within one name, \`**\` matches any number of folders, \`{a,b}\` ` +
      `matches \`a\` or \`b\`, and a folder with a trailing slash matches all files in this folder. Invalid entries are reported, and the ` +
      `other entries still apply.`,
    `Editors that support JSON schemas can validate \`.selector-lens.yaml\` with the schema [selector-lens.schema.json](selector-lens.schema.json).`,
    '## Keys',
    ...keys,
  ].join('\n\n');
}

function keySection(key: string, description: string, schema: JsonSchema): string {
  const fields = fieldsOf(schema);
  const rows = fields.map(([name, field]) => `| \`${name}\` | ${String(field['description'] ?? '')} |`);
  const table = rows.length === 0 ? '' : `\n\n${[`| Key | Description |`, '| --- | --- |', ...rows].join('\n')}`;
  return `### \`${key}\`\n\n${description}${table}`;
}

/** Returns the known keys of a map, or of the maps in a list. */
function fieldsOf(schema: JsonSchema): readonly (readonly [string, JsonSchema])[] {
  const of = isRecord(schema['items']) ? schema['items'] : schema;
  const properties = of['properties'];
  if (!isRecord(properties)) return [];
  return Object.entries(properties).flatMap(([name, field]) => (isRecord(field) ? [[name, field] as const] : []));
}
