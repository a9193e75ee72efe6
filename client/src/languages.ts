/** Which documents are ours to look at? We claim no language: these ids belong to VS Code and to other extensions. */

export { languages } from '../../server/src/protocol.ts';

/** The language of "Try a Selector": a selector a line, as `kubectl get -l` takes it. */
export const selectorLanguage = 'kube-selector';

/** By the name of their setting, languages in whose commands selectors are looked for once a manifest was seen. */
export const commandLanguages: Readonly<Record<string, readonly string[]>> = {
  shell: ['shellscript'],
  makefile: ['makefile'],
  dockerfile: ['dockerfile'],
  markdown: ['markdown'],
  powershell: ['powershell'],
  text: ['plaintext'],
  selector: [selectorLanguage],
};

/** Folders that hold no manifests of the workspace, and many files. */
export const excludedPattern = '**/{node_modules,.git}/**';
