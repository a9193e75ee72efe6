/** The hover for a selector: its meaning, its other forms, and the objects that it matches. */

import type { Meaning } from '../../engine/catalogue/types.ts';
import { sourcedKey } from '../../engine/cilium/label-keys.ts';
import { isDerivedCiliumKey } from '../../engine/cilium/own-requirements.ts';
import {
  describe,
  everything,
  explain,
  isUnknown,
  overlap,
  type Selector,
  satisfiable,
  type Value,
} from '../../engine/index.ts';
import type { CursorTarget } from '../../manifests/cursor/cursor-target.ts';
import type { SelectorSite } from '../../manifests/model.ts';
import { concretePath } from '../../manifests/sites/catalogue-paths.ts';
import { scalarText } from '../../manifests/write/write-text.ts';
import { type RequirementSite, requirementSites } from '../../rules/helpers/requirement-ranges.ts';
import { localize, localized } from '../../text/localize.ts';
import { isPatch } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { hasDefaultValues } from '../../workspace/scopes/model.ts';
import {
  alternativesOf,
  effectiveSelector,
  isUnevaluated,
  meaningOf,
  termsOf,
} from '../../workspace/selection/effective-selector.ts';
import type { Match } from '../../workspace/selection/model.ts';
import { hasOtherConditions } from '../../workspace/selection/other-conditions.ts';
import { selectionsOf } from '../../workspace/selection/selection.ts';
import type { Environment } from '../environments.ts';
import { keysOf } from '../locations.ts';
import { chosenValuesOf } from '../perspective.ts';
import { keyMeaning } from '../presentation/key-meaning.ts';
import { kubectlCommand } from '../presentation/kubectl-command.ts';
import { group, groupsElsewhere, matchGroup, matchLine } from '../presentation/object-lines.ts';
import { whatOf } from '../presentation/object-names.ts';
import { originParts } from '../presentation/origins.ts';
import { type Block, type Line, type Part, paragraph, type RichText, sentence } from '../presentation/rich-text.ts';
import { termDescriptions, unevaluated, unknownTargets, withUnknown } from '../presentation/selector-description.ts';
import { selectorText } from '../presentation/selector-text.ts';
import { countHere } from '../selected/count-objects.ts';
import { FoundBySelector } from '../selected/found-by.ts';
import { impliedLines } from '../selected/implied-namespaces.ts';
import { notCreatedLine } from '../selected/not-created.ts';
import { countedTogether } from '../selected/other-environments.ts';
import { otherValuesText } from '../selected/other-values.ts';
import type { FileView } from '../view.ts';
import { matchedInAlternatives } from './alternatives-hover.ts';
import { aboutFields } from './field-selector-hover.ts';
import { aboutOtherSelectors } from './overlap-hover.ts';
import { peersAround } from './peer-hover.ts';
import { aboutScheduling } from './scheduling-hover.ts';

type SelectorTarget = CursorTarget & { readonly kind: 'selector' };

