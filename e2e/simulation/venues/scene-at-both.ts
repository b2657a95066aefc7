/** Opportunities over markets of both venues: of one alone, or with legs at both. */
import type { Random } from '@dutchbook/exchange/makers/random.ts';
import type { OpenExchange } from '@dutchbook/exchange/start-exchange.ts';
import { usdFromNumber } from '@dutchbook/units/usd.ts';
import { drawOpportunities, type Opportunity } from '../market-scene.ts';
import { engineAt, kalshiOf } from './second-venue.ts';

/** Markets of the second venue that end sooner close while a seed is played. */
const OPEN_FOR_MS = 3 * 86_400_000;

/** At each venue there is about as much cash as two purchases take. */
export function chooseWithLittleCash(exchange: OpenExchange, random: Random): Opportunity[] {
  const { members, engine } = kalshiOf(exchange);
  for (const pocket of members.first()?.pockets() ?? [])
    engine.balances.setCash(pocket, usdFromNumber(random.between(20, 90)));
  return chooseAtBoth(exchange, random);
}

export function chooseAtBoth(exchange: OpenExchange, random: Random): Opportunity[] {
  const { clock } = exchange.engine;
  const listed = (['polymarket', 'kalshi'] as const).map((venue) =>
    engineAt(exchange, venue)
      .directory.all()
      .filter(({ isAccepting }) => isAccepting)
      .filter(({ listing }) => venue === 'polymarket' || listing.endsAt > clock.now() + OPEN_FOR_MS)
      .map((market) => ({ market, venue })),
  );
  const [here = [], there = []] = listed;
  emptyOnePocket(exchange, random);
  return drawOpportunities([...here.slice(0, there.length), ...there], random);
}

/** On one shard there is so little cash that some purchases are too large for it, however much lies on the others. */
function emptyOnePocket(exchange: OpenExchange, random: Random): void {
  const { members, engine } = kalshiOf(exchange);
  const pocket = random.pick(members.first()?.pockets() ?? []);
  if (pocket !== undefined) engine.balances.setCash(pocket, usdFromNumber(random.between(5, 60)));
}
