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
export const deltaMessage = z.object({
  market_ticker: ticker,
  price_dollars: decimalText,
  delta_fp: decimalText,
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
