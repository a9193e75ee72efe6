/**
 * Measures typing in a network policy: `node bench/reach-typing.ts` writes 5,000 pods and 500 policies, types in one of
 * the policies, and prints how long diagnostics, CodeLenses and the map take after a keystroke.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { graphRequest } from '../server/src/protocol.ts';
import { LanguageServer, type RequestCost } from './language-server.ts';

const pods = 5000;
const policies = 500;
/** Pods of a namespace and its policies are in one file each. */
const perFile = 50;

const folder = mkdtempSync(join(tmpdir(), 'selector-lens-reach-'));
try {
  await measure();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function measure(): Promise<void> {
  write('pods', pods, perFile, pod);
  write('policies', policies, 5, policy);
  const file = join(folder, 'policies', '7.yaml');
  const uri = pathToFileURL(file).href;
  const text = Array.from({ length: 5 }, (_, index) => policy(35 + index)).join('---\n');
  const server = new LanguageServer();
  await server.initialize(folder);
  await server.whenReady();
  await server.open(uri, text);
  const at = text.indexOf('tier: tier-') + 'tier: tier-'.length;
  const line = text.slice(0, at).split('\n').length - 1;
  const start = { line, character: at - text.lastIndexOf('\n', at) - 1 };
  const end = { ...start, character: start.character + 1 };
  const typed: RequestCost[] = [];
  const lenses: RequestCost[] = [];
  const graphs: RequestCost[] = [];
  for (let round = 0; round < 60; round++) {
    typed.push(await server.type(uri, { start, end: start }, 'x'));
    if (round % 10 === 0) lenses.push(await server.ask('textDocument/codeLens', uri, start));
    typed.push(await server.type(uri, { start, end }, ''));
    if (round % 10 === 5)
      graphs.push(await server.ask(graphRequest, uri, start, { around: 'object', connections: true }));
  }
  report('keystroke in a policy to diagnostics, p95', typed.slice(20), 0.95);
  report('CodeLenses after a keystroke, the longest', lenses, 1);
  report('map of the policy with connections after a keystroke, the longest', graphs, 1);
  console.log(`peak memory of the server: ${((server.peakMemory() ?? Number.NaN) / 1e6).toFixed(0)} MB`);
  await server.stop();
}

function report(what: string, taken: readonly RequestCost[], part: number): void {
  const of = (key: keyof RequestCost) => {
    const sorted = taken.map((each) => each[key]).sort((a, b) => a - b);
    return (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN).toFixed(1);
  };
  console.log(`${what}: ${of('time')} ms (work ${of('work')} ms)`);
}

function write(name: string, count: number, inFile: number, made: (index: number) => string): void {
  mkdirSync(join(folder, name));
  for (let first = 0; first < count; first += inFile) {
    const documents = Array.from({ length: inFile }, (_, index) => made(first + index));
    writeFileSync(join(folder, name, `${first / inFile}.yaml`), documents.join('---\n'));
  }
}

function pod(index: number): string {
  const application = Math.floor(index / 5);
  return `apiVersion: v1
kind: Pod
metadata:
  name: pod-${index}
  namespace: team-${Math.floor(index / perFile)}
  labels: {app: app-${application}, tier: tier-${application % 3}}
spec:
  containers: [{name: web, ports: [{name: http, containerPort: ${8080 + (application % 4)}}]}]
`;
}

function policy(index: number): string {
  return `apiVersion: networking.k8s.io/v1
kind: NetworkPolicy
metadata: {name: policy-${index}, namespace: team-${Math.floor(index / 5)}}
spec:
  podSelector:
    matchLabels: {app: app-${index * 2}}
  policyTypes: [Ingress, Egress]
  ingress:
    - from:
        - podSelector:
            matchLabels:
              tier: tier-${index % 3}
      ports: [{port: http}]
    - from: [{ipBlock: {cidr: 10.${index % 250}.0.0/16}}]
      ports: [{port: 443}]
  egress:
    - to: [{namespaceSelector: {}, podSelector: {matchLabels: {app: app-${index * 2 + 1}}}}]
    - ports: [{port: 53, protocol: UDP}]
`;
}
