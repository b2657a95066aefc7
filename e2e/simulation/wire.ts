/** Connections between simulated processes and the exchange, in memory: what is sent arrives in order, a little later. */
import type { StreamSocket } from '@dutchbook/exchange/adapters/polymarket/connection.ts';
import type { VenueSocket } from '@dutchbook/venues/network.ts';
import { type Owner, runAs } from './owner.ts';

/** When a frame arrives that is sent now, and how often: 0 is lost, 2 is doubled. */
export type FrameFate = () => { latencyMs: number; copies: number };

const OPEN = 1;
const CLOSED = 3;

type Listener = (...args: never[]) => void;

class Ears {
  readonly #listeners: { event: string; received: Listener }[] = [];

  add(event: string, received: Listener): void {
    this.#listeners.push({ event, received });
  }

  tell(event: string, ...args: unknown[]): void {
    for (const ear of [...this.#listeners]) if (ear.event === event) ear.received(...(args as never[]));
  }
}

/** Frames in one direction. They never overtake each other. */
class Lane {
  readonly #deliver: (text: string) => void;
  readonly #fate: FrameFate;
  readonly #waiting: { text: string; at: number }[] = [];
  readonly #now: () => number;
  #lastAt = 0;

  constructor(now: () => number, fate: FrameFate, deliver: (text: string) => void) {
    this.#now = now;
    this.#fate = fate;
    this.#deliver = deliver;
  }

  send(text: string): void {
    const { latencyMs, copies } = this.#fate();
    this.#lastAt = Math.max(this.#lastAt, this.#now() + latencyMs);
    for (let copy = 0; copy < copies; copy += 1) this.#waiting.push({ text, at: this.#lastAt });
    if (copies > 0) runAs(undefined, () => setTimeout(() => this.#flush(), this.#lastAt - this.#now()));
  }

  #flush(): void {
    while (this.#waiting[0] !== undefined && this.#waiting[0].at <= this.#now()) {
      this.#deliver(this.#waiting.shift()?.text ?? '');
    }
  }
}

/** One connection. `client` is what the adapter holds, `server` what the exchange does. */
export class Wire {
  readonly client: VenueSocket;
  readonly server: StreamSocket;
  readonly owner: Owner;
  readonly #clientEars = new Ears();
  readonly #serverEars = new Ears();
  readonly #pings: Lane;
  #state = 0;

  constructor(owner: Owner, now: () => number, fate: FrameFate) {
    this.owner = owner;
    const up = new Lane(
      now,
      () => ({ ...fate(), copies: 1 }),
      (text) => this.#serverEars.tell('message', text),
    );
    const down = new Lane(now, fate, (text) => this.#toClient('message', text, false));
    this.#pings = new Lane(now, fate, () => this.#toClient('ping'));
    const readyState = () => this.#state;
    this.client = {
      get readyState() {
        return readyState();
      },
      send: (text) => up.send(text),
      terminate: () => this.close(),
      on: (event: string, received: Listener) => this.#clientEars.add(event, received),
    };
    this.server = {
      bufferedAmount: 0,
      send: (text) => down.send(text),
      close: () => this.close(),
      terminate: () => this.close(),
      on: (event: string, received: Listener) => this.#serverEars.add(event, received),
    };
    owner.onDeath(() => this.close());
  }

  /** The venue asks now and then whether the connection stands; that is lost or late as frames are. */
  pingEvery(ms: number): void {
    const pinging = runAs(undefined, () => setInterval(() => this.#pings.send(''), ms));
    this.server.on('close', () => clearInterval(pinging));
  }

  get isOpen(): boolean {
    return this.#state === OPEN;
  }

  open(): void {
    if (this.#state === CLOSED) return;
    this.#state = OPEN;
    this.#toClient('open');
  }

  /** Breaks it off for both. */
  close(): void {
    if (this.#state === CLOSED) return;
    this.#state = CLOSED;
    this.#serverEars.tell('close');
    queueMicrotask(() => this.#toClient('close'));
  }

  #toClient(event: string, ...args: unknown[]): void {
    if (this.#state === CLOSED && event !== 'close') return;
    void this.owner.alive().then(() => runAs(this.owner, () => this.#clientEars.tell(event, ...args)));
  }
}
