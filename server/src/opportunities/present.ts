import {
  type Blocker,
  type Opportunity,
  type OpportunityRow,
  opportunityRow,
  type Position,
} from '@dutchbook/contract/opportunities.ts';
import type { Settings } from '@dutchbook/contract/system-settings.ts';
import { bestAsk, bestBid } from '@dutchbook/engine/book/book.ts';
import { depthUsd } from '@dutchbook/engine/book/walk.ts';
import { maxProfitableSize } from '@dutchbook/engine/opportunity/curve.ts';
import { type PricingSettings, valueOpportunity } from '@dutchbook/engine/opportunity/value.ts';
import { PRICE_ONE } from '@dutchbook/units/price.ts';
import * as z from 'zod/mini';
import type { TrustedQuote } from '../parts.ts';
import { pricingSettings } from '../system-settings/in-units.ts';
import type { StoredOpportunity } from './store.ts';

export function presentRow(row: StoredOpportunity): OpportunityRow {
  return {
    id: row.id,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    market_combinations: row.marketCombinations,
    target_price: row.targetPrice,
    current_price: row.currentPrice,
    profit_percentage: row.profitPercentage,
    fees_per_set: row.feesPerSet,
    active: row.active,
    triggered: row.triggered,
    last_checked: row.lastChecked,
    last_error: row.lastError,
    error_count: row.errorCount,
    source: row.source,
    source_details: row.sourceDetails,
    content_hash: row.contentHash,
  };
}

/** A row as clients read it: what the audit log keeps of one. */
export function servedRow(row: StoredOpportunity): z.input<typeof opportunityRow> {
  return z.encode(opportunityRow, presentRow(row));
}

/** `quotes` are those of the opportunity's positions, in their order. */
export function presentOpportunity(
  row: StoredOpportunity,
  quotes: readonly TrustedQuote[],
  settings: Settings,
  blockers: Blocker[],
): Opportunity {
  const pricing = pricingSettings(settings);
  const isPriceable = valueOpportunity(quotes, row.targetPrice, pricing).kind === 'valued';
  return {
    ...presentRow(row),
    positions: quotes.map((quote) => presentPosition(quote, pricing)),
    max_profitable_size: isPriceable ? maxProfitableSize(quotes, row.targetPrice) : null,
    blockers,
  };
}

/** A position is priced as a set of its own, so that the others' lack of a price does not hide this one's. */
function presentPosition(quote: TrustedQuote, pricing: PricingSettings): Position {
  const value = valueOpportunity([quote], PRICE_ONE, pricing);
  const priced = value.kind === 'valued' ? value : null;
  const { book } = quote;
  return {
    leg: quote.leg,
    market_id: quote.marketId,
    question: quote.market?.question ?? null,
    outcome: quote.outcome,
    token_id: quote.tokenId,
    price: priced?.currentPrice ?? null,
    best_bid: book ? bestBid(book) : null,
    best_ask: book ? bestAsk(book) : null,
    depth_usd: book ? depthUsd(book.asks) : null,
    fee: priced?.feesPerSet ?? null,
    book_age_ms: quote.bookAgeMs,
    feed: quote.feed,
  };
}
