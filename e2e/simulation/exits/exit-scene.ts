/** Opportunities whose shares contracts can convert into dollars: alone, together, or with what another batch holds. */
import type { Random } from '@dutchbook/exchange/makers/random.ts';
import type { Market } from '@dutchbook/exchange/matching-engine/market.ts';
import type { OpenExchange } from '@dutchbook/exchange/start-exchange.ts';
import type { Leg, Opportunity } from '../market-scene.ts';

const YES = 0;
const NO = 1;
const PAIRS = 3;

export function chooseExits(exchange: OpenExchange, random: Random): Opportunity[] {
  const drawn = random.unit();
  if (drawn < 0.35) return [...opposites(exchange, random)];
  if (drawn < 0.6) return baskets(exchange, random);
  const others = random.unit() < 0.5 ? [wholeEvent(exchange, YES)] : opposites(exchange, random).slice(0, 1);
  return [wholeEvent(exchange, NO), ...others];
}

/** Two that hold one market from both sides: what both have bought of it makes pairs. */
function opposites(exchange: OpenExchange, random: Random): Opportunity[] {
  const markets = accepting(exchange);
  const take = () => markets.splice(random.between(0, markets.length - 1), 1)[0] as Market;
  const shared = take();
  return ([YES, NO] as const).map((outcome) => ({
    legs: [legOf(shared, outcome), legOf(take(), random.unit() < 0.5 ? YES : NO)],
  }));
}

/** Two that hold the same markets from both sides: each of these is a pair of its own. */
export function choosePairs(exchange: OpenExchange, random: Random): Opportunity[] {
  const markets = accepting(exchange);
  const pairs = Array.from(
    { length: PAIRS },
    () => markets.splice(random.between(0, markets.length - 1), 1)[0] as Market,
  );
  return ([YES, NO] as const).map((outcome) => ({ legs: pairs.map((market) => legOf(market, outcome)) }));
}

/** NO of some members of an event, of which one dollar less than there are is certain; two of these share a member now and then. */
function baskets({ engine }: OpenExchange, random: Random): Opportunity[] {
  const events = engine.directory.events.filter(({ negRisk, markets }) => negRisk && markets[0]?.protocol === 'v1');
  const event = random.pick(events.filter(({ markets }) => markets.every(({ decided }) => decided === null)));
  if (event === undefined) return [];
  engine.directory.keptBips.set(event.id, random.pick([0, 0, 50, 100]) ?? 0);
  const members = event.markets.flatMap(({ conditionId }) => engine.directory.market(conditionId) ?? []);
  const first = random.between(0, 1);
  return [first, 1 - first].map((from) => ({
    legs: members.slice(from, from + random.between(2, 3)).map((market) => legOf(market, NO)),
  }));
}

/** One outcome of every member of an event of Protocol V2, the one for all others among them. NO of all can be had by a split. */
function wholeEvent({ engine }: OpenExchange, outcome: 0 | 1): Opportunity {
  const event = engine.directory.events.find(
    ({ negRisk, isExhaustive, markets }) => negRisk && isExhaustive && markets[0]?.protocol === 'v2',
  );
  const members = event?.markets.flatMap(({ conditionId }) => engine.directory.market(conditionId) ?? []) ?? [];
  return {
    legs: members.map((market) => legOf(market, outcome)),
    ...(outcome === NO && { pays: members.length - 1 }),
  };
}

/** Whether dollars can be split into what its legs are not. */
export function canBeSplit({ pays = 1 }: Opportunity): boolean {
  return pays > 1;
}

function accepting({ engine }: OpenExchange): Market[] {
  return engine.directory.all().filter(({ isAccepting }) => isAccepting);
}

function legOf(market: Market, outcome: 0 | 1): Leg {
  return { market, outcome, tokenId: market.tokens[outcome] };
}
