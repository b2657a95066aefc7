import {
  type Blocker,
  isPriceError,
  type Opportunity,
  type OpportunityFlag,
  type OpportunityRow,
  opportunityRow,
  type Position,
} from '@dutchbook/contract/opportunities.ts';
import type { Settings } from '@dutchbook/contract/system-settings.ts';
import { bestAsk, bestBid } from '@dutchbook/engine/book/book.ts';
import { depthUsd } from '@dutchbook/engine/book/walk.ts';
import { maxProfitableSize } from '@dutchbook/engine/opportunity/curve.ts';
import { opportunityName } from '@dutchbook/engine/opportunity/name.ts';
import { paysAtMost } from '@dutchbook/engine/opportunity/pays-at-most.ts';
import { type PricingSettings, resolvedValueOf, valueOpportunity } from '@dutchbook/engine/opportunity/value.ts';
import { isTooGoodToBeTrue } from '@dutchbook/engine/risk/too-good-to-be-true.ts';
import type { Percent } from '@dutchbook/units/percent.ts';
import { PRICE_ONE, type Price } from '@dutchbook/units/price.ts';
import * as z from 'zod/mini';
import { pricingSettings } from '../../people/system-settings/in-units.ts';
import type { LiveQuote } from '../markets/live-quotes.ts';
import { positionsOf } from './identity.ts';
import type { OpportunityNow, StoredOpportunity } from './store.ts';

export function presentRow(row: OpportunityNow): OpportunityRow {
  return {
    id: row.id,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
    market_combinations: row.marketCombinations,
    target_price: row.targetPrice,
    current_price: row.currentPrice,
    profit_percentage: row.profitPercentage,
    annualised_return: row.annualisedReturn,
    profit_usd: row.profitUsd,
    max_profitable_size: row.maxProfitableSize,
    pays_at: row.paysAt,
    about: row.about,
    name: nameOfRow(row),
    fees_per_set: row.feesPerSet,
    active: row.active,
    triggered: row.triggered,
    last_checked: row.lastChecked,
    outdated: outdatedOf(row),
    last_error: row.lastError,
    error_count: row.errorCount,
    source: row.source,
    source_details: row.sourceDetails,
    content_hash: row.contentHash,
    relation_id: row.relationId,
    flags: flagsOf(row.profitPercentage, row),
    blocked: row.triggered ? row.refusal : null,
  };
}

/** An active one is followed by some engine. One that cannot be priced keeps its last price. */
function outdatedOf(row: OpportunityNow): OpportunityRow['outdated'] {
  const { isOfNow = row.active, lastChecked, currentPrice, lastError } = row;
  if (currentPrice === null || lastChecked === null || (isOfNow && !isPriceError(lastError))) return null;
  return { as_of: lastChecked };
}

/** The opportunity's name: by its markets, or else the one given when it was added. */
export function nameOfRow({
  about,
  sourceDetails,
  marketCombinations,
}: Pick<StoredOpportunity, 'about' | 'sourceDetails' | 'marketCombinations'>): string {
  return opportunityName(about ?? sourceDetails, positionsOf(marketCombinations));
}

/** The flags of an opportunity: doubts about this net profit, and states of its markets. */
export function flagsOf(
  profitPct: Percent | null,
  { augmentedEvent, resolution }: Pick<StoredOpportunity, 'augmentedEvent' | 'resolution'>,
): OpportunityFlag[] {
  const flags: OpportunityFlag[] = [];
  if (augmentedEvent) flags.push('augmented_event');
  if (profitPct !== null && isTooGoodToBeTrue(profitPct)) flags.push('too_good_to_be_true');
  if (resolution !== null) flags.push(`resolution_${resolution}`);
  return flags;
}

/** A row as clients read it: what the audit log keeps of one. */
export function servedRow(row: StoredOpportunity): z.input<typeof opportunityRow> {
  return z.encode(opportunityRow, presentRow(row));
}

/** `quotes` are those of the opportunity's positions, in their order. */
export function presentOpportunity(
  row: StoredOpportunity,
  quotes: readonly LiveQuote[],
  settings: Settings,
  blockers: Blocker[],
): Opportunity {
  const isOfNow = quotes.every(({ feed }) => feed !== 'stale' && feed !== 'none');
  const shown = presentRow({ ...row, isOfNow });
  const ofQuotes = presentQuotes(quotes, row.targetPrice, pricingSettings(settings));
  return { ...shown, relation_basis: row.basis, ...ofQuotes, blockers };
}

/** Presents the value of a set that pays `targetPrice`, from its quotes; without a price it has no largest profitable size. */
export function presentQuotes(quotes: readonly LiveQuote[], targetPrice: Price, pricing: PricingSettings) {
  const isPriceable = valueOpportunity(quotes, targetPrice, pricing).kind === 'valued';
  const atMost = paysAtMost(quotes);
  return {
    ...(atMost !== null && { pays_at_most: atMost }),
    positions: quotes.map((quote) => presentPosition(quote, pricing)),
    max_profitable_size: isPriceable ? maxProfitableSize(quotes, targetPrice) : null,
  };
}

/** A position is priced as a set of its own, so that the others' lack of a price does not hide this one's. */
function presentPosition(quote: LiveQuote, pricing: PricingSettings): Position {
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
    resolution: quote.market?.resolution ?? null,
    resolved_value: resolvedValueOf(quote),
  };
}
