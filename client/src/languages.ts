/** Which documents are ours to look at? We claim no language: these ids belong to VS Code and to other extensions. */

export { commandLanguages, languages } from '../../server/src/protocol.ts';

/** The language of "Try a Selector": a selector a line, as `kubectl get -l` takes it. */
export const selectorLanguage = 'kube-selector';
