/** Reports kinds that the API server does not know under their apiVersion, if the intended kind is known. */

import { isBuiltIn } from '../../engine/catalogue/built-in-groups.ts';
import type { Catalogue } from '../../engine/catalogue/types.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import type { Edit } from '../../text/edit.ts';
import { editDistance } from '../../text/edit-distance.ts';
import { localize } from '../../text/localize.ts';
import { misspelling } from '../../text/misspelling.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { apiVersionOf, apiVersionText, groupWith, versionsOf } from '../helpers/api-versions.ts';
import { shorten } from '../helpers/sentences.ts';

interface UnknownKind extends Fact {
  readonly object: ManifestObject;
  /** The kind of the same group that was probably intended. */
  readonly near?: string;
  /** The apiVersion of the built-in kind with this name, if a different group contains it. */
  readonly apiVersion?: string;
}

export const unknownKind = rule<UnknownKind>({
  id: 'unknown-kind',
  severity: 'error',
  needs: 'stored',
  summary: 'A kind that does not exist in its `apiVersion`.',
  why: 'The API server rejects the object ("no matches for kind"), and no selector matches objects of this kind. The rule reports a kind of a built-in group that is misspelled or belongs to a different group, a misspelled group, and a version that does not exist.',
  bad: [
    {
      title: 'A letter of the kind is missing.',
      text: `apiVersion: apps/v1
kind: Deploymnt
metadata:
  name: basket
`,
    },
    {
      title: 'The wrong group: Deployments are in the group `apps`.',
      text: `apiVersion: v1
kind: Deployment
metadata:
  name: basket
`,
    },
  ],
  good: [
    {
      title: 'A kind in its own group.',
      text: `apiVersion: v1
kind: ConfigMap
metadata:
  name: basket
`,
    },
  ],
  *check({ stored, catalogue, file }) {
    // A configuration declares external objects by their kinds only.
    if (file.config !== undefined) return;
    for (const object of stored) {
      const { group, version, kind, kindSpan } = object;
      if (/[^\w]/.test(kind)) continue;
      const isKnown = isBuiltIn(group) && catalogue.structuresOf(apiVersionText(object)).length > 0;
      if ((isKnown || !isBuiltIn(group)) && catalogue.kind(group, version, kind) !== undefined) continue;
      const apiVersion = isKnown ? apiVersionOf(catalogue, kind) : meantApiVersion(catalogue, object);
      const near = isKnown && apiVersion === undefined ? nearIn(catalogue, object) : undefined;
      if (apiVersion !== undefined) yield { span: kindSpan, object, apiVersion };
      else if (near !== undefined) yield { span: kindSpan, object, near };
    }
  },
  message({ object, near, apiVersion }) {
    const written = shorten(apiVersionText(object));
    const help = near === undefined ? localize`it is in ${apiVersion}` : localize`did you mean '${near}'?`;
    return localize`${written} has no kind '${shorten(object.kind)}'; ${help}${near === undefined ? '.' : ''}`;
  },
  fixes({ object, near, apiVersion }, { text }) {
    const { kind, kindSpan } = object;
    if (near !== undefined) {
      const edit = replaced(text, kindSpan, kind, near);
      return edit === undefined ? [] : [{ title: localize`Change to '${near}'`, edits: [edit], preferred: true }];
    }
    const span = apiVersionSpan(text, object, apiVersionText(object));
    if (span === undefined || apiVersion === undefined) return [];
    return [
      { title: localize`Change apiVersion to '${apiVersion}'`, edits: [{ span, text: apiVersion }], preferred: true },
    ];
  },
});

/** Matches the versions that API groups have. */
const versionShape = /^v(\d{1,3})(?:(?:alpha|beta)\d{1,3})?$/;

/**
 * Returns the apiVersion of the built-in kind that was certainly intended: the group is misspelled or lacks its domain, or
 * the version has no valid form or is newer than every version of the kind. Other unknown versions may be of an old cluster.
 */
function meantApiVersion(catalogue: Catalogue, { group, version, kind }: ManifestObject): string | undefined {
  const only = groupWith(catalogue, kind);
  // A version that a template writes is not known.
  if (only === undefined || group === 'extensions' || version === '') return undefined;
  const isMeant =
    group === only.group
      ? majorOf(version) > Math.max(...versionsOf(catalogue, only).map(majorOf))
      : group === ''
        ? !versionShape.test(version)
        : isMisspelledGroup(group, only.group);
  return isMeant ? apiVersionOf(catalogue, kind) : undefined;
}

/** Returns the first number of a stable version, 0 for an alpha or beta version, and infinity for another text. */
function majorOf(version: string): number {
  const major = versionShape.exec(version)?.[1];
  if (major === undefined) return Number.POSITIVE_INFINITY;
  return version === `v${major}` ? Number(major) : 0;
}

function isMisspelledGroup(group: string, meant: string): boolean {
  // The core group has no name in `apiVersion`.
  if (meant === '') return group === 'core';
  // `network.k8s.io` instead of `networking.k8s.io`.
  const [[first = '', ...domain], [meantFirst = '', ...meantDomain]] = [group.split('.'), meant.split('.')];
  // Experimental kinds have the same names in groups of a domain of their own, for example `scheduling.x-k8s.io`.
  if (domain.join('.') === 'x-k8s.io') return false;
  const isSameDomain = domain.length > 0 && domain.join('.') === meantDomain.join('.');
  if (isSameDomain && first.length > 3 && meantFirst.startsWith(first)) return true;
  if (isBuiltIn(group) && group.includes('.')) return false;
  return meant.startsWith(`${group}.`) || editDistance(group, meant, 2) <= (meant.length > 4 ? 2 : 1);
}

/** Returns the kind of the same group and version that was probably intended. */
function nearIn(catalogue: Catalogue, { group, version, kind }: ManifestObject): string | undefined {
  const [only, ...others] = catalogue.kindsOf(group === '' ? version : `${group}/${version}`).filter((name) => {
    const how = misspelling(name, kind);
    return how === 'evident' || how === 'likely';
  });
  return others.length > 0 ? undefined : only;
}

function replaced(text: string, { start, end }: Edit['span'], from: string, to: string): Edit | undefined {
  const at = text.slice(start, end).indexOf(from);
  return at === -1 ? undefined : { span: { start: start + at, end: start + at + from.length }, text: to };
}

/** Returns the span of the value of `apiVersion` on the line above or below the kind. */
function apiVersionSpan(text: string, { kindSpan, span }: ManifestObject, written: string): Edit['span'] | undefined {
  const within = text.slice(span.start, span.end);
  const found = /(?:^|[\n{,])[ \t]*["']?apiVersion["']?[ \t]*:[ \t]*["']?/.exec(within);
  const start = found === null ? -1 : span.start + found.index + found[0].length;
  const isNear = Math.abs(start - kindSpan.start) < 500;
  return start >= 0 && isNear && text.startsWith(written, start) ? { start, end: start + written.length } : undefined;
}
