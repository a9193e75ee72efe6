/** Reports text in patches, transformers, helpers and values that makes labels, annotations, selectors or other fields of objects invalid. */

import { validateAnnotationKey, validateLabelKey } from '../../engine/index.ts';
import { pointerSegment } from '../../manifests/kustomize/replaced-paths.ts';
import type { LabelSite } from '../../manifests/model.ts';
import { nodeAt } from '../../manifests/yaml/tree.ts';
import { localize } from '../../text/localize.ts';
import type { Span } from '../../text/span.ts';
import { scopeName } from '../../workspace/scopes/scope-names.ts';
import { correctLabel } from '../fixes/fix-label.ts';
import { correctOperators } from '../fixes/fix-operator.ts';
import { type Fact, type Fix, maximumRelated, type Related, type RuleContext, rule } from '../framework/rule.ts';
import { fieldFaultsInOutput, fieldFaultsOfReleases, type OutputFault } from '../helpers/output-faults.ts';
import { describeProblems, objectNameOf, shorten } from '../helpers/sentences.ts';
import { fieldFaultsOfVariables } from '../helpers/variable-faults.ts';
import { faultsInOutput, faultsWrittenBy, type WrittenFault } from '../helpers/written-faults.ts';
import { spanOfWritten, type WrittenSpan } from '../helpers/written-spans.ts';

/** A label, annotation or requirement that is invalid, or another field of the output of a template. */
type Invalid = InvalidText | InvalidField;

interface InvalidField extends Fact {
  readonly inOutput: OutputFault;
}

interface InvalidText extends Fact {
  /** The faults at one position, which are equal except for their objects. */
  readonly faults: readonly [WrittenFault, ...WrittenFault[]];
  readonly holds: WrittenSpan['holds'];
  readonly inString?: WrittenSpan['inString'];
}

