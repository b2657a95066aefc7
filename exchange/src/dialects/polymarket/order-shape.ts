import { priceToText } from '@dutchbook/units/price.ts';
import { sharesToText } from '@dutchbook/units/shares.ts';
import { usdToText } from '@dutchbook/units/usd.ts';
import type { Floor } from '../../floor/floor.ts';
import type { OrderOutcome } from '../../floor/order-request.ts';
import type { Account, OrderRecord, TradeRecord, TradeSide } from '../../floor/records.ts';

/** An order as reads and the user channel show it. */
export function wireOrder(order: OrderRecord, floor: Floor) {
  return {
    id: order.id,
    status: order.status,
    owner: apiKeyOf(order.account, floor),
    maker_address: order.makerAddress,
    market: order.conditionId,
    asset_id: order.tokenId,
    side: order.side,
    original_size: sharesToText(order.originalShares),
    size_matched: sharesToText(order.matchedShares),
    price: priceToText(order.limit),
    associate_trades: order.tradeIds,
    outcome: outcomeName(order, floor),
    created_at: seconds(order.createdAt),
    expiration: order.expiresAt === null ? '0' : String(seconds(order.expiresAt)),
    order_type: order.timeInForce,
  };
}

/** A trade as one of its two users sees it. */
export function wireTrade(trade: TradeRecord, viewer: string, floor: Floor) {
  const isTaker = trade.taker.account === viewer;
  return {
    id: trade.id,
    taker_order_id: trade.taker.orderId,
    market: trade.conditionId,
    asset_id: trade.taker.tokenId,
    side: trade.taker.side,
    size: sharesToText(trade.shares),
    fee_rate_bps: '0',
    price: priceToText(trade.taker.price),
    status: trade.status,
    match_time: String(seconds(trade.matchedAt)),
    last_update: String(seconds(trade.updatedAt)),
    outcome: outcomeName({ ...trade.taker, conditionId: trade.conditionId }, floor),
    bucket_index: 0,
    owner: apiKeyOf(isTaker ? trade.taker.account : trade.maker.account, floor),
    maker_address: makerAddress(isTaker ? trade.taker : trade.maker, floor),
    maker_orders: [wireMakerOrder(trade, floor)],
    transaction_hash: trade.transactionHash,
    trader_side: isTaker ? 'TAKER' : 'MAKER',
    ...(trade.status === 'FAILED' ? { err_msg: 'execution reverted' } : {}),
  };
}

/** The answer to an accepted order. */
export function wirePlacement(outcome: Extract<OrderOutcome, { kind: 'accepted' }>) {
  const { order, trades, usd } = outcome;
  const dollars = trades.length > 0 ? usdToText(usd) : '';
  const shares = trades.length > 0 ? sharesToText(order.matchedShares) : '';
  const hashes = trades.map((trade) => trade.transactionHash).filter((hash) => hash !== '');
  return {
    success: true,
    errorMsg: '',
    orderID: order.id,
    status: trades.length > 0 ? 'matched' : 'live',
    makingAmount: order.side === 'BUY' ? dollars : shares,
    takingAmount: order.side === 'BUY' ? shares : dollars,
    ...(trades.length > 0 ? { tradeIDs: trades.map((trade) => trade.id) } : {}),
    ...(hashes.length > 0 ? { transactionsHashes: hashes } : {}),
  };
}

/** The answer to an order that its market holds back for a while: accepted, and no fill. */
export function wireDelayed(order: OrderRecord) {
  return { success: true, errorMsg: '', orderID: order.id, status: 'delayed', makingAmount: '', takingAmount: '' };
}

/** API keys stand for accounts on the wire; the makers of the house have none. */
export function apiKeyOf(address: string, floor: Floor): string {
  for (const account of floor.register.accounts.values()) if (account.address === address) return account.apiKey;
  return HOUSE_OWNER;
}

/** Whether an account takes part in a trade. */
export function isParty(trade: TradeRecord, account: Account): boolean {
  return trade.taker.account === account.address || trade.maker.account === account.address;
}

export function seconds(ms: number): number {
  return Math.floor(ms / 1000);
}

const HOUSE_OWNER = '00000000-0000-4000-8000-000000000000';
const HOUSE_ADDRESS = '0x000000000000000000000000000000000000dEaD';

function wireMakerOrder(trade: TradeRecord, floor: Floor) {
  return {
    order_id: trade.maker.orderId,
    owner: apiKeyOf(trade.maker.account, floor),
    maker_address: makerAddress(trade.maker, floor),
    matched_amount: sharesToText(trade.shares),
    price: priceToText(trade.maker.price),
    fee_rate_bps: '0',
    asset_id: trade.maker.tokenId,
    outcome: outcomeName({ ...trade.maker, conditionId: trade.conditionId }, floor),
    side: trade.maker.side,
  };
}

function makerAddress(side: TradeSide, floor: Floor): string {
  return floor.register.orders.get(side.orderId)?.makerAddress ?? HOUSE_ADDRESS;
}

function outcomeName(of: { conditionId: string; outcome: 0 | 1 }, floor: Floor): string {
  return floor.directory.market(of.conditionId)?.listing.outcomes[of.outcome] ?? '';
}
