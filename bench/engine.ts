/** Measures the engine. Prints medians and ratios: `npm run bench:engine`. */

import {
  compile,
  implies,
  LabelIndex,
  type LabelSet,
  overlap,
  parseSelector,
  type Selector,
  SelectorIndex,
} from '../server/src/engine/index.ts';

const rounds = 7;

/** The median time of one call in milliseconds, after one call to warm up. */
function median(work: () => void): number {
  work();
  const times: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    work();
    times.push(performance.now() - start);
  }
  return times.toSorted((a, b) => a - b)[rounds >> 1] ?? Number.NaN;
}

function report(what: string, figure: string, target: string): void {
  console.log(`${what.padEnd(72)} ${figure.padStart(14)}   ${target}`);
}

function parse(text: string): Selector {
  const parsed = parseSelector(text);
  if (!parsed.ok) throw new Error(text);
  return parsed.value;
}

/** Equal numbers in every run (a linear congruential generator), so that runs can be compared. */
function randomNumbers(): (below: number) => number {
  let state = 20260723;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

function benchParse(): void {
  const texts = [
    'app=web',
    'app',
    '!canary',
    'app=web,tier=backend',
    'tier in (a,b)',
    'app.kubernetes.io/name=web',
    'env!=prod',
    'cpu>4',
  ];
  const times = 50_000;
  const time = median(() => {
    for (let count = 0; count < times; count++) for (const text of texts) parseSelector(text);
  });
  report('parse short selectors', `${((texts.length * times) / time / 1000).toFixed(2)} M/s`, 'at least 1 M/s');
}

/** A cluster: applications with tiers, versions and environments, and common selectors over them. */
function cluster(): { sets: LabelSet[]; selectors: Selector[] } {
  const random = randomNumbers();
  const sets = Array.from({ length: 100_000 }, (_, index) => ({
    labels: {
      'app.kubernetes.io/name': `app-${random(2000)}`,
      'app.kubernetes.io/instance': `instance-${index % 20_000}`,
      tier: `tier-${random(5)}`,
      environment: `env-${random(4)}`,
      ...(random(10) === 0 && { canary: 'true' }),
      ...(random(3) === 0 && { 'team.example.com/cores': `${random(64)}` }),
    },
  }));
  const selectors = Array.from({ length: 1000 }, (_, index) => {
    const name = `app.kubernetes.io/name=app-${random(2000)}`;
    const others = [
      '',
      `,tier=tier-${random(5)}`,
      `,environment in (env-${random(4)},env-${random(4)})`,
      ',!canary',
      `,environment!=env-${random(4)}`,
      ',team.example.com/cores>8',
    ];
    if (index % 100 === 99) return parse(`canary,tier=tier-${random(5)}`);
    if (index % 10 === 9) return parse(`app.kubernetes.io/instance=instance-${random(20_000)}`);
    return parse(name + others[index % others.length]);
  });
  return { sets, selectors };
}

function benchIndexes(): void {
  const { sets, selectors } = cluster();
  const matchers = selectors.map(compile);
  let naiveCount = 0;
  const naive = median(() => {
    naiveCount = 0;
    for (const matcher of matchers)
      for (const { labels } of sets) if (matcher.matches(labels as Record<string, string>)) naiveCount++;
  });
  report('1,000 selectors against 100,000 label sets, naive double loop', `${naive.toFixed(0)} ms`, '');

  const labelIndex = new LabelIndex<number>();
  const building = median(() => {
    for (const [id, set] of sets.entries()) labelIndex.add(id, set);
  });
  report('put 100,000 label sets into the index', `${building.toFixed(0)} ms`, '');
  const selectorIndex = new SelectorIndex<number>();
  for (const [id, selector] of selectors.entries()) selectorIndex.add(id, selector);

  let count = 0;
  const forward = median(() => {
    count = 0;
    for (const selector of selectors) count += labelIndex.find(selector).length;
  });
  if (count !== naiveCount) throw new Error(`the index finds ${count} matches, the loop ${naiveCount}`);
  report(`the same through the index of labels (${count} matches)`, `${forward.toFixed(1)} ms`, '');
  report('ratio', `${(naive / forward).toFixed(0)} times`, 'at least 50 times');

  const reverse = median(() => {
    count = 0;
    for (const set of sets) count += selectorIndex.find(set).length;
  });
  if (count !== naiveCount) throw new Error(`the index finds ${count} matches, the loop ${naiveCount}`);
  report('the same through the index of selectors', `${reverse.toFixed(1)} ms`, '');
  report('ratio', `${(naive / reverse).toFixed(0)} times`, '');
}

function benchAlgebra(): void {
  const a = parse('app=web,tier in (a,b,c),!old,env!=prod,x>5,x<900,name,zone notin (z1,z2),team=blue,x!=77');
  const b = parse('app in (web,api),tier notin (a),env,x>7,x<800,name!=db,zone,team==blue,!gone,size<9');
  const times = 10_000;
  const perCall = (work: () => void): string => {
    const time = median(() => {
      for (let count = 0; count < times; count++) work();
    });
    return `${((time * 1000) / times).toFixed(2)} us`;
  };
  report(
    'overlap of two selectors of 10 requirements',
    perCall(() => overlap(a, b)),
    'under 20 us',
  );
  report(
    'implies of two selectors of 10 requirements',
    perCall(() => implies(a, b)),
    '',
  );
}

benchParse();
benchAlgebra();
benchIndexes();
