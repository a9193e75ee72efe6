/** Reads settings of network plugins that change what policies decide. Sources: the API types and the documentation of Calico and of Cilium. */

import type { GroupKind } from '../../engine/catalogue/types.ts';
import type { SettingEffect } from '../../engine/index.ts';
import { parseYaml } from '../yaml/parse-yaml.ts';
import { childOf, effectiveEntries, isOpen, itemsOf, knownTextOf, type Node, nodeAt } from '../yaml/tree.ts';

/** A setting that differs from its default, or may differ. */
export interface PluginSetting {
  readonly name: string;
  readonly effects: readonly SettingEffect[];
}

/** The values of a setting that change nothing, in lower case, and the effects of all other values. */
interface Known {
  readonly unchanged: readonly string[];
  readonly effects: readonly SettingEffect[];
  /** The values with fewer effects. */
  readonly modes?: Readonly<Record<string, readonly SettingEffect[]>>;
}

const enabled = ['true'];
const disabled = ['false'];

const ofCilium: ReadonlyMap<string, Known> = new Map<string, Known>([
  [
    'enable-policy',
    {
      unchanged: ['default', ''],
      effects: ['allows', 'isolates'],
      modes: { always: ['isolates'], never: ['allows'] },
    },
  ],
  ['policy-audit-mode', { unchanged: disabled, effects: ['allows'] }],
  ['enable-k8s-networkpolicy', { unchanged: enabled, effects: ['ignores NetworkPolicies'] }],
  ['enable-cilium-network-policy', { unchanged: enabled, effects: ['ignores policies of Cilium'] }],
  ['enable-cilium-clusterwide-network-policy', { unchanged: enabled, effects: ['ignores policies of Cilium'] }],
  ['enable-non-default-deny-policies', { unchanged: enabled, effects: ['ignores policies of Cilium'] }],
  ['enable-l7-proxy', { unchanged: enabled, effects: ['ignores policies of Cilium'] }],
  ['enable-icmp-rules', { unchanged: enabled, effects: ['ignores policies of Cilium'] }],
  ['labels', { unchanged: [''], effects: ['ignores labels'] }],
  ['label-prefix-file', { unchanged: [''], effects: ['ignores labels'] }],
  ['static-cnp-path', { unchanged: [''], effects: ['allows', 'denies'] }],
]);

const ofFelix: ReadonlyMap<string, Known> = new Map<string, Known>([
  ['defaultEndpointToHostAction', { unchanged: ['accept'], effects: ['denies to nodes'] }],
  ['chainInsertMode', { unchanged: ['insert'], effects: ['allows'] }],
  ['iptablesFilterAllowAction', { unchanged: ['accept'], effects: ['denies'] }],
  ['nftablesFilterAllowAction', { unchanged: ['accept'], effects: ['denies'] }],
  ['dropActionOverride', { unchanged: ['drop', 'loganddrop'], effects: ['allows'] }],
]);

const ofHostEndpoints: Known = { unchanged: ['disabled'], effects: ['creates endpoints of hosts'] };

/** Where a kind contains settings, and which. */
interface SettingsKind {
  /** Matches the names of the objects that the plugin reads. */
  readonly named: RegExp;
  readonly path: readonly string[];
  readonly settings: ReadonlyMap<string, Known>;
}

const kinds: ReadonlyMap<string, SettingsKind> = new Map<string, SettingsKind>([
  ['/ConfigMap', { named: /^cilium-config(?:-[a-z\d]{10})?$/, path: ['data'], settings: ofCilium }],
  ['cilium.io/CiliumNodeConfig', { named: /./, path: ['spec', 'defaults'], settings: ofCilium }],
  ...['crd.projectcalico.org', 'projectcalico.org'].flatMap((group): readonly (readonly [string, SettingsKind])[] => [
    [`${group}/FelixConfiguration`, { named: /^(?:default$|node\.)/, path: ['spec'], settings: ofFelix }],
    [
      `${group}/KubeControllersConfiguration`,
      {
        named: /^default$/,
        path: ['spec', 'controllers', 'node', 'hostEndpoint'],
        settings: new Map([['autoCreate', ofHostEndpoints]]),
      },
    ],
  ]),
]);

/** Whether a network plugin reads settings from an object with a name. A name that a template writes may be the default name of a kind of the plugin. */
export function hasPluginSettings({ group, kind }: GroupKind, name = 'default'): boolean {
  return kinds.get(`${group}/${kind}`)?.named.test(name) === true;
}

/** Returns the settings in the content of an object that change what policies decide, or may change it. */
export function pluginSettingsIn({ group, kind }: GroupKind, content: Node | undefined): readonly PluginSetting[] {
  const found = kinds.get(`${group}/${kind}`);
  if (found === undefined) return [];
  const fields = nodeAt(content, ...found.path);
  if (fields?.kind !== 'map') return isOpen(fields ?? content) ? [...found.settings].map(asUnknown) : [];
  const entries = effectiveEntries(fields);
  const known = entries.flatMap(({ key, value }) => changed(key.text, found.settings.get(key.text), value));
  const names = new Set(entries.map(({ key }) => key.text));
  return fields.open ? [...known, ...[...found.settings].filter(([name]) => !names.has(name)).map(asUnknown)] : known;
}

/** Returns a setting with its effects if its value may change something. `name` is its name as it is written. */
function changed(name: string, setting: Known | undefined, value: Node | undefined): readonly PluginSetting[] {
  if (setting === undefined || value?.kind !== 'scalar' || value.type === 'null') return [];
  return value.pattern === undefined ? changedTo(name, setting, value.text) : [asUnknown([name, setting])];
}

