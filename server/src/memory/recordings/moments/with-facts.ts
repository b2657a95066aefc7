import type { Instant } from '@dutchbook/units/instant.ts';
import type { Fact } from '../../../market/decision-journal/read.ts';
import type { Step } from './collect.ts';

/**
 * Books and facts in the order of time; a fact comes before the records of its moment. Begins at `from`. What a step says of facts has been
 * handed to `take` when it comes, and nothing of later ones.
 */
export async function* withFacts(
  steps: AsyncIterable<Step>,
  facts: readonly Fact[],
  from: Instant,
  take: (fact: Fact) => void,
): AsyncGenerator<Step> {
  let place = 0;
  let hasBegun = false;
  function* until(at: number): Generator<Step> {
    if (!hasBegun && at > from) yield { at: from, records: [] };
    hasBegun = true;
    for (let fact = facts[place]; fact !== undefined && fact.at <= at; fact = facts[place]) {
      take(fact);
      place += 1;
      const isLastOfMoment = facts[place]?.at !== fact.at;
      if (isLastOfMoment && fact.at < at) yield { at: fact.at, records: [] };
    }
  }
  for await (const step of steps) {
    yield* until(step.at);
    yield step;
  }
  yield* until(Number.POSITIVE_INFINITY);
}
