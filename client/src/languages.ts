/** The language identifiers of supported documents. VS Code and other extensions define these languages; this extension registers no language for manifests. */

export { commandLanguages, languages } from '../../server/src/protocol.ts';

/** The language of "Try a Selector": one selector per line, in the syntax of `kubectl get -l`. */
export const selectorLanguage = 'kube-selector';
