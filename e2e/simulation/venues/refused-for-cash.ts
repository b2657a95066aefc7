import { type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import { sum } from '../fill-sums.ts';
import type { Product } from '../product.ts';
import type { Simulation } from '../simulation.ts';
import type { Stored } from '../truth.ts';
import { must } from '../violation.ts';

/** In whole or with the name of its venue in front, where a purchase is of several. */
const BALANCE = /(?:(polymarket|kalshi): )?the balance is \$([\d.]{1,20}), needs/gi;
/** What has changed this lately may not be in the cash that was read. */
const UNCOUNTED_MS = 5_000;
/** Fees come on top, by venue and price. */
const WITH_FEE = 1.08;
const CENT = 10_000;
const PLACED_WITHIN_MS = 200;

/**
 * Asks for a purchase, and holds what refuses it for want of cash against the cash of that venue: nothing may be missing of it but
 * what orders at that venue take.
 * @throws Violation
 */
export async function refusedForCash(
  simulation: Simulation,
  product: Product,
  { index, work }: { index: number; work: () => Promise<string> },
): Promise<void> {
  const before = simulation.truth().cashAt;
  let answer = '';
  simulation.ask(product, `place opportunity ${index}`, async () => {
    answer = await work();
    return answer;
  });
  await simulation.pass(PLACED_WITHIN_MS);
  const stored = await simulation.check();
  const after = simulation.truth().cashAt;
  for (const [, named, dollars] of answer.matchAll(BALANCE)) {
    const venue = (named?.toLowerCase() ?? venueOf(simulation.scene[index]?.legs[0]?.tokenId ?? '')) as VenueName;
    const cash = Math.min(before.get(venue) ?? 0, after.get(venue) ?? 0);
    const least = cash - takenAt(stored, venue, simulation.time.now() - UNCOUNTED_MS);
    must(
      Number(dollars) * 1e6 + CENT >= least,
      'gate',
      () => `refused at ${venue} with $${dollars}, where no less than ${least} is free: ${answer}`,
    );
  }
}

/** Dollars that purchases at a venue may have taken since, or may still take. */
function takenAt({ batches, orders, attempts }: Stored, venue: VenueName, since: number): number {
  const changed = new Set(batches.filter(({ updated_at }) => Date.parse(updated_at) >= since).map(({ id }) => id));
  const undecided = new Set(attempts.filter(({ status }) => !ENDED.includes(status)).map(({ order_id }) => order_id));
  const taking = orders.filter(
    ({ id, batch_id, side, token_id }) =>
      side === 'buy' && venueOf(token_id) === venue && (changed.has(batch_id) || undecided.has(id)),
  );
  return sum(taking, ({ size, price }) => ((size * price) / 1e6) * WITH_FEE + CENT);
}

const ENDED = ['rejected', 'failed', 'canceled', 'matched'];
