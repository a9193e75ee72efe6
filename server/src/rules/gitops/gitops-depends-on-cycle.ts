/** Reports Flux objects that wait for each other because of their `dependsOn` fields. */

import { getOrAdd, once } from '../../engine/memoize.ts';
import { fluxGroup, helmGroup } from '../../manifests/gitops/spec.ts';
import type { ManifestObject, ReferenceSite } from '../../manifests/model.ts';
import { localize } from '../../text/localize.ts';
import type { ObjectInFile } from '../../workspace/model.ts';
import { targetsOf } from '../../workspace/references/targets.ts';
import { stronglyConnected } from '../../workspace/scopes/strongly-connected.ts';
import { type Fact, maximumRelated, type Related, type RuleContext, rule } from '../framework/rule.ts';
import { fluxKustomization } from '../helpers/example-manifests.ts';
import { shorten } from '../helpers/sentences.ts';

interface Cycle extends Fact {
  readonly object: ManifestObject;
  /** The names of the objects that wait for each other, beginning and ending with the reported object. */
  readonly names: readonly string[];
  readonly related: readonly Related[];
}

const kustomization = (name: string, dependency: string) =>
  fluxKustomization(name, `./${name}`, {
    more: `  dependsOn:
    - name: ${dependency}
`,
  });

export const gitopsDependsOnCycle = rule<Cycle>({
  id: 'gitops-depends-on-cycle',
  severity: 'warning',
  needs: 'references',
  acrossFiles: true,
  needsNoRendering: true,
  summary: 'A Flux Kustomization or HelmRelease that depends on itself, directly or through other objects.',
  why: 'Flux applies an object only after all objects in `dependsOn` are ready. Objects that depend on each other wait forever, and none of their resources are applied.',
  withoutFix: 'Only the author knows which dependency is wrong.',
  bad: [
    {
      title: 'An object that depends on itself.',
      text: kustomization('shop', 'shop'),
    },
  ],
  good: [
    {
      title: 'A dependency in one direction.',
      text: kustomization('shop', 'infrastructure'),
      beside: { 'infrastructure.yaml': kustomization('infrastructure', 'crds') },
    },
  ],
  *check(context) {
    for (const { owner, site, path } of waitingIn(context)) {
      const related = path
        .filter(({ object }) => object !== owner)
        .slice(0, maximumRelated)
        .map(({ file, object }): Related => {
          const message = localize`'${shorten(object.name?.text ?? '')}' is defined here.`;
          return { file, span: object.name?.span ?? object.kindSpan, message };
        });
      const names = [owner, ...path.map(({ object }) => object)].map(({ name }) => name?.text ?? '');
      yield { span: site.name.span, object: owner, names, related };
    }
  },
  message({ object, names }) {
    if (names.length === 2)
      return localize`${object.kind} '${shorten(names[0] ?? '')}' depends on itself, so it is never applied.`;
    const path = names.slice(0, 5).map(shorten).join(' > ');
    return localize`These wait for each other, so none is applied: ${path}.`;
  },
  fixes: () => [],
});

/** Returns the dependencies of an object (`spec.dependsOn`) whose names are known. */
function dependenciesOf({ group, references = [] }: ManifestObject): readonly ReferenceSite[] {
  if (group !== fluxGroup && group !== helmGroup) return [];
  return references.filter(({ path, name }) => path.startsWith('spec.dependsOn') && typeof name.value === 'string');
}

/** The maximum number of objects in other files whose dependencies are followed. */
const maximumFollowed = 100;

/** The maximum length of a path that is shown. */
const longestPath = maximumRelated + 1;

interface Dependency {
  readonly site: ReferenceSite;
  readonly target: Dependent;
}

/** An object with the dependencies that refer to exactly one object. */
interface Dependent extends ObjectInFile {
  readonly dependencies: () => readonly Dependency[];
}

