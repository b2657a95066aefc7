import { instantToIso } from '@dutchbook/units/instant.ts';
import { MICRO } from '@dutchbook/units/micro.ts';
import { sharesToNumber } from '@dutchbook/units/shares.ts';
import type { Market, Token } from '../../../matching-engine/market.ts';
import type { AccountPosition } from '../../../settlement/account-positions.ts';
import { midpoint } from '../book-shape.ts';
import { seconds } from '../order-shape.ts';

/** The venue shows no less than a tenth of a share. */
const DUST = MICRO / 10;

type RowStatus = 'OPEN' | 'REDEEMABLE' | 'CLOSED';

/** A position as the data API shows it. Amounts are JSON numbers, dollars to four decimals. */
export type PositionRow = ReturnType<typeof positionRow>;

/**
 * @param wallet that was asked about
 * @param holdsOpposite the account has shares of the other outcome too
 */
export function positionRow(position: AccountPosition, wallet: string, holdsOpposite: boolean) {
  const { token, held, bought, tradedAt } = position;
  const { market, outcome } = token;
  const { listing, event, tokens } = market;
  const opposite = outcome === 0 ? 1 : 0;
  const isHeld = held >= DUST;
  const isResolved = market.payouts !== undefined;
  const status: RowStatus = !isHeld ? 'CLOSED' : isResolved ? 'REDEEMABLE' : 'OPEN';
  return {
    proxy_wallet: wallet.toLowerCase(),
    token_id: token.tokenId,
    condition_id: listing.conditionId,
    current_size: sharesToNumber(held),
    total_size: sharesToNumber(bought),
    ...valuesOf(position),
    status,
    redeemable: isHeld && isResolved,
    mergeable: isHeld && holdsOpposite,
    negative_risk: listing.negRisk,
    archived: false,
    title: market.edited.question ?? listing.question,
    slug: listing.slug,
    icon: '',
    event_id: event.id,
    event_slug: event.slug,
    outcome: listing.outcomes[outcome],
    outcome_index: outcome,
    opposite_outcome: listing.outcomes[opposite],
    opposite_token_id: tokens[opposite],
    end_date: instantToIso(market.edited.endsAt ?? listing.endsAt).slice(0, 10),
    last_event_at: tradedAt === null ? 0 : seconds(tradedAt),
    name: '',
    profile_image: '',
    verified: false,
  };
}

/** Cost and worth of a position, at the average price of all that was ever bought. */
function valuesOf({ token, held, bought, paid, fees, sold, received }: AccountPosition) {
  const price = priceNow(token);
  const each = bought === 0 ? 0 : paid / bought;
  const entered = Math.min(held, bought);
  const entryCost = (entered / MICRO) * each;
  const entryFees = bought === 0 ? 0 : (fees / MICRO) * (entered / bought);
  const value = (held / MICRO) * price;
  const realized = received / MICRO - (Math.min(sold, bought) / MICRO) * each;
  const unrealized = value - entryCost;
  const percentOf = (amount: number, whole: number) => (whole === 0 ? 0 : rounded((amount / whole) * 100));
  return {
    avg_price: rounded(each),
    entry_cost_usdc: rounded(entryCost),
    entry_fees_usdc: rounded(entryFees),
    total_cost_usdc: rounded(entryCost + entryFees),
    current_price: price,
    current_value: rounded(value),
    realized_pnl: rounded(realized),
    unrealized_pnl: rounded(unrealized),
    total_pnl: rounded(realized + unrealized),
    percent_pnl: percentOf(unrealized, entryCost),
    percent_realized_pnl: percentOf(value - paid / MICRO, paid / MICRO),
  };
}

/** What a share pays once its market is resolved, the middle of the book before. */
function priceNow({ market, outcome }: Token): number {
  return market.payouts === undefined ? Number(midpoint(market, outcome) ?? '0.5') : payoutOf(market.payouts, outcome);
}

function payoutOf(payouts: NonNullable<Market['payouts']>, outcome: Token['outcome']): number {
  return payouts[outcome] / (payouts[0] + payouts[1]);
}

function rounded(value: number): number {
  return Math.round(value * 10_000) / 10_000;
}
