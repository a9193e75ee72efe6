/** The page that explains an object: its scope, its labels, the objects that it selects, and the selectors that match it. */

import type { Value } from '../../engine/index.ts';
import { labeledObjectsOf } from '../../manifests/label-sets.ts';
import type { ManifestObject, SelectorSite } from '../../manifests/model.ts';
import { shownName } from '../../manifests/shown-name.ts';
import { versionOfSite } from '../../manifests/sites/site-at.ts';
import { replaceControls } from '../../text/control-characters.ts';
import { offsetToPosition } from '../../text/lines.ts';
import { localize, localized } from '../../text/localize.ts';
import { type Span, touches } from '../../text/span.ts';
import { valuesOf } from '../../workspace/charts/helm-stops.ts';
import { assumedRepositories, kindNames } from '../../workspace/gitops/model.ts';
import { appliedVersions, isPatch } from '../../workspace/kustomize/view.ts';
import type { ObjectInFile, WorkspaceFile } from '../../workspace/model.ts';
import { isSameObject } from '../../workspace/same-object.ts';
import { everyCluster, hasDefaultValues, type Scope } from '../../workspace/scopes/model.ts';
import { placeOf } from '../../workspace/scopes/scope-facts.ts';
import { alternativesOf, isUnevaluated } from '../../workspace/selection/effective-selector.ts';
import type { Match } from '../../workspace/selection/model.ts';
import { nodeFits, podSpecsOf } from '../../workspace/selection/node-fits.ts';
import { adopts, overlappingSelectors } from '../../workspace/selection/overlapping-selectors.ts';
import { fileNameOf, folderOf, isWithin, relativePath } from '../../workspace/uri.ts';
import { adoptedReason, overlapReason } from '../hover/overlap-hover.ts';
import { fitsLine, scoreText } from '../hover/scheduling-hover.ts';
import { addedTo } from '../hover/selector-hover.ts';
import { appliedLead, appliedOrWritten, namespaceClause, patchedObject } from '../presentation/applied-name.ts';
import { code, escapeMarkdown, link, sentenceMarkdown } from '../presentation/markdown.ts';
import { elsewhere } from '../presentation/object-lines.ts';
import { objectName, typeText, whatOf } from '../presentation/object-names.ts';
import { originParts } from '../presentation/origins.ts';
import { pagePath, toPageMarkdown } from '../presentation/page-markdown.ts';
import { inlineCode, paragraph } from '../presentation/rich-text.ts';
import { scopeKindName } from '../presentation/scope-names.ts';
import { participleOf, type Role, roleOf } from '../presentation/selecting-roles.ts';
import { selectorDescription, unevaluated } from '../presentation/selector-description.ts';
import { aboutPolicy, aboutReach } from '../reach/reach-text.ts';
import { possiblySelectingHere } from '../selected/cluster-relations.ts';
import { FoundBySelector } from '../selected/found-by.ts';
import { impliedReason } from '../selected/implied-namespaces.ts';
import { notCreatedLine } from '../selected/not-created.ts';
import { countedTogether } from '../selected/other-environments.ts';
import { otherSelectors } from '../selected/other-selectors.ts';
import { otherValuesText } from '../selected/other-values.ts';
import { overlayDifferences } from '../selected/overlay-differences.ts';
import type { FileView } from '../view.ts';

export interface Explanation {
  /** The name of the object as plain text, such as `Deployment/web`. */
  readonly title: string;
  readonly markdown: string;
}

/** The maximum number of lines in a list; a longer list is truncated and ends with the number of omitted lines. */
const maximumShown = 50;

