import { priceFromText } from '@dutchbook/units/price.ts';
import { sharesFromText } from '@dutchbook/units/shares.ts';
import { notional, usdToText } from '@dutchbook/units/usd.ts';
import { KalshiControl } from '@dutchbook/venues/kalshi/kalshi-bench.fixture.ts';
import type { ExchangeControls, ExchangeState, WireLevel } from './exchange.ts';

/** Where a product finds the second venue of the exchange at `url`. */
export function kalshiEnv(url: string): Record<string, string> {
  return {
    KALSHI_API_URL: `${url}/trade-api/v2`,
    KALSHI_WS_URL: `${url.replace('http', 'ws')}/trade-api/ws/v2`,
  };
}

/** The venue of the simulated exchange whose account a test looks at, in the words of the first. */
export function kalshiControls(url: string): Pick<ExchangeControls, 'pause' | 'setBook' | 'fault' | 'state'> {
  const control = new KalshiControl(url);
  const levels = (side: readonly WireLevel[]) => side.map(({ price, size }): [string, string] => [price, size]);
  return {
    pause: () => control.call('pause', {}),
    setBook: (tokenId, bids, asks) => control.quote(tokenId, levels(bids), levels(asks)),
    fault: ({ name, ...details }) => control.fault(name, details),
    async state(): Promise<ExchangeState> {
      const { account, orders, trades } = await control.state();
      return {
        account,
        orders: orders.map((order) => ({
          ...NO_TERMS,
          ...{ id: order.id, asset_id: order.asset_id, side: order.side.toUpperCase() },
          ...{ size_matched: order.size_matched, status: order.status === 'resting' ? 'LIVE' : order.status },
        })),
        trades: trades.map((trade) => ({
          ...{ id: trade.id, asset_id: trade.asset_id, side: trade.side.toUpperCase(), size: trade.size },
          ...{ order_id: trade.id, taker_order_id: trade.id, trader_side: 'TAKER' },
          ...{ price: trade.price, fee: trade.fee, status: trade.status },
          cost: usdToText(
            notional(sharesFromText(trade.size), priceFromText(trade.price), trade.side === 'buy' ? 'up' : 'down'),
          ),
        })),
      };
    },
  };
}

const NO_TERMS = { price: '0', original_size: '0', order_type: '', owner: '' };
