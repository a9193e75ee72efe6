/** Reports workloads whose selector does not match the labels of their own template. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import { type Explanation, evaluate, explain, type LabelSet } from '../../engine/index.ts';
import type { ManifestObject, SelectorSite, TemplateSite } from '../../manifests/model.ts';
import { isExcerpt } from '../../manifests/parse-manifest.ts';
import { concretePath, nodeAt } from '../../manifests/sites/catalogue-paths.ts';
import { splitImage } from '../../manifests/sites/images.ts';
import { addEntry, replaceScalar } from '../../manifests/write/write-text.ts';
import { readKey } from '../../manifests/yaml/scalar-types.ts';
import { localize } from '../../text/localize.ts';
import { mayMutateLabels } from '../../workspace/mutations.ts';
import { treeOf } from '../../workspace/object-trees.ts';
import { fillSelector, knownPairs } from '../fixes/fill-selector.ts';
import { entryOf, fitToLabels, isPositive } from '../fixes/fit-selector.ts';
import { removeWholeLines } from '../fixes/fix-selector.ts';
import { removeField } from '../fixes/remove-field.ts';
import { type Fact, type Fix, type RuleContext, rule } from '../framework/rule.ts';
import { isSetByController } from '../helpers/controller-keys.ts';
import { differenceOf } from '../helpers/difference.ts';
import { isMislabeled } from '../helpers/mislabeled.ts';
import { templateOf } from '../helpers/pod-template.ts';
import { isRelabelled } from '../helpers/relabeled.ts';
import { type RequirementSite, requirementSites } from '../helpers/requirement-ranges.ts';
import { shorten } from '../helpers/sentences.ts';
import { changes } from '../helpers/unstable-keys.ts';

interface Mismatch extends Fact {
  readonly object: ManifestObject;
  readonly site: SelectorSite;
  readonly template: TemplateSite;
  /** The requirement that fails; undefined if the selector has none. */
  readonly failed?: Failed;
}

interface Failed {
  readonly place: RequirementSite;
  readonly explanation: Explanation;
  readonly own: LabelSet;
  /** Whether the API server itself compares the selector with the labels of the template. */
  readonly rejected: boolean;
}

