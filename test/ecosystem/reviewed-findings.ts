/** The reviewed findings of public repositories, and how the current findings differ from them. Pure, for a test. */

/** A finding as the review records it: a rule and a position, and nothing of the content of the file. */
interface Finding {
  readonly rule: string;
  readonly severity: 'error' | 'warning';
  /** `path:line:column`, from the root of the repository. */
  readonly place: string;
}

/** The findings that one check of a clone reported. */
export interface Checked {
  /** `owner/name`. */
  readonly name: string;
  readonly commit: string;
  readonly objects: number;
  readonly seconds: number;
  readonly findings: readonly Finding[];
}

/** `?` is a finding that no person has read yet. */
type Verdict = 'true' | 'false' | '?';

interface Reviewed {
  readonly commit: string;
  /** By `rule place`. */
  readonly verdicts: ReadonlyMap<string, Verdict>;
}

/** By the name of the repository. */
type Review = ReadonlyMap<string, Reviewed>;

/** What a review says about the findings of one check. */
export interface Compared extends Checked {
  /** The commit that was reviewed, if it is another one. */
  readonly otherCommit: string | undefined;
  readonly judged: readonly (Finding & { readonly verdict: Verdict })[];
  /** Findings of which the review contains nothing. */
  readonly added: readonly Finding[];
  /** Reviewed findings that are not reported any more, as `verdict rule place`. */
  readonly vanished: readonly string[];
}

const repositoryLine = /^(\S+\/\S+) ([0-9a-f]{7,40})$/;
const verdictLine = /^ {2}(true|false|\?) (\S+ \S.*)$/;

/** Parses `reviewed.txt`: a line for each repository, followed by an indented line for each finding. */
export function parseReview(text: string): Review {
  const review = new Map<string, { readonly commit: string; readonly verdicts: Map<string, Verdict> }>();
  let verdicts: Map<string, Verdict> | undefined;
  for (const [index, line] of text.split('\n').entries()) {
    const [, name, commit] = repositoryLine.exec(line) ?? [];
    const [, verdict, finding] = verdictLine.exec(line) ?? [];
    if (name !== undefined && commit !== undefined) {
      verdicts = new Map();
      review.set(name, { commit, verdicts });
    } else if (verdicts !== undefined && isVerdict(verdict) && finding !== undefined) verdicts.set(finding, verdict);
    else if (line !== '') throw new Error(`Line ${index + 1} is neither a repository nor a finding: ${line}`);
  }
  return review;
}

/** Returns the text of `reviewed.txt`, in the order of names and findings. */
export function formatReview(review: Review): string {
  const names = [...review].toSorted(([a], [b]) => compareText(a, b));
  return names
    .flatMap(([name, { commit, verdicts }]) => [
      `${name} ${commit}`,
      ...[...verdicts].toSorted(([a], [b]) => compareText(a, b)).map(([finding, verdict]) => `  ${verdict} ${finding}`),
    ])
    .map((line) => `${line}\n`)
    .join('');
}

/** Compares the findings of a check with the review. Verdicts about another commit do not count. */
export function compare(review: Review, checked: Checked): Compared {
  const reviewed = review.get(checked.name);
  const sameCommit = reviewed?.commit === checked.commit;
  const verdicts = sameCommit ? reviewed.verdicts : new Map<string, Verdict>();
  const judged = checked.findings.map((finding) => ({ ...finding, verdict: verdicts.get(keyOf(finding)) ?? '?' }));
  const reported = new Set(checked.findings.map(keyOf));
  return {
    ...checked,
    otherCommit: sameCommit ? undefined : reviewed?.commit,
    judged,
    added: checked.findings.filter((finding) => !verdicts.has(keyOf(finding))),
    vanished: [...verdicts].filter(([finding]) => !reported.has(finding)).map(([finding, is]) => `${is} ${finding}`),
  };
}

/** Returns the review of exactly the current findings of these repositories, with `?` for those to be read. */
export function updateReview(review: Review, compared: readonly Compared[]): Review {
  const updated = compared.map(
    ({ name, commit, judged }) =>
      [name, { commit, verdicts: new Map(judged.map((each) => [keyOf(each), each.verdict])) }] as const,
  );
  return new Map([...review, ...updated]);
}

/** Returns the lines for a person: each repository, what changed, the counts by rule, and the precision. */
export function reportLines(compared: readonly Compared[]): readonly string[] {
  const judged = compared.flatMap((each) => each.judged);
  const rules = [...new Set(judged.map(({ rule }) => rule))].sort();
  const objects = sum(compared.map((each) => each.objects));
  const seconds = sum(compared.map((each) => each.seconds));
  return [
    ...compared.map(repositoryReport),
    ...section('New', compared, ({ added }) => added.map((each) => `${each.severity} ${keyOf(each)}`)),
    ...section('Vanished', compared, ({ vanished }) => vanished),
    ...section('Not reviewed', compared, ({ judged, added }) => {
      const isAdded = new Set(added.map(keyOf));
      return withVerdict(judged, '?')
        .map(keyOf)
        .filter((key) => !isAdded.has(key));
    }),
    ...section('False', compared, (each) => withVerdict(each.judged, 'false').map(keyOf)),
    '',
    'By rule:',
    ...rules.map((rule) => `  ${rule}: ${counts(judged.filter((each) => each.rule === rule))}`),
    '',
    `${compared.length} repositories, ${objects} objects, ${seconds.toFixed(0)} s`,
    ...(['error', 'warning'] as const).map((severity) => {
      const found = judged.filter((each) => each.severity === severity);
      const rate = objects === 0 ? 0 : (withVerdict(found, 'false').length / objects) * 1000;
      return `${severity}s: ${counts(found)}; ${rate.toFixed(2)} false per 1,000 objects`;
    }),
  ];
}

function repositoryReport({ name, commit, otherCommit, objects, seconds, judged }: Compared): string {
  const moved = otherCommit === undefined ? '' : `; reviewed at ${otherCommit.slice(0, 8)}`;
  return `${name} ${commit.slice(0, 8)}: ${objects} objects, ${seconds.toFixed(1)} s, ${counts(judged)}${moved}`;
}

function section(
  title: string,
  compared: readonly Compared[],
  linesOf: (compared: Compared) => readonly string[],
): readonly string[] {
  const lines = compared.flatMap((each) => linesOf(each).map((line) => `  ${each.name} ${line}`));
  return lines.length === 0 ? [] : ['', `${title}:`, ...lines];
}

function counts(judged: Compared['judged']): string {
  const [right, wrong, unread] = (['true', 'false', '?'] as const).map((is) => withVerdict(judged, is).length);
  return `${right} true, ${wrong} false${unread === 0 ? '' : `, ${unread} not reviewed`}`;
}

function withVerdict(judged: Compared['judged'], verdict: Verdict): Compared['judged'] {
  return judged.filter((each) => each.verdict === verdict);
}

function keyOf({ rule, place }: Finding): string {
  return `${rule} ${place}`;
}

function isVerdict(text: string | undefined): text is Verdict {
  return text === 'true' || text === 'false' || text === '?';
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
