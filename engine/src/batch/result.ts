/** What a batch promised and its result, from its fills alone. */
import type { TokenId } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { mulDiv } from '@dutchbook/units/micro.ts';
import { PRICE_ONE, type Price } from '@dutchbook/units/price.ts';
import { SHARES_ZERO, type Shares } from '@dutchbook/units/shares.ts';
import { addUsd, notional, USD_ZERO, type Usd } from '@dutchbook/units/usd.ts';
import { totalSize } from '../book/walk.ts';
import { collapseFills, type Fill, standingFills } from '../order/fill.ts';
import type { AttemptState } from '../order/life.ts';
import { type HeldByOrder, mayStillPay, openCosts } from '../order/open-cost.ts';
import { type AtVenue, atVenues } from './at-venues.ts';
import { batchFigures, type FigureOrder, type ReceivedShares } from './figures.ts';
import { type Holding, holdingOf } from './holding.ts';
import { type PaidPart, paidParts, partOf } from './paid-parts.ts';
import { type LegResult, legResult, type SignedPrices } from './result-leg.ts';

/** `settledAt`: when it was confirmed, or failed; null until then. */
type SettlingFill = Fill & { matchedAt: Instant; settledAt: Instant | null };

type Traded = {
  tokenId: TokenId;
  fills: readonly SettlingFill[];
  sales: readonly SettlingFill[];
  resolvedValue?: Price | null;
  /** When that was found; null where it was not recorded. */
  resolvedAt?: Instant | null;
  goneSize?: Shares;
  goneAt?: Instant | null;
};

/** A buy of the batch. `expectedPrice` and `expectedFee` are the plan's; the fee is null of orders before that was kept. */
export type ResultOrder = Omit<FigureOrder, 'attempts'> &
  Traded & {
    id: string;
    expectedPrice: Price;
    expectedFee: Usd | null;
    attempts: readonly (SignedPrices & Pick<AttemptState, 'status'> & { sentAt: Instant | null })[];
  };

/** `received`: shares that contracts handed out for those of `orders`. `predictedProfit`: for `size` sets. */
export type ResultBatch = {
  orders: readonly ResultOrder[];
  received: readonly (Traded & ReceivedShares)[];
  size: Shares;
  targetPrice: Price;
  predictedProfit: Usd;
  /** Its shares were split into and not bought. */
  isSplit: boolean;
  /** The batch is still buying. */
  isActive: boolean;
  isSoldOut: boolean;
};

/**
 * `paid`, `received` and `fees` are those of the standing fills of buys and sales, fees apart. The profit: `paidProfit` of what is
 * cash again, at the average cost of its shares; `lockedProfit` of the sets that are held; less `atRisk`, what the shares cost
 * that no whole set needs, they add up to the `actualProfit` of the batch, which counts on nothing for those. Nothing is locked once
 * nothing is held that may still pay. `locked` is the cost of what is held and not lost, and `capitalDays` dollars times days of what
 * is not any more. `shortfall`: the profit that was predicted for sets that were not bought.
 */
export type BatchResult = Pick<LegResult, 'movedBeforeSend' | 'sizeAdded' | 'movedInFlight'> & {
  paid: Usd;
  received: Usd;
  fees: Usd;
  orderedShares: Shares;
  filledShares: Shares;
  legs: number;
  filledLegs: number;
  fillCount: number;
  undoneFills: number;
  paidProfit: Usd;
  lockedProfit: Usd;
  atRisk: Usd;
  locked: Usd;
  shortfall: Usd;
  capitalDays: Usd;
  sentAt: Instant | null;
  /** The last of what was bought. */
  matchedAt: Instant | null;
  /** When the last fill settled on the chain; null while one has not. */
  confirmedAt: Instant | null;
  /** When whole sets were held for certain. */
  lockedAt: Instant | null;
  /** When the last of it had become cash for certain. */
  cashAt: Instant | null;
  /** The parts that add up to `paidProfit`, each with the instant at which it was realised. */
  paidParts: PaidPart[];
  perOrder: (LegResult & { order: ResultOrder })[];
  /** The figures above, divided by venue. */
  perVenue: AtVenue[];
};

