/**
 * The product is killed (SIGKILL, a real process on a real database) at every named step of buying, canceling, retrying
 * and selling a batch, and started again. Whatever the step: no position is ordered twice, the fills in the database are
 * the exchange's trades, and what was begun comes to its end.
 */
import type { TradingPoint } from '@dutchbook/server/world/crash-point.ts';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { type Chain, openChain } from './crash-chain.fixture.ts';
import { afterBuying } from './kills-after-buying.fixture.ts';
import { type Step, whileBuying } from './kills-while-buying.fixture.ts';

/** Every point of trading, and what happens between two of them. Each step ends with the product that the next one needs. */
const STEPS = { ...whileBuying, ...afterBuying } satisfies Record<TradingPoint, Step>;

/** Declares the tests for one of the two databases; each runs in a file of its own, beside the other. */
export function describeKills(database: 'embedded' | 'postgresql'): void {
  describe(`killed on the ${database} database, nothing is lost and nothing is doubled`, () => {
    let chain: Chain;
    let unfinished: string | null = null;
    beforeAll(async () => {
      chain = await openChain(database);
    });
    afterAll(() => chain.close());

    for (const [step, { says, run }] of Object.entries(STEPS)) {
      it(`${step}: ${says}`, async () => {
        if (unfinished !== null) throw new Error(`not run, because ${unfinished} did not leave what it starts from`);
        unfinished = step;
        await run(chain);
        unfinished = null;
      });
    }
  });
}
