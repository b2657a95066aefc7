/** What the venue sends, as far as we read it. Unknown fields are let pass; what we rely on is checked. */
import { venueOf, whyNoId } from '@dutchbook/units/ids.ts';
import { type Instant, instantFromIso } from '@dutchbook/units/instant.ts';
import { PRICE_ONE, type Price, priceFromText } from '@dutchbook/units/price.ts';
import { z } from 'zod';

/** Null where there is none, or one that is no time. */
export function readInstant(text: string | null | undefined): Instant | null {
  if (!text) return null;
  try {
    return instantFromIso(text);
  } catch {
    return null;
  }
}

const decimal = z.string().regex(/^\d{1,12}(\.\d*)?$|^\.\d+$/);
const decimalOrNumber = z.union([decimal, z.number().nonnegative()]).transform(String);
const optionalDecimal = z.union([decimalOrNumber, z.literal(''), z.null()]).optional();

/** An id of another venue here would have its orders sent there. */
export function isOwnId(text: string): boolean {
  return whyNoId(text) === null && venueOf(text) === 'polymarket';
}

export const ownId = z.string().refine(isOwnId);

const gammaEventHead = z.object({
  id: z.union([z.string(), z.number()]).transform(String).pipe(ownId),
  title: z.string(),
  negRisk: z.boolean().nullish(),
  enableNegRisk: z.boolean().nullish(),
  negRiskAugmented: z.boolean().nullish(),
});

/** A market of Gamma; the lists are JSON text inside a string. */
export const gammaMarket = z.object({
  conditionId: ownId,
  question: z.string(),
  outcomes: z.string(),
  version: z.string().nullish(),
  clobTokenIds: z.string().nullish(),
  positionIds: z.array(z.string()).nullish(),
  closed: z.boolean(),
  acceptingOrders: z.boolean().nullish(),
  negRisk: z.boolean().nullish(),
  endDate: z.string().nullish(),
  umaResolutionStatus: z.string().nullish(),
  umaResolutionStatuses: z.string().nullish(),
  outcomePrices: z.string().nullish().catch(null),
  orderMinSize: decimalOrNumber,
  orderPriceMinTickSize: decimalOrNumber,
  feesEnabled: z.boolean().nullish(),
  feeSchedule: z.object({ rate: z.number(), exponent: z.number().optional() }).nullish(),
  feeType: z.string().nullish(),
  volumeNum: z.number().nonnegative().nullish().catch(null),
  events: z.array(gammaEventHead).nullish(),
});
export type GammaMarket = z.infer<typeof gammaMarket>;

/** An event of Gamma; its markets are checked one by one, so that a bad one does not cost the others. */
export const gammaEvent = gammaEventHead.extend({ markets: z.array(z.unknown()).nullish() });
export type GammaEvent = z.infer<typeof gammaEvent>;

export const gammaEventPage = z.object({ events: z.array(z.unknown()), next_cursor: z.string().nullish() });
export const gammaMarketPage = z.object({ markets: z.array(z.unknown()), next_cursor: z.string().nullish() });

export const stringList = z.array(z.string());

/** Prices by token, each to be read by itself. */
export const midpoints = z.record(z.string(), z.unknown());

/** The venue's pages disagree on the name of the field. */
export const midpoint = z.union([decimalOrNumber, z.object({ mid: optionalDecimal, mid_price: optionalDecimal })]);

/** Best prices by token, bid and ask; one that cannot be read is none. */
export const sidePrices = z.record(z.string(), z.object({ BUY: optionalDecimal, SELL: optionalDecimal }).catch({}));

/** A token that never traded comes with a price all the same, but without a side. */
export const lastTrades = z.array(
  z.object({ token_id: z.string(), price: optionalDecimal, side: z.string().nullish() }),
);

/** One entry of the answer to POST /orders. */
export const orderEntry = z.object({
  success: z.boolean(),
  errorMsg: z.string().nullish(),
  orderID: z.string().nullish(),
  status: z.string().nullish(),
  makingAmount: optionalDecimal,
  takingAmount: optionalDecimal,
});
export type OrderEntry = z.infer<typeof orderEntry>;

export const cancelAnswer = z.object({
  canceled: z.array(z.string()).nullish(),
  not_canceled: z.record(z.string(), z.string()).nullish(),
});

const side = z.string().transform((text) => text.toUpperCase());

/** An order in reads and on the user stream, where amounts may be empty. */
export const wireOrder = z.object({
  id: z.string().min(1),
  status: z.string().nullish(),
  type: z.string().nullish(),
  asset_id: z.string(),
  market: z.string().nullish(),
  side: side.pipe(z.enum(['BUY', 'SELL'])),
  price: decimalOrNumber,
  original_size: optionalDecimal,
  size_matched: optionalDecimal,
});
export type WireOrder = z.infer<typeof wireOrder>;

