import { z } from 'zod';
import type { Faults } from '../../faults/faults.ts';
import type { Timers } from '../../floor/clock.ts';
import type { Floor } from '../../floor/floor.ts';
import type { Account, OrderRecord, TradeRecord } from '../../floor/records.ts';
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

/** The private channel: what happens to a key owner's orders and trades. */
export class UserStream {
  readonly #floor: Floor;
  readonly #faults: Faults;
  readonly #timers: Timers;
  readonly #subscribers = new Set<Subscriber>();
  #heldBack: (() => void) | undefined;

  constructor(floor: Floor, faults: Faults, timers: Timers) {
    this.#floor = floor;
    this.#faults = faults;
    this.#timers = timers;
    floor.announcer.listen({
      orderChanged: (order, type) => this.#publishOrder(order, type),
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
    const account = this.#floor.register.accounts.get(auth.apiKey);
    const isOwner =
      account !== undefined && isSame(account.secret, auth.secret) && isSame(account.passphrase, auth.passphrase);
    return isOwner ? account : undefined;
  }

  #publishOrder(order: OrderRecord, type: 'PLACEMENT' | 'UPDATE' | 'CANCELLATION'): void {
    const owner = apiKeyOf(order.account, this.#floor);
    const timestamp = String(this.#floor.clock.now());
    const event = { event_type: 'order', type, ...wireOrder(order, this.#floor), order_owner: owner, timestamp };
    this.#deliver(order.account, order.conditionId, order.tokenId, event);
  }

  #publishTrade(trade: TradeRecord): void {
    const timestamp = String(this.#floor.clock.now());
    for (const account of new Set([trade.taker.account, trade.maker.account])) {
      const shown = wireTrade(trade, account, this.#floor);
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
