/** Free shares event by event, with what the venue and its contracts say of each event. */
import type { EventHolding } from '@dutchbook/engine/exit/event-holding.ts';
import { wholeHolding } from '@dutchbook/engine/exit/event-structure.ts';
import { type HeldToken, heldByEvent } from '@dutchbook/engine/exit/held-by-event.ts';
import type { Market } from '@dutchbook/engine/market/market.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import { addShares, SHARES_ZERO } from '@dutchbook/units/shares.ts';
import type { ReadPriority } from '@dutchbook/venues/read-budget.ts';
import type { VenueCatalogue } from '@dutchbook/venues/venue.ts';
import type { VenueChain } from '@dutchbook/venues/venue-chain.ts';
import type { Quotes } from '../../market/markets/live-quotes.ts';
import type { OrderLot } from './free-lots.ts';

export type ExitEvent = { id: string; holding: EventHolding; lots: OrderLot[] };

/** The calls that tell which shares contracts convert into which. */
export type ConvertingChain = Pick<VenueChain, 'feeBips' | 'mergesLines'>;

export type EventParts = {
  catalogue: Pick<VenueCatalogue, 'marketsById' | 'eventsById'>;
  chain: ConvertingChain;
  quotes: Quotes;
};

/** `marketName` of every market in it, for what contracts hand out of markets that nothing is held of. */
export type TokenNames = ReadonlyMap<string, Pick<OrderLot, 'marketId' | 'marketName' | 'outcome'>>;

/** Events that the venue does not know now are left out. Throws VenueUnavailable. */
export async function exitEvents(
  { catalogue, chain, quotes }: EventParts,
  lots: readonly OrderLot[],
  priority: ReadPriority,
): Promise<ExitEvent[]> {
  const free = lots.filter(({ shares }) => shares > 0);
  if (free.length === 0) return [];
  const positions = [...Map.groupBy(free, ({ tokenId }) => tokenId).values()].flatMap(([lot], place): Position[] =>
    lot === undefined ? [] : [{ leg: place + 1, marketId: lot.marketId, outcome: lot.outcome }],
  );
  const [markets, quoted] = await Promise.all([
    catalogue.marketsById([...new Set(free.map(({ marketId }) => marketId))], priority),
    quotes.fresh(positions, priority),
  ]);
  const bidsOf = new Map(
    quoted.map(({ tokenId, feed, book }) => [tokenId, feed === 'stale' ? null : (book?.bids ?? null)] as const),
  );
  const held = [...Map.groupBy(free, ({ tokenId }) => tokenId)].flatMap(([tokenId, own]): HeldToken[] => {
    const market = markets.get(own[0]?.marketId ?? '');
    if (market === undefined) return [];
    const shares = own.reduce((sum, lot) => addShares(sum, lot.shares), SHARES_ZERO);
    return [{ market, tokenId, shares, bids: bidsOf.get(tokenId) ?? null }];
  });
  const alone = heldByEvent(held);
  const whole = await wholeHoldings({ catalogue, chain }, held, priority);
  return alone.map(({ id, holding }) => {
    const known = whole.get(id) ?? { ...holding, structure: { kind: 'markets' as const } };
    const tokens = new Set(known.members.flatMap((member) => member.tokens.map(({ tokenId }) => tokenId)));
    return { id, holding: known, lots: free.filter(({ tokenId }) => tokens.has(tokenId)) };
  });
}

/** Holdings of events with at least two held members: of a single member only pairs can be converted. */
export async function wholeHoldings(
  { catalogue, chain }: { catalogue: Pick<VenueCatalogue, 'eventsById'>; chain: ConvertingChain },
  held: readonly HeldToken[],
  priority: ReadPriority,
): Promise<Map<string, EventHolding>> {
  const grouped = [...Map.groupBy(held, ({ market }) => market.event?.id ?? '')].filter(
    ([id, tokens]) => id !== '' && mayConvertTogether(tokens, chain),
  );
  if (grouped.length === 0) return new Map();
  const events = await catalogue.eventsById(
    grouped.map(([id]) => id),
    priority,
  );
  const holdings = await Promise.all(
    grouped.map(async ([id, tokens]) => {
      const event = events.find((one) => one.id === id);
      const [first] = tokens;
      if (event === undefined || first === undefined) return [];
      const feeBips = event.exclusive === 'enforced' ? await chain.feeBips(first.market.id) : null;
      const holding = wholeHolding(event, tokens, feeBips);
      return holding === null ? [] : [[id, holding] as const];
    }),
  );
  return new Map(holdings.flat());
}

/** Whether tokens of one event may convert together. Lines of a variable merge where above one is held and below another. */
function mayConvertTogether(tokens: readonly HeldToken[], { mergesLines }: ConvertingChain): boolean {
  if (new Set(tokens.map(({ market }) => market.id)).size < 2) return false;
  if (tokens[0]?.market.event?.negRisk === true) return true;
  const isAbove = ({ market, tokenId }: HeldToken) => market.outcomes[0]?.tokenId === tokenId;
  const [above, below] = [tokens.filter(isAbove), tokens.filter((token) => !isAbove(token))];
  return mergesLines && above.some((one) => below.some(({ market }) => market.id !== one.market.id));
}

/** The names of all tokens of an event. */
export function tokenNames({ holding, lots }: ExitEvent): TokenNames {
  const named = holding.members.flatMap(({ market, tokens }) =>
    tokens.map(({ tokenId }, place) => [tokenId, nameOf(market, place)] as const),
  );
  return new Map([...named, ...lots.map((lot) => [lot.tokenId, lot] as const)]);
}

function nameOf({ id, question, outcomes }: Market, place: number) {
  return { marketId: id, marketName: question, outcome: outcomes[place]?.outcome ?? '' };
}