export const makerOrder = z.object({
  order_id: z.string(),
  owner: z.string().nullish(),
  maker_address: z.string().nullish(),
  matched_amount: decimalOrNumber,
  price: decimalOrNumber,
  asset_id: z.string(),
  side: side.nullish(),
});
export type WireMakerOrder = z.infer<typeof makerOrder>;

const nameOrNone = z.string().catch('');

/** Whose a maker order is, as far as it says so. */
export const makerNames = z.object({ order_id: nameOrNone, owner: nameOrNone, maker_address: nameOrNone });

/** Whose a trade is, as far as it says so. */
export const tradeNames = z.object({
  id: nameOrNone,
  taker_order_id: nameOrNone,
  trader_side: nameOrNone,
  maker_orders: z.array(z.unknown()).catch([]),
});

/** A trade in reads and on the user stream. */
export const wireTrade = z.object({
  id: z.string().min(1),
  taker_order_id: z.string(),
  market: z.string(),
  asset_id: z.string(),
  side: side.pipe(z.enum(['BUY', 'SELL'])),
  size: decimalOrNumber,
  price: decimalOrNumber,
  status: z.string(),
  match_time: z.union([z.string(), z.number()]).nullish(),
  matchtime: z.union([z.string(), z.number()]).nullish(),
  timestamp: z.union([z.string(), z.number()]).nullish(),
  trader_side: z.string().nullish(),
  /** Read one by one: only those of ours have to be what we expect. */
  maker_orders: z.array(z.unknown()).nullish(),
});
export type WireTrade = z.infer<typeof wireTrade>;

/** A page of a private list; the last one has a cursor of its own. */
export const privatePage = z.object({ data: z.array(z.unknown()), next_cursor: z.string().min(1) });

/** The market that a token belongs to. */
export const marketOfToken = z.object({ condition_id: z.string().min(1) });

const notSaid = null;

/** A market by the CLOB, which says some of what Gamma says: outcomes, tick, least size, negative risk, fee. A field that cannot be read says nothing. */
export const clobMarket = z.object({
  t: z
    .array(z.object({ t: z.string(), o: z.string() }))
    .nullish()
    .catch(notSaid),
  mts: decimalOrNumber.transform(Number).nullish().catch(notSaid),
  mos: decimalOrNumber.transform(Number).nullish().catch(notSaid),
  nr: z.boolean().nullish().catch(notSaid),
  fd: z.object({ r: z.number(), e: z.number().nullish() }).nullish().catch(notSaid),
});
export type ClobMarket = z.infer<typeof clobMarket>;

/** The venue's time, in whole seconds since 1970. */
export const serverSeconds = z.number().int().positive();

/** An API key as text of a JSON object. */
export const apiKeyAnswer = z
  .string()
  .transform((text, context) => {
    try {
      return JSON.parse(text) as unknown;
    } catch {
      context.addIssue('no JSON');
      return z.NEVER;
    }
  })
  .pipe(z.object({ apiKey: z.string().min(1), secret: z.string().min(1), passphrase: z.string().min(1) }))
  .transform(({ apiKey, secret, passphrase }) => ({ key: apiKey, secret, passphrase }));

/** The id to send with the next heartbeat; in a refusal, the one that was expected. */
export const heartbeatAnswer = z.object({ heartbeat_id: z.string().max(200) });

/** Base units of six decimals, as text. */
export const balanceAnswer = z.object({
  balance: z.string().regex(/^\d{1,15}$/),
  /** Allowances by address of the contract. */
  allowances: z
    .record(z.string(), z.unknown())
    // What is no contract's address says nothing of one.
    .transform((all) => Object.fromEntries(Object.entries(all).filter(([key]) => /^0x[0-9a-fA-F]{40}$/.test(key))))
    .pipe(z.record(z.string(), z.string().regex(/^\d{1,78}$/)))
    .optional(),
});

/** As Gamma writes it; the prices are JSON text inside a string. */
export type ResolutionFields = {
  closed?: boolean | null | undefined;
  outcomePrices?: string | null | undefined;
  umaResolutionStatus?: string | null | undefined;
};

/** What a share of the first outcome pays; null where the prices are those of a market that has not been decided. */
export function resolvedValue({ closed, outcomePrices, umaResolutionStatus }: ResolutionFields): Price | null {
  if (closed !== true) return null;
  const [first, second] = jsonTexts(outcomePrices);
  const isResolved = umaResolutionStatus === 'resolved';
  if (first === undefined || second === undefined) return null;
  if (umaResolutionStatus && !isResolved) return null;
  try {
    const [one, other] = [priceFromText(first), priceFromText(second)];
    if (one + other !== PRICE_ONE) return null;
    // Half a dollar each is also what a market shows that has never traded.
    return one === 0 || other === 0 || (one === other && isResolved) ? one : null;
  } catch {
    return null;
  }
}

export function jsonTexts(json: string | null | undefined): string[] {
  try {
    const parsed: unknown = JSON.parse(json ?? '[]');
    return Array.isArray(parsed) && parsed.every((text) => typeof text === 'string') ? parsed : [];
  } catch {
    return [];
  }
}
