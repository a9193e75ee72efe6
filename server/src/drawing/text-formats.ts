/** Formats graphs as Mermaid and Graphviz text. */

import { replaceControls } from '../text/control-characters.ts';

/** A graph without positions; uncertain edges are dotted. */
export interface Drawing {
  readonly name: string;
  readonly nodes: readonly { readonly id: string; readonly label: string }[];
  readonly edges: readonly {
    readonly from: string;
    readonly to: string;
    readonly label: string;
    readonly certain: boolean;
  }[];
}

/** Formats a graph as a Mermaid flowchart. */
export function asMermaid({ nodes, edges }: Drawing): readonly string[] {
  return [
    'flowchart LR',
    ...nodes.map(({ id, label }) => `  ${id}["${mermaidText(label)}"]`),
    ...edges.map(({ from, to, label, certain }) => {
      return `  ${from} ${certain ? '-->' : '-.->'}|"${mermaidText(label)}"| ${to}`;
    }),
  ];
}

/** Formats a graph in the DOT language of Graphviz. */
export function asDot({ name, nodes, edges }: Drawing): readonly string[] {
  return [
    `digraph ${name} {`,
    '  rankdir=LR;',
    '  node [shape=box];',
    ...nodes.map(({ id, label }) => `  ${id} [label=${dotText(label)}];`),
    ...edges.map(({ from, to, label, certain }) => {
      return `  ${from} -> ${to} [label=${dotText(label)}${certain ? '' : ', style=dotted'}];`;
    }),
    '}',
  ];
}

/** Mermaid interprets Markdown, HTML and entities in a label, so only plain characters are left unescaped. */
function mermaidText(text: string): string {
  return replaceControls(text).replace(/[^\p{L}\p{N} ._/()[\]-]/gu, (character) => `#${character.codePointAt(0)};`);
}

function dotText(text: string): string {
  return `"${replaceControls(text).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`;
}
