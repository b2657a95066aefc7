import { priceToText } from '@dutchbook/units/price.ts';
import { sharesToText } from '@dutchbook/units/shares.ts';
import { usdToText } from '@dutchbook/units/usd.ts';
import type { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import type { OrderOutcome } from '../../matching-engine/order-request.ts';
import type { OrderRecord, TradeMaker, TradeRecord, TradeSide } from '../../matching-engine/records.ts';

/** An order as reads and the user channel show it. */
export function wireOrder(order: OrderRecord, engine: MatchingEngine) {
  return {
    id: order.id,
    status: order.status,
    owner: apiKeyOf(order.account, engine),
    maker_address: order.makerAddress,
    market: order.conditionId,
    asset_id: order.tokenId,
    side: order.side,
    original_size: sharesToText(order.originalShares),
    size_matched: sharesToText(order.matchedShares),
    price: priceToText(order.limit),
    associate_trades: order.tradeIds,
    outcome: outcomeName(order, engine),
    created_at: seconds(order.createdAt),
    expiration: order.expiresAt === null ? '0' : String(seconds(order.expiresAt)),
    order_type: order.timeInForce,
  };
}

/** A trade as one of its users sees it. Maker and taker see all makers of the trade; the owner is the caller. */
export function wireTrade(trade: TradeRecord, viewer: string, engine: MatchingEngine) {
  const isTaker = trade.taker.account === viewer;
  const own = isTaker ? trade.taker : trade.makers.find(({ account }) => account === viewer);
  return {
    id: trade.id,
    taker_order_id: trade.taker.orderId,
    market: trade.conditionId,
    asset_id: trade.taker.tokenId,
    side: trade.taker.side,
    size: sharesToText(trade.shares),
    fee_rate_bps: NO_RATE,
    price: priceToText(trade.taker.price),
    status: trade.status,
    match_time: String(seconds(trade.matchedAt)),
    last_update: String(seconds(trade.updatedAt)),
    outcome: outcomeName({ ...trade.taker, conditionId: trade.conditionId }, engine),
    bucket_index: 0,
    owner: apiKeyOf(viewer, engine),
    maker_address: makerAddress(own, engine),
    maker_orders: trade.makers.map((maker) => wireMakerOrder(trade, maker, engine)),
    transaction_hash: trade.transactionHash,
    trader_side: isTaker ? 'TAKER' : 'MAKER',
    ...(trade.status === 'FAILED' ? { err_msg: 'execution reverted' } : {}),
  };
}

/** The answer to an accepted order. */
export function wirePlacement(outcome: Extract<OrderOutcome, { kind: 'accepted' }>) {
  const { order, trade } = outcome;
  const dollars = trade === undefined ? '' : usdToText(trade.takerUsd);
  const shares = trade === undefined ? '' : sharesToText(trade.shares);
  return {
    success: true,
    errorMsg: '',
    orderID: order.id,
    status: trade === undefined ? 'live' : 'matched',
    makingAmount: order.side === 'BUY' ? dollars : shares,
    takingAmount: order.side === 'BUY' ? shares : dollars,
    ...(trade === undefined ? {} : { tradeIDs: [trade.id] }),
    ...(trade?.transactionHash ? { transactionsHashes: [trade.transactionHash] } : {}),
  };
}

/** The answer to an order that its market holds back for a while: accepted, and no fill. */
export function wireDelayed(order: OrderRecord) {
  return { success: true, errorMsg: '', orderID: order.id, status: 'delayed', makingAmount: '', takingAmount: '' };
}

/** API keys stand for accounts on the wire; the market maker account have none. */
export function apiKeyOf(address: string, engine: MatchingEngine): string {
  for (const account of engine.register.accounts.values()) if (account.address === address) return account.apiKey;
  return MARKET_MAKER_OWNER;
}

export function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}

/** The fee rate on every trade, also where a fee was taken, since orders carry no rate any more. */
const NO_RATE = '0';
const MARKET_MAKER_OWNER = '00000000-0000-4000-8000-000000000000';
const MARKET_MAKER_ADDRESS = '0x000000000000000000000000000000000000dEaD';

function wireMakerOrder({ conditionId }: TradeRecord, maker: TradeMaker, engine: MatchingEngine) {
  return {
    order_id: maker.orderId,
    owner: apiKeyOf(maker.account, engine),
    maker_address: makerAddress(maker, engine),
    matched_amount: sharesToText(maker.shares),
    price: priceToText(maker.price),
    fee_rate_bps: NO_RATE,
    asset_id: maker.tokenId,
    outcome: outcomeName({ ...maker, conditionId }, engine),
    side: maker.side,
  };
}

function makerAddress(side: TradeSide | undefined, engine: MatchingEngine): string {
  return engine.register.orders.get(side?.orderId ?? '')?.makerAddress ?? MARKET_MAKER_ADDRESS;
}

function outcomeName(of: { conditionId: string; outcome: 0 | 1 }, engine: MatchingEngine): string {
  return engine.directory.market(of.conditionId)?.listing.outcomes[of.outcome] ?? '';
}
