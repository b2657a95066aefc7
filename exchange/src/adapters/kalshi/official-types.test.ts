import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type {
  BatchCancelOrdersV2ResponseOrdersInner,
  CreateOrderV2Response,
  EventData,
  ExchangeStatus,
  Fill,
  Market,
  Order,
  OrderbookCountFp,
  Series,
} from 'kalshi-typescript';
import { expect, it } from 'vitest';
import { wireBook, wireEvent, wireMarket, wireSeries, wireStatus } from './market-shape.ts';
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
  ];
  expect(answers.every((answer) => Object.values(answer).every((value) => value !== undefined))).toBe(true);
});