export type Prediction = { cost: Usd; fees: Usd };

/** The cost and the fees by which the profit was predicted. */
export function predictionOf({ orders, size, targetPrice, predictedProfit, isSplit }: ResultBatch): Prediction {
  const known = orders.map(({ expectedFee }) => expectedFee).filter((fee) => fee !== null);
  const fees = sum(known);
  if (isSplit) return { cost: notional(size, PRICE_ONE, 'up'), fees };
  const payout = notional(size, targetPrice, 'down');
  if (known.length === orders.length) return { cost: (payout - fees - predictedProfit) as Usd, fees };
  const cost = sum(orders.map((order) => notional(order.size, order.expectedPrice, 'up')));
  return { cost, fees: Math.max(0, payout - cost - predictedProfit) as Usd };
}

export function batchResult(batch: ResultBatch): BatchResult {
  const { orders, received, targetPrice, isSplit, isSoldOut } = batch;
  const figures = batchFigures(orders, targetPrice, isSoldOut, received);
  const holders = [...orders, ...received].map((order): Holder => ({ order, holding: holdingOf(order) }));
  const isClosed =
    isSoldOut || (holders.some(({ holding }) => holding.bought > 0) && !holders.map(heldOf).some(mayStillPay));
  const locked = isSoldOut ? holders.map(() => USD_ZERO) : openCosts(holders.map(heldOf));
  const isFilled = ({ order, filled }: BatchResult['perOrder'][number]) => filled >= order.size;
  const atRisk = isClosed ? USD_ZERO : (figures.unhedged?.worstLoss ?? USD_ZERO);
  const perOrder = orders.map((order) => ({ order, ...legResult(order), ...(isSplit ? feesOfSales(order) : {}) }));
  const sets = Math.min(...perOrder.map(({ filled }) => filled));
  const buys = standingFills(orders.flatMap(({ fills }) => fills)) as SettlingFill[];
  const sales = standingFills(holders.flatMap(({ order }) => order.sales)) as SettlingFill[];
  const matchedAt = latest(buys.map((fill) => fill.matchedAt));
  const confirmedAt = latest(buys.map((fill) => fill.settledAt));
  const all = collapseFills(holders.flatMap(({ order }) => [...order.fills, ...order.sales]));
  const slippage = slippageOf(perOrder);
  const parts = paidParts({
    holders: holders.map(({ order, holding }, place) => ({
      ...{ holding, sales: order.sales, slippage: slippageOf(perOrder.slice(place, place + 1)) },
      ...{ goneAt: order.goneAt ?? null, worthlessAt: order.resolvedValue === 0 ? (order.resolvedAt ?? null) : null },
    })),
    matchedAt,
    closed: isClosed ? { paid: figures.actualProfit, fees: figures.fees, ...slippage } : null,
  });
  const paidProfit = sum(parts.map(({ paid }) => paid));
  return {
    paid: figures.filledCost,
    received: figures.saleProceeds,
    fees: figures.fees,
    orderedShares: orders.reduce((total, { size }) => total + size, SHARES_ZERO as number) as Shares,
    filledShares: perOrder.reduce((total, { filled }) => total + filled, SHARES_ZERO as number) as Shares,
    legs: orders.length,
    filledLegs: perOrder.filter(isFilled).length,
    fillCount: all.filter(({ settlement }) => settlement !== 'failed').length,
    undoneFills: all.filter(({ settlement }) => settlement === 'failed').length,
    paidProfit,
    lockedProfit: (figures.actualProfit + atRisk - paidProfit) as Usd,
    atRisk,
    locked: sum(locked),
    shortfall: shortfallOf(batch, sets as Shares),
    capitalDays: matchedAt === null ? USD_ZERO : capitalDays(holders, matchedAt, isClosed),
    ...slippage,
    sentAt: earliest(orders.flatMap(({ attempts }) => attempts.flatMap(({ sentAt }) => sentAt ?? []))),
    matchedAt,
    confirmedAt,
    lockedAt: sets > 0 ? confirmedAt : null,
    cashAt: isClosed ? latest(sales.map((fill) => fill.settledAt)) : null,
    paidParts: parts,
    perOrder,
    perVenue: atVenues(
      holders.map((holder, place) => {
        const leg = perOrder[place];
        return {
          ...{ tokenId: holder.order.tokenId, holding: holder.holding },
          locked: locked[place] ?? USD_ZERO,
          leg: leg === undefined ? null : { ...leg, isFilled: isFilled(leg) },
        };
      }),
    ),
  };
}