/** Returns the page about the object at an offset; undefined if there is none. */
export function explainObject(view: FileView, offset: number): Explanation | undefined {
  const object = view.file.manifest.objects.find(({ span }) => touches(span, offset));
  if (object === undefined || object.inValues) return undefined;
  const title = objectName(appliedOrWritten(view, { file: view.file, object }).owner.object);
  const parts = [
    `# ${escapeMarkdown(title)}`,
    identity(view, object),
    ...(object.forCluster
      ? [
          applied(view, object),
          ...carried(view, object),
          ...selecting(view, object),
          ...scheduling(view, object),
          ...network(view, object),
        ]
      : []),
  ];
  return { title: replaceControls(title), markdown: `${parts.filter((part) => part !== '').join('\n\n')}\n` };
}

function identity(view: FileView, object: ManifestObject): string {
  const { group, version, kind } = object;
  const known = view.catalogue.kind(group, version, kind);
  const note = object.forCluster
    ? known === undefined || known.learned
      ? localize` This kind is unknown, so the meaning of its selectors is uncertain.`
      : ''
    : localize` This object is the configuration of a tool and is not applied to the cluster.`;
  const owner = { file: view.file, object };
  const type = toPageMarkdown([paragraph(inlineCode(typeText(object)), ...namespaceClause(view, owner))], view);
  const notCreated = notCreatedLine(view, owner);
  const sentence =
    notCreated === undefined ? [] : [toPageMarkdown([paragraph(localize`This object is `, ...notCreated, '.')], view)];
  return [localize`${type}, in ${place(view, view.file, object.kindSpan)}.${note}`, ...sentence].join('\n\n');
}

function applied(view: FileView, object: ManifestObject): string {
  const owner = { file: view.file, object };
  const scopes = isPatch(view.workspace, owner)
    ? appliedVersions(view.workspace, view.catalogue, view.file.uri).map(({ scope }) => scope)
    : view.workspace.scopes().of(placeOf(owner));
  const { appliedBy } = appliedOrWritten(view, owner).workspace;
  const isShown = ({ path }: Scope) => scopes.length > 1 && path === appliedBy?.path;
  const lines = scopes
    .toSorted((a, b) => Number(isShown(b)) - Number(isShown(a)))
    .map((scope) => {
      const shown = isShown(scope) ? localize`; this page shows the object in it` : '';
      return `- ${scopeName(view, scope)}${valuesText(scope)}${shown}${assumption(scope)}${openness(view, scope)}`;
    });
  return `## Applied with\n\n${lines.join('\n')}`;
}

/** Names the values with which a chart is executed. */
function valuesText(scope: Scope): string {
  if (hasDefaultValues(scope)) return localize`, with chart defaults`;
  return scope.release === undefined ? '' : localize`, with ${code(valuesOf(scope))}`;
}

function scopeName(view: FileView, scope: Scope): string {
  const isFile = scope.kind === 'file' || scope.kind === 'template';
  const path = isFile ? relativePath(folderOf(view.file.uri), scope.path) : folderName(view, scope.path);
  const files = scope.files.size === 1 ? '1 file' : localize`${scope.files.size} files`;
  const name = scope.name ?? scope.gitops?.facts.name ?? path;
  return localize`${scopeKindName(scope)} ${code(name)} of ${files}`;
}

function assumption({ gitops }: Scope): string {
  const assumed = gitops === undefined ? [] : assumedRepositories(gitops);
  const suspension = gitops?.facts.suspended ? localize`; suspended` : '';
  return suspension + assumed.map((each) => localize`; ${code(each)} is assumed to be this repository`).join('');
}

/** Returns the path of a folder relative to its workspace folder; for a workspace folder itself, its name. */
function folderName({ workspace }: FileView, folder: string): string {
  const around = workspace.folders.find((each) => isWithin(folder, each) && each !== folder);
  return `${around === undefined ? fileNameOf(folder) : relativePath(around, folder)}/`;
}

function openness(view: FileView, { closed }: Scope): string {
  if (closed === true) return '';
  const reasons = closed.openBecause.slice(0, 3).map(sentenceMarkdown);
  const more = closed.openBecause.length > 3 ? localize`, and ${closed.openBecause.length - 3} more reasons` : '';
  return view.complete ? localize`; some of its files or objects are unknown: ${reasons.join('; ')}${more}` : '';
}

