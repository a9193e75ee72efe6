/** What do other extensions say of YAML documents by themselves? The server leaves that to them. */
import * as vscode from 'vscode';
import type { OtherTools } from '../../server/src/protocol.ts';
import { kubernetesPatterns } from './kubernetes-patterns.ts';

const yamlExtension = 'redhat.vscode-yaml';
/** Gives the YAML extension the schema of Kubernetes for every manifest. */
const kubernetesExtension = 'ms-kubernetes-tools.vscode-kubernetes-tools';

/** VS Code itself reports these. */
const syntaxOfJson = ['json', 'jsonc'];

export function otherTools(): OtherTools {
  const isThere = (id: string) => vscode.extensions.getExtension(id) !== undefined;
  const yaml = vscode.workspace.getConfiguration('yaml');
  if (!isThere(yamlExtension) || yaml.get('validate') === false)
    return { syntax: syntaxOfJson, duplicateKeys: false, types: [] };
  const types = isThere(kubernetesExtension) ? ['*'] : kubernetesPatterns(yaml.get('schemas'));
  return { syntax: ['yaml', ...syntaxOfJson], duplicateKeys: true, types };
}

/** Calls `changed` when the answer may be another one. */
export function onDidChangeOtherTools(changed: () => void): vscode.Disposable {
  return vscode.Disposable.from(
    vscode.extensions.onDidChange(changed),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('yaml')) changed();
    }),
  );
}
