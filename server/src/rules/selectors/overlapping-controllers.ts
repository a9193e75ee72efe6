/** Reports workloads that are applied together and select each other's pods. */

import { evaluate, type LabelSet, type Requirement } from '../../engine/index.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { identityOf } from '../../workspace/scopes/scope-facts.ts';
import { effectiveSelector } from '../../workspace/selection/effective-selector.ts';
import { reaches } from '../../workspace/selection/namespaces.ts';
import { addRequirement } from '../fixes/fix-selector.ts';
import { type Fact, type Fix, maximumRelated, type RuleContext, rule } from '../framework/rule.ts';
import { areBesideEachOther, areTogether } from '../helpers/co-applied.ts';
import { isSetByController } from '../helpers/controller-keys.ts';
import { templateOf } from '../helpers/pod-template.ts';
import { isRelabelled } from '../helpers/relabeled.ts';
import { shorten } from '../helpers/sentences.ts';
import { changesWithReleases } from '../helpers/unstable-keys.ts';

interface Rival extends ObjectInFile {
  /** Labels of the pods that both selectors take, and that either asks about: `app=redis`. */
  readonly witness: string;
  /** What its template carries. */
  readonly labels: LabelSet;
  /** Both are certainly applied together. */
  readonly certain: boolean;
}

interface Overlapping extends Fact {
  readonly rivals: readonly [Rival, ...Rival[]];
  readonly where: ObjectInFile;
  readonly site: SelectorSite;
}

export const overlappingControllers = rule<Overlapping>({
  id: 'overlapping-controllers',
  severity: 'warning',
  acrossFiles: true,
  asApplied: true,
  summary: "Two workloads whose selectors match each other's pods.",
  why: "A controller manages the pods that its selector matches. If two controllers match each other's pods, tools count, log and delete the wrong pods, and pods without an owner are adopted by either controller.",
  bad: [
    {
      title: 'Two workloads that differ in their labels, but not in their selectors.',
      text: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: cache-leader
spec:
  selector:
    matchLabels:
      app: cache
  template:
    metadata:
      labels:
        app: cache
        role: leader
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: cache-follower
spec:
  selector:
    matchLabels:
      app: cache
  template:
    metadata:
      labels:
        app: cache
        role: follower
`,
    },
  ],
  good: [
    {
      title: 'A selector that matches only its own pods.',
      text: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: cache-leader
spec:
  selector:
    matchLabels:
      app: cache
      role: leader
  template:
    metadata:
      labels:
        app: cache
        role: leader
`,
    },
  ],
  *check(context) {
    const { file } = context;
    if (context.mentions('conditions')) return;
    for (const object of context.stored) {
      const where = { file, object };
      for (const site of object.selectorSites) {
        if (requirementsOf(site) === undefined || isRelabelled(context, object)) continue;
        const rivals = rivalsOf(context, where, site);
        const certain = rivals.filter((rival) => rival.certain);
        // Of two in files that name no namespace each may be meant alone; more than two are samples.
        const [first, ...others] = certain.length > 0 || rivals.length > 1 ? certain : rivals;
        if (first === undefined) continue;
        const related = [first, ...others].slice(0, maximumRelated).map(({ file: there, object: rival }) => ({
          file: there,
          span: (rival.name ?? rival.generateName)?.span ?? rival.kindSpan,
          message: `${objectNameOf(rival)} is defined here.`,
        }));
        const severity = first.certain ? {} : ({ severity: 'information' } as const);
        yield { span: site.keySpan, rivals: [first, ...others], where, site, related, ...severity };
      }
    }
  },
  message({ rivals: [first, ...others] }) {
    const more = others.length === 0 ? 'that' : 'those';
    const rest = others.length === 0 ? '' : ` and ${others.length} more`;
    const witness = first.witness === '' ? '' : `: they match '${shorten(first.witness)}'`;
    return `This selector and ${more} of ${objectNameOf(first.object)}${rest} match each other's pods${witness}.`;
  },
  fixes,
});

/**
 * The known requirements of a selector that decides which pods its workload owns; the API server rejects an empty one.
 */