function slippageOf(legs: readonly LegResult[]): Pick<LegResult, 'movedBeforeSend' | 'sizeAdded' | 'movedInFlight'> {
  return {
    movedBeforeSend: sum(legs.map(({ movedBeforeSend }) => movedBeforeSend)),
    sizeAdded: sum(legs.map(({ sizeAdded }) => sizeAdded)),
    movedInFlight: sum(legs.map(({ movedInFlight }) => movedInFlight)),
  };
}

/** A contract splits for nothing: what the venue takes of selling it was predicted. */
function feesOfSales(order: ResultOrder): Pick<LegResult, 'fee'> {
  return { fee: holdingOf(order).saleFees };
}

type Holder = { order: Traded; holding: Holding };

function heldOf(holder: Holder): HeldByOrder {
  const { held, bought } = holder.holding;
  return { held, bought, cost: costOf(holder), resolvedValue: holder.order.resolvedValue ?? null };
}

function costOf({ holding }: Holder): Usd {
  return addUsd(holding.cost, holding.buyFees);
}

/** Cost of the sold shares, at the average of all purchases. */
function costOfSold(holder: Holder): Usd {
  return partOf(costOf(holder), holder.holding, 'up');
}

function shortfallOf({ isActive, predictedProfit, size }: ResultBatch, sets: Shares): Usd {
  if (isActive || predictedProfit <= 0 || sets >= size) return USD_ZERO;
  return mulDiv(predictedProfit, size - sets, size, 'down') as Usd;
}

/** Dollar days of shares until they were sold; once the batch is closed, of the rest until its last sale. */
function capitalDays(holders: readonly Holder[], since: Instant, isClosed: boolean): Usd {
  const sold = holders.flatMap((holder) => {
    const sales = standingFills(holder.order.sales) as SettlingFill[];
    const shares = totalSize(sales);
    return sales.map(({ size, matchedAt }) => ({ cost: mulDiv(costOfSold(holder), size, shares, 'down'), matchedAt }));
  });
  const until = latest(sold.map(({ matchedAt }) => matchedAt));
  const rest = sum(holders.map(costOf)) - sold.reduce((total, { cost }) => total + cost, 0);
  const parts = isClosed && until !== null ? [...sold, { cost: rest, matchedAt: until }] : sold;
  return sum(parts.map(({ cost, matchedAt }) => mulDiv(cost, Math.max(0, matchedAt - since), DAY_MS, 'down') as Usd));
}

const DAY_MS = 86_400_000;

/** Null where one is missing, or there is none. */
function latest(instants: readonly (Instant | null)[]): Instant | null {
  const known = instants.filter((instant) => instant !== null);
  return known.length === 0 || known.length < instants.length ? null : (Math.max(...known) as Instant);
}

function earliest(instants: readonly Instant[]): Instant | null {
  return instants.length === 0 ? null : (Math.min(...instants) as Instant);
}

function sum(amounts: readonly Usd[]): Usd {
  return amounts.reduce(addUsd, USD_ZERO);
}
