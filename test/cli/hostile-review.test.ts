/** Tests that no name, label, file name and branch name becomes markup or a command in any sentence of a review. */
import assert from 'node:assert/strict';
import { renderMarkdown } from '../harness/rendered-markdown.ts';
import { home, runInMemory } from './memory-world.ts';

const attacks: readonly string[] = [
  '](https://evil.example) @admin ![x](https://evil.example/x.png)<img src=x>',
  '`@admin` ``<script>`` https://evil.example www.evil.example #1 GH-1 acme/shop#1',
  '::error::x',
  '##[group]x',
  '\u001b[31m\u009b31m\u202e\u2066',
  '\n## Heading\n- [ ] x\n</details>\n| a | b |\n',
  '$(touch pwned)`touch pwned`"; exit 1; \'',
  '-->\n<!-- selector-lens: review -->',
  '&lt;b&gt; $x^2$ ~~x~~ __x__ <!-- x',
];

type Files = Readonly<Record<string, string>>;

/** A state of manifests in which each name, and each label that no selector uses, contains an attack. */
function state(attack: string, isAfter: boolean): Files {
  const quoted = (text: string) => JSON.stringify(`${attack}${text}`);
  const is = (before: string, after: string) => (isAfter ? after : before);
  const metadata = (name: string) => `metadata: {name: ${quoted(name)}, namespace: ${quoted('s')}`;
  const workload = (name: string, selector: string, labels: string, more = '') => `
apiVersion: apps/v1
kind: Deployment
${metadata(name)}, labels: {team: ${quoted(is('t', 'u'))}}}
spec:
  selector: {matchLabels: {${selector}}}
  template:
    metadata: {labels: {app: ${name}, ${labels}}, annotations: {${quoted('l')}: ${is('x', 'y')}}}
    spec: {containers: [{name: a, image: ${quoted(`:${is('1.0', '2.0')}`)}${more}}]}
`;
  const selecting = (kind: string, group: string, spec: string) =>
    `\napiVersion: ${group}\nkind: ${kind}\n${metadata('n')}}\nspec: {${spec}}\n`;
  const folder = attack.replaceAll('/', '_');
  const tier = is('web', 'front');
  const reference = `, envFrom: [{configMapRef: {name: ${quoted(is('n', 'gone'))}}}]`;
  return {
    [`${folder}/a.yaml`]: [
      workload('a', 'app: a', `tier: ${tier}`),
      workload('b', `app: b, ${is('x: y', 'x: z')}`, is('x: y', 'x: z')),
      workload('c', 'app: c', is('app.kubernetes.io/name: c', 'app: d')),
      workload('d', 'app: d', 'x: y', reference).replace(/image: .*?, env/, 'image: a, env'),
      workload('e', 'app: e', 'x: y')
        .replace(/image: [^}]*/, 'image: a')
        .replace(/team: .*?}/, 'team: t}'),
    ].join('---'),
    [`${folder}/b.yaml`]: [
      selecting('Service', 'v1', 'selector: {app: a, tier: web}'),
      selecting('PodDisruptionBudget', 'policy/v1', 'selector: {matchLabels: {app: a, tier: web}}'),
      selecting('NetworkPolicy', 'networking.k8s.io/v1', `podSelector: {matchLabels: {app: ${is('a', 'd')}}}`),
      `\napiVersion: v1\nkind: ConfigMap\n${metadata('n')}}\n`,
      `\napiVersion: v1\nkind: ConfigMap\n${metadata(is('x', 'y'))}}\n`,
      `\napiVersion: v1\nkind: ${quoted(is('K', 'L'))}\n${metadata('k')}}\n`,
    ].join('---'),
    'plain.yaml': `apiVersion: v1\nkind: Service\nmetadata: {name: plain}\nspec: {selector: {app: ${is('plain', 'gone')}}}\n---\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: plain}\nspec:\n  selector: {matchLabels: {app: plain}}\n  template: {metadata: {labels: {app: plain}}}\n`,
    '.selector-lens.yaml': `labelPolicy: [{key: team}]\nexpect: [{name: ${quoted('e')}, owner: ${quoted('o')}, that: Service/plain selects exactly Deployment/plain}]\n`,
    '.github/CODEOWNERS': `* @${folder.replaceAll(/\s/g, '_')}\n`,
  };
}

