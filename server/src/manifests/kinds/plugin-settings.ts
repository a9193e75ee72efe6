/** Reads settings of network plugins that change what policies decide. Sources: the API types and the documentation of Calico and of Cilium. */

import type { GroupKind } from '../../engine/catalogue/types.ts';
import type { SettingEffect } from '../../engine/index.ts';
import { effectiveEntries, isOpen, type Node, nodeAt } from '../yaml/tree.ts';

/** A setting that differs from its default, or may differ. */
export interface PluginSetting {
  readonly name: string;
  readonly effects: readonly SettingEffect[];
}

/** The values of a setting that change nothing, in lower case, and the effects of all other values. */
interface Known {
  readonly unchanged: readonly string[];
  readonly effects: readonly SettingEffect[];
}

const enabled = ['true'];
const disabled = ['false'];

const ofCilium: ReadonlyMap<string, Known> = new Map<string, Known>([
  ['enable-policy', { unchanged: ['default', ''], effects: ['allows', 'isolates'] }],
  ['policy-audit-mode', { unchanged: disabled, effects: ['allows'] }],
  ['enable-k8s-networkpolicy', { unchanged: enabled, effects: ['ignores NetworkPolicies'] }],
  ['enable-cilium-network-policy', { unchanged: enabled, effects: ['ignores policies of Cilium'] }],
  ['enable-cilium-clusterwide-network-policy', { unchanged: enabled, effects: ['ignores policies of Cilium'] }],
  ['enable-non-default-deny-policies', { unchanged: enabled, effects: ['ignores policies of Cilium'] }],
  ['labels', { unchanged: [''], effects: ['ignores labels'] }],
  ['static-cnp-path', { unchanged: [''], effects: ['allows', 'denies'] }],
]);

/** The effects of values of Cilium's setting `enable-policy`. */
const modes: Readonly<Record<string, readonly SettingEffect[]>> = { always: ['isolates'], never: ['allows'] };

const ofFelix: ReadonlyMap<string, Known> = new Map<string, Known>([
  ['defaultEndpointToHostAction', { unchanged: ['accept'], effects: ['denies to nodes'] }],
  ['chainInsertMode', { unchanged: ['insert'], effects: ['allows'] }],
  ['iptablesFilterAllowAction', { unchanged: ['accept'], effects: ['denies'] }],
  ['nftablesFilterAllowAction', { unchanged: ['accept'], effects: ['denies'] }],
  ['dropActionOverride', { unchanged: ['drop', 'loganddrop'], effects: ['allows'] }],
]);

const ofHostEndpoints: ReadonlyMap<string, Known> = new Map<string, Known>([
  ['autoCreate', { unchanged: ['disabled'], effects: ['creates endpoints of hosts'] }],
]);

/** Where a kind contains settings, and which. */
interface SettingsKind {
  /** Matches the names of the objects that the plugin reads. */
  readonly named: RegExp;
  readonly path: readonly string[];
  readonly settings: ReadonlyMap<string, Known>;
}

const kinds: ReadonlyMap<string, SettingsKind> = new Map<string, SettingsKind>([
  ['/ConfigMap', { named: /^cilium-config$/, path: ['data'], settings: ofCilium }],
  ['cilium.io/CiliumNodeConfig', { named: /./, path: ['spec', 'defaults'], settings: ofCilium }],
  ...['crd.projectcalico.org', 'projectcalico.org'].flatMap((group): readonly (readonly [string, SettingsKind])[] => [
    [`${group}/FelixConfiguration`, { named: /^(?:default$|node\.)/, path: ['spec'], settings: ofFelix }],
    [
      `${group}/KubeControllersConfiguration`,
      { named: /^default$/, path: ['spec', 'controllers', 'node', 'hostEndpoint'], settings: ofHostEndpoints },
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
  const known = effectiveEntries(fields).flatMap(({ key, value }): readonly PluginSetting[] => {
    const setting = found.settings.get(key.text);
    if (setting === undefined || value.kind !== 'scalar') return [];
    if (value.pattern !== undefined) return [asUnknown([key.text, setting])];
    const text = value.text.trim().toLowerCase();
    if (value.type === 'null' || setting.unchanged.includes(text)) return [];
    const effects = (key.text === 'enable-policy' && modes[text]) || setting.effects;
    return [{ name: key.text, effects }];
  });
  const names = new Set(effectiveEntries(fields).map(({ key }) => key.text));
  return fields.open ? [...known, ...[...found.settings].filter(([name]) => !names.has(name)).map(asUnknown)] : known;
}

function asUnknown([name, { effects }]: readonly [string, Known]): PluginSetting {
  return { name, effects };
}