export const invalidAsApplied = rule<Invalid>({
  id: 'invalid-as-applied',
  severity: 'error',
  acrossFiles: true,
  summary:
    'A patch, transformer, helper or default value that writes an invalid label, annotation, selector or other field.',
  why: 'The API server validates objects as kustomize, Helm, Argo CD or Flux build them. A file in which all labels are valid is rejected if a patch, a transformer or a helper adds an invalid key or value. The finding is in the file that writes it. For a default value in `values.yaml`, it is a warning, because users can set a different value. The version and the other metadata in `Chart.yaml` count as they are written there. In the output of the templates of a chart with its default values or those of an Application or HelmRelease, tolerations, node affinities, operators, topology keys, finalizers, owners and the types of fields are validated, too; these findings are in the template, or where a GitOps object sets the value. So are these fields after Flux has replaced the variables in an object.',
  bad: [
    {
      title: 'A JSON patch that adds a key with a space.',
      file: 'kustomization.yaml',
      text: `apiVersion: kustomize.config.k8s.io/v1beta1
kind: Kustomization
resources:
  - prices.yaml
patches:
  - target:
      kind: ConfigMap
    patch: |-
      - op: add
        path: /metadata/labels/price list
        value: summer
`,
      beside: {
        'prices.yaml': 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: prices\n  labels:\n    app: shop\n',
      },
    },
  ],
  good: [
    {
      title: 'A slash in the path of a JSON patch, written as `~1`.',
      change: ['path: /metadata/labels/price list', 'path: /metadata/labels/shop.example.com~1list'],
    },
  ],
  *check(context) {
    const ofVariables = fieldFaultsOfVariables(context);
    for (const fault of [...fieldFaultsInOutput(context), ...fieldFaultsOfReleases(context), ...ofVariables]) {
      const { span, related } = fault;
      yield { span, related, ...(fault.mayVary && { severity: 'warning' }), inOutput: fault };
    }
    const faults = [...faultsWrittenBy(context), ...faultsInOutput(context)];
    if (faults.length === 0) return;
    const reported = reportedSpans(context);
    const inserted = insertedSpans(context);
    const copied = new Set([...annotationValues(context), ...inserted]);
    const byPosition = new Map<string, InvalidText>();
    for (const fault of faults) {
      const place = copied.has(startOf(fault)) ? copiedPlace(fault) : spanOfWritten(context.text, fault);
      if (place === undefined) continue;
      if (fault.ofChart === undefined && fault.executed === undefined && reported.has(place.span.start)) continue;
      if (fault.scope?.gitops !== undefined && inserted.has(place.span.start)) continue;
      const position = `${place.span.start} ${fault.problems.map(({ message }) => message).join('\n')}`;
      const known = byPosition.get(position);
      const severity = fault.severity && { severity: fault.severity };
      byPosition.set(position, { ...place, ...severity, faults: known ? [...known.faults, fault] : [fault] });
    }
    for (const found of byPosition.values()) yield { ...found, related: relatedTo(found) };
  },
  message(fact) {
    if ('inOutput' in fact) {
      const { message: problem, isDefault, written } = fact.inOutput;
      const isNamed = written === undefined || problem.includes(`'${shorten(written)}'`);
      const message = isNamed ? problem : localize`${problem} The text is '${shorten(written)}'.`;
      return isDefault ? localize`${message} This is the default of the chart.` : message;
    }
    const [first] = fact.faults;
    const problems = describeProblems(first.problems);
    const { executed, key = first.scalar, scalar } = first;
    // One action writes several labels.
    const isShared = executed !== undefined && key.origin?.span.start === scalar.origin?.span.start;
    const what = isShared ? localize`${problems} The key is '${shorten(key.text)}'.` : problems;
    if (first.ofChart !== undefined)
      return localize`${what} With the metadata in Chart.yaml, it is '${shorten(first.ofChart)}'.`;
    if (executed === 'with the values of a release' && first.scope !== undefined && key !== scalar)
      return localize`${what} In ${scopeName(first.scope, [first.scope])}, it is '${shorten(scalar.text)}'.`;
    const isDefault = first.value !== undefined || first.executed === 'with default values';
    return isDefault ? localize`${what} This is the default of the chart.` : what;
  },
  fixes(fact, { text }) {
    if ('inOutput' in fact) return [];
    const { span, holds, inString } = fact;
    const fixes = fixesOf(fact, text, inString?.text ?? text.slice(span.start, span.end));
    const written = (replacement: string) => {
      const own = holds === 'segment' ? pointerSegment(replacement) : replacement;
      return inString?.escape(own) ?? own;
    };
    return fixes.map((fix) => ({ ...fix, edits: fix.edits.map((edit) => ({ ...edit, text: written(edit.text) })) }));
  },
});

/** Returns the fixes of a text, as they would be written without the string or the JSON pointer that contains it. */
function fixesOf({ faults, span, holds }: InvalidText, text: string, written: string): readonly Fix[] {
  const [{ is, scalar, value, key, ofChart, ofAnnotation, executed }] = faults;
  const isUnquoted = executed !== undefined && (scalar.type === 'number' || scalar.type === 'boolean');
  const end = isUnquoted && is === 'value' ? endOfOnlyAction(text, span, key?.text ?? '') : undefined;
  // The action may write more than this value.
  if (isUnquoted && end === undefined && written.includes('{{')) return [];
  if (end !== undefined) {
    const edits = [{ span: { start: end, end }, text: ' | quote' }];
    return [{ title: localize`Quote the ${is}`, edits, preferred: true }];
  }
  if (ofChart !== undefined || holds === 'other' || (is === 'value' && scalar === key)) return [];
  const start = written.charAt(0);
  const style = start === '"' ? 'double' : start === "'" ? 'single' : 'plain';
  if (is === 'operator') return correctOperators({ ...scalar, span, style });
  if (scalar.type !== 'string') {
    const edits = [{ span, text: JSON.stringify(scalar.text) }];
    return [{ title: localize`Quote the ${is}`, edits, preferred: true }];
  }
  const known = value === undefined ? scalar.text : withoutQuotes(written);
  const validate = ofAnnotation ? validateAnnotationKey : validateLabelKey;
  return correctLabel(is, [{ ...scalar, span, text: known, style }], [], validate);
}

