import { type Instant, instantFromIso } from '@dutchbook/units/instant.ts';
import { UnitError } from '@dutchbook/units/micro.ts';
import { z } from 'zod';

/**
 * The venue's answers and frames, as far as they are read. What decides money is required; what says more about a market may be
 * missing or of another form, and then says nothing. Numbers are text, and were seen bare.
 */
const DECIMAL = /^-?\d{1,12}(?:\.\d{1,6})?$/;
const decimalText = z
  .union([z.string().max(24), z.number()])
  .transform(String)
  .refine((text) => DECIMAL.test(text), 'is not a decimal number');

const text = z.string().max(20_000).nullish().catch(null);
const number = z.number().nullish().catch(null);
const flag = z.boolean().nullish().catch(null);
const ticker = z.string().min(1).max(150);

const priceRange = z.object({ start: decimalText, end: decimalText, step: decimalText });
export type PriceRange = z.infer<typeof priceRange>;

export const wireMarket = z.object({
  ticker,
  event_ticker: ticker,
  market_type: z.string().catch('binary'),
  title: z.string().catch(''),
  yes_sub_title: text,
  status: z.string(),
  result: text,
  settlement_value_dollars: decimalText.nullish().catch(null),
  close_time: text,
  expected_expiration_time: text,
  strike_type: text,
  floor_strike: number,
  cap_strike: number,
  rules_primary: text,
  rules_secondary: text,
  price_ranges: z.array(priceRange).min(1).max(50),
  fee_waiver_expiration_time: text,
  exchange_index: z.int().min(0).max(1000).nullish(),
  mve_collection_ticker: text,
  yes_bid_dollars: decimalText.nullish().catch(null),
  yes_bid_size_fp: decimalText.nullish().catch(null),
  yes_ask_dollars: decimalText.nullish().catch(null),
  yes_ask_size_fp: decimalText.nullish().catch(null),
  last_price_dollars: decimalText.nullish().catch(null),
  volume_fp: decimalText.nullish().catch(null),
});
export type WireMarket = z.infer<typeof wireMarket>;

export const wireEvent = z.object({
  event_ticker: ticker,
  series_ticker: ticker,
  title: z.string().catch(''),
  sub_title: text,
  mutually_exclusive: flag,
  collateral_return_type: text,
  fee_type_override: text,
  fee_multiplier_override: number,
  strike_date: text,
  markets: z.array(z.unknown()).nullish().catch(null),
});
export type WireEvent = z.infer<typeof wireEvent>;

export const wireSeries = z.object({
  ticker,
  title: text,
  fee_type: z.string(),
  fee_multiplier: z.number(),
  settlement_sources: z
    .array(z.object({ name: text, url: text }))
    .nullish()
    .catch(null),
});
export type WireSeries = z.infer<typeof wireSeries>;

const cursor = z
  .string()
  .nullish()
  .transform((given) => given || null);
export const eventsPage = z.object({ events: z.array(z.unknown()), cursor });
export const marketsPage = z.object({ markets: z.array(z.unknown()), cursor });
export const seriesList = z.object({ series: z.array(z.unknown()).nullable() });

const wireLevel = z.tuple([decimalText, decimalText]);
/** Bids for each outcome; a side without any is null, empty or left out. */
const sides = { yes: z.array(wireLevel).nullish(), no: z.array(wireLevel).nullish() };
export type WireLevels = z.infer<typeof wireLevel>[];

export const orderbooks = z.object({
  orderbooks: z.array(z.object({ ticker, orderbook_fp: z.object({ yes_dollars: sides.yes, no_dollars: sides.no }) })),
});

/** A frame before it is known what it is about. `seq` counts within `sid`; private frames have none. */
export const wireFrame = z.object({
  type: z.string(),
  id: z.int().nullish(),
  sid: z.int().nullish(),
  seq: z.int().nullish(),
  msg: z.unknown(),
});
export type WireFrame = z.infer<typeof wireFrame>;

export const snapshotMessage = z.object({ market_ticker: ticker, yes_dollars_fp: sides.yes, no_dollars_fp: sides.no });
/** Many a second: its numbers are checked once, where they are read. */
export const deltaMessage = z.object({
  market_ticker: z.string(),
  price_dollars: z.coerce.string(),
  delta_fp: z.coerce.string(),
  side: z.enum(['yes', 'no']),
  ts_ms: z.number().nullish().catch(null),
});

export const lifecycleMessage = z.object({
  event_type: z.string(),
  market_ticker: ticker,
  result: text,
  price_ranges: z.array(priceRange).nullish().catch(null),
});

