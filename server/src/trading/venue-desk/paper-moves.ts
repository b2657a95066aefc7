/** How dollars come and go, and shares are closed, on paper where no chain says so: the exchange does. */
import { idAt, type VenueName } from '@dutchbook/units/ids.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { type Usd, usdFromText } from '@dutchbook/units/usd.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { VenueChain } from '@dutchbook/venues/venue-chain.ts';
import * as z from 'zod/mini';
import { Simulator } from '../../market/simulator/simulator.ts';
import { Refusal } from '../../platform/http/errors.ts';

/** Reads how an account's dollars came and went. */
export type MovesReader = Pick<VenueChain, 'balances' | 'transfers'>;

const said = z.object({
  through: z.int(),
  cash: z.string(),
  moves: z.array(z.object({ name: z.string(), place: z.int(), usd: z.int(), shares: z.record(z.string(), z.int()) })),
});

/** The calls of the exchange by which the account at each venue changes. */
export const ACCOUNT_CALLS: Readonly<Record<VenueName, { endRun: string; transfer: string }>> = {
  polymarket: { endRun: 'end_run', transfer: 'transfer' },
  kalshi: { endRun: 'kalshi/end_run', transfer: 'kalshi/transfer' },
};

/** The place of a move stands for its block. What the exchange says is final. */
export function movesOnPaper(venue: VenueName, exchangeUrl: string): MovesReader {
  const read = async (after: number) => {
    try {
      return said.parse(await new Simulator(exchangeUrl).read(`${venue}/moves?after=${after}`));
    } catch (error) {
      if (error instanceof Refusal) throw new VenueUnavailable(error.message);
      throw error;
    }
  };
  return {
    balances: async () => {
      const { through, cash } = await read(Number.MAX_SAFE_INTEGER);
      return { block: through, cash: usdFromText(cash), shares: new Map() };
    },
    transfers: async (after) => {
      const { through, moves } = await read(after);
      const made = moves.map(({ name: hash, place: block, usd, shares }) => ({
        ...{ hash, block, isFinal: true, usd: usd as Usd },
        taken: Object.entries(shares).map(([token, taken]) => [idAt(venue, token), taken as Shares] as const),
      }));
      return {
        through,
        transfers: made
          .filter(({ taken }) => taken.length === 0)
          .map(({ usd: amount, taken: _, ...of }) => ({
            ...{ ...of, amount, party: null, source: amount > 0 ? ('deposit' as const) : null },
          })),
        taken: made
          .filter(({ taken }) => taken.length > 0)
          .map(({ usd: cash, taken, ...of }) => ({ ...of, cash, shares: new Map(taken) })),
      };
    },
  };
}