/** Describes a selector: its meaning, its matches and its other forms; undefined for an unsupported form. */
export function aboutSelector(view: FileView, cursorTarget: SelectorTarget): RichText | undefined {
  const { site } = cursorTarget;
  const fields = aboutFields(view, site);
  if (fields !== undefined) return withFieldMatches(view, cursorTarget, fields);
  if (site.state === 'ignored') return [paragraph(...ignoredLine(site)), ...partMeaning(view, cursorTarget)];
  const problems = problemsOf(site);
  if (problems.length > 0 && isUnevaluated(site)) return [paragraph(localized(unevaluated))];
  if (problems.length > 0) {
    const lines = problems.map((problem) => sentence(problem));
    return [paragraph(localize`This selector is invalid, so it selects nothing:`), { kind: 'list', lines }];
  }
  const owner: ObjectInFile = { file: view.file, object: cursorTarget.object };
  const hasMatches = site.fact.targets.length > 0 && !cursorTarget.object.inValues && !isUnevaluated(site);
  const found = hasMatches && view.complete ? new FoundBySelector(view, owner, site) : undefined;
  const applied = found?.lead ?? { owner, site };
  const isOfPatch = found !== undefined && isPatch(view.workspace, owner);
  // The selector of a patch is only a part of the selector of the object that it changes.
  if (isOfPatch && applied.owner === owner) return groups(view, found, owner, site);
  if (found?.unset !== undefined)
    return [paragraph(...found.unset.line), ...belowRule(partMeaning(view, cursorTarget))];
  const head = isOfPatch ? headOf(applied) : headWithValues(view, cursorTarget);
  if (head === undefined) return undefined;
  const command = commandOf(view, applied);
  const details = [
    ...immutableLine(cursorTarget),
    ...smallestLabels(site, effectiveSelector(site)),
    ...partMeaning(view, cursorTarget),
  ];
  const after = [...command, ...belowRule(details)];
  // A command, or an object of an unknown kind, can select objects of any kind.
  if (site.fact.targets.length === 0) {
    return [...head, ...(cursorTarget.object.inline ? [] : [paragraph(localized(unknownTargets))]), ...after];
  }
  // Selectors in chart values apply to the objects that templates render, so no matches are listed.
  if (cursorTarget.object.inValues) return [...head, ...after];
  if (isUnevaluated(site)) return [...head, paragraph(localized(unevaluated)), ...after];
  if (found === undefined) return [...head, stillIndexing, ...after];
  const peers = peersAround(view, owner, site);
  const part = requirementLine(view, owner, cursorTarget, applied.site);
  const others = aboutOtherSelectors(view, owner, site, found);
  const nodes = aboutScheduling(view, cursorTarget.object, site);
  // Of a selector that is partly unknown, the verdict is more than one line, and the command selects more.
  const isVague = head.length > 1 && applied.site.open;
  const below = belowRule([...(isVague ? command : []), ...part, ...peers, ...others, ...nodes, ...details]);
  return [...head, ...groups(view, found, owner, site), ...(isVague ? [] : command), ...below];
}

const stillIndexing: Block = paragraph({ kind: 'emphasis', text: 'The workspace is still being indexed.' });

/** Returns the description of a field selector, with its matches inserted after the first paragraph. */
function withFieldMatches(view: FileView, { object, site }: SelectorTarget, [head, ...rest]: RichText): RichText {
  if (head === undefined || site.fieldSelector?.ok !== true || site.fact.targets.length === 0 || object.inValues)
    return head === undefined ? [] : [head, ...rest];
  if (!view.complete) return [head, stillIndexing, ...rest];
  const owner: ObjectInFile = { file: view.file, object };
  return [head, ...groups(view, new FoundBySelector(view, owner, site), owner, site), ...rest];
}

function immutableLine({ site, object }: SelectorTarget): readonly Block[] {
  if (!site.fact.immutable || !site.fact.mustMatchTemplate || object.inline || object.inValues) return [];
  return [paragraph(localize`This selector is immutable: the API server rejects any change to it.`)];
}

function ignoredLine({ fact: { ignored }, path }: SelectorSite): Line {
  if (ignored === undefined) return [localize`This selector is ignored.`];
  const field: Part = { kind: 'code', text: concretePath(ignored.at, path) };
  if (ignored.refused) {
    if (ignored.unless === undefined)
      return [localize`The API server generates this selector and rejects any other value.`];
    const word: Part = { kind: 'code', text: ignored.unless };
    return [
      localize`The API server generates this selector and rejects any other value, unless `,
      field,
      ' is ',
      word,
      '.',
    ];
  }
  const is = ignored.is === undefined ? localize` is not ` : ' is ';
  return [
    localize`This selector is ignored, because `,
    field,
    is,
    { kind: 'code', text: ignored.is ?? ignored.unless },
    '.',
  ];
}