export const selectorTemplateMismatch = rule<Mismatch>({
  id: 'selector-template-mismatch',
  severity: 'error',
  needs: 'selectors',
  asApplied: true,
  summary: 'A workload whose selector does not match the labels of its own template.',
  why: 'The API server rejects the object, because its controller would create pods that its selector never matches.',
  bad: [
    {
      title: 'A label that was changed in the template, but not in the selector.',
      text: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: basket
spec:
  selector:
    matchLabels:
      app: basket
  template:
    metadata:
      labels:
        app: basket-v2
`,
    },
    {
      title: 'A label that is missing from the template.',
      text: `apiVersion: apps/v1
kind: StatefulSet
metadata:
  name: basket
spec:
  selector:
    matchLabels:
      app: basket
      tier: cache
  template:
    metadata:
      labels:
        app: basket
`,
    },
    {
      title: 'An empty selector.',
      text: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: basket
spec:
  selector: {}
  template:
    metadata:
      labels:
        app: basket
`,
    },
  ],
  good: [
    {
      title: 'A template with more labels than the selector requires.',
      text: `apiVersion: apps/v1
kind: Deployment
metadata:
  name: basket
  labels:
    app: shop
spec:
  selector:
    matchLabels:
      app: basket
  template:
    metadata:
      labels:
        app: basket
        version: v2
`,
    },
  ],
  *check(context) {
    for (const object of context.stored) {
      if (context.page !== undefined && isExcerpt(context.text, object.span)) continue;
      for (const site of object.selectorSites) {
        if (!site.fact.mustMatchTemplate && !site.fact.ignored?.refused) continue;
        const own = templateOf(object, site);
        if (own === undefined || isRelabelled(context, object)) continue;
        // On a page, a template without labels is an excerpt, or belongs to a patch.
        if (context.page !== undefined && own.template.labels === undefined) continue;
        if (isRefused(object, site) || isMadeByServer(object, site, own.template))
          yield aboutNothing(context, object, site, own.template);
        if (site.state !== 'present' || site.selector?.ok !== true) continue;
        const labels = isSetByHand(context, object, site) ? own.written : own.labels;
        if (evaluate(site.selector.value, labels) !== 'no') continue;
        if (mayMutateLabels(context.workspace, { file: context.file, object }, site, site.selector.value)) continue;
        const failed = explain(site.selector.value, labels).filter(({ answer }) => answer === 'no');
        const places = requirementSites(site);
        for (const explanation of failed) {
          const place = places.find(({ requirement }) => requirement === explanation.requirement);
          if (place === undefined || (place.entry?.merged && !place.entry.rendered)) continue;
          yield factOf(context, object, site, own.template, {
            place,
            explanation,
            own: labels,
            rejected: isBuiltIn(object.group),
          });
        }
      }
    }
  },
  message({ site, failed, template }) {
    const labels = localize`the labels of ${template.path === '' ? 'template' : `\`${template.path}\``}`;
    const { ignored } = site.fact;
    if (failed === undefined && ignored?.refused) {
      const unless = ignored.unless === undefined ? '' : localize`, unless \`manualSelector\` is true`;
      return localize`Selector must not be set${unless}; the API server generates it.`;
    }
    if (failed === undefined && site.defaults !== undefined)
      return localize`Selector must not be ${site.state} if \`${template.path}\` has no labels; the API server rejects both.`;
    if (failed === undefined) return localize`Selector must not be ${site.state}; it must match ${labels}.`;
    const difference = differenceOf(failed.explanation, failed.own, localize`the pod template has`);
    const rejected = failed.rejected ? localize`; the API server rejects this` : '';
    return `${difference.charAt(0).toUpperCase()}${difference.slice(1)}${rejected}.`;
  },
  fixes({ object, site, failed, template }, { text, file, workspace }) {
    if (failed === undefined && site.fact.ignored?.refused) return leaveOut(text, site);
    if (failed === undefined) return fillWith(text, site, template);
    const { place, own } = failed;
    // The other file, such as a patch, contains the mistake, and the object may be correct without it.
    const label = template.labels?.entries.find(({ key }) => key.text === place.requirement.key);
    if ([place.entry, label].some((entry) => entry?.value.origin !== undefined)) return [];
    const isWrongLabel = isMislabeled(workspace, { file, object }, place.requirement, own, { uri: file.uri, site });
    const fitting = place.entry?.rendered ? [] : fitToLabels(place, template.labels?.entries ?? []);
    return [
      ...fitting.map((fix) => ({ ...fix, preferred: !isWrongLabel })),
      ...changeTemplate(text, site, place, template, isWrongLabel),
    ];
  },
});

/**
 * Whether the API server rejects the selector because it is empty. An absent selector may belong to an incomplete
 * object, unless the template that provides its default exists and has no labels.
 */
function isRefused({ group }: ManifestObject, { state, open, fact, defaults }: SelectorSite): boolean {
  if (open || !isBuiltIn(group)) return false;
  if (defaults !== undefined) return !defaults.open && Object.keys(defaults.labels).length === 0;
  return (state === 'empty' && fact.empty === 'invalid') || (state === 'null' && fact.null === 'invalid');
}

/** Returns fixes that fill the selector with labels of the template that do not change between releases, because the selector can never be changed. */
function fillWith(text: string, site: SelectorSite, { labels, images = [] }: TemplateSite): readonly Fix[] {
  if (labels === undefined) return [];
  const lasting = labels.entries.filter(
    ({ key, value }) =>
      !isSetByController(key.text) &&
      changes({ key: key.text, values: [value.text] }) === undefined &&
      !images.some((image) => splitImage(image).tag === value.text),
  );
  const pairs = lasting.length === 0 ? undefined : knownPairs(lasting);
  const edit = pairs && fillSelector(text, site, pairs);
  if (edit === undefined) return [];
  return [{ title: localize`Select the labels of the template`, edits: [edit], preferred: true }];
}

