/**
 * Tests definition and completion for every field, label and annotation of the catalogue that names an object: each row
 * becomes a manifest.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { catalogue } from '../../server/src/engine/catalogue/index.ts';
import { completion } from '../../server/src/features/completion/completion.ts';
import { definition } from '../../server/src/features/navigation/definition.ts';
import { applyEdits } from '../../server/src/text/edit.ts';
import { benchOver } from '../harness/bench.ts';
import { readFixture } from '../harness/margin.ts';

/** A row of `references.jsonl`, with the columns that decide what is under the cursor. */
interface FieldRow {
  readonly kind?: string;
  readonly type?: string;
  readonly path: string;
  readonly to: readonly string[];
  readonly kindAt?: string;
  readonly groupAt?: string;
  readonly namespaceAt?: string;
  readonly local?: readonly string[];
  readonly part?: string;
  readonly form?: string;
}

interface KeyRow {
  readonly key: string;
  readonly on: 'label' | 'annotation';
  readonly kinds?: readonly string[];
  readonly to: readonly string[];
  readonly form?: string;
}

/** A manifest that names an object of the kind `target`, or a part of itself. */
interface Story {
  readonly title: string;
  readonly object: Data;
  readonly target?: string;
}

type Data = { [key: string]: Data } | Data[] | string;

function rowsOf<T>(table: string): readonly T[] {
  const text = readFileSync(new URL(`../../server/catalogue/${table}.jsonl`, import.meta.url), 'utf8');
  return text.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line)]));
}

/** A kind that has the fields of a type, and its field of this type. */
const typeAt: Readonly<Record<string, readonly [kind: string, path: string]>> = {
  PodSpec: ['/Pod', 'spec'],
  Volume: ['/Pod', 'spec.volumes[]'],
  PersistentVolumeClaimSpec: ['/PersistentVolumeClaim', 'spec'],
  JobSpec: ['batch/Job', 'spec'],
  GatekeeperMatch: ['constraints.gatekeeper.sh/K8sRequiredLabels', 'spec.match'],
  CalicoGlobalRule: ['projectcalico.org/GlobalNetworkPolicy', 'spec.ingress[]'],
  CalicoRule: ['projectcalico.org/NetworkPolicy', 'spec.ingress[]'],
  CiliumClusterwideRule: ['cilium.io/CiliumClusterwideNetworkPolicy', 'spec'],
  CiliumRule: ['cilium.io/CiliumNetworkPolicy', 'spec'],
  KyvernoResources: ['kyverno.io/ClusterPolicy', 'spec.rules[].match.any[].resources'],
};

/** The name of every target, and the part that is typed before completion. */
const name = 'the-target';
const typed = 'the-t';

function objectOf(groupKind: string, metadata: { [key: string]: Data } = {}): { [key: string]: Data } {
  const [group = '', kind = ''] = groupKind.split('/');
  const version = catalogue.kind(group, '', kind)?.versions[0] ?? 'v1';
  return { apiVersion: group === '' ? version : `${group}/${version}`, kind, metadata: { name: 'from', ...metadata } };
}

/** Returns the data with a value at a path of the catalogue; each list has one item. */
function put(data: Data | undefined, [step, ...steps]: readonly string[], value: string): Data {
  if (step === undefined) return value;
  if (step === '[]') return [put(Array.isArray(data) ? data[0] : undefined, steps, value)];
  const before = typeof data === 'object' && !Array.isArray(data) ? data : {};
  return { ...before, [step]: put(before[step], steps, value) };
}

function stepsOf(path: string): readonly string[] {
  return path
    .replaceAll('[]', '.[]')
    .split('.')
    .map((step) => step.replaceAll('·', '.'));
}