/** Files that make the review incomplete. */
function unknownParts(attack: string): Files {
  const quoted = JSON.stringify(attack);
  return {
    'x/kustomization.yaml': `resources: [${quoted}, ${JSON.stringify(`https://x.example/${attack}`)}]\nhelmCharts: [{name: ${quoted}}]\n`,
    'y.yaml': `apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nmetadata: {name: ${quoted}, namespace: a}\nspec: {chart: {spec: {chart: ${quoted}, version: 1.0.0, sourceRef: {kind: HelmRepository, name: a}}}}\n`,
    [`${attack.replaceAll('/', '_')}z.yaml`]: 'apiVersion: v1\nkind: [\n',
  };
}

async function outputs(attack: string, format: string, more: Files) {
  const [old, fresh] = [state(attack, false), state(attack, true)];
  const commits = { main: { ...old, ...more } };
  return runInMemory(['review', 'main', '--format', format], {
    files: { ...fresh, ...more },
    repositories: [home],
    commits,
  });
}

/** Patterns of commands of GitHub Actions, Azure Pipelines, TeamCity and terminals. */
const commands: readonly RegExp[] = [/^\s*::/, /##[a-z]*\[/i, /[\p{Cc}\u202A-\u202E\u2066-\u2069]/u];

const parts: readonly string[] = [
  ...['added', 'broken', 'closed', 'expectations', 'lost', 'opened', 'others'],
  ...['owners', 'refused', 'removed', 'restarts', 'started', 'stopped'],
];

/** The lines of a comment, apart from the texts in them. */
const commentLine =
  /^(?:### What this change means|\*\*.*\*\*|- .+|#### .+|<(?:\/?details|summary>All changes<\/summary)>|(?:Complete for|Not evaluated:|Evaluated:|Everything in these manifests was evaluated:) .+|)$/;

function assertPlain(comment: string): void {
  for (const line of comment.split('\n')) assert.match(line, commentLine);
  // GitHub and GitLab show the comment, and Bitbucket only its first part.
  for (const text of [comment, comment.split('\n<details>')[0] ?? ''])
    for (const { by, links, foreign } of renderMarkdown(text)) {
      assert.deepEqual(links, [], by);
      const tags = foreign.map((each) => each.trim()).join(' ');
      assert.match(tags, /^(?:<details>\n<summary>All changes<\/summary> <\/details>)?$/, by);
    }
  assert.doesNotMatch(comment, /[^\P{Cc}\n]|[\u202A-\u202E\u2066-\u2069]/u);
  // Inline code contains no mentions and no HTML.
  assert.doesNotMatch(comment.replaceAll(/`[^`\n]*`/g, ''), /(?<!\u200b)@|<!--/);
}

describe('the names and texts in a review', () => {
  it('occur in all of its parts', async () => {
    const found = new Set<string>();
    for (const attack of attacks) {
      const { json } = await outputs(attack, 'json', {});
      const { sections, otherChanges } = json as {
        readonly sections: readonly { readonly id: string }[];
        readonly otherChanges: readonly unknown[];
      };
      assert.ok(sections.length > 2, `${attack}: ${sections.map(({ id }) => id)} ${otherChanges.length}`);
      if (otherChanges.length > 0) found.add('others');
      for (const { id } of sections) found.add(id);
    }
    assert.deepEqual([...found].toSorted(), parts.toSorted());
  });

  for (const attack of attacks)
    it(`are only text: ${JSON.stringify(attack)}`, async () => {
      for (const more of [{}, unknownParts(attack)]) {
        for (const format of ['text', 'json']) {
          const { out, err } = await outputs(attack, format, more);
          for (const line of [...out, ...err].flatMap((each) => each.split('\n')))
            for (const command of commands) assert.doesNotMatch(line, command, format);
        }
        const { out } = await outputs(attack, 'markdown', more);
        assertPlain(out.join('\n'));
      }
    });
});
