import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import type {
  AmendOrderV2Response,
  BatchCancelOrdersV2ResponseOrdersInner,
  CreateOrderV2Response,
  DecreaseOrderV2Response,
  EventData,
  EventPosition,
  ExchangeStatus,
  Fill,
  IntraExchangeInstanceTransfer,
  Market,
  MarketCandlestick,
  MarketCandlestickHistorical,
  MarketPosition,
  Order,
  OrderbookCountFp,
  OrderQueuePosition,
  Series,
  SubaccountBalance,
  SubaccountNettingConfig,
  SubaccountTransfer,
} from 'kalshi-typescript';
import { expect, it } from 'vitest';
import { positionIn, wireEventPosition, wireMarketPosition } from './account/positions.ts';
import { wireBalances, wireNetting, wireSubaccountTransfer } from './account/subaccount-routes.ts';
import { wireTransfer } from './account/transfer-routes.ts';
import type { Place } from './account/transfers.ts';
import { wireCandle, wireHistoricalCandle } from './candle-routes.ts';
import { wireBook, wireEvent, wireMarket, wireSeries, wireStatus } from './market-shape.ts';
import { wireDecreased, wirePosition } from './orders/amend-routes.ts';
import { wireFill, wireOrder, wirePlaced } from './orders/order-shape.ts';
import { TestVenue } from './venue.fixture.ts';

/** A type without the words that its texts are limited to. */
type Loose<T> = T extends string
  ? string
  : T extends number
    ? number
    : T extends readonly (infer Entry)[]
      ? Loose<Entry>[]
      : T extends object
        ? { [Field in keyof T]: Loose<T[Field]> }
        : T;

/** Fails to compile where a field that the official client wants is missing or of another type. */
const asOfficial = <T>(answer: Loose<T>): Loose<T> => answer;

/** Why each field that version 3.30.0 of the client knows, and the answers do not have, is left out: nothing else may be. */
type LeftOut<Official, Answer> = Record<Exclude<keyof Official, keyof Answer>, string>;

const OF_OTHER_KINDS = 'of kinds of markets that are not listed here';
const LEFT_OUT = {
  market: {
    functional_strike: OF_OTHER_KINDS,
    is_provisional: OF_OTHER_KINDS,
    liquidity_dollars: 'gone from the venue on 2026-10-01, and still in the types of the client',
    mve_collection_ticker: OF_OTHER_KINDS,
    mve_selected_legs: OF_OTHER_KINDS,
    occurrence_datetime: 'not known before an event has ended',
    primary_participant_key: OF_OTHER_KINDS,
  } satisfies LeftOut<Market, ReturnType<typeof wireMarket>>,
  event: { product_metadata: 'of no form' } satisfies LeftOut<EventData, ReturnType<typeof wireEvent>>,
  series: {
    last_updated_ts: 'series do not change',
    product_metadata: 'of no form',
    volume_fp: 'asked for by a parameter of its own',
  } satisfies LeftOut<Series, ReturnType<typeof wireSeries>>,
  status: {
    exchange_estimated_resume_time: 'a pause here has no known end',
  } satisfies LeftOut<ExchangeStatus, ReturnType<typeof wireStatus>>,
  order: {} satisfies LeftOut<Order, ReturnType<typeof wireOrder>>,
  fill: {
    action: 'deprecated; outcome_side and book_side say it',
    side: 'deprecated; outcome_side and book_side say it',
  } satisfies LeftOut<Fill, ReturnType<typeof wireFill>>,
  placed: {} satisfies LeftOut<CreateOrderV2Response, ReturnType<typeof wirePlaced>>,
  amended: {} satisfies LeftOut<AmendOrderV2Response, ReturnType<typeof wirePlaced>>,
  decreased: {} satisfies LeftOut<DecreaseOrderV2Response, ReturnType<typeof wireDecreased>>,
  queuePosition: {} satisfies LeftOut<OrderQueuePosition, NonNullable<ReturnType<typeof wirePosition>>>,
  candle: {} satisfies LeftOut<MarketCandlestick, ReturnType<typeof wireCandle>>,
  archivedCandle: {} satisfies LeftOut<MarketCandlestickHistorical, ReturnType<typeof wireHistoricalCandle>>,
  position: {} satisfies LeftOut<MarketPosition, ReturnType<typeof wireMarketPosition>>,
  eventPosition: {} satisfies LeftOut<EventPosition, ReturnType<typeof wireEventPosition>>,
  transfer: {} satisfies LeftOut<IntraExchangeInstanceTransfer, ReturnType<typeof wireTransfer>>,
  subaccountTransfer: {} satisfies LeftOut<SubaccountTransfer, ReturnType<typeof wireSubaccountTransfer>>,
  subaccountBalance: {} satisfies LeftOut<SubaccountBalance, ReturnType<typeof wireBalances>[number]>,
  netting: {} satisfies LeftOut<SubaccountNettingConfig, ReturnType<typeof wireNetting>[number]>,
};