/** Returns the end of the pipeline in a span that consists of one action, which writes only the value of a key on the same line; undefined for other text. */
function endOfOnlyAction(text: string, { start, end }: Span, key: string): number | undefined {
  const written = text.slice(start, end);
  const pipeline = /^\{\{[^{}]*[^{}\s-](?=\s*-?\}\}$)/.exec(written);
  if (pipeline === null || /^\{\{-|\b(?:toYaml|toJson|n?indent)\b/.test(written)) return undefined;
  const before = text.slice(text.lastIndexOf('\n', start - 1) + 1, start);
  if (!/:[ \t]+$/.test(before) || !before.trimEnd().replaceAll(/["']/g, '').endsWith(`${key}:`)) return undefined;
  return /^[ \t]*(?:#|\r?\n|$)/.test(text.slice(end, end + 200)) ? start + pipeline[0].length : undefined;
}

function withoutQuotes(written: string): string {
  return /^(["'])(.*)\1$/.exec(written)?.[2] ?? written;
}

/** Returns the positions of the keys and values that other rules validate where they are written. */
function reportedSpans({ manifest }: RuleContext): ReadonlySet<number> {
  const found = new Set<number>();
  for (const { name, kindSpan, labelSites, selectorSites } of manifest.objects) {
    const scalars = [...labelSites.filter((site) => !holdsAnnotations(site)), ...selectorSites].flatMap(({ entries }) =>
      entries.flatMap(({ key, value }) => [key, value]),
    );
    // A replacement may copy the value of an annotation into a label.
    const annotations = labelSites.filter(holdsAnnotations).flatMap(({ entries }) => entries.map(({ key }) => key));
    const terms = selectorSites.flatMap(({ expressions }) => expressions);
    const inTerms = terms.flatMap(({ key, operator, values }) => [key, operator, ...values]);
    for (const each of [...scalars, ...annotations, ...inTerms, name])
      if (each !== undefined) found.add(each.span.start);
    found.add(kindSpan.start);
  }
  return found;
}

/** Returns the positions of the variables that GitOps controllers insert, which other rules validate, and of the data of ConfigMaps, which a replacement of kustomize may copy. */
function insertedSpans({ manifest }: RuleContext): ReadonlySet<number> {
  const maps = manifest.objects.flatMap(({ gitopsSpec, variables }) => [
    nodeAt(gitopsSpec, 'postBuild', 'substitute'),
    variables,
  ]);
  return new Set(maps.flatMap((map) => (map?.kind === 'map' ? map.entries.map(({ value }) => value.span.start) : [])));
}

/** Returns the positions of the values of annotations. Changing them to valid labels may not be intended, so no fix is offered for them. */
function annotationValues({ manifest }: RuleContext): ReadonlySet<number> {
  const sites = manifest.objects.flatMap(({ labelSites }) => labelSites.filter(holdsAnnotations));
  return new Set(sites.flatMap(({ entries }) => entries.map(({ value }) => value.span.start)));
}

function holdsAnnotations({ place }: LabelSite): boolean {
  return place.holds === 'annotations';
}

function startOf({ scalar }: WrittenFault): number {
  return scalar.origin?.span.start ?? -1;
}

function copiedPlace({ scalar }: WrittenFault): WrittenSpan | undefined {
  return scalar.origin && { span: scalar.origin.span, holds: 'other' };
}

function relatedTo({ faults }: InvalidText): readonly Related[] {
  const scopes = faults.flatMap(({ scope }) => scope ?? []);
  const seen = new Set<string>();
  const related: Related[] = [];
  for (const {
    object: { file, object },
    scope,
  } of faults) {
    const name = objectNameOf(object);
    const message =
      scope === undefined
        ? localize`Written into ${name}.`
        : localize`Written into ${name} in ${scopeName(scope, scopes)}.`;
    const place = `${file.uri} ${object.kindSpan.start} ${message}`;
    if (seen.has(place)) continue;
    seen.add(place);
    related.push({ file, span: object.kindSpan, message });
    if (related.length === maximumRelated) break;
  }
  return related;
}