function problemsOf(site: SelectorSite): readonly string[] {
  if (site.state !== 'present') return [];
  const read = site.selector ?? site.nodeSelector;
  // The scheduler still uses the valid terms of a node selector that also has invalid terms.
  if (read === undefined || read.ok || termsOf(site).length > 0) return [];
  return read.problems.map((problem) => problem.message);
}

/** Describes the meaning of the selector with the values of its chart: those in the file that the user chose, or the default values if a template determines its requirements. */
function headWithValues(view: FileView, { site, object }: SelectorTarget): readonly Block[] | undefined {
  const owner = { file: view.file, object };
  const values = chosenValuesOf(view.workspace, view.file.uri);
  const notCreated = notCreatedLine(view, owner);
  const note = notCreated && [paragraph(localize`This object is `, ...notCreated, '.')];
  if ((values === undefined && !hasUnknownParts(site)) || object.inline || object.inValues) {
    const head = headOf({ site });
    return head && [...head, ...(note ?? [])];
  }
  const [applied] = selectionsOf(view.workspace, view.catalogue, owner, site, view.perspective);
  const isOfDefaults =
    values === undefined && applied !== undefined && hasDefaultValues(applied.scope) && !hasUnknownParts(applied.site);
  const head = headOf({ site: applied?.site ?? site }, isOfDefaults);
  if (head === undefined || note !== undefined || applied === undefined) return head && [...head, ...(note ?? [])];
  if (values !== undefined) return [...head, paragraph(localize`Evaluated with `, { kind: 'code', text: values }, '.')];
  return isOfDefaults ? [...head, paragraph(localize`Other chart values may change this selector.`)] : head;
}

/** Whether a template determines requirements of a selector, or values for which no default is known. */
function hasUnknownParts(site: SelectorSite): boolean {
  if (site.open) return true;
  const selector = effectiveSelector(site);
  if (selector?.kind !== 'all') return false;
  const isUndetermined = (value: Value) => isUnknown(value) && value.assumed === undefined;
  return selector.open === true || selector.requirements.some(({ values }) => values.some(isUndetermined));
}

/** Describes the meaning of the selector in words; undefined for an unsupported form. `isOfDefaults` is set if other values of the chart may give it another meaning. */
function headOf({ site }: Pick<SelectorTarget, 'site'>, isOfDefaults = false): readonly Block[] | undefined {
  const selector = effectiveSelector(site);
  if (hasOtherConditions(site)) return [paragraph(...conditionLine(site))];
  if (selector === undefined) return termsHead(site);
  return site.state === 'present'
    ? [
        paragraph(
          { kind: 'strong', text: 'Selects' },
          ' ',
          ...sentence(describe(withUnknown(site, selector), whatIn(site))),
        ),
      ]
    : [paragraph(...emptyLine(site, isOfDefaults))];
}

/** Returns the kubectl command with the same selector. */
function commandOf(view: FileView, { site, owner }: Pick<Environment, 'site' | 'owner'>): readonly Block[] {
  const selector = effectiveSelector(site);
  return selector === undefined || hasOtherConditions(site) ? [] : kubectl(view, owner, site, selector);
}

/** Separates the details from the answer, which comes first because a small hover shows only its beginning. */
function belowRule(details: readonly Block[]): readonly Block[] {
  return details.length === 0 ? [] : [{ kind: 'rule' }, ...details];
}

function whatIn(site: SelectorSite): string {
  return whatOf(site) ?? 'objects';
}

/** Describes a selector whose conditions are not all requirements on labels of the selected objects. */
function conditionLine(site: SelectorSite): Line {
  const text = selectorText(site);
  return [
    { kind: 'strong', text: 'Selects' },
    ' ',
    localize`${whatIn(site)} for which this holds: `,
    { kind: 'code', text },
  ];
}

