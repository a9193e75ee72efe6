/** Queries of the catalogue for tests, which fail without a result. */

import assert from 'node:assert/strict';
import { data } from '../../../server/src/engine/catalogue/data.generated.ts';
import { catalogue } from '../../../server/src/engine/catalogue/index.ts';
import type { SerializedCatalogue } from '../../../server/src/engine/catalogue/serialized.ts';
import type { KindFact, Reach, SelectorFact, TemplateFact } from '../../../server/src/engine/catalogue/types.ts';

/** The facts on `group/version kind` (`v1 Pod` for the core group). */
export function kind(name: string): KindFact {
  const [, group = '', version = '', word = ''] = /^(?:(\S+)\/)?(\S+) (\S+)$/.exec(name) ?? [];
  const found = catalogue.kind(group, version, word);
  assert.ok(found, `nobody knows ${name}`);
  return found;
}

/** Every kind in every version. */
export function* everyKind(): Generator<KindFact> {
  const serialized = JSON.parse(data) as SerializedCatalogue; // parsed as by the catalogue itself
  for (const [group, kinds] of Object.entries(serialized.kinds)) {
    for (const word of Object.keys(kinds)) {
      const newest = catalogue.kind(group, '', word);
      assert.ok(newest, `${group}/${word} is packed and not found`);
      for (const version of new Set(['', ...newest.versions])) {
        const found = catalogue.kind(group, version, word);
        if (found) yield found;
      }
    }
  }
}

/** The selector of a kind at a path. */
export function selector(name: string, path: string): SelectorFact {
  const known = kind(name).selectors;
  const found = known.find((fact) => fact.path === path);
  assert.ok(found, `${name} has no selector at ${path}, but at ${known.map((fact) => fact.path).join(', ')}`);
  return found;
}

/** The meaning of a selector, in one line: `absent / null / empty`. */
export function means(name: string, path: string): string {
  const fact = selector(name, path);
  return [fact.absent, fact.null, fact.empty].join(' / ');
}

/** The namespaces that a selector applies to. */
export function reach(name: string, path: string): Reach {
  return selector(name, path).reach;
}

/** The kinds that a selector selects, `group/Kind`. */
export function targets(name: string, path: string): readonly string[] {
  return selector(name, path).targets.map((target) => `${target.group}/${target.kind}`);
}

/**
 * The objects that a kind creates, one per line: `path -> Kind`, then the labels that are set (`?` unknown, `@` its
 * name).
 */
export function makes(name: string, of = 'Pod'): readonly string[] {
  return kind(name)
    .templates.filter((template) => template.makes.kind === of)
    .map(spellTemplate);
}

function spellTemplate(template: TemplateFact): string {
  const sets = Object.entries(template.sets ?? {}).map(([key, value]) =>
    template.setsName?.includes(key) ? `${key}=@` : `${key}=${value ?? '?'}`,
  );
  const at = template.labelsAt === undefined ? '' : ` labels at '${template.labelsAt}'`;
  return `${template.path}${at}: ${[...sets, ...(template.open ? ['...'] : [])].join(' ')}`.trim();
}
