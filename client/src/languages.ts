/** Which documents are ours to look at? We claim no language: these ids belong to VS Code and to other extensions. */

export const languages: readonly string[] = ['yaml', 'json', 'jsonc', 'helm'];

/** Files that are manifests or explain them: kustomizations, charts, settings of this extension, attributes of git. */
export const filePattern = '**/{*.yaml,*.yml,*.json,*.tpl,Kustomization,.gitattributes}';

/** Folders that hold no manifests of the workspace, and many files. */
export const excludedPattern = '**/{node_modules,.git}/**';
