/**
 * The extensions next to which ours is tested: real ones if they are available, and always a substitute. The real ones
 * are too large for the repository.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type CodeServerOptions, root } from './code-server.ts';
import { neighborsVariable } from './neighbors-variable.ts';

export interface Neighbors extends CodeServerOptions {
  readonly name: string;
}

/** Real extensions, as VSIX files. */
const folder = join(root, '..', 'shared', 'extensions');

export const areRealAtHand = existsSync(folder);

const workspaces = join(root, 'test', 'host', 'workspace');

/** Settings without prompts and network access. */
const settings = {
  'redhat.telemetry.enabled': false,
  'yaml.schemaStore.enable': false,
  'vs-kubernetes': { 'vs-kubernetes.crd-code-completion': 'disabled' },
};

/** `reports`: texts of `faults.yaml` that the neighbors report. */
function neighbors(
  name: string,
  reports: readonly string[],
  { vsix = [], env, ...options }: CodeServerOptions,
): Neighbors {
  return {
    name,
    settings,
    vsix: vsix.map((each) => join(folder, `${each}.vsix`)),
    env: { ...env, [neighborsVariable]: JSON.stringify(reports) },
    ...options,
  };
}

const standIn = neighbors('a stand-in for YAML', ['owner: blue', 'count: 42', 'port: 8080'], {
  deserialized: [join(root, 'test', 'host', 'stand-ins', 'yaml')],
});

/** The Kubernetes extension is active only with a configuration of a cluster; no server responds at its address. */
const env = { KUBECONFIG: join(workspaces, 'kubeconfig') };
const ofConfigMap = ['owner: blue', 'count: 42', 'port: 8080', 'routes: [a]', 'nested:'];

const real: readonly Neighbors[] = [
  neighbors('YAML', ['owner: blue'], { vsix: ['vscode-yaml'] }),
  neighbors('YAML with a schema of a team', [...ofConfigMap, 'runs: 7', 'width: 6'], {
    vsix: ['vscode-yaml'],
    settings: {
      ...settings,
      'yaml.schemas': { [`file://${join(workspaces, 'faults', 'team.schema.json')}`]: 'faults.yaml' },
    },
  }),
  neighbors('YAML and Kubernetes', ofConfigMap, { vsix: ['vscode-yaml', 'vscode-kubernetes-tools'], env }),
  neighbors('YAML, Kubernetes and Helm', ofConfigMap, {
    vsix: ['vscode-yaml', 'vscode-kubernetes-tools', 'helm-ls-vscode'],
    env,
  }),
];

export const allNeighbors: readonly Neighbors[] = areRealAtHand ? [standIn, ...real] : [standIn];