/** Null where nothing is said, or nothing that is a time. */
export function readTime(given: string | null | undefined): Instant | null {
  if (!given) return null;
  try {
    return instantFromIso(given);
  } catch (error) {
    if (error instanceof UnitError) return null;
    throw error;
  }
}

const optionalText = z.string().max(200).nullish().catch(null);
const exchangeIndex = z.int().nullish().catch(null);

/** Terms of orders and fills. Only `book_side` gives the direction: every outcome may be shown as YES. */
const orderTerms = {
  order_id: z.string().min(1).max(100),
  client_order_id: optionalText,
  ticker,
  book_side: z.enum(['bid', 'ask']),
  yes_price_dollars: decimalText,
  initial_count_fp: decimalText,
  fill_count_fp: decimalText,
  status: z.string(),
  subaccount_number: exchangeIndex,
};
/** An order in lists, and in frames of its owner. */
export const wireOrder = z.object(orderTerms);
export type WireOrder = z.infer<typeof wireOrder>;
export const oneOrder = z.object({ order: z.unknown() });
export const ordersPage = z.object({ orders: z.array(z.unknown()).nullable(), cursor });

/** The answer to a new order, which names no status. */
export const placedOrder = z.object({
  order_id: z.string().min(1).max(100),
  client_order_id: optionalText,
  fill_count: decimalText,
  remaining_count: decimalText,
});
export const placedOrders = z.object({ orders: z.array(z.unknown()) });
export const canceledOrders = z.object({
  orders: z.array(z.object({ order_id: z.string(), error: z.unknown().optional() })),
});

/** One match of an order of ours; in lists it does not say what we called the order. */
export const wireFill = z.object({
  trade_id: z.string().min(1).max(100),
  order_id: z.string().min(1).max(100),
  client_order_id: optionalText,
  market_ticker: ticker,
  book_side: z.enum(['bid', 'ask']),
  count_fp: decimalText,
  yes_price_dollars: decimalText,
  fee_cost: decimalText,
  created_time: text,
  ts_ms: number,
});
export type WireFill = z.infer<typeof wireFill>;
export const fillsPage = z.object({ fills: z.array(z.unknown()).nullable(), cursor });

/** Orders that ended and fills before these times are in history only. */
export const historyCutoff = z.object({ orders_updated_ts: z.string(), trades_created_ts: z.string() });

const wirePosition = z.object({ ticker, position_fp: decimalText });
export const positionsPage = z.object({ market_positions: z.array(wirePosition).nullable(), cursor });

/** `revenue` in cents; `value`, what YES pays, too. */
const wireSettlement = z.object({
  ticker,
  market_result: z.enum(['yes', 'no', 'scalar']),
  yes_count_fp: decimalText,
  no_count_fp: decimalText,
  revenue: z.int().nonnegative(),
  value: z.number().nullish(),
  fee_cost: decimalText,
  settled_time: z.string(),
});
export type WireSettlement = z.infer<typeof wireSettlement>;
export const settlementsPage = z.object({ settlements: z.array(wireSettlement).nullable(), cursor });

export const accountBalance = z.object({
  balance_dollars: decimalText,
  balance_breakdown: z.array(z.object({ exchange_index: z.int(), balance: decimalText })).nullish(),
});
export const shardStatuses = z.object({
  exchange_index_statuses: z.array(
    z.object({
      exchange_index: z.int().min(0).max(1000),
      description: text,
      exchange_active: z.boolean(),
      trading_active: z.boolean(),
      intra_exchange_transfers_active: flag,
    }),
  ),
});
export const balanceAllocation = z.object({
  allocations: z.array(z.object({ exchange_index: z.int(), percent: z.number().min(0).max(100) })).nullable(),
});
export const transferMade = z.object({ transfer_id: z.string().min(1) });
export const exchangeShards = z.object({ exchange_index_statuses: z.array(z.object({ exchange_index: z.int() })) });
export const userDataTime = z.object({ as_of_time: z.string() });

const bucket = z.object({ refill_rate: z.number().positive(), bucket_capacity: z.number().positive() });
export const accountLimits = z.object({ usage_tier: z.string(), read: bucket, write: bucket });
export const endpointCosts = z.object({
  default_cost: z.number().positive(),
  endpoint_costs: z
    .array(z.object({ method: z.string(), path: z.string(), cost: z.number().nonnegative() }))
    .nullable(),
});
export const apiKeys = z.object({
  api_keys: z.array(z.object({ api_key_id: z.string(), scopes: z.array(z.string()).nullish() })),
  api_key_region_expiration_ts: z.number().nullish().catch(null),
});
