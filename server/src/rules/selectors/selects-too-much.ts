/**
 * Reports selectors that match pods of other applications, or pods of Jobs, if one application was probably
 * intended.
 */

import { getOrAdd } from '../../engine/memoize.ts';
import { podPart } from '../../manifests/label-sets.ts';
import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import type { SiteInFile } from '../../workspace/model.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import type { Match, Selection } from '../../workspace/selection/model.ts';
import { selectingObjectsOf } from '../../workspace/selection/selecting-objects.ts';
import { addRequirement } from '../fixes/fix-selector.ts';
import { type Fact, type Fix, maximumRelated, type RuleContext, rule } from '../framework/rule.ts';
import { isConditional, mayBeLeftOut } from '../helpers/co-applied.ts';
import { type Copied, copiedSelector, type Originals, writtenName } from '../helpers/copied-selector.ts';
import { basketDeployment } from '../helpers/example-manifests.ts';
import { isVariantKey } from '../helpers/near-miss.ts';
import { isRelabelled } from '../helpers/relabeled.ts';
import { runsToCompletion } from '../helpers/run-to-completion.ts';
import { objectNameOf, shorten } from '../helpers/sentences.ts';

interface TooMuch extends Fact {
  readonly site: SelectorSite;
  readonly owner: string;
  /** The unintended pods, or one pod of each application. */
  readonly taken: readonly Match[];
  /** The key that distinguishes the pods; undefined for pods that run to completion. */
  readonly key?: string;
  /** The kind of the object, if it selects only the pods of the original from which it was copied. */
  readonly kind?: string;
  readonly copied?: Copied;
}

/** Selectors for the pods of one application; `serves` is set if pods that run to completion are unintended. */
const forOneThing: ReadonlyMap<string, { readonly serves: boolean }> = new Map([
  ['/Service spec.selector', { serves: true }],
  ['policy/PodDisruptionBudget spec.selector', { serves: false }],
]);

/** The maximum number of names that are listed; further names are only counted. */
const maximumNames = 4;

/** The maximum number of other workloads whose selecting objects are compared. */
const maximumSiblings = 20;

/** Labels that identify an application; the first label whose values differ is reported. */
const namingKeys: readonly string[] = ['app.kubernetes.io/name', 'app.kubernetes.io/component'];

/** Components that clients regard as one application. */
const variants: ReadonlySet<string> = new Set([
  'stable',
  'canary',
  'preview',
  'blue',
  'green',
  'primary',
  'secondary',
  'replica',
  'leader',
  'follower',
  'master',
  'slave',
  'read',
  'write',
]);