function fieldStory(row: FieldRow): Story {
  const [kind, prefix] = typeAt[row.type ?? ''] ?? [row.kind ?? '', ''];
  const target = row.to[0] === undefined || row.to[0] === '*/*' ? 'apps/Deployment' : row.to[0];
  const [group = '', targetKind = ''] = target.split('/');
  const { kindAt, groupAt, namespaceAt, local, form } = row;
  // The kinds in policies are no plurals.
  const isPlural = kindAt?.endsWith('[]') === true && form !== 'pattern';
  const values: readonly (readonly [at: string | undefined, value: string])[] = [
    [row.path, name],
    [kindAt, isPlural ? (catalogue.kind(group, '', targetKind)?.plural ?? '') : targetKind],
    [groupAt, groupAt?.endsWith('ersion') === true ? `${group}/v1` : group],
    [namespaceAt, 'shop'],
    [local?.[0], name],
  ];
  const object = values.reduce<Data>(
    (data, [at, value]) => {
      if (at === undefined) return data;
      const path = at.startsWith('^') ? row.path.replace(/[^.]*$/, at.slice(1)) : at;
      return put(data, stepsOf(prefix === '' ? path : `${prefix}.${path}`), value);
    },
    objectOf(kind, { namespace: 'shop' }),
  );
  return { title: `${row.type ?? kind} ${row.path}`, object, ...(local === undefined && { target }) };
}

function keyStory({ key, on, kinds, to, form }: KeyRow): Story {
  const [found] = catalogue.named(kinds?.[0] ?? 'ConfigMap');
  const kind = found === undefined ? `example.com/${kinds?.[0]}` : `${found.group}/${found.kind}`;
  const object = objectOf(kind, {
    namespace: 'shop',
    [`${on}s`]: { [key]: form === 'kubernetescrd' ? `shop-${name}@${form}` : name },
  });
  return { title: `${on} ${key}`, object, target: to[0] ?? '' };
}

/** What does not work, for each occurrence of the name in a story. */
async function problemsOf({ object, target }: Story): Promise<readonly string[]> {
  const text = `${JSON.stringify(object, undefined, 1)}\n`;
  const other = target === undefined ? {} : objectOf(target, { name, namespace: 'shop' });
  const files = readFixture(`==> from.json <==\n${text}==> target.json <==\n${JSON.stringify(other)}\n`);
  const b = await benchOver(files);
  const uri = b.uriOf('from.json');
  const problems: string[] = [];
  for (const { index } of text.matchAll(new RegExp(`(?<="(?:shop-)?)${name}(?=(?:@kubernetescrd)?")`, 'g'))) {
    b.session.workspace.edit(uri, text);
    const found = b.session.at(uri, index, definition) ?? [];
    const leadsTo = target === undefined ? uri : b.uriOf('target.json');
    if (found.length !== 1 || found[0]?.file.uri !== leadsTo) problems.push(`has ${found.length} definitions`);
    // The name of a part is its own definition.
    if (target === undefined && found[0]?.span.start === index - 1) continue;
    const cut = text.slice(0, index) + typed + text.slice(index + name.length);
    b.session.workspace.edit(uri, cut);
    const { items } = b.session.at(uri, index + typed.length, completion) ?? { items: [] };
    if (!items.some(({ edit }) => applyEdits(cut, [edit]) === text)) problems.push('is not completed');
  }
  return problems;
}

async function failuresOf(stories: readonly Story[]): Promise<readonly string[]> {
  assert.ok(stories.length > 50);
  const found: string[] = [];
  for (const story of stories) for (const problem of await problemsOf(story)) found.push(`${story.title} ${problem}`);
  return found;
}

describe('the names in the catalogue', () => {
  it('of fields have a definition and completion', async () => {
    // The names of parts of other objects have tests of their own.
    const rows = rowsOf<FieldRow>('references').filter(({ part }) => part === undefined);
    assert.deepEqual(await failuresOf(rows.map(fieldStory)), [
      // The policy decides the kind.
      'admissionregistration.k8s.io/MutatingAdmissionPolicyBinding spec.paramRef.name is not completed',
      'admissionregistration.k8s.io/ValidatingAdmissionPolicyBinding spec.paramRef.name is not completed',
    ]);
  });

  it('of labels and annotations have a definition and completion', async () => {
    assert.deepEqual(await failuresOf(rowsOf<KeyRow>('key-references').map(keyStory)), [
      // The namespace before the name and the suffix are typed as parts of the name.
      'annotation traefik.ingress.kubernetes.io/router.middlewares is not completed',
    ]);
  });
});
