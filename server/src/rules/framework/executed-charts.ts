/** Drops findings that the execution of a chart with its default values disproves: a template that is not executed hides what its actions decide. */

import { once } from '../../engine/memoize.ts';
import type { ManifestObject } from '../../manifests/model.ts';
import { finished } from '../../steps.ts';
import type { Span } from '../../text/span.ts';
import { appliedVersions } from '../../workspace/kustomize/view.ts';
import { hasDefaultValues } from '../../workspace/scopes/model.ts';
import { findAsApplied } from './as-applied.ts';
import { type CheckInput, Context, type Others } from './context.ts';
import type { Finding, Rule } from './rule.ts';

/** Returns a function that removes the findings of a rule about objects that have no such finding with the default values of their chart. Objects that these values switch off, and charts that cannot be executed, disprove nothing. */
export function confirmed(
  input: CheckInput,
  others: Others,
): (rule: Rule, findings: readonly Finding[]) => readonly Finding[] {
  const execution = once(() => executionOf(input, others));
  return (rule, findings) => {
    const executed = execution();
    if (executed === undefined) return findings;
    const { context, versions } = executed;
    const { objects } = input.manifest;
    const again = once(() =>
      rule.asApplied ? finished(findAsApplied(context, versions, rule.find)) : rule.find(context),
    );
    return findings.filter(({ span }) => {
      const written = objects.find((each) => contains(each, span));
      const isExecuted = ({ kindSpan }: ManifestObject) => kindSpan.start === written?.kindSpan.start;
      if (written === undefined || !versions.some(({ file }) => file.manifest.objects.some(isExecuted))) return true;
      return again().some((each) => contains(written, each.span));
    });
  };
}

/** Returns the versions of a file that the execution of its chart creates; undefined if nothing is executed with default values, or not completely. */
function executionOf({ executed, ...input }: CheckInput, others: Others) {
  if (executed === undefined || executed === input.workspace) return undefined;
  const scopes = executed.scopes().ofFile(input.uri);
  if (scopes.length === 0 || !scopes.every(hasDefaultValues)) return undefined;
  const renderings = scopes.map(({ path }) => executed.rendering(path, input.catalogue));
  if (renderings.some((each) => each === undefined || each.isCut || each.failures !== undefined)) return undefined;
  const versions = appliedVersions(executed, input.catalogue, input.uri).map((applied) => {
    const { workspace, file } = applied;
    return { ...applied, context: new Context(input, others, { workspace, file, manifest: file.manifest }) };
  });
  return { versions, context: new Context({ ...input, workspace: executed }, others) };
}

function contains({ span }: ManifestObject, { start }: Span): boolean {
  return span.start <= start && start < span.end;
}
