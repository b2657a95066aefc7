import type { Mirrored } from '@dutchbook/contract/discovery/census.ts';
import * as z from 'zod/mini';
import { Refusal } from '../../platform/http/errors.ts';
import type { Config } from '../../platform/runtime/config.ts';
import { Simulator } from './simulator.ts';

const REASONS_MAX = 50;
const UNREAD = { markets: 0, complete: false, left_out: [] };

const catalogue = {
  markets: z.int(),
  catalogue_complete: z.boolean(),
  catalogue_trouble: z.nullable(z.string()),
  left_out: z.array(z.object({ reason: z.string(), count: z.int() })),
};
const ofKalshi = z.object({
  ...catalogue,
  ...{ followed: z.int(), books: z.int(), books_max: z.int(), oldest_book_ms: z.nullable(z.int()) },
});
const mirror = z.object({ ...catalogue, kalshi: z.nullish(ofKalshi) });

/** Reads the state of the paper exchange's mirrored catalogue; null where nothing is on paper. */
export async function readMirror({
  paper,
  polymarket,
  venues,
}: Pick<Config, 'paper' | 'polymarket' | 'venues'>): Promise<Mirrored | null> {
  if (paper === null) return null;
  try {
    const said = mirror.safeParse(await new Simulator(polymarket.clobUrl).read('paper')).data;
    if (said === undefined) return { ...UNREAD, trouble: 'The exchange of paper trading answers something else' };
    const { kalshi } = said;
    const parts = kalshi && venues.size > 1 ? [said, kalshi] : [kalshi ?? said];
    const byReason = Map.groupBy(
      parts.flatMap(({ left_out }) => left_out),
      ({ reason }) => reason,
    );
    const leftOut = [...byReason].map(([reason, rows]) => ({ reason, markets: sum(rows.map(({ count }) => count)) }));
    return {
      markets: sum(parts.map(({ markets }) => markets)),
      complete: parts.every(({ catalogue_complete }) => catalogue_complete),
      trouble: parts.map(({ catalogue_trouble }) => catalogue_trouble).find((why) => why !== null) ?? null,
      left_out: leftOut.toSorted((one, other) => other.markets - one.markets).slice(0, REASONS_MAX),
      ...(kalshi && { polled: polledOf(kalshi) }),
    };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { ...UNREAD, trouble: error.message };
  }
}

function polledOf({ followed, books, books_max, oldest_book_ms }: z.output<typeof ofKalshi>) {
  return { followed, books, books_max, oldest_book_ms };
}

function sum(counts: readonly number[]): number {
  return counts.reduce((all, count) => all + count, 0);
}