function emptyLine(site: SelectorSite, isOfDefaults = false): Line {
  const article = site.state === 'null' ? localize`A null ` : `An ${site.state} `;
  const written = isOfDefaults ? localize`With chart defaults, ${article.toLowerCase()}` : article;
  const field = site.path.slice(site.path.lastIndexOf('.') + 1);
  const selector = site.defaults && effectiveSelector(site);
  if (selector !== undefined) {
    if (selector.kind === 'nothing') {
      return [written, { kind: 'code', text: field }, localize` is invalid without labels in the template.`];
    }
    const described = sentence(describe(selector, whatIn(site)));
    return [
      written,
      { kind: 'code', text: field },
      localize` defaults to the labels of the template. Selects `,
      ...described,
    ];
  }
  return [written, { kind: 'code', text: field }, ` ${meaningText(meaningOf(site), whatIn(site))}`];
}

function meaningText(meaning: Meaning, what: string): string {
  switch (meaning) {
    case 'nothing':
      return localize`selects no ${what} here.`;
    case 'all':
      return localize`selects all ${what}.`;
    case 'notFiltered':
      return localize`has no effect here.`;
    case 'ownNamespace':
      return localize`selects only the namespace of this object.`;
    case 'invalid':
      return localize`is invalid here; the API server rejects it.`;
    case 'sameAsAbsent':
    case 'unknown':
      return localize`may select any ${what}: its meaning here is unknown.`;
  }
}

function termsHead(site: SelectorSite): readonly Block[] | undefined {
  if (site.nodeSelector === undefined) return undefined;
  if (site.state !== 'present') return [paragraph(...emptyLine(site))];
  const lines = termDescriptions(site).map(sentence);
  const [only, ...others] = lines;
  if (only === undefined) return undefined;
  if (others.length === 0) return [paragraph({ kind: 'strong', text: 'Selects' }, ' ', ...only)];
  return [paragraph({ kind: 'strong', text: 'Selects' }, localize` any of:`), { kind: 'list', lines }];
}

function kubectl(view: FileView, owner: ObjectInFile, site: SelectorSite, selector: Selector): readonly Block[] {
  const command = kubectlCommand(view, owner, site, selector);
  if (command === undefined) return [];
  const copy = paragraph({
    kind: 'command',
    command: 'copy',
    text: '',
    title: localize`Copy kubectl command`,
    argument: { text: command },
  });
  return [{ kind: 'code', text: command, language: 'sh' }, copy];
}

/** Returns the smallest set of labels that matches; empty for a selector that matches everything, or whose requirements are such a set. */
function smallestLabels(site: SelectorSite, selector: Selector | undefined): readonly Block[] {
  if (site.state !== 'present' || selector?.kind !== 'all' || hasOtherConditions(site)) return [];
  if (selector.requirements.every(({ operator }) => operator === '=' || operator === '==') && satisfiable(selector))
    return [];
  const { overlaps, witness } = overlap(selector, everything);
  if (!overlaps) return [paragraph(localize`No labels can match: these requirements contradict each other.`)];
  const labels = Object.entries(witness ?? {});
  if (labels.length === 0) return [];
  const lines = labels.map(([key, value]) => `  ${scalarText(key, 'plain')}: ${scalarText(value, 'plain')}`);
  return [
    paragraph(localize`Labels that match:`),
    { kind: 'code', text: ['labels:', ...lines].join('\n'), language: 'yaml' },
  ];
}

/** Describes the requirement under the cursor as it is applied, unless it is the only one. */
function requirementLine(
  view: FileView,
  owner: ObjectInFile,
  { site, part }: SelectorTarget,
  applied: SelectorSite,
): readonly Block[] {
  const places = part === undefined ? [] : requirementSites(site);
  const place = places.find(({ entry, expression }) =>
    part?.kind === 'entry' ? entry === part.entry : expression !== undefined && expression === part?.expression,
  );
  if (place === undefined || places.length === 1) return [];
  const isWritten = ({ key, requirement }: RequirementSite) =>
    key.start === place.key.start && requirement.key === place.requirement.key;
  const { requirement } = requirementSites(applied).find(isWritten) ?? place;
  const selector: Selector = { kind: 'all', requirements: [requirement] };
  const { certain } = countHere(view, owner, site, selector);
  const described = sentence(describe(selector, whatIn(site)).replace(/\.$/, ''));
  return [
    paragraph(
      { kind: 'strong', text: localize`This requirement` },
      ' alone: ',
      ...described,
      localize` (${certain} here).`,
    ),
  ];
}

