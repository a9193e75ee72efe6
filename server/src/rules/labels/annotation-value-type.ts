/** Reports annotation values that are not strings in YAML 1.1, the version that Kubernetes uses, and `annotations` fields that are not a map. */

import { once } from '../../engine/memoize.ts';
import type { Written } from '../../manifests/model.ts';
import { quoteAsTyped } from '../../manifests/write/write-text.ts';
import { readKey } from '../../manifests/yaml/scalar-types.ts';
import { localize } from '../../text/localize.ts';
import { type Fact, rule } from '../framework/rule.ts';
import { isReadByKustomize, isStringInKustomize } from '../helpers/kustomize-strings.ts';
import { fixNotAMap, type NotAMap, notMapsIn, shownValue } from '../helpers/not-a-map.ts';
import { shorten } from '../helpers/sentences.ts';
import { annotationEntries } from '../helpers/validated-labels.ts';
import { type TypedTag, typedTag, withoutTag } from '../helpers/yaml-tags.ts';

interface NotAString extends Fact {
  readonly scalar: Written;
  readonly is: 'key' | 'value';
  /** The tag that changes the type, if there is one. */
  readonly tag?: TypedTag | undefined;
}

/** The rule for annotations that are not strings. It also covers an `annotations` field that is not a map. */
export const annotationValueType = rule<NotAString | NotAMap>({
  id: 'annotation-value-type',
  severity: 'error',
  summary: 'An annotation whose value is not a string in YAML, or annotations that are not a map.',
  why: 'Kubernetes uses YAML 1.1, in which unquoted `true`, `yes`, `on`, `8080`, `1.10` and `1e3` are not strings. The API server rejects the object, so it is not applied. Kustomize quotes the annotations of an object, but not those of its pod template. The rule therefore does not report annotations of objects in files that only kustomizations use.',
  bad: [
    {
      title: 'A value that is a boolean in YAML.',
      text: `apiVersion: v1
kind: Service
metadata:
  name: basket
  annotations:
    prometheus.io/scrape: true
spec:
  selector:
    app: basket
`,
    },
  ],
  good: [
    {
      title: 'Quoted values and block scalars are strings.',
      change: [
        'prometheus.io/scrape: true',
        `prometheus.io/scrape: "true"
    prometheus.io/port: '8080'
    shop.example.com/routes: |
      - path: /basket`,
      ],
    },
  ],
  *check(context) {
    yield* notMapsIn(context, 'annotations');
    // Lazy, because this check computes the scopes of the workspace, and only keys and values that are not strings need
    // it.
    const isQuoted = once(() => isReadByKustomize(context));
    for (const place of annotationEntries(context.manifest)) {
      const { entry, site, typeSeverity } = place;
      const { key, value } = entry;
      const isScalar = value.type !== 'list' && value.type !== 'map';
      // In a template, an action after the colon of the map may look like a key.
      if (!isScalar && typeof key.value !== 'string') continue;
      const isSound = (value.type === 'string' || value.type === 'null') && readKey(key) === key.text;
      // Of the annotations of the object itself, kustomize quotes numbers and booleans as well.
      if (isSound || (isScalar && site.path === 'metadata.annotations' && isQuoted())) continue;
      // The API server decodes the key to a string that differs from its text in the file.
      if (readKey(key) !== key.text && !isStringInKustomize(context, key))
        yield { span: key.span, scalar: key, is: 'key', severity: 'warning', tag: typedTag(context.text, key) };
      if (value.type === 'string' || value.type === 'null' || isStringInKustomize(context, value)) continue;
      const span = isScalar ? value.span : key.span;
      const severity = typeSeverity && { severity: typeSeverity };
      yield {
        span,
        scalar: value,
        is: 'value',
        tag: typedTag(context.text, value),
        ...severity,
        common: 'types',
        reportedAt: [value.span],
      };
    }
  },
  message(fact) {
    if ('notMap' in fact) return localize`Annotations must be a map of strings, not ${shownValue(fact)}.`;
    const { scalar, is, tag } = fact;
    const text = shorten(scalar.text);
    if (tag !== undefined)
      return localize`Annotation ${is} '${text}' must be a string; '${tag.name}' makes it a different type.`;
    if (is === 'key')
      return localize`Annotation key '${text}' must be quoted; unquoted, it becomes '${readKey(scalar)}'.`;
    if (scalar.type === 'map' || scalar.type === 'list')
      return localize`Annotation value must be a string, not a ${scalar.type}.`;
    return localize`Annotation value '${text}' must be quoted; unquoted, it is a ${scalar.type}, not a string.`;
  },
  fixes(fact, { text }) {
    if ('notMap' in fact) return fixNotAMap(text, fact);
    const { scalar, is, tag } = fact;
    if (scalar.type === 'map' || scalar.type === 'list') return [];
    if (tag !== undefined) return [{ ...withoutTag(scalar, tag), safe: true }];
    return [{ title: localize`Quote the ${is}`, edits: [quoteAsTyped(scalar)], preferred: true, safe: true }];
  },
});
