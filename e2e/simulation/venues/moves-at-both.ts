/** What happens in a random run at the second venue alone, and what operators do there. */
import type { MarketOfVenue } from '@dutchbook/exchange/adapters/kalshi/catalogue/listing.ts';
import { SHARDS } from '@dutchbook/exchange/adapters/kalshi/members.ts';
import { venueOf } from '@dutchbook/units/ids.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import type { Move } from '../moves.ts';
import { atProduct } from '../operator-moves.ts';
import { moveCash } from '../operators.ts';
import type { Simulation } from '../simulation.ts';
import { kalshiOf } from './second-venue.ts';

/** Markets there that the opportunities are about. */
export function marketsAt({ exchange, scene }: Simulation): MarketOfVenue[] {
  return scene
    .flatMap(({ legs }) => legs.filter(({ tokenId }) => venueOf(tokenId) === 'kalshi'))
    .flatMap(({ market }) => kalshiOf(exchange).market(market.listing.conditionId) ?? []);
}

/** Ends what moves have changed there: markets and shards go on, and reads are up to date. */
export function calmKalshi({ exchange }: Pick<Simulation, 'exchange'>): void {
  const venue = kalshiOf(exchange);
  venue.readLagMs = 0;
  for (const market of venue.allMarkets()) venue.lifecycle.resume(market);
  for (const { index } of SHARDS) venue.states.shard(index).tradingActive = true;
}

export const MOVES_AT_BOTH: readonly Move[] = [
  {
    name: 'a market of the second venue is halted',
    weight: 1,
    act: (simulation) => {
      const market = simulation.random.pick(marketsAt(simulation));
      if (market !== undefined) kalshiOf(simulation.exchange).lifecycle.halt(market);
    },
  },
  {
    name: 'a shard of the second venue is halted',
    weight: 1,
    act: ({ exchange, random }) => {
      const shard = random.pick(SHARDS);
      if (shard !== undefined) kalshiOf(exchange).states.shard(shard.index).tradingActive = false;
    },
  },
  {
    name: 'reads of the second venue fall behind',
    weight: 3,
    act: ({ exchange, random }) => {
      kalshiOf(exchange).readLagMs = random.between(200, 8_000);
    },
  },
  { name: 'the second venue is as it should be', weight: 3, act: calmKalshi },
  {
    name: 'the second venue drops its connections',
    weight: 1,
    act: ({ exchange }) => exchange.kalshi?.stream.disconnectAll(),
  },
  {
    name: 'move cash',
    weight: 3,
    act: atProduct((simulation, product) => {
      const { random } = simulation;
      const [from, to] = [random.between(0, SHARDS.length - 1), random.between(1, SHARDS.length - 1)];
      const move = {
        from: String(from),
        to: String((from + to) % SHARDS.length),
        amount: usdFromNumber(random.between(1, 400)),
      };
      simulation.ask(product, `move $${move.amount / 1e6} from shard ${move.from} to ${move.to}`, () =>
        moveCash(product, move),
      );
    }),
  },
];
