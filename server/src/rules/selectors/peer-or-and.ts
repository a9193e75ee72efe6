/** Reports two peers of a network policy if one peer with both selectors was probably intended. */

import type { SelectorSite } from '../../manifests/model.ts';
import { type PeerSite, peerOf } from '../../manifests/sites/network-policy-peers.ts';
import { selectorAt } from '../../manifests/sites/site-at.ts';
import { localize } from '../../text/localize.ts';
import { type Fact, type Fix, type RuleContext, rule } from '../framework/rule.ts';

interface Peers extends Fact {
  /** The selector that matches every pod of the cluster. */
  readonly all: SelectorSite;
  readonly pods: SelectorSite;
}

export const peerOrAnd = rule<Peers>({
  id: 'peer-or-and',
  severity: 'information',
  needs: 'selectors',
  summary: 'A list of peers in which one peer allows all pods, so that another peer has no effect.',
  why: 'Peers in a list are ORed, and the selectors of one peer are ANDed. A peer with only an empty `namespaceSelector` allows all pods of the cluster, so a `podSelector` in another peer has no effect. One extra dash opens the policy to all pods.',
  bad: [
    {
      title: 'A policy that allows all pods in all namespaces, or the gateways in this namespace.',
      text: `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata:
  name: basket
spec:
  podSelector:
    matchLabels:
      app: basket
  ingress:
    - from:
        - namespaceSelector: {}
        - podSelector:
            matchLabels:
              app: gateway
`,
    },
  ],
  good: [
    {
      title: 'A policy that allows the gateways in all namespaces.',
      change: ['- podSelector:', '  podSelector:'],
    },
  ],
  *check({ file, manifest, stored }) {
    if (manifest.unresolved) return;
    for (const object of stored) {
      const sites = object.selectorSites;
      for (const pods of sites) {
        const peer = peerOf(pods);
        if (peer === undefined || pods.state !== 'present' || pods.open || !pods.fact.plain) continue;
        // This peer must have no namespace selector, and the previous or next peer must have no field other than its
        // selector.
        if (siteAt(sites, peer, peer.index) !== undefined) continue;
        for (const index of [peer.index - 1, peer.index + 1]) {
          const all = siteAt(sites, peer, index);
          if (all === undefined || all.state !== 'empty' || all.open || all.fact.empty !== 'all') continue;
          if (sites.some((site) => site !== all && site.path.startsWith(`${peer.list}[${index}].`))) continue;
          const related = [{ file, span: all.keySpan, message: localize`This peer allows all pods of the cluster.` }];
          yield { span: pods.keySpan, all, pods, related };
          break;
        }
      }
    }
  },
  message: () =>
    localize`This peer has no effect: another peer in the same list already allows all pods (peers are ORed).`,
  fixes,
});

function siteAt(sites: readonly SelectorSite[], { list, field }: PeerSite, index: number): SelectorSite | undefined {
  return selectorAt(sites, `${list}[${index}].${field}`);
}

/** Returns a fix that removes the dash of the second item, so that both items become one peer. */
function fixes({ all, pods }: Peers, { text }: RuleContext): readonly Fix[] {
  const [first, second] = all.keySpan.start < pods.keySpan.start ? [all, pods] : [pods, all];
  const dash = text.slice(0, second.keySpan.start).lastIndexOf('-');
  const before = text.slice(0, first.keySpan.start).lastIndexOf('-');
  if (!/^-[ \t]+$/.test(text.slice(dash, second.keySpan.start)) || columnOf(text, dash) !== columnOf(text, before))
    return [];
  const { end } = second.span;
  const edit = { span: { start: dash, end }, text: ` ${text.slice(dash + 1, end)}` };
  return [{ title: localize`Merge the two peers`, edits: [edit], preferred: true }];
}

function columnOf(text: string, offset: number): number {
  return offset - text.lastIndexOf('\n', offset - 1);
}