/** What the answers have beyond the types of that version: the venue still sends both, and calls them deprecated. */
const BEYOND = { side: '', action: '' } satisfies LeftOut<ReturnType<typeof wireOrder>, Order>;

it('the answers of the simulated Kalshi are of the types of the official client, field by field', () => {
  const test = new TestVenue();
  const { venue } = test;
  const market = test.market(test.markets[0]?.ticker ?? '');
  const size = 10_000_000 as Shares;
  const price = 500_000 as Price;
  test.quote(market.ticker, [{ side: 'ask', price, size: 4_000_000 as Shares }]);
  const order = test.place('direct', { market, side: 'bid', price, count: size });
  const [fill] = test.fillsOf(order);
  if (fill === undefined) throw new Error('the order was filled in part');
  const [member] = venue.members.all();
  const key = member?.keys.get('direct');
  if (member === undefined || key === undefined) throw new Error('there are members');
  const candle = venue.candles.before(market, 1, Number.MAX_SAFE_INTEGER);
  const position = positionIn(market, [fill], fill.positionAfter);
  const moved = (destination: Place) =>
    venue.transfers.move(member, { source: { subaccount: 0, shard: 0 }, destination, usd: usdFromText('1.23') });
  const [toShard, toSubaccount] = [moved({ subaccount: 0, shard: 1 }), moved({ subaccount: 1, shard: 0 })];
  if (candle === undefined || position === null || toShard === null || toSubaccount === null)
    throw new Error('there was a trade, and cash to move');
  const queued = wirePosition(venue, order);
  const [balance] = wireBalances(venue, { member, key });
  const [netting] = wireNetting(venue, { member, key });
  if (queued === null || balance === undefined || netting === undefined) throw new Error('what is left rests');
  const answers = [
    asOfficial<Market>(wireMarket(venue, market)),
    asOfficial<EventData>(wireEvent(venue, market.event, false)),
    asOfficial<Series>(wireSeries(market.event)),
    asOfficial<ExchangeStatus>(wireStatus(venue)),
    asOfficial<OrderbookCountFp>(wireBook(venue, market, 0)),
    asOfficial<Order>(wireOrder(order, venue)),
    asOfficial<CreateOrderV2Response>(wirePlaced(order, 1)),
    asOfficial<Fill>(wireFill(fill, venue)),
    asOfficial<BatchCancelOrdersV2ResponseOrdersInner>({ order_id: order.id, reduced_by: '6.00', ts_ms: null }),
    asOfficial<AmendOrderV2Response>(wirePlaced(order, 1)),
    asOfficial<DecreaseOrderV2Response>(wireDecreased(order, 1)),
    asOfficial<OrderQueuePosition>(queued),
    asOfficial<MarketCandlestick>(wireCandle(candle)),
    asOfficial<MarketPosition>(wireMarketPosition(position)),
    asOfficial<EventPosition>(wireEventPosition(market.event.ticker, [position])),
    asOfficial<IntraExchangeInstanceTransfer>(wireTransfer(toShard)),
    asOfficial<SubaccountTransfer>(wireSubaccountTransfer(toSubaccount)),
    asOfficial<SubaccountBalance>(balance),
    asOfficial<SubaccountNettingConfig>(netting),
    wireHistoricalCandle(candle) satisfies MarketCandlestickHistorical,
  ];
  expect(answers.every((answer) => Object.values(answer).every((value) => value !== undefined))).toBe(true);
  const [ofMarket, ofEvent, ofSeries, ofStatus, , ofOrder, , ofFill] = answers;
  for (const [answer, fields] of [
    [ofMarket, LEFT_OUT.market],
    [ofEvent, LEFT_OUT.event],
    [ofSeries, LEFT_OUT.series],
    [ofStatus, LEFT_OUT.status],
    [ofFill, LEFT_OUT.fill],
  ] as const)
    for (const field of Object.keys(fields)) expect(answer).not.toHaveProperty(field);
  for (const field of Object.keys(BEYOND)) expect(ofOrder).toHaveProperty(field);
});
