/** The text of a new `.selector-lens.yaml`, which contains every key with an example as comments. */

import { type Level, levelDescriptions, levels } from './level.ts';

/** Returns the text of a configuration in which only the level is set, and the files whose problems are not reported, if there are any. */
export function configTemplate(level: Level, generated: readonly string[] = []): string {
  return `# Conventions of this team for Selector Lens. Every key is optional.
# https://github.com/selector-lens/selector-lens/blob/main/docs/configuration.md

# How much to report:
${levels.map((each) => `#   ${each}: ${levelDescriptions[each]}`).join('\n')}
level: ${level}

# The severity of single rules: off, hint, information, warning or error.
# 'selector-lens rule' lists all rules.
#rules:
#  label-key-style: warning

# Different severities for some files or objects.
#overrides:
#  - files: ["examples/**"]
#    rules: { label-value-type: warning }

# Rules that are disabled in some files, with the reason.
#ignore:
#  - rule: label-value-syntax
#    files: ["fixtures/**"]
#    reason: made to be invalid

# Files that are applied together, if folders, kustomizations and charts do not show this.
#scopes:
#  - { name: shop, paths: ["apps/shop/**"], namespace: shop }

# Objects that exist in the cluster, but not in these files.
#externals:
#  - { kind: Pod, namespace: kube-system, labels: { k8s-app: kube-dns } }

# Files that a tool renders: they are indexed, but problems in them are not reported.
${generated.length === 0 ? '#generated: ["rendered/**"]' : `generated: ${JSON.stringify(generated).replaceAll('","', '", "')}`}

# The Kubernetes version of the clusters, and whether the workspace declares all of their nodes.
#kubernetesVersion: "1.36"
#nodes: complete

# The meaning of label keys, their values, and where they are required; in short, labels that these kinds must have.
#labels:
#  cost-center: { meaning: The account that pays., pattern: "[0-9]{4}", selectable: false }
#labelPolicy:
#  - { key: team, kinds: [Deployment], required: true }

# Expected matches of selectors and expected connections.
#expect:
#  - { name: endpoints, owner: team-blue, that: Service/web selects exactly Deployment/web }

# The URL by which Argo CD or Flux names this git repository, if no remote has this URL.
#repository: https://git.example.com/team/shop

# A folder that is published as an artifact, from which Flux applies it.
#published:
#  - { source: oci://registry.example.com/team/shop, path: deploy }

# Another .selector-lens.yaml of this workspace, whose conventions apply here too.
#extends: ../.selector-lens.yaml
`;
}
