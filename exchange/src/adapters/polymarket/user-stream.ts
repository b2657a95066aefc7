import { z } from 'zod';
import type { Faults } from '../../faults/faults.ts';
import type { Timers } from '../../matching-engine/clock.ts';
import type { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import {
  type Account,
  accountsIn,
  type OrderChange,
  type OrderRecord,
  type TradeRecord,
} from '../../matching-engine/records.ts';
import { readMessages, type StreamSocket } from './connection.ts';
import { isSame } from './credentials.ts';
import { apiKeyOf, wireOrder, wireTrade } from './order-shape.ts';

interface Subscriber {
  readonly socket: StreamSocket;
  account: Account | undefined;
  /** Condition ids, or undefined for every market. */
  markets: Set<string> | undefined;
}

const login = z.object({
  auth: z.object({ apiKey: z.string(), secret: z.string(), passphrase: z.string() }),
  markets: z.array(z.string()).optional(),
});
const change = z.object({ markets: z.array(z.string()), operation: z.enum(['subscribe', 'unsubscribe']) });

const POLICY_VIOLATION = 1008;
/** An event held back by a fault is sent after the next one, or after this long when none follows. */
const HELD_BACK_MS = 300;

/** Fields that the venue leaves empty in the update of a killed order. */
const KILLED_LACKS = { size_matched: '', outcome: '', created_at: '' };

/** The private channel: what happens to a key owner's orders and trades. */
export class UserStream {
  readonly #engine: MatchingEngine;
  readonly #faults: Faults;
  readonly #timers: Timers;
  readonly #subscribers = new Set<Subscriber>();
  #heldBack: (() => void) | undefined;

  constructor(engine: MatchingEngine, faults: Faults, timers: Timers) {
    this.#engine = engine;
    this.#faults = faults;
    this.#timers = timers;
    engine.announcer.listen({
      orderChanged: (order, type) => this.#publishOrder(order, type),
      orderKilled: (order) => this.#publishOrder(order, 'CANCELLATION', KILLED_LACKS),
      tradeChanged: (trade) => this.#publishTrade(trade),
    });
  }

  connect(socket: StreamSocket): void {
    const subscriber: Subscriber = { socket, account: undefined, markets: undefined };
    this.#subscribers.add(subscriber);
    readMessages(socket, (message) => this.#receive(subscriber, message));
    socket.on('close', () => this.#subscribers.delete(subscriber));
  }

  #receive(subscriber: Subscriber, message: unknown): void {
    const wanted = change.safeParse(message);
    if (wanted.success && subscriber.account !== undefined) {
      const { markets, operation } = wanted.data;
      if (operation === 'subscribe') subscriber.markets = new Set([...(subscriber.markets ?? []), ...markets]);
      else for (const market of markets) subscriber.markets?.delete(market);
      return;
    }
    const request = login.safeParse(message);
    const account = request.success ? this.#accountOf(request.data.auth) : undefined;
    if (!request.success || account === undefined) {
      subscriber.socket.close(POLICY_VIOLATION, 'auth');
      return;
    }
    subscriber.account = account;
    const { markets } = request.data;
    subscriber.markets = markets === undefined || markets.length === 0 ? undefined : new Set(markets);
  }

  #accountOf(auth: z.infer<typeof login>['auth']): Account | undefined {
    const account = this.#engine.register.accounts.get(auth.apiKey);
    const isOwner =
      account !== undefined && isSame(account.secret, auth.secret) && isSame(account.passphrase, auth.passphrase);
    return isOwner ? account : undefined;
  }

  #publishOrder(order: OrderRecord, type: OrderChange, differences: object = {}): void {
    if (type === 'FORGOTTEN') return;
    const owner = apiKeyOf(order.account, this.#engine);
    const timestamp = String(this.#engine.clock.now());
    const shown = wireOrder(order, this.#engine);
    const reported = { ...shown, created_at: String(shown.created_at), order_owner: owner, timestamp, ...differences };
    this.#deliver(order.account, order.conditionId, order.tokenId, { event_type: 'order', type, ...reported });
  }

  #publishTrade(trade: TradeRecord): void {
    const timestamp = String(this.#engine.clock.now());
    for (const account of accountsIn(trade)) {
      const shown = wireTrade(trade, account, this.#engine);
      const event = { event_type: 'trade', type: 'TRADE', ...shown, trade_owner: shown.owner, timestamp };
      this.#deliver(account, trade.conditionId, trade.taker.tokenId, event);
    }
  }

  #deliver(address: string, conditionId: string, tokenId: string, event: unknown): void {
    const receivers = [...this.#subscribers].filter(
      ({ account, markets }) => account?.address === address && (markets === undefined || markets.has(conditionId)),
    );
    if (receivers.length === 0) return;
    const text = JSON.stringify(event);
    const sendAll = () => {
      for (const { socket } of receivers) socket.send(text);
    };
    if (this.#heldBack === undefined && this.#faults.strike('reorder_user_events', [tokenId])) {
      this.#holdBack(sendAll);
      return;
    }
    sendAll();
    if (this.#faults.strike('duplicate_user_events', [tokenId])) sendAll();
    this.#releaseHeldBack();
  }

  #holdBack(sendAll: () => void): void {
    this.#heldBack = sendAll;
    this.#timers.setTimeout(() => {
      if (this.#heldBack === sendAll) this.#releaseHeldBack();
    }, HELD_BACK_MS);
  }

  #releaseHeldBack(): void {
    const sendAll = this.#heldBack;
    this.#heldBack = undefined;
    sendAll?.();
  }
}