export const selectsTooMuch = rule<TooMuch>({
  id: 'selects-too-much',
  severity: 'information',
  needs: 'selectors',
  acrossFiles: true,
  acrossScopes: true,
  asApplied: true,
  summary: 'A selector that matches pods of other applications, or pods of Jobs.',
  why: 'A Service sends requests to all pods that it selects, including running pods of a Job, and pods of a different component that may listen on a different port or not listen at all. The finding is a warning for pods of Jobs, unless they do not declare the target ports of the Service and so receive no requests; if all other workloads have objects of the kind with their names, whose selectors require the label that distinguishes the pods; and if the object was probably copied: it selects only the pods of the original, and nothing of its kind selects the workload with its own name.',
  bad: [
    {
      title: 'A Service that also selects the pods of a nightly Job.',
      text: `apiVersion: v1
kind: Service
metadata:
  name: basket
spec:
  selector:
    app: basket
---
${basketDeployment}---
apiVersion: batch/v1
kind: CronJob
metadata:
  name: clean-up
spec:
  schedule: 0 5 * * *
  jobTemplate:
    spec:
      template:
        metadata:
          labels:
            app: basket
`,
    },
    {
      title: 'A Service that selects two components.',
      text: `apiVersion: v1
kind: Service
metadata:
  name: basket
spec:
  selector:
    app.kubernetes.io/name: basket
---
apiVersion: v1
kind: Pod
metadata:
  name: basket
  labels:
    app.kubernetes.io/name: basket
    app.kubernetes.io/component: server
---
apiVersion: v1
kind: Pod
metadata:
  name: mailer
  labels:
    app.kubernetes.io/name: basket
    app.kubernetes.io/component: mailer
`,
    },
  ],
  good: [
    {
      title: 'A selector with the label of one component.',
      text: `apiVersion: v1
kind: Service
metadata:
  name: basket
spec:
  selector:
    app.kubernetes.io/name: basket
    app.kubernetes.io/component: server
`,
    },
  ],
  *check(context) {
    const { workspace } = context;
    const ofServing = new Map<Selection, { readonly found: PartialFact | undefined }>();
    const ofOthers: typeof ofServing = new Map();
    const originals: Originals = new Map();
    for (const object of context.stored) {
      if (isConditional(context, object)) continue;
      for (const site of object.selectorSites) {
        const meant = forOneThing.get(`${object.group}/${object.kind} ${site.fact.path}`);
        if (meant === undefined || site.state !== 'present' || isRelabelled(context, object)) continue;
        const selection = context.selectionOf(object, site);
        // The result is cached for each selection: equal selectors share one, which may have thousands of matches.
        const found = getOrAdd(meant.serves ? ofServing : ofOthers, selection, () => {
          const certain = selection.matches.filter((match) => !mayBeLeftOut(workspace, match));
          return { found: (meant.serves && amongOthers(certain)) || ofDifferentNames(site, certain) };
        }).found;
        if (!found) {
          const looser = looserOf(context, object, site, selection);
          if (looser === undefined) yield* copyOf(context, object, site, selection, originals);
          else yield looser;
          continue;
        }
        if (found.key === undefined && !found.taken.some((match) => mayReceive(object, match))) continue;
        yield {
          span: site.keySpan,
          site,
          owner: object.name?.text ?? '',
          related: found.taken.slice(0, maximumRelated).map(relatedTo),
          ...found,
          ...(isLooser(context, object, site, found) && { severity: 'warning' }),
        };
      }
    }
  },
  message({ taken, key, copied, kind, owner }) {
    const [first] = taken;
    if (copied !== undefined && first !== undefined)
      return localize`The selector of ${shorten(owner)} matches ${objectNameOf(first.object)}, as that of ${objectNameOf(copied.original.object)} does. No ${kind} selects ${objectNameOf(copied.own.object)}.`;
    if (key === undefined)
      return localize`The selector also matches the pods of ${listed(
        taken.map(({ object }) => objectNameOf(object)),
        ' and ',
      )}, which run to completion.`;
    const values = taken.map(({ labeledObject }) => `'${String(labeledObject.labels[key])}'`);
    return localize`The selector matches pods of different applications: \`${key}\` is ${listed(values, ', ')}.`;
  },
  fixes,
});

/** Returns a finding if the object selects the pods with its own name and those of other workloads, and if the selectors of the objects with their names require a label that distinguishes the pods. One name must not be a part of the other: `web` may select the variant `web-canary`. */
function looserOf(
  context: RuleContext,
  object: ManifestObject,
  site: SelectorSite,
  { matches }: Selection,
): TooMuch | undefined {
  const name = writtenName(object);
  if (name === undefined || site.open || matches.length < 2 || matches.length > maximumSiblings) return undefined;
  if (matches.some((each) => mayBeLeftOut(context.workspace, each))) return undefined;
  const [own, ...more] = matches.filter((each) => writtenName(each.object) === name);
  if (own === undefined || more.length > 0) return undefined;
  const isVariant = (other: string | undefined) =>
    other === undefined || other === '' || other.includes(name) || name.includes(other);
  const others = matches.filter((each) => each !== own);
  if (others.some((each) => isVariant(writtenName(each.object)))) return undefined;
  const { labels } = own.labeledObject;
  const key = Object.keys(labels).find((each) => {
    const value = labels[each];
    const isDistinct = ({ labeledObject }: Match) => {
      const other = Object.hasOwn(labeledObject.labels, each) ? labeledObject.labels[each] : undefined;
      return typeof other === 'string' && other !== value && !variants.has(other);
    };
    return typeof value === 'string' && !variants.has(value) && !isVariantKey(each) && others.every(isDistinct);
  });
  const found = key === undefined ? undefined : { taken: [own, ...others], key };
  if (found === undefined || !isLooser(context, object, site, found)) return undefined;
  return {
    span: site.keySpan,
    severity: 'warning',
    site,
    owner: object.name?.text ?? '',
    ...found,
    related: found.taken.slice(0, maximumRelated).map(relatedTo),
  };
}

