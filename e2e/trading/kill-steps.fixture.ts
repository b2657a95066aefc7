/**
 * The product is killed (SIGKILL, a real process on a real database) at every named step of buying, canceling, retrying
 * and selling a batch, and started again. Whatever the step: no position is ordered twice, the fills in the database are
 * the exchange's trades, and what was begun ends.
 */
import { appendFileSync } from 'node:fs';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { migratedDatabase } from '../product/database.ts';
import { type Chain, openChain } from './crash-chain.fixture.ts';
import type { Step } from './kills-while-buying.fixture.ts';

/** `npm run test:kills` names a file here for the result of each step. */
const RECORD = process.env.KILLS_RECORD;

/** Each step ends with the product that the next one needs; most of one passes until the lease of who died runs out. */
export function describeKills(
  steps: Record<string, Step>,
  { env = {}, venue = 'polymarket' }: { env?: Record<string, string>; venue?: VenueName } = {},
): void {
  describe('killed, nothing is lost and nothing is doubled', () => {
    let chain: Chain;
    let unfinished: string | null = null;
    beforeAll(async () => {
      chain = await openChain({ ...env, DATABASE_URL: await migratedDatabase() }, venue);
    });
    afterAll(() => chain.close());

    for (const [step, { says, run }] of Object.entries(steps)) {
      it(`${step}: ${says}`, async () => {
        if (unfinished !== null) throw new Error(`not run, because ${unfinished} did not leave what it starts from`);
        unfinished = step;
        const before = chain.kills();
        const record = (isClean: boolean) => {
          const done = { step, kills: chain.kills() - before, isClean };
          if (RECORD !== undefined) appendFileSync(RECORD, `${JSON.stringify(done)}\n`);
        };
        await run(chain).catch((error: Error) => {
          record(false);
          throw new Error(`${error.message}; of the product, ${chain.lastWords()}`, { cause: error });
        });
        record(true);
        unfinished = null;
      });
    }
  });
}
