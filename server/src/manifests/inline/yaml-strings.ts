/** Finds the commands and selectors in the strings and comments of YAML. */

import type { Catalogue } from '../../engine/catalogue/types.ts';
import { hasPrometheusFields } from '../sites/prometheus-labels.ts';
import { isWholeName, prometheusNames, prometheusPrefix } from '../sites/prometheus-names.ts';
import { blankManifest } from '../yaml/blank-manifest.ts';
import { splitDocuments } from '../yaml/documents.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { childOf, type MapNode, maximumDepth, type Node, type ScalarNode, treeSizeOf } from '../yaml/tree.ts';
import { mayHoldSelectors } from './candidates.ts';
import { type Argument, argumentsFor, type Call, callsIn, type FoundInText } from './command-arguments.ts';
import { commandsIn } from './command-lines.ts';
import { kindsOf } from './resources.ts';
import { scalarLetters } from './scalar-source-map.ts';
import type { Around, Budget } from './shell.ts';
import { type Letters, part, verbatim } from './source-map.ts';
import { type FlagFact, nextMention } from './tool-flags.ts';
import type { Command, Word } from './word.ts';

/** The syntax trees of documents that have already been parsed, by the start offset of the document. */
export type Trees = Map<number, Node>;
export type ReadonlyTrees = ReadonlyMap<number, Node>;

/** Finds the commands and arguments in the scalars, lists of words and comments of a YAML or JSON file. */
export function foundInYaml(
  letters: Letters,
  catalogue: Catalogue,
  budget: Budget,
  { trees, holding }: { readonly trees?: ReadonlyTrees | undefined; readonly holding?: string | undefined } = {},
): FoundInText {
  const { text } = letters;
  if (!mayHoldSelectors(text) && !text.includes(prometheusPrefix)) return { calls: [], others: [] };
  const parser = new YamlParser(letters, catalogue, { dialect: 'shell', budget, depth: 1, holding });
  const blanked = blankManifest(text);
  for (const span of splitDocuments(blanked.text)) {
    const document = text.slice(span.start, span.end);
    if (holding !== undefined && !document.includes(holding)) continue;
    if (!mayHoldSelectors(document) && !document.includes(prometheusPrefix)) continue;
    const root = trees?.get(span.start) ?? parseYaml(text, blanked, span).root;
    if (root !== undefined && treeSizeOf(root).depth <= maximumDepth) parser.node(root);
  }
  parser.comments();
  return { calls: parser.calls, others: parser.found };
}

/** The maximum number of syntax nodes that are visited, because aliases can expand a small file to a very large tree. */
const maximumNodes = 500_000;

class YamlParser {
  readonly found: Argument[] = [];
  readonly calls: Call[] = [];
  readonly #letters: Letters;
  readonly #catalogue: Catalogue;
  readonly #around: Around;
  #nodes = 0;
  /**
   * Whether the object that contains the current node has separate fields for Prometheus label names. The text of these
   * fields is then not searched for such names.
   */
  #hasFields = false;

  constructor(letters: Letters, catalogue: Catalogue, around: Around) {
    this.#letters = letters;
    this.#catalogue = catalogue;
    this.#around = around;
  }