function partMeaning({ catalogue }: FileView, { part, site }: SelectorTarget): readonly Block[] {
  const written = part?.kind === 'entry' ? part.entry.key : part?.expression.key;
  if (written === undefined) return [];
  const isOfCilium = site.fact.language === 'cilium';
  const key = isOfCilium ? sourcedKey(written.text).key : written.text;
  // A conventional key such as `app`, and a key that Cilium derives, need no explanation.
  if (catalogue.key(key)?.status === 'convention' || (isOfCilium && isDerivedCiliumKey(key))) return [];
  return keyMeaning(catalogue, key, 'label');
}

/** Lists the requirements of the selector that are in other files, such as kustomizations and patches, with their locations. */
export function addedTo(view: FileView, { name, site, owner }: Environment): readonly Block[] {
  const added = originParts(view, site.entries, owner.file, view.file.uri);
  if (added.length === 0) return [];
  return [
    paragraph(
      name === '' ? localize`As applied, it also requires ` : localize`In ${name}, it also requires `,
      ...added,
      '.',
    ),
  ];
}

/** Returns the required keys because of which an object does not match; those that match explain nothing. */
function failingKeys(site: SelectorSite, { labelSet }: Match): ReadonlySet<string> {
  const steps = alternativesOf(site).flatMap((selector) => explain(selector, labelSet));
  return new Set(steps.flatMap(({ requirement, answer }) => (answer === 'yes' ? [] : [requirement.key])));
}

function groups(view: FileView, found: FoundBySelector, owner: ObjectInFile, site: SelectorSite): readonly Block[] {
  const { lead, matches, maybe, otherValues, namespaces, beside, elsewhere, nearMisses, verdict } = found;
  const [offset, asked] = [site.keySpan.start, keysOf(lead.site)];
  const outside = [...elsewhere.certain, ...elsewhere.possible];
  const suffix = lead.name === '' ? '' : localize` in ${lead.name}`;
  const implied = (isCertain: boolean) => impliedLines(namespaces, isCertain);
  return [
    ...addedTo(view, lead),
    ...(verdict === undefined ? [] : [paragraph(...verdict.line)]),
    ...matchGroup(view, `Matches${suffix}`, matches, asked, offset),
    ...group(view, localize`Matches undeclared namespaces`, implied(true), offset),
    ...matchGroup(view, localize`May match${suffix}`, maybe, asked, offset),
    ...group(view, localize`May match undeclared namespaces`, implied(false), offset),
    ...(otherValues.length === 0 ? [] : [paragraph(`${otherValuesText(otherValues)}.`)]),
    ...matchGroup(
      view,
      localize`Matches in other GitOps objects of the cluster${suffix}`,
      beside.matches,
      asked,
      offset,
    ),
    ...matchGroup(
      view,
      localize`May match in other GitOps objects of the cluster${suffix}`,
      beside.maybe,
      asked,
      offset,
    ),
    ...countedTogether(view, owner, site, found).map((line) => paragraph(...line)),
    ...groupsElsewhere(view, { certain: 'Matches', possible: localize`May match` }, outside, asked, offset),
    ...matchedInAlternatives(view, found.alternatives),
    ...group(
      view,
      nearMisses.length === 1 ? localize`Near miss` : localize`Near misses`,
      nearMisses.map((match) => matchLine(view, match, failingKeys(lead.site, match))),
      offset,
    ),
  ];
}