function changedTo(name: string, setting: Known | undefined, value: string): readonly PluginSetting[] {
  const text = value.trim().toLowerCase();
  if (setting === undefined || setting.unchanged.includes(text)) return [];
  return [{ name, effects: setting.modes?.[text] ?? setting.effects }];
}

function asUnknown([name, { effects }]: readonly [string, Known]): PluginSetting {
  return { name, effects };
}

/** The settings that values of charts determine, by the names of the charts. */
const ofCharts: readonly (readonly [chart: RegExp, values: ReadonlyMap<string, Known | undefined>])[] = [
  [
    /(?:^|[/_-])cilium$/,
    new Map([
      ['policyEnforcementMode', ofCilium.get('enable-policy')],
      ['policyAuditMode', ofCilium.get('policy-audit-mode')],
      ['k8sNetworkPolicy.enabled', ofCilium.get('enable-k8s-networkpolicy')],
      ['labels', ofCilium.get('labels')],
      ...[...ofCilium].map(([name, setting]) => [`extraConfig.${name}`, setting] as const),
    ]),
  ],
  [
    /(?:^|[/_-])tigera-operator$/,
    new Map([...ofFelix].map(([name, setting]) => [`defaultFelixConfiguration.${name}`, setting] as const)),
  ],
];

/** The kinds that install charts, with values. */
const installers: ReadonlySet<string> = new Set([
  'helm.toolkit.fluxcd.io/HelmRelease',
  'argoproj.io/Application',
  'argoproj.io/ApplicationSet',
  'helm.cattle.io/HelmChart',
  'helm.cattle.io/HelmChartConfig',
]);

const ofFelixVariables: ReadonlyMap<string, Known> = new Map(
  [...ofFelix].map(([name, setting]) => [`FELIX_${name.toUpperCase()}`, setting]),
);

/** The programs of network plugins whose variables and arguments are settings, by the names of their workloads. */
const programs: ReadonlyMap<string, ReadonlyMap<string, Known>> = new Map<string, ReadonlyMap<string, Known>>([
  ['calico-node', ofFelixVariables],
  ['canal', ofFelixVariables],
  ['calico-kube-controllers', new Map([['AUTO_HOST_ENDPOINTS', ofHostEndpoints]])],
  ['cilium', ofCilium],
]);

/** Returns the settings with which an object installs or runs a network plugin; undefined if it changes none. */
export function installedSettingsIn({ group, kind }: GroupKind, root: Node): readonly PluginSetting[] | undefined {
  const found =
    group === 'apps' && (kind === 'DaemonSet' || kind === 'Deployment')
      ? ofProgram(root)
      : installers.has(`${group}/${kind}`)
        ? ofInstaller(root)
        : [];
  return found.length === 0 ? undefined : found;
}

function ofProgram(root: Node): readonly PluginSetting[] {
  const settings = programs.get(knownTextOf(nodeAt(root, 'metadata', 'name')) ?? '');
  if (settings === undefined) return [];
  return itemsOf(nodeAt(root, 'spec', 'template', 'spec', 'containers')).flatMap((container) => [
    ...itemsOf(childOf(container, 'env')).flatMap((variable) => {
      const name = knownTextOf(childOf(variable, 'name')) ?? '';
      const setting = settings.get(name);
      const value = childOf(variable, 'value');
      if (value === undefined && setting !== undefined) return [asUnknown([name, setting])];
      return changed(name, setting, value);
    }),
    ...['command', 'args'].flatMap((field) =>
      itemsOf(childOf(container, field)).flatMap((argument) => {
        const [, name = '', value = 'true'] = /^--([a-z][a-z\d-]*)(?:=(.*))?$/.exec(knownTextOf(argument) ?? '') ?? [];
        return changedTo(name, settings.get(name), value);
      }),
    ),
  ]);
}

function ofInstaller(root: Node): readonly PluginSetting[] {
  const names = new Set<string>();
  const values: Node[] = [];
  const parameters: (readonly [name: string, value: Node | undefined])[] = [];
  const waiting = [root];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (next.kind === 'list') waiting.push(...next.items);
    if (next.kind !== 'map') continue;
    for (const { key, value } of effectiveEntries(next)) {
      if (/^values(?:Object|Content)?$/.test(key.text)) values.push(value);
      else if (key.text === 'parameters')
        for (const each of itemsOf(value))
          parameters.push([knownTextOf(childOf(each, 'name')) ?? '', childOf(each, 'value')]);
      else if (key.text === 'set' && value.kind === 'map')
        for (const each of effectiveEntries(value)) parameters.push([each.key.text, each.value]);
      else if (value.kind !== 'scalar') waiting.push(value);
      else if (/^(?:chart|name|path)$/.test(key.text)) names.add(value.text);
    }
  }
  const settings = ofCharts.filter(([chart]) => [...names].some((name) => chart.test(name)));
  const trees = settings.length === 0 ? [] : values.map(treeOfValues);
  return settings.flatMap(([, ofChart]) =>
    [...ofChart].flatMap(([path, setting]) => [
      ...trees.flatMap((each) => changed(path, setting, nodeAt(each, ...path.split('.')))),
      ...parameters.flatMap(([name, value]) => (name === path ? changed(path, setting, value) : [])),
    ]),
  );
}

/** Returns the values of a chart, which are a map or a text. */
function treeOfValues(values: Node): Node | undefined {
  if (values.kind !== 'scalar') return values;
  const { text } = values;
  const blanked = { text, blanks: [], placeholders: [], conditionals: [] };
  return parseYaml(text, blanked, { start: 0, end: text.length }).root;
}