/** Describes the labels of the object and of the objects that it creates, and the selectors that match them. */
function carried(view: FileView, object: ManifestObject): readonly string[] {
  const owner = { file: view.file, object };
  const applied = appliedOrWritten(view, owner).owner;
  return labeledObjectsOf(applied.object).map((labeledObject) => {
    const labels = Object.entries(labeledObject.labels).map(([key, value]) => `${key}: ${valueText(value)}`);
    const open = labeledObject.open ? [localize`- and other labels that no file contains`] : [];
    const origins = originParts(view, labeledObject.site?.entries ?? [], applied.file, view.file.uri);
    const added =
      origins.length === 0
        ? ''
        : `\n\n${toPageMarkdown([paragraph(localize`Set in other files: `, ...origins, '.')], view)}`;
    const own = patchedObject(view, owner);
    const found = possiblySelectingHere(view, { ...owner, labeledObject }).filter((each) => !isSameObject(each, own));
    const selectingObjects = found.map(({ file, object: selecting, site, certain, builtBy }) => {
      const where = place(view, file, site.keySpan, objectName(selecting));
      const doubt = certain ? '' : localize`, uncertain`;
      const by =
        builtBy?.gitops === undefined
          ? ''
          : localize`, applied by ${code(`${kindNames[builtBy.gitops.kind]}/${builtBy.gitops.facts.name}`)}`;
      const text = localize`- ${where} by ${code(site.path)}${doubt}${by}`;
      return { role: roleOf(site.path), text };
    });
    const what =
      labeledObject.via === undefined
        ? localize`Its own labels`
        : localize`Labels of the objects created from ${code(labeledObject.via)}`;
    const list = [...labels.map((label) => `- ${code(label)}`), ...open].join('\n');
    const selected =
      selectingObjects.length > 0
        ? roleTexts(selectingObjects)
        : localize`No other selector that is applied together with it matches these labels.`;
    const { lines } = overlayDifferences(view, [{ ...owner, labeledObject }]);
    const inOthers = lines.map((line) => `\n\n${toPageMarkdown([paragraph(...line)], view)}`).join('');
    const none = selectingObjects.length > 0 ? `None.\n\n${selected}` : 'None.';
    return `## ${what}\n\n${list === '' ? none : `${list}${added}\n\n${selected}`}${inOthers}`;
  });
}

/** Lists the selectors for each role of the object that they match. */
function roleTexts(selecting: readonly { readonly role: Role; readonly text: string }[]): string {
  const roles = ['selected', 'source', 'target'] as const;
  const texts = roles.flatMap((role) => {
    const lines = selecting.flatMap((each) => (each.role === role ? [each.text] : []));
    const participle = participleOf(role);
    const title = `${participle.charAt(0).toUpperCase()}${participle.slice(1)}`;
    return lines.length === 0 ? [] : [`${localize`${title} by`}\n\n${cut(lines)}`];
  });
  return texts.join('\n\n');
}

/** Lists the nodes that fit each pod specification that selects nodes, the best nodes first. */
function scheduling(view: FileView, object: ManifestObject): readonly string[] {
  if (!view.complete) return [];
  return podSpecsOf(object).map((spec) => {
    const lead = appliedLead(view, { file: view.file, object });
    const fits = nodeFits(lead.workspace, view.catalogue, lead.owner, spec);
    const line = (node: Match, reasons: readonly string[]) => {
      const why = reasons.length === 0 ? '' : `: ${reasons.map(sentenceMarkdown).join('; ')}`;
      return `- ${place(view, node.file, node.object.kindSpan, objectName(node.object))}${why}`;
    };
    const fitting = fits.fitting.map(({ node, certain, ...score }) =>
      line(node, [
        ...(fits.hasPreferences ? [localize`weight ${scoreText(score)}`] : []),
        ...(certain ? [] : [localize`may match`]),
      ]),
    );
    const lists = [
      [localize`Nodes that fit`, fitting],
      [localize`Nodes that do not fit`, fits.others.map((node) => line(node, node.reasons))],
    ] as const;
    const shown = lists.flatMap(([title, lines]) => (lines.length === 0 ? [] : [`${title}\n\n${cut(lines)}`]));
    const summary = toPageMarkdown([paragraph({ kind: 'strong', text: 'Scheduling' }, ': ', ...fitsLine(fits))], view);
    return [`## Nodes for ${code(spec)}`, summary, ...shown].join('\n\n');
  });
}

