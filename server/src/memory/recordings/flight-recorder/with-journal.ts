import type { Instant } from '@dutchbook/units/instant.ts';
import type { JournalRow } from '../../../market/decision-journal/read.ts';
import type { Step } from './collect.ts';

/**
 * Books and journal rows in the order of time; a row comes before the records of its moment. Begins at `from`. What a step says of the journal has been
 * handed to `take` when it comes, and nothing of later ones.
 */
export async function* withJournal(
  steps: AsyncIterable<Step>,
  rows: readonly JournalRow[],
  from: Instant,
  take: (row: JournalRow) => void,
): AsyncGenerator<Step> {
  let place = 0;
  let hasBegun = false;
  function* until(at: number): Generator<Step> {
    if (!hasBegun && at > from) yield { at: from, records: [] };
    hasBegun = true;
    for (let row = rows[place]; row !== undefined && row.at <= at; row = rows[place]) {
      take(row);
      place += 1;
      const isLastOfMoment = rows[place]?.at !== row.at;
      if (isLastOfMoment && row.at < at) yield { at: row.at, records: [] };
    }
  }
  for await (const step of steps) {
    yield* until(step.at);
    yield step;
  }
  yield* until(Number.POSITIVE_INFINITY);
}
