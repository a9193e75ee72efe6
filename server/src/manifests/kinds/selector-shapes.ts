/** Finds labels and selectors in objects of unknown kinds by their shape: a map with `matchLabels` or `matchExpressions` is a label selector, and a map with `metadata` and the `spec` of a pod is a pod template. Their meaning is uncertain, so no certain finding is based on them. */

import { selectorOfShape, templateOfShape } from '../../engine/catalogue/learned-kinds.ts';
import type { GroupKind, KindFact, LabelField, SelectorFact, TemplateFact } from '../../engine/catalogue/types.ts';
import { childOf, type Node } from '../yaml/tree.ts';

const pod: GroupKind = { group: '', kind: 'Pod' };

/** Returns the facts that the shape of an object suggests, in addition to the facts `learned` from its definition. */
export function shapesOf(root: Node, type: GroupKind, learned?: KindFact): KindFact {
  const selectors = new Map<string, SelectorFact>();
  const templates = new Map<string, TemplateFact>();
  const seen = new Set<Node>();
  const visit = (node: Node, path: string): void => {
    // Aliases can repeat a node exponentially often in a malicious file, so each node is visited only once.
    if (node.kind === 'scalar' || seen.has(node)) return;
    seen.add(node);
    if (node.kind === 'list') {
      for (const item of node.items) visit(item, `${path}[]`);
      return;
    }
    if (isLabelSelector(node)) selectors.set(path, selectorOfShape(path));
    if (isPodTemplate(node)) templates.set(path, templateOfShape(path));
    for (const entry of node.entries) {
      if (entry.key.text.includes('.') || entry.key.pattern !== undefined) continue;
      visit(entry.value, path === '' ? entry.key.text : `${path}.${entry.key.text}`);
    }
  };
  visit(root, '');
  const facts = { selectors: [...selectors.values()], templates: [...templates.values()] };
  return learned === undefined
    ? joined({ ...nothing, group: type.group, kind: type.kind }, facts)
    : beside(learned, facts);
}

const nothing = { versions: [], selectors: [], labels: [], templates: [], labelKeys: [], references: [] };

type Shapes = Pick<KindFact, 'selectors' | 'templates'>;

function joined(known: KindFact, { selectors, templates }: Shapes): KindFact {
  return {
    ...known,
    selectors: [...known.selectors, ...selectors],
    templates: [...known.templates, ...templates],
    labels: [...known.labels, ...templates.map(({ path }) => labelsOf(path))],
  };
}

/** Returns the facts of a definition, extended by the facts that the shape of an object suggests for paths that the definition does not cover. */
function beside(learned: KindFact, { selectors, templates }: Shapes): KindFact {
  const more = {
    selectors: selectors.filter(({ path }) => !isCovered(path, learned.selectors)),
    templates: templates.filter(({ path }) => !isCovered(path, learned.templates)),
  };
  return more.selectors.length + more.templates.length === 0 ? learned : joined(learned, more);
}

function labelsOf(template: string): LabelField {
  return { path: `${template}.metadata.labels`, holds: 'labels', of: pod };
}

/** Whether a known path covers a path of the object. The `*` in a known path matches any map key. */
function isCovered(path: string, known: readonly { readonly path: string }[]): boolean {
  const parts = path.split('.');
  return known.some((each) => {
    if (!each.path.includes('*')) return each.path === path;
    const others = each.path.split('.');
    return others.length === parts.length && others.every((part, index) => isSamePart(part, parts[index] ?? ''));
  });
}

function isSamePart(known: string, part: string): boolean {
  const name = part.indexOf('[');
  return known === part || (known.startsWith('*') && known.slice(1) === (name === -1 ? '' : part.slice(name)));
}

function isLabelSelector(node: Node): boolean {
  return childOf(node, 'matchLabels')?.kind === 'map' || childOf(node, 'matchExpressions')?.kind === 'list';
}

function isPodTemplate(node: Node): boolean {
  const spec = childOf(node, 'spec');
  return childOf(node, 'metadata')?.kind === 'map' && childOf(spec, 'containers')?.kind === 'list';
}