/** Returns a fix that removes the whole selector; none if an anchor in it may be used elsewhere, or if it contains a template action. */
function leaveOut(text: string, { keySpan, span }: SelectorSite): readonly Fix[] {
  const written = text.slice(keySpan.start, span.end);
  if (!/^["']?selector\b/.test(written) || /&|\{\{/.test(written)) return [];
  const edit = removeField(text, 'selector', span) ?? removeWholeLines(text, { start: keySpan.start, end: span.end });
  return edit === undefined ? [] : [{ title: localize`Remove the selector`, edits: [edit], preferred: true }];
}

/** Whether the API server generates labels for the template (as for a Job) and the selector requires more than these labels. */
function isMadeByServer(
  { group }: ManifestObject,
  { state, fact, selector }: SelectorSite,
  template: TemplateSite,
): boolean {
  if (state !== 'ignored' || fact.ignored?.refused !== true || !isBuiltIn(group) || selector?.ok !== true) return false;
  const labels = Object.keys(template.fact.sets ?? {}).map((key) => [key, { unknown: key }] as const);
  return evaluate(selector.value, { labels: Object.fromEntries(labels), open: false }) === 'no';
}

/** Whether a field of the object, such as `manualSelector`, certainly prevents the API server from generating labels and the selector. */
function isSetByHand(context: RuleContext, object: ManifestObject, { fact: { ignored }, path }: SelectorSite): boolean {
  if (ignored?.unless === undefined) return false;
  const root = treeOf(context, object);
  const field = root && nodeAt(root, concretePath(ignored.at, path));
  return field?.kind === 'scalar' && field.pattern === undefined && readKey(field) === ignored.unless;
}

function aboutNothing(
  { file }: RuleContext,
  object: ManifestObject,
  site: SelectorSite,
  template: TemplateSite,
): Mismatch {
  const at = template.labels?.keySpan ?? template.span;
  const what =
    template.labels === undefined ? localize`template is defined` : localize`labels of the template are defined`;
  const related = [{ file, span: at, message: localize`The ${what} here.` }];
  return { span: site.keySpan, object, site, template, related };
}

function factOf(
  { file }: RuleContext,
  object: ManifestObject,
  site: SelectorSite,
  template: TemplateSite,
  failed: Failed,
): Mismatch {
  const { place, rejected } = failed;
  const entry = entryOf(template.labels?.entries ?? [], place.requirement.key);
  const at = entry?.value.span ?? template.labels?.keySpan ?? template.span;
  return {
    span: entry === undefined ? place.key : place.value,
    object,
    site,
    template,
    failed,
    keys: [place.requirement.key],
    related: [{ file, span: at, message: localize`The template defines its labels here.` }],
    ...(!rejected && { severity: 'warning' as const }),
  };
}

/** Returns fixes that give the template the required label. */
function changeTemplate(
  text: string,
  site: SelectorSite,
  { requirement }: RequirementSite,
  template: TemplateSite,
  preferred: boolean,
): readonly Fix[] {
  const { key, operator, values } = requirement;
  const [value] = values;
  if (typeof value !== 'string' || !isPositive(operator) || template.labels === undefined) return [];
  const carried = entryOf(template.labels.entries, key);
  // An edit would also affect other maps, in which an alias or a merge key repeats the label.
  if (carried?.merged || isShared(text, site, template)) return [];
  // The output of a helper has no position at which a label could be added.
  if (template.labels.entries.some(({ rendered }) => rendered)) return [];
  if (carried !== undefined) {
    const title = localize`Change the label of the template to '${shorten(value)}'`;
    return [{ title, edits: [replaceScalar(carried.value, value)], preferred }];
  }
  const title = localize`Add '${shorten(`${key}: ${value}`)}' to the labels of the template`;
  return [{ title, edits: [addEntry(text, template.labels, key, value)], preferred }];
}

function isShared(text: string, site: SelectorSite, { labels }: TemplateSite): boolean {
  if (labels === undefined) return true;
  const isAlias =
    labels.span.start < labels.keySpan.end || text.slice(labels.keySpan.end, labels.span.start).includes('&');
  return isAlias || site.span.start < site.keySpan.start;
}
