/**
 * The language identifiers of supported documents. They belong to VS Code and to other extensions; this extension
 * registers no language for manifests.
 */

export { commandLanguages, languages } from '../../server/src/protocol.ts';

/** The language of "Try a Selector": one selector per line, in the syntax of `kubectl get -l`. */
export const selectorLanguage = 'kube-selector';
