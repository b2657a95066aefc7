/**
 * The product is killed (SIGKILL, a real process on a real database) at every named step of buying, canceling, retrying
 * and selling a batch, and started again. Whatever the step: no position is ordered twice, the fills in the database are
 * the exchange's trades, and what was begun comes to its end.
 */
import { afterAll, beforeAll, describe, it } from 'vitest';
import { freshDatabase } from '../product/database.ts';
import { type Chain, openChain } from './crash-chain.fixture.ts';
import type { Step } from './kills-while-buying.fixture.ts';

/** Each step ends with the product that the next one needs; most of one passes until the lease of who died runs out. */
export function describeKills(steps: Record<string, Step>): void {
  describe('killed, nothing is lost and nothing is doubled', () => {
    let chain: Chain;
    let unfinished: string | null = null;
    beforeAll(async () => {
      chain = await openChain({ DATABASE_URL: await freshDatabase() });
    });
    afterAll(() => chain.close());

    for (const [step, { says, run }] of Object.entries(steps)) {
      it(`${step}: ${says}`, async () => {
        if (unfinished !== null) throw new Error(`not run, because ${unfinished} did not leave what it starts from`);
        unfinished = step;
        await run(chain).catch((error: Error) => {
          throw new Error(`${error.message}; of the product, ${chain.lastWords()}`, { cause: error });
        });
        unfinished = null;
      });
    }
  });
}
