/** A venue for tests of the batch runner: it keeps what it was sent, and answers as each test tells it to. */
import { feeOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import { bookedAsTaker } from '@dutchbook/engine/order/fill.ts';
import { idAt, venueOf } from '@dutchbook/units/ids.ts';
import { priceFromText } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import { usdFromText } from '@dutchbook/units/usd.ts';
import { Pace } from '@dutchbook/venues/pace.ts';
import type {
  OrderLookup,
  OrderRequest,
  PostOutcome,
  Settlement,
  SignedOrder,
  UserStreamEvents,
  Venue,
  VenueFill,
  VenueOrder,
  VenueOrderStatus,
  VenuePosition,
  VenueTrading,
} from '@dutchbook/venues/venue.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';

/**
 * `matchedMore`: what the venue counts as matched and has not listed as trades yet. `isShownMatched`: the venue itself
 * says that it is matched; otherwise only the trades of an order that is matched in part tell of it.
 */
type Held = {
  request: OrderRequest;
  fills: VenueFill[];
  status: VenueOrderStatus;
  matchedMore?: Shares;
  isShownMatched?: true;
};

export type ScriptedTrading = {
  venue: Venue;
  /** Every payload that arrived, in order, the same bytes as often as they came. */
  posted: string[];
  /** The orders the venue has, by hash. */
  orders: Map<string, Held>;
  /** What becomes of the next posts; the venue fills everything at once when nothing is said. */
  onPost: (next: (order: SignedOrder) => PostOutcome) => void;
  /** Takes the order in, filled in full unless `size` says how much. */
  take: (order: SignedOrder, size?: Shares) => PostOutcome;
  settle: (orderHash: string, settlement: Settlement) => void;
  /** Whether the venue answers questions; asked in vain otherwise. */
  answers: boolean;
  /** What becomes of cancels: done, refused because there is nothing to cancel, or not answered. */
  cancels: 'done' | 'refused' | 'unanswered';
  user: () => UserStreamEvents;
};

export function scriptedTrading(runtime: Pick<Runtime, 'random' | 'clock'>): ScriptedTrading {
  const requests = new Map<string, OrderRequest>();
  let script: ((order: SignedOrder) => PostOutcome) | null = null;
  let events: UserStreamEvents | null = null;

  const scripted: ScriptedTrading = {
    venue: undefined as unknown as Venue,
    posted: [],
    orders: new Map(),
    answers: true,
    cancels: 'done',
    onPost: (next) => {
      script = next;
    },
    take({ orderHash }, size) {
      const request = requests.get(orderHash) as OrderRequest;
      const filled = size ?? request.size;
      const fill: VenueFill = {
        tradeId: runtime.random.uuid(),
        orderHash,
        tokenId: request.tokenId,
        side: request.side,
        ...bookedAsTaker([{ price: request.price, size: filled }], request.side, feeOf(0)),
        settlement: 'matched',
        matchedAt: runtime.clock.now(),
      };
      const status = filled === request.size ? 'matched' : 'open';
      scripted.orders.set(orderHash, { request, fills: filled > 0 ? [fill] : [], status });
      return { kind: 'accepted', orderHash, status };
    },
    settle(orderHash, settlement) {
      for (const fill of scripted.orders.get(orderHash)?.fills ?? []) fill.settlement = settlement;
    },
    user: () => events as UserStreamEvents,
  };

  const post = (order: SignedOrder) => (script ?? scripted.take)(order);
  const trading = tradingOf(runtime, scripted, requests, post);
  scripted.venue = {
    names: ['polymarket'],
    trading,
    catalogue: {
      searchMarkets: async () => ({ data: [], count: 0 }),
      searchLeftOut: async () => ({ data: [], count: 0 }),
      marketsById: async (ids) => new Map(ids.map((id) => [id, { id, tick: priceFromText('0.01') } as never])),
      whyLeftOut: () => null,
      onCompared: () => {},
      readEvents: async function* () {},
      eventsById: async () => [],
    },
    prices: { fetchBooks: async () => new Map(), fetchQuotes: async () => new Map() },
    openMarketStream: () => {
      throw new Error('the batch runner reads no market stream');
    },
    openUserStream: (userEvents) => {
      events = userEvents;
      return { connected: () => true, close: async () => {} };
    },
    chain: null,
    serverTime: async () => runtime.clock.now(),
    forget: () => {},
    close: async () => {},
  };
  return scripted;
}

function tradingOf(
  runtime: Pick<Runtime, 'random'>,
  scripted: ScriptedTrading,
  requests: Map<string, OrderRequest>,
  post: (order: SignedOrder) => PostOutcome,
): VenueTrading {
  return {
    heartbeat: async () => ({ kind: 'taken' }),
    pace: new Pace({ ordersPerSecond: 1000, burst: 1000 }),
    async signOrder(request) {
      const orderHash = idAt(venueOf(request.tokenId), `0x${runtime.random.uuid()}`);
      requests.set(orderHash, request);
      return { orderHash, salt: '1', payload: `signed ${orderHash}`, size: request.size };
    },
    async postOrders(orders) {
      const outcomes = orders.map((order) => post(order));
      scripted.posted.push(...orders.map(({ payload }) => payload));
      return outcomes;
    },
    async cancelOrders(hashes) {
      const kind = CANCEL_KINDS[scripted.cancels];
      if (kind !== 'canceled') return hashes.map((orderHash) => ({ orderHash, kind, reason: scripted.cancels }));
      for (const hash of hashes) {
        const held = scripted.orders.get(hash);
        if (held?.status === 'open') held.status = 'canceled';
      }
      return hashes.map((orderHash) => ({ orderHash, kind: 'canceled' as const, reason: null }));
    },
    lookupOrder: async (orderHash) => lookup(scripted, orderHash),
    openOrders: async () => openOrdersOf(scripted),
    fillsOfOrder: async (orderHash) => (scripted.orders.get(orderHash)?.fills ?? []).map((fill) => ({ ...fill })),
    fillsSince: async (since) => ({
      fills: [...scripted.orders.values()]
        .flatMap(({ fills }) => fills.filter(({ matchedAt }) => matchedAt >= since))
        .map((fill) => ({ ...fill })),
      unreadable: [],
    }),
    unreadableTrades: () => 0,
    cashBalance: async () => ({ cash: usdFromText('1000'), allowances: null }),
    refreshHoldings: async () => {},
    holding: async (tokenId) => ({ shares: heldOf(scripted, tokenId), allowances: null }),
    positions: async () => positionsOf(scripted),
  };
}

function openOrdersOf(scripted: ScriptedTrading): VenueOrder[] {
  return [...scripted.orders.keys()].flatMap((orderHash) => {
    const found = lookup(scripted, orderHash);
    return found.kind === 'found' && found.order.status === 'open' ? [found.order] : [];
  });
}

const CANCEL_KINDS = { done: 'canceled', refused: 'refused', unanswered: 'unknown' } as const;

/** What the account holds of a token by all trades of its orders that did not fail to settle. */
function heldOf({ orders }: ScriptedTrading, tokenId: string): Shares {
  const trades = [...orders.values()].flatMap(({ fills }) => fills).filter((fill) => fill.tokenId === tokenId);
  const standing = trades.filter(({ settlement }) => settlement !== 'failed');
  return standing.reduce((held, { side, size }) => held + (side === 'buy' ? size : -size), 0) as Shares;
}

function positionsOf(scripted: ScriptedTrading): VenuePosition[] {
  const marketIds = new Map([...scripted.orders.values()].map(({ request }) => [request.tokenId, request.market.id]));
  return [...marketIds].flatMap(([tokenId, marketId]) => {
    const shares = heldOf(scripted, tokenId);
    return shares > 0 ? [{ marketId, tokenId, outcome: '', shares, redeemable: false, resolvedValue: null }] : [];
  });
}

function lookup({ orders, answers }: ScriptedTrading, orderHash: string): OrderLookup {
  if (!answers) return { kind: 'unknown', reason: 'the venue does not answer' };
  const held = orders.get(orderHash);
  if (!held) return { kind: 'absent' };
  const { request, fills, status, matchedMore = 0 } = held;
  const matchedSize = fills.reduce((sum, { size }) => sum + size, matchedMore) as Shares;
  const { tokenId, side, price, size } = request;
  const marketId = request.market.id;
  return {
    kind: 'found',
    order: { orderHash, marketId, tokenId, side, price, originalSize: size, matchedSize, status },
    ...(status === 'matched' && matchedSize < size && !held.isShownMatched ? { byTradesOnly: true } : {}),
  };
}