/** Describes the connections that network policies allow for the pods of the object; for a policy, the connections that it allows. */
function network(view: FileView, object: ManifestObject): readonly string[] {
  const policy = aboutPolicy(view, object);
  const blocks = [...aboutReach(view, object), ...(policy?.verdict ?? []), ...(policy?.details ?? [])];
  return blocks.length === 0 ? [] : [`## Network\n\n${toPageMarkdown(blocks, view)}`];
}

/** Returns a value, or the expression that determines it. */
function valueText(value: Value): string {
  if (typeof value === 'string') return value;
  return value.unknown.includes('{{') ? shownName({ text: value.unknown, value }) : '(unknown)';
}

/** Describes the selectors of an object as it is applied, also those that other files or templates add. */
function selecting(view: FileView, object: ManifestObject): readonly string[] {
  const owner = { file: view.file, object };
  const { selectorSites: written } = object;
  const { selectorSites: applied } = appliedOrWritten(view, owner).owner.object;
  const versions = new Set(written.map((site) => versionOfSite(applied, site, written)));
  const sites = [...written, ...applied.filter((site) => applied !== written && !versions.has(site))];
  const parts = sites.slice(0, maximumShown).map((site) => {
    const found = view.complete ? new FoundBySelector(view, owner, site) : undefined;
    const shown = found?.lead.site ?? site;
    const { selector, description } = selectorDescription(shown);
    const text = selector === '' ? '' : `${code(selector)}: `;
    const described = found?.unset === undefined ? [`${text}${sentenceMarkdown(description)}`] : [];
    const added = found === undefined ? '' : toPageMarkdown(addedTo(view, found.lead), view);
    const matches = hasMatches(shown) ? matchesOf(view, owner, site, found) : [];
    return [`## ${code(site.path)}`, ...described, ...(added === '' ? [] : [added]), ...matches].join('\n\n');
  });
  const more = sites.length - maximumShown;
  return more > 0 ? [...parts, localize`- and ${more} more`] : parts;
}

/** Whether the matches of a selector can be computed: it is valid and in effect, and the kinds that it selects are known. */
function hasMatches(site: SelectorSite): boolean {
  return (
    site.state !== 'ignored' &&
    site.fact.targets.length > 0 &&
    (alternativesOf(site).length > 0 || site.fieldSelector?.ok === true)
  );
}

function matchesOf(
  view: FileView,
  owner: ObjectInFile,
  site: SelectorSite,
  found: FoundBySelector | undefined,
): readonly string[] {
  if (found === undefined) return [localize`The workspace is still being indexed.`];
  if (isUnevaluated(found.lead.site)) return [localized(unevaluated)];
  const { lead, matches, beside, otherValues, namespaces, verdict } = found;
  const { certain, possible } = found.elsewhere;
  const suffix = lead.name === '' ? '' : localize` in ${lead.name}`;
  const groups = [
    [`Matches${suffix}`, matches],
    [localize`May match${suffix}`, found.maybe],
    [localize`Matches in other GitOps objects of the cluster${suffix}`, beside.matches],
    [localize`May match in other GitOps objects of the cluster${suffix}`, beside.maybe],
    [localize`Matches ${elsewhere(view, certain)}`, certain],
    [localize`May match ${elsewhere(view, possible)}`, possible],
    [localize`Near misses`, found.nearMisses],
  ] as const;
  const shown = groups.filter(([, matches]) => matches.length > 0);
  const implied = (isCertain: boolean, title: string) => {
    const lines = namespaces.filter((each) => each.isCertain === isCertain);
    const text = lines.map((each) => `- ${code(each.name)}: ${impliedReason(each)}`);
    return text.length === 0 ? [] : [`${title}\n\n${cut(text)}`];
  };
  const inOthers = countedTogether(view, owner, site, found);
  return [
    ...(verdict === undefined ? [] : [toPageMarkdown([paragraph(...verdict.line)], view)]),
    ...implied(true, localize`Matches undeclared namespaces`),
    ...implied(false, localize`May match undeclared namespaces`),
    ...shown.map(([title, matches]) => `${title}\n\n${cut(matches.map((match) => matchLine(view, match)))}`),
    ...(otherValues.length === 0 ? [] : [`${otherValuesText(otherValues)}.`]),
    ...inOthers.map((line) => toPageMarkdown([paragraph(...line)], view)),
    ...others(view, owner, site, found),
  ];
}

