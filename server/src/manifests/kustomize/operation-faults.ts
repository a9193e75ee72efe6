/** Finds faults in the operations of JSON patches, for which kustomize and kubectl reject a patch or change something else. */

import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import { childOf, type Node } from '../yaml/tree.ts';
import { isContentPath } from './kustomize-documents.ts';

export interface OperationFault {
  /** The part of the operation that is invalid, or the operation if a part is missing. */
  readonly node: Node;
  readonly message: string;
  /** Whether nothing is applied; otherwise, the operation changes something else than it states. */
  readonly fails: boolean;
  /** The text that was probably intended. */
  readonly meant?: string;
}

const names: readonly string[] = ['add', 'remove', 'replace', 'move', 'copy', 'test'];

/** Matches the path of a label or annotation whose key contains a slash. */
const keyWithSlash = /^(.*\/metadata\/(?:labels|annotations)\/|.*\/(?:matchLabels|nodeSelector)\/)([^/]+\/.+)$/s;

/** Returns the first fault of an operation, as github.com/evanphx/json-patch v4 applies it; undefined if it is valid or not completely known. */
export function operationFault(operation: Node): OperationFault | undefined {
  if (operation.kind !== 'map' || operation.open || operation.entries.some(({ merged }) => merged)) return undefined;
  const [op, path, from, value] = ['op', 'path', 'from', 'value'].map((key) => childOf(operation, key));
  if ([op, path, from].some((each) => each?.kind === 'scalar' && each.pattern !== undefined)) return undefined;
  const fails = (node: Node, message: string) => ({ node, message, fails: true });
  if (op?.kind !== 'scalar') return fails(operation, localize`The operation has no \`op\`.`);
  if (!names.includes(op.text)) {
    const [meant] = names.filter((name) => misspelling(op.text, name) !== undefined);
    const message = localize`\`op\` must be 'add', 'remove', 'replace', 'move', 'copy' or 'test', not '${op.text}'.`;
    return { ...fails(op, message), ...(meant !== undefined && { meant }) };
  }
  if (path?.kind !== 'scalar') return fails(operation, localize`The operation '${op.text}' has no \`path\`.`);
  if ((op.text === 'move' || op.text === 'copy') && from?.kind !== 'scalar')
    return fails(operation, localize`The operation '${op.text}' has no \`from\`.`);
  if (path.text !== '' && !path.text.startsWith('/')) {
    const at = path.text.indexOf('/');
    if (at === -1) return fails(path, localize`The path must begin with '/', not '${path.text}'.`);
    const [ignored, used] = [path.text.slice(0, at), path.text.slice(at)];
    const message = localize`The path must begin with '/': '${ignored}' is ignored, so the path is '${used}'.`;
    return { node: path, message, fails: false, meant: `/${path.text}` };
  }
  const [, map, key] = keyWithSlash.exec(path.text) ?? [];
  if (map !== undefined && key !== undefined) {
    const meant = map + key.replaceAll('/', '~1');
    return { ...fails(path, localize`A '/' in a key must be written as '~1': '${meant}'.`), meant };
  }
  if ((op.text === 'add' || op.text === 'replace') && value === undefined && !isContentPath(path.text))
    return {
      node: operation,
      message: localize`The operation '${op.text}' has no \`value\`, so it sets null.`,
      fails: false,
    };
  return undefined;
}
