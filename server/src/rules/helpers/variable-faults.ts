/** Finds fields that the API server rejects after Flux has replaced the variables of an object. */

import { once } from '../../engine/memoize.ts';
import { mayContainVariables, parseVariables, type Substituted, substitute } from '../../manifests/gitops/envsubst.ts';
import { TemplateOutput } from '../../manifests/helm/execution/output.ts';
import type { Span } from '../../text/span.ts';
import type { Variables } from '../../workspace/gitops/flux-substitution.ts';
import type { RuleContext } from '../framework/rule.ts';
import { checkedOutput, type OutputFault, onlyLine, placeOf, writtenInto } from './output-faults.ts';
import { stringPositions } from './string-fields.ts';
import { substitutedTexts } from './substituted-texts.ts';

/** Yields the faults in fields that variables write. Another rule validates labels, names and settings. */
export function* fieldFaultsOfVariables(context: RuleContext): Iterable<OutputFault> {
  const { workspace, file, stored } = context;
  if (workspace.appliedBy !== undefined || stored.length === 0) return;
  const seen = new Set<string>();
  const positions = once(() => stringPositions(context));
  for (const { span, substitutions, isBuilt } of substitutedTexts(context)) {
    const object = stored.find((each) => each.span === span);
    if (object === undefined || !mayContainVariables(context.text.slice(span.start, span.end))) continue;
    for (const { scope, variables } of substitutions) {
      const output = outputOf(context.text, span, variables);
      const checked = output && checkedOutput(context, file, output);
      for (const { span: place, inText, message } of checked?.found ?? []) {
        const isOfVariable = checked?.source.isLiteral(inText) === false;
        if (!isOfVariable || seen.has(placeOf({ span: place, message })) || !isBuilt(scope, place.start)) continue;
        if (positions().has(place.start)) continue;
        seen.add(placeOf({ span: place, message }));
        const written = onlyLine(checked.text.slice(inText.start, inText.end));
        const related = [{ file, span: object.kindSpan, message: writtenInto(object, scope) }];
        yield { span: place, message, ...(written && { written }), mayVary: false, isDefault: false, related };
      }
    }
  }
}

/** Returns the text of an object with its variables replaced; undefined if the text is malformed. */
function outputOf(text: string, { start, end }: Span, { values, isComplete }: Variables): TemplateOutput | undefined {
  const whole = text.slice(start, end);
  // The offsets after an escaped dollar sign are not those of the text.
  const { parts, malformedAt } = parseVariables(whole);
  if (malformedAt !== undefined || whole.includes('$$')) return undefined;
  const output = new TemplateOutput();
  let at = 0;
  for (const part of parts) {
    if (typeof part === 'string') continue;
    const expression = whole.slice(part.start, part.end);
    const { pieces, unset } = substitute(expression, (name) => {
      const variable = values.get(name);
      if (variable === undefined) return isComplete ? undefined : { unknown: true };
      return variable.value ?? { unknown: true };
    });
    // kustomize writes a string that begins with a variable without quotes.
    const quote = /["']/.exec(whole.charAt(part.start - 1))?.[0];
    const isQuoted = quote !== undefined && whole.charAt(part.end) === quote;
    const [from, to] = isQuoted ? [part.start - 1, part.end + 1] : [part.start, part.end];
    output.literal(whole.slice(at, from), start + at);
    output.written(knownText(pieces, unset) ?? '{{ .Values.unknown }}', { start: start + from, end: start + to });
    at = to;
  }
  output.literal(whole.slice(at), start + at);
  return output;
}

function knownText(pieces: Substituted['pieces'], unset: Substituted['unset']): string | undefined {
  const isKnown = unset.length === 0 && pieces.every((piece) => typeof piece === 'string');
  return isKnown ? pieces.join('') : undefined;
}