  node(node: Node): void {
    if (++this.#nodes > maximumNodes) return;
    if (node.kind === 'scalar') {
      this.#script(node);
      this.#relabelings(node);
    } else if (node.kind === 'list') {
      this.#words(this.#wordsOf(node));
      for (const item of node.items) this.node(item);
    } else {
      this.#map(node);
      const before = this.#hasFields;
      const version = childOf(node, 'apiVersion');
      if (version?.kind === 'scalar') this.#hasFields = hasPrometheusFields(version.text.split('/', 1)[0] ?? '');
      for (const { key, value } of node.entries) {
        this.node(value);
        if (isTargetKey(key.text)) this.#target(value);
      }
      this.#hasFields = before;
    }
  }

  /**
   * Finds Prometheus label names in a Prometheus configuration, or in the configuration of a program that uses the same
   * syntax for relabeling.
   */
  #relabelings(node: ScalarNode): void {
    const { start, end } = node.span;
    if (!this.#letters.text.slice(start, end).includes(prometheusPrefix)) return;
    const letters = this.#lettersOf(node);
    if (this.#hasFields && isWholeName(letters.text)) return;
    for (const { of, key } of prometheusNames(letters.text)) {
      const name = part(letters, key.start, key.end);
      const at = { start: name.startOf(0), end: name.startOf(0) };
      const common = { command: 'relabeling', at, flag: at, targets: [of], allNamespaces: true };
      this.found.push({ ...common, kind: 'labelKeys', letters: name, placeholders: [], form: 'prometheus' });
    }
  }

  #script(node: ScalarNode): void {
    const { start, end } = node.span;
    if (end - start < 8 || nextMention(this.#letters.text.slice(start, end), 0) === -1) return;
    this.#commands(commandsIn(this.#lettersOf(node), this.#around));
  }

  #lettersOf(node: ScalarNode): Letters {
    const inside = scalarLetters(this.#letters.text, node);
    const outer = this.#letters;
    return {
      text: inside.text,
      startOf: (index) => outer.startOf(inside.startOf(index)),
      endOf: (index) => outer.endOf(inside.endOf(index) - 1),
    };
  }

  #commands(commands: readonly Command[]): void {
    for (const command of commands) for (const each of callsIn(command)) this.calls.push(each);
  }

  /** Parses a list of words, which may be a command with one word in each item. */
  #words(words: Command): void {
    if (words.length > 2) this.#commands([words]);
  }

  #wordsOf(list: Node | undefined): readonly Word[] {
    if (list?.kind !== 'list' || !list.items.every((item) => item.kind === 'scalar')) return [];
    return list.items.flatMap((item) =>
      item.kind === 'scalar' ? [{ letters: this.#lettersOf(item), placeholders: [] }] : [],
    );
  }

  /** Visits a map. In a container, `args` continue `command`, and the image can determine the program. */
  #map(map: MapNode): void {
    const image = childOf(map, 'image');
    if (image?.kind !== 'scalar') return;
    const command = this.#wordsOf(childOf(map, 'command'));
    const rest = this.#wordsOf(childOf(map, 'args'));
    if (command.length > 0 && rest.length > 0) this.#words([...command, ...rest]);
    const isKubectl = command.length === 0 && /(?:^|\/)(?:kubectl|k8s-kubectl)(?:[:@]|$)/.test(image.text);
    if (isKubectl) this.#words([{ letters: verbatim('kubectl', image.span.start), placeholders: [] }, ...rest]);
    for (const { image: name, flags } of controllers) {
      if (!name.test(image.text)) continue;
      this.found.push(
        ...argumentsFor(this.#catalogue, [...command, ...rest], flags, image.text.split(/[:@]/, 1)[0] ?? ''),
      );
    }
  }

  /**
   * Parses the target of a patch, which may contain a selector: `target: { kind: Deployment, labelSelector: tier=web
   * }`.
   */
  #target(map: Node): void {
    const selector = childOf(map, 'labelSelector');
    if (selector?.kind !== 'scalar' || selector.type !== 'string') return;
    const kind = childOf(map, 'kind');
    const named = kind?.kind === 'scalar' && kind.pattern === undefined ? kindsOf(this.#catalogue, kind.text) : [];
    const key = map.kind === 'map' ? map.entries.find((entry) => entry.value === selector)?.key.span : undefined;
    if (key === undefined) return;
    const at = { start: this.#letters.startOf(key.start), end: this.#letters.endOf(key.end - 1) };
    const letters = this.#lettersOf(selector);
    const target = { command: 'target', at, flag: at, targets: named, allNamespaces: true };
    this.found.push({ ...target, kind: 'selector', letters, placeholders: [] });
  }

  /** Parses the comments of the file, which may contain commands. */
  comments(): void {
    const { text } = this.#letters;
    if (!text.includes('#')) return;
    let start = 0;
    for (const line of text.split('\n')) {
      const hash = /^[ \t]{0,200}#/.exec(line)?.[0].length;
      if (hash !== undefined && nextMention(line, hash) !== -1) {
        const comment = part(this.#letters, start + hash, start + line.length);
        this.#commands(commandsIn(comment, this.#around));
      }
      start += line.length + 1;
    }
  }
}

function isTargetKey(key: string): boolean {
  return key === 'target' || key === 'select' || key === 'reject';
}

interface ControllerFact {
  /** Matches a part of the container image's name. */
  readonly image: RegExp;
  readonly flags: readonly FlagFact[];
}

function flag(name: string, ...over: readonly string[]): FlagFact {
  const kind = name.includes('field') ? 'fieldSelector' : 'selector';
  return { flags: [name], kind, over: over.length === 0 ? 'unknown' : over };
}

const crds = ['labelselector'];

const controllers: readonly ControllerFact[] = [
  { image: /external-dns/, flags: [flag('--label-filter'), flag('--gateway-label-filter')] },
  {
    image: /fluxcd\//,
    flags: [flag('--watch-label-selector'), flag('--watch-configs-label-selector', 'configmaps.', 'secrets.')],
  },
  { image: /ingress-nginx|nginx-ingress/, flags: [flag('--watch-namespace-selector', 'namespaces.')] },
  {
    image: /traefik/,
    flags: ['kubernetescrd', 'kubernetesingress', 'kubernetesgateway'].flatMap((provider) =>
      crds.map((name) => flag(`--providers.${provider}.${name}`)),
    ),
  },
  { image: /kured/, flags: [flag('--blocking-pod-selector', 'pods.'), flag('--drain-pod-selector', 'pods.')] },
  {
    image: /prometheus-operator/,
    flags: [
      flag('--prometheus-instance-selector', 'prometheuses.monitoring.coreos.com'),
      flag('--alertmanager-instance-selector', 'alertmanagers.monitoring.coreos.com'),
      flag('--thanos-ruler-instance-selector', 'thanosrulers.monitoring.coreos.com'),
      flag('--secret-field-selector', 'secrets.'),
      flag('--secret-label-selector', 'secrets.'),
      flag('--configmap-label-selector', 'configmaps.'),
      flag('--kubelet-selector', 'nodes.'),
    ],
  },
  {
    image: /reloader/,
    flags: [flag('--resource-label-selector', 'configmaps.', 'secrets.'), flag('--namespace-selector', 'namespaces.')],
  },
  { image: /metrics-server/, flags: [flag('--node-selector', 'nodes.')] },
];
