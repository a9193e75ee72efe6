/**
 * Measures network reachability: `node bench/reach.ts` builds clusters of 1,250, 2,500 and 5,000 pods with a tenth as
 * many policies, computes the connections of every pair of classes, and prints time, classes and memory. Each size runs
 * in a separate process.
 */

import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Reachability, type ReachPod, type ReachPolicy, readNetworkPolicy } from '../server/src/engine/index.ts';

const sizes = [1250, 2500, 5000];
const shapes = ['applications', 'one namespace', 'every pod is different'] as const;

const [mode, shape, size] = process.argv.slice(2);
if (mode === '--one') measure(shape ?? '', Number(size));
else {
  console.log('| Cluster | Pods | Policies | Classes | Index and matrix (work) | Peak memory |');
  console.log('| --- | --- | --- | --- | --- | --- |');
  for (const each of shapes)
    for (const pods of sizes) {
      const { stdout } = spawnSync(process.execPath, [fileURLToPath(import.meta.url), '--one', each, `${pods}`], {
        encoding: 'utf8',
      });
      process.stdout.write(stdout);
    }
}

function measure(name: string, count: number): void {
  const { pods, policies } = cluster(name, count);
  const before = process.cpuUsage();
  const start = performance.now();
  const reachability = new Reachability({ pods, namespaces: [], policies });
  const peers = [...reachability.podClasses, ...reachability.addressClasses];
  let pairs = 0;
  for (const from of peers)
    for (const to of peers) if (reachability.connections(from, to).allowed !== reachability.ports.none) pairs++;
  const time = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  const memory = process.resourceUsage().maxRSS / 1024;
  if (pairs === 0) throw new Error('Nothing is allowed.');
  console.log(
    `| ${name} | ${count} | ${policies.length} | ${peers.length} | ${time.toFixed(0)} ms (${((user + system) / 1000).toFixed(0)} ms) | ${memory.toFixed(0)} MB |`,
  );
}

/**
 * An application has five pods with equal labels and a policy for every second one; a namespace has ten applications.
 */
function cluster(name: string, count: number): { pods: readonly ReachPod[]; policies: readonly ReachPolicy[] } {
  const isAlone = name === 'every pod is different';
  const pods = Array.from({ length: count }, (_, index): ReachPod => {
    const application = Math.floor(index / 5);
    return {
      namespace: name === 'one namespace' ? 'shop' : `team-${Math.floor(application / 10)}`,
      labels: {
        labels: {
          app: `app-${application}`,
          tier: `tier-${application % 3}`,
          ...(isAlone && { pod: `pod-${index}` }),
        },
      },
      ports: [{ name: 'http', number: 8080 + (application % 4), protocol: 'TCP' }],
    };
  });
  const policies = Array.from({ length: count / 10 }, (_, index): ReachPolicy => {
    const application = index * 2;
    const namespace = name === 'one namespace' ? 'shop' : `team-${Math.floor(application / 10)}`;
    const own = isAlone ? { pod: `pod-${application * 5}` } : { app: `app-${application}` };
    const spec = {
      podSelector: index % 10 === 9 ? {} : { matchLabels: own },
      policyTypes: ['Ingress', 'Egress'],
      ingress: [
        { from: [{ podSelector: { matchLabels: { tier: `tier-${index % 3}` } } }], ports: [{ port: 'http' }] },
        { from: [{ namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': 'team-0' } } }] },
        { from: [{ ipBlock: { cidr: `10.${index % 250}.0.0/16` } }], ports: [{ port: 443 }] },
      ],
      egress: [
        { to: [{ namespaceSelector: {}, podSelector: { matchLabels: { app: `app-${application + 1}` } } }] },
        { ports: [{ port: 53, protocol: 'UDP' }] },
      ],
    };
    const read = readNetworkPolicy(namespace, spec);
    if (!read.ok) throw new Error(read.problems[0]?.message);
    return read.value;
  });
  return { pods, policies };
}