function requirementsOf(site: SelectorSite): readonly Requirement[] | undefined {
  const { fact, state, open, defaults } = site;
  if (!fact.mustMatchTemplate || !fact.plain || open || (state !== 'present' && defaults === undefined))
    return undefined;
  const selector = effectiveSelector(site);
  if (selector?.kind !== 'all' || selector.open) return undefined;
  const { requirements } = selector;
  return requirements.every(({ values }) => values.every((value) => typeof value === 'string'))
    ? requirements
    : undefined;
}

/**
 * The workloads applied with this one whose pods it selects, and that select its pods; of one file, those before it.
 */
function rivalsOf(context: RuleContext, where: ObjectInFile, site: SelectorSite): readonly Rival[] {
  const { workspace, catalogue } = context;
  const identity = identityOf(where.object);
  const own = templateOf(where.object, site);
  const labeledObject = labeledObjectsOf(where.object).find(
    ({ via }) => via !== undefined && via === own?.template.path,
  );
  const asked = requirementsOf(site);
  const isNamed = identity !== undefined || isGenerated(where.object);
  if (!isNamed || own === undefined || labeledObject === undefined || asked === undefined) return [];
  const { matches } = context.selectionOf(where.object, site);
  context.comparisons.add(matches.length);
  return matches.flatMap((match): readonly Rival[] => {
    const { file, object } = match;
    const other = identityOf(object);
    if (object === where.object || (other === undefined ? !isGenerated(object) : other === identity)) return [];
    if (file.uri === where.file.uri && object.span.start >= where.object.span.start) return [];
    const isSure = areTogether(workspace, where, match);
    const beside = isSure ? 'yes' : areBesideEachOther(workspace, where, match);
    // A StatefulSet beside a Deployment is often the other way to run the same pods.
    if (beside === 'no' || (beside === 'maybe' && object.kind !== where.object.kind)) return [];
    return object.selectorSites.flatMap((their): readonly Rival[] => {
      const alsoAsked = requirementsOf(their);
      const theirs = templateOf(object, their);
      if (alsoAsked === undefined || theirs === undefined || theirs.template.path !== match.labeledObject.via)
        return [];
      const isTaken = evaluate({ kind: 'all', requirements: alsoAsked }, labeledObject) === 'yes';
      if (!isTaken || reaches(workspace, catalogue, match, their, where).answer !== 'yes') return [];
      const witness = witnessOf(own.labels, [...asked, ...alsoAsked]);
      return [{ file, object, witness, labels: theirs.labels, certain: beside === 'yes' }];
    });
  });
}

/** Whether the API server generates the name: then every such object is another one. */
function isGenerated({ name, generateName }: ObjectInFile['object']): boolean {
  return name === undefined && typeof generateName?.value === 'string' && generateName.value !== '';
}

/** Those of the labels that somebody asks about. */
function witnessOf({ labels }: LabelSet, asked: readonly Requirement[]): string {
  const keys = [...new Set(asked.map(({ key }) => key))].sort();
  const known = keys.flatMap((key) => (typeof labels[key] === 'string' ? [`${key}=${labels[key]}`] : []));
  return known.join(',');
}

/** The selector asks too for what its own template carries and no rival's does. */
function fixes({ where, site, rivals }: Overlapping, { text }: RuleContext): readonly Fix[] {
  if (site.state !== 'present') return [];
  const own = templateOf(where.object, site)?.template.labels?.entries ?? [];
  const telling = own.filter(({ key, value, conditional }) => {
    if (typeof key.value !== 'string' || typeof value.value !== 'string' || value.type !== 'string') return false;
    if (conditional || isSetByController(key.text) || changesWithReleases(key.text)) return false;
    const requirement: Requirement = { key: key.text, operator: '=', values: [value.text] };
    return rivals.every(({ labels }) => evaluate({ kind: 'all', requirements: [requirement] }, labels) === 'no');
  });
  return telling.slice(0, 3).flatMap(({ key, value }, index): readonly Fix[] => {
    const edit = addRequirement(text, site, key.text, value.text);
    if (edit === undefined) return [];
    return [
      {
        title: `Add '${shorten(`${key.text}: ${value.text}`)}' to the selector`,
        edits: [edit],
        preferred: index === 0,
      },
    ];
  });
}

function objectNameOf({ kind, name, generateName }: ObjectInFile['object']): string {
  return `${kind}/${shorten(name?.text ?? `${generateName?.text ?? ''}*`)}`;
}
