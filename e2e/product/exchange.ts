import { run } from './process.ts';

/** One level as the wire writes it. */
export type WireLevel = { price: string; size: string };

export type ExchangeState = {
  account: { usd: string; tokens: Record<string, string> };
  orders: {
    id: string;
    asset_id: string;
    side: string;
    price: string;
    original_size: string;
    size_matched: string;
    order_type: string;
    status: string;
    owner: string;
  }[];
  trades: {
    id: string;
    order_id: string;
    taker_order_id: string;
    trader_side: string;
    asset_id: string;
    side: string;
    size: string;
    price: string;
    cost: string;
    fee: string;
    status: string;
  }[];
};

type Lie = { fee_rate?: string; neg_risk?: boolean; tick_size?: string; min_size?: string; swapped?: boolean };

/** `uma_statuses`: the oracle's words, the last of which holds. */
type MarketEdit = {
  rules?: string;
  question?: string;
  listed?: boolean;
  end_date?: string;
  uma_statuses?: string[];
};

/** What a test asks of the exchange that listens at `url`, past the product. */
export function exchangeControls(url: string) {
  async function control<T>(method: string, path: string, body?: unknown): Promise<T> {
    const init: RequestInit = { method };
    if (body !== undefined) {
      init.body = JSON.stringify(body);
      init.headers = { 'content-type': 'application/json' };
    }
    const answer = await fetch(`${url}/_control/${path}`, init);
    if (!answer.ok) throw new Error(`${method} _control/${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as T;
  }

  return {
    url,
    pause: () => control('POST', 'pause'),
    resume: () => control('POST', 'resume'),
    setBook: (tokenId: string, bids: WireLevel[], asks: WireLevel[]) =>
      control('POST', 'book', { token_id: tokenId, bids, asks }),
    /** `before`: a dropped connection breaks before the exchange has looked at the call. */
    fault: (fault: {
      name: string;
      times?: number;
      token_id?: string;
      ms?: number;
      before?: boolean;
      fraction?: number;
    }) => control('POST', 'faults', fault),
    /** Another program with the account's key buys, and the order rests at the price. */
    buyOutside: (tokenId: string, price: string, size: string, account?: string) =>
      control<{ id: string }>('POST', 'order', { token_id: tokenId, side: 'BUY', price, size, account }),
    setCash: (usd: string, account: string) => control('POST', 'balance', { usd, account }),
    clearFaults: () => control('DELETE', 'faults'),
    /** From now on the market's marketable orders are matched only after `ms`. */
    delayMatching: (conditionId: string, ms: number) => control('POST', 'delay', { condition_id: conditionId, ms }),
    /** Whether the exchange takes orders; it cancels either way. */
    setMode: (mode: 'normal' | 'cancel_only') => control('POST', 'mode', { mode }),
    advanceClock: (ms: number) => control('POST', 'clock', { advance_ms: ms }),
    /** Whether the market's books are served: those of a new one are not, for minutes. */
    serveBooks: (conditionId: string, served: boolean) =>
      control('POST', 'books', { condition_id: conditionId, served }),
    /** What the catalogue says of a market from now on. */
    editMarket: (conditionId: string, edit: MarketEdit) =>
      control('POST', 'market', { condition_id: conditionId, ...edit }),
    /** What one service says of a market that is not so; without anything it says what is so. */
    lie: (conditionId: string, source: 'gamma' | 'clob', lie: Lie = {}) =>
      control('POST', 'lie', { condition_id: conditionId, source, ...lie }),
    resolve: (conditionId: string, outcome: string) =>
      control('POST', 'resolve', { condition_id: conditionId, outcome }),
    closeMarket: (conditionId: string) => control('POST', 'close', { condition_id: conditionId }),
    /** How often a block comes. */
    setChain: (chain: { block_ms: number }) => control('POST', 'chain', chain),
    state: () => control<ExchangeState>('GET', 'state'),
  };
}

export type ExchangeControls = ReturnType<typeof exchangeControls>;

/** The simulated exchange in a process of its own, with the controls that tests use. */
export async function startExchange(env: Record<string, string> = {}) {
  const running = run('exchange/dist/main.js', { EXCHANGE_PORT: '0', ...env });
  const [, url] = await running.line(/"listening":\s*"([^"]+)"/);
  if (!url) throw new Error('the exchange did not say where it listens');
  return {
    ...exchangeControls(url),
    async stop() {
      running.kill('SIGTERM');
      await running.ended;
    },
    output: running.output,
  };
}

export type RunningExchange = Awaited<ReturnType<typeof startExchange>>;