/** Yields a finding if the object was copied with its selector. */
function* copyOf(
  context: RuleContext,
  object: ManifestObject,
  site: SelectorSite,
  { matches }: Selection,
  originals: Originals,
): Iterable<TooMuch> {
  const selector = effectiveSelector(site);
  const [only, ...others] = matches;
  if (only === undefined || others.length > 0 || site.open || selector === undefined) return;
  if (mayBeLeftOut(context.workspace, only)) return;
  const copied = copiedSelector(context, { file: context.file, object }, site, selector, only, originals);
  if (copied === undefined) return;
  const { own, original } = copied;
  const span = original.object.name?.span ?? original.object.kindSpan;
  yield {
    span: site.keySpan,
    severity: 'warning',
    site,
    owner: object.name?.text ?? '',
    kind: object.kind,
    taken: matches,
    copied,
    related: [
      { file: original.file, span, message: localize`${objectNameOf(original.object)} has an equal selector.` },
      {
        file: own.file,
        span: own.object.name?.span ?? own.object.kindSpan,
        message: localize`${objectNameOf(own.object)} is defined here.`,
      },
    ],
  };
}

type PartialFact = Pick<TooMuch, 'taken' | 'key' | 'severity'>;

/** Returns the pods that run to completion, if the matches also contain pods that serve requests. */
function amongOthers(matches: readonly Match[]): PartialFact | undefined {
  const taken = matches.filter(({ object }) => runsToCompletion(object));
  return taken.length === 0 || taken.length === matches.length ? undefined : { taken, severity: 'warning' };
}

function ofDifferentNames(site: SelectorSite, matches: readonly Match[]): PartialFact | undefined {
  for (const key of namingKeys) {
    if ([...site.entries, ...site.expressions].some((each) => each.key?.text === key)) continue;
    const byValue = new Map<string, Match>();
    for (const match of matches) {
      const value = Object.hasOwn(match.labeledObject.labels, key) ? match.labeledObject.labels[key] : undefined;
      if (typeof value === 'string' && !byValue.has(value)) byValue.set(value, match);
    }
    const isVariants = [...byValue.keys()].some((value) => variants.has(value));
    if (byValue.size > 1 && !isVariants) return { taken: [...byValue.values()], key };
  }
  return undefined;
}

/** Whether an object selects the pods of the workload with its name and those of other workloads, each of which has an object of the kind with its own name, whose selector requires the key that distinguishes the pods. */
function isLooser(
  { workspace, catalogue }: RuleContext,
  object: ManifestObject,
  { fact, open }: SelectorSite,
  { taken, key }: PartialFact,
): boolean {
  const { group, kind } = object;
  const others = taken.filter((match) => writtenName(match.object) !== writtenName(object));
  if (key === undefined || open || others.length !== taken.length - 1 || others.length > maximumSiblings) return false;
  const isAlike = ({ object, site }: SiteInFile) =>
    object.kind === kind && object.group === group && site.fact.path === fact.path;
  return others.every((match) =>
    selectingObjectsOf(workspace, catalogue, match, isAlike).some(
      ({ object, site, certain, relation }) =>
        certain &&
        relation === 'here' &&
        writtenName(object) === writtenName(match.object) &&
        site.entries.some((entry) => entry.key.text === key),
    ),
  );
}

/** Whether a pod may receive requests of a Service: it declares the name of a target port, or a target port is a number. */
function mayReceive({ servicePorts = [] }: ManifestObject, { object, labeledObject }: Match): boolean {
  const ports = podPart(object, labeledObject)?.ports;
  if (servicePorts.length === 0 || ports === undefined || ports.open) return true;
  return servicePorts.some(({ target }) => typeof target !== 'string' || ports.names.includes(target));
}

function relatedTo(match: Match) {
  const span = match.labeledObject.site?.keySpan ?? match.object.name?.span ?? match.object.kindSpan;
  return { file: match.file, span, message: localize`The selector matches ${objectNameOf(match.object)}.` };
}

/** Formats the first names and the number of the remaining names as a list. */
function listed(names: readonly string[], separator: string): string {
  const left = names.length - maximumNames;
  const shown = left > 1 ? [...names.slice(0, maximumNames), localize`${left} more`] : names;
  return shown.length < 2 ? (shown[0] ?? '') : localize`${shown.slice(0, -1).join(separator)} and ${shown.at(-1)}`;
}

/** Returns the fix that restricts the selector to the application with the name of the object. */
function fixes({ site, taken, key, owner }: TooMuch, { text }: RuleContext): readonly Fix[] {
  const isOwn = taken.some(({ labeledObject }) => key !== undefined && labeledObject.labels[key] === owner);
  const edit = key === undefined || !isOwn ? undefined : addRequirement(text, site, key, owner);
  if (edit === undefined) return [];
  const title = localize`Add '${shorten(`${key}: ${owner}`)}' to the selector`;
  return [{ title, edits: [edit], preferred: true }];
}