/** Returns the objects of a file that have dependencies, with the objects on which these depend. */
function dependentsIn(context: RuleContext): readonly Dependent[] {
  const known = new Map<string, Dependent>();
  let followed = 0;
  const dependentOf = (place: ObjectInFile): Dependent =>
    getOrAdd(known, `${place.file.uri} ${place.object.kindSpan.start}`, () => ({
      ...place,
      dependencies: once(() => {
        if (place.file.uri !== context.uri && ++followed > maximumFollowed) return [];
        return dependenciesOf(place.object).flatMap((site) => {
          const target = onlyTarget(context, place, site);
          return target === undefined ? [] : [{ site, target: dependentOf(target) }];
        });
      }),
    }));
  const own = context.stored.filter((object) => dependenciesOf(object).length > 0);
  return own.map((object) => dependentOf({ file: context.file, object }));
}

/** A dependency on an object that depends on the owner. */
interface Waiting {
  readonly owner: ManifestObject;
  readonly site: ReferenceSite;
  /** The beginning of the shortest path from the dependency back to the owner. */
  readonly path: readonly ObjectInFile[];
}

/** Yields the dependencies of the objects of a file that lead back to their objects. */
function* waitingIn(context: RuleContext): Iterable<Waiting> {
  const dependents = dependentsIn(context);
  const nextOf = ({ dependencies }: Dependent) => dependencies().map(({ target }) => target);
  const cycles = new Map<Dependent, Cycles>();
  for (const component of stronglyConnected(dependents, nextOf)) {
    const around = new Cycles(component);
    for (const each of component) cycles.set(each, around);
  }
  for (const dependent of dependents) yield* cycles.get(dependent)?.through(dependent) ?? [];
}

/** Objects each of which depends on all others, directly or indirectly. */
class Cycles {
  readonly #members: readonly Dependent[];
  readonly #numbers: ReadonlyMap<Dependent, number>;
  /** The numbers of the objects that depend on each object. */
  readonly #above: readonly (readonly number[])[];

  constructor(members: readonly Dependent[]) {
    this.#members = members;
    this.#numbers = new Map(members.map((member, number) => [member, number]));
    const above: number[][] = members.map(() => []);
    for (const [number, { dependencies }] of members.entries())
      for (const { target } of dependencies()) above[this.#numbers.get(target) ?? -1]?.push(number);
    this.#above = above;
  }

  /** Yields the dependencies of one of the objects that lead back to it. */
  *through(owner: Dependent): Iterable<Waiting> {
    const lengths = this.#lengthsTo(owner);
    const lengthFrom = ({ target }: Dependency) => lengths[this.#numbers.get(target) ?? -1];
    for (const dependency of owner.dependencies()) {
      if (lengthFrom(dependency) === undefined) continue;
      const path: ObjectInFile[] = [];
      let next: Dependency | undefined = dependency;
      while (next !== undefined && path.length < longestPath) {
        path.push(next.target);
        const length: number = lengthFrom(next) ?? 0;
        next = next.target.dependencies().find((each) => length > 0 && lengthFrom(each) === length - 1);
      }
      yield { owner: owner.object, site: dependency.site, path };
    }
  }

  /** Returns the length of the shortest path from each of the objects to one of them. */
  #lengthsTo(owner: Dependent): readonly number[] {
    const lengths = new Array<number>(this.#members.length);
    const start = this.#numbers.get(owner) ?? 0;
    lengths[start] = 0;
    const waiting = [start];
    // Entries are appended to the list while it is iterated.
    for (const number of waiting) {
      for (const before of this.#above[number] ?? []) {
        if (lengths[before] !== undefined) continue;
        lengths[before] = (lengths[number] ?? 0) + 1;
        waiting.push(before);
      }
    }
    return lengths;
  }
}

/** Returns the object to which a dependency refers; undefined if this is uncertain. */
function onlyTarget(
  { workspace, catalogue }: RuleContext,
  from: ObjectInFile,
  site: ReferenceSite,
): ObjectInFile | undefined {
  const targets = targetsOf(workspace, catalogue, from, site);
  const [only, ...others] = targets;
  if (only === undefined || others.length > 0 || only.relation !== 'here' || only.answer !== 'yes') return undefined;
  return only.object && { file: only.file, object: only.object };
}
