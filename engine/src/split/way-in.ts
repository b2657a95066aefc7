/** Whether an opportunity can be had by splitting: by selling what its positions are not, of what a dollar is split into. */
import type { MarketId } from '@dutchbook/units/ids.ts';
import { PRICE_ONE, type Price } from '@dutchbook/units/price.ts';
import { wholeHolding } from '../exit/event-structure.ts';
import type { MarketOutcome } from '../market/market.ts';
import type { PositionQuote } from '../opportunity/value.ts';
import type { CatalogueEvent } from '../relation/catalogue-event.ts';

/** The other outcome of a position's market, which is sold; `insteadOf`: the token that would be bought. */
type SoldOutcome = MarketOutcome & Pick<PositionQuote, 'leg' | 'marketId'> & { marketName: string; insteadOf: string };

/** The call that splits a dollar into one share of each of `sold`. */
export type SplitWay = { kind: 'split' | 'horizontal_split'; marketIds: MarketId[]; sold: SoldOutcome[] };

/**
 * Null where there is none. A bid for one outcome of a market is an ask of the other, so that selling what the positions are not
 * brings for each of them a dollar less its price. There is a way where these make up both outcomes of one market, or the first
 * outcome of every member of an event of which the contract knows all, and where the set pays what the split proves.
 * `event`: what the venue says of the event that all positions are of; null where they are of none, or it is not known.
 */
export function splitWay(
  quotes: readonly PositionQuote[],
  targetPrice: Price,
  event: CatalogueEvent | null,
): SplitWay | null {
  if (targetPrice !== (quotes.length - 1) * PRICE_ONE) return null;
  const sold = quotes.flatMap(otherOutcomeOf);
  if (sold.length < quotes.length) return null;
  const marketIds = [...new Set(quotes.map(({ marketId }) => marketId))];
  const tokens = new Set(sold.map(({ tokenId }) => tokenId));
  if (tokens.size < sold.length) return null;
  if (marketIds.length === 1) return sold.length === 2 ? { kind: 'split', marketIds, sold } : null;
  return event !== null && areWhole(sold, event) ? { kind: 'horizontal_split', marketIds, sold } : null;
}

function otherOutcomeOf({ leg, marketId, tokenId, market }: PositionQuote): SoldOutcome[] {
  if (market === undefined || market.outcomes.length !== 2) return [];
  const place = market.outcomes.findIndex((each) => each.tokenId === tokenId);
  const other = market.outcomes[1 - place];
  if (tokenId === null || place < 0 || other === undefined) return [];
  return [{ ...other, leg, marketId, marketName: market.question, insteadOf: tokenId }];
}

/** Whether these are the first outcomes of all members that the contract knows, the one for all others among them. */
function areWhole(sold: readonly SoldOutcome[], event: CatalogueEvent): boolean {
  if (event.closed || event.members.length !== sold.length) return false;
  if (wholeHolding(event, [], null)?.structure.kind !== 'whole_event') return false;
  return sold.every(({ marketId, tokenId }) =>
    event.members.some((member) => member.marketId === marketId && member.tokenIds[0] === tokenId),
  );
}

/** The event whose members all positions are of; null where there is none, and nothing has to be asked. */
export function eventOfSplit(quotes: readonly PositionQuote[]): string | null {
  const ids = new Set(quotes.map(({ market }) => (market?.event?.negRisk === true ? market.event.id : null)));
  const [id = null] = ids;
  const areMany = new Set(quotes.map(({ marketId }) => marketId)).size === quotes.length && quotes.length > 1;
  return areMany && ids.size === 1 ? id : null;
}