/** Lists the selectors that match the same objects or overlap, and the pods that a controller adopts. */
function others(view: FileView, owner: ObjectInFile, site: SelectorSite, found: FoundBySelector): readonly string[] {
  const { matches, lead } = found;
  const applied = appliedLead(view, owner);
  const { selectors, examined } = otherSelectors(view, owner, site, found);
  const suffix = lead.name === '' ? '' : localize` in ${lead.name}`;
  const lineOf = ({ file, object }: ObjectInFile, span: Span, reason: string) =>
    `- ${place(view, file, span, objectName(object))}${reason}`;
  const lists = [
    [
      localize`Other selectors for the same ${whatOf(site) ?? 'objects'}${suffix}`,
      selectors.map((each) => {
        const count = each.shared === examined ? '' : localize`: ${each.shared} of ${examined}`;
        return lineOf(each, each.site.keySpan, localize` by ${code(each.site.path)}${count}`);
      }),
    ],
    [
      localize`Overlaps with`,
      overlappingSelectors(applied.workspace, view.catalogue, applied.owner, site.path).map((each) =>
        lineOf(each, each.site.keySpan, `: ${sentenceMarkdown(overlapReason(each))}`),
      ),
    ],
    [
      'Adopts',
      matches
        .filter((match) => adopts(owner.object, site, match.object))
        .map((pod) => lineOf(pod, pod.object.name?.span ?? pod.object.kindSpan, `: ${adoptedReason}`)),
    ],
  ] as const;
  return lists.flatMap(([title, lines]) => (lines.length === 0 ? [] : [`${title}\n\n${cut(lines)}`]));
}

function matchLine(view: FileView, match: Match): string {
  const where = place(
    view,
    match.file,
    match.labeledObject.site?.keySpan ?? match.object.kindSpan,
    objectName(match.object),
  );
  const reasons = match.reasons.length === 0 ? '' : `: ${match.reasons.map(sentenceMarkdown).join('; ')}`;
  return `- ${where}${reasons}`;
}

function cut(lines: readonly string[]): string {
  const more = lines.length > maximumShown ? [localize`- and ${lines.length - maximumShown} more`] : [];
  return [...lines.slice(0, maximumShown), ...more].join('\n');
}

/** Returns a location such as `shop/web.yaml:12`, after the name if there is one. It is a link if the preview of Markdown can open the file. */
function place(view: FileView, file: WorkspaceFile, span: Span, name?: string): string {
  if (file.uri === everyCluster) return localize`${escapeMarkdown(name ?? '')} (in every cluster)`;
  const line = offsetToPosition(file.lines, span.start).line + 1;
  const text = `${relativePath(folderOf(view.file.uri), file.uri)}:${line}`;
  const path = pagePath(view, file.uri, `L${line}`);
  const where = path === undefined ? code(text) : link(text, path);
  return name === undefined ? where : `${escapeMarkdown(name)} (${where})`;
}
