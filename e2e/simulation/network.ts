/** The network between the simulated processes and the exchange: HTTP and streams in memory, with seeded mishaps. */
import type { OpenExchange } from '@dutchbook/exchange/start-exchange.ts';
import type { VenueNetwork, VenueSocket } from '@dutchbook/venues/network.ts';
import { currentOwner, type Owner, runAs } from './owner.ts';
import { connectStream } from './venues/second-venue.ts';
import type { VirtualTime } from './virtual-time.ts';
import { Wire } from './wire.ts';

/** Likelihoods from 0 to 1; all of them are 0 on a quiet network. */
export type Mishaps = {
  requestLost: number;
  answerLost: number;
  /** An order that reaches the exchange long after its caller has given it up. */
  late: number;
  frameLost: number;
  /** Of the stream that tells of our own orders. */
  orderUpdateLost: number;
  frameDoubled: number;
};

export const QUIET: Mishaps = {
  requestLost: 0,
  answerLost: 0,
  late: 0,
  frameLost: 0,
  orderUpdateLost: 0,
  frameDoubled: 0,
};

/** A call as its process let go of it at `at`; one that was stopped just then had decided to at `calledAt`. */
export type Sent = { calledAt: number; at: number; owner: string; method: string; path: string; body: string };

export type Network = {
  venue: VenueNetwork;
  sent: Sent[];
  wires: Set<Wire>;
  mishaps: Mishaps;
  /** Nothing reaches the exchange, and nothing comes from it. */
  setDown: (isDown: boolean) => void;
  /** How many calls are on their way and will arrive late. */
  late: () => number;
  /** What a test has done to the next call that begins so, or in one of these ways, instead of the random: answered in its place, or lost. */
  script: (begins: string | readonly string[], fate: CallFate) => void;
  /** Ends all mishaps, those that were scripted and have not come yet too. */
  calm: () => void;
};

/**
 * `lost`: it never arrives. `late`: it arrives after `ms`, and its connection may have broken off at once. `answer_lost`: it arrives and is acted on, and its caller never hears. `reset`: the same, and
 * the connection breaks off. `overtaken`: its connection breaks off, and it arrives just before the next call of the same
 * path. `answer`: acted on, and answered with this instead.
 */
export type CallFate =
  | { kind: 'lost' | 'answer_lost' | 'reset' | 'overtaken' }
  | { kind: 'late'; ms: number; isReset?: boolean }
  | { kind: 'answer'; status: number; body: string };

const LATENCY_MS = 12;
const LATE_MS = 45_000;
const NEVER = new Promise<never>(() => {});

export function openNetwork(time: VirtualTime, exchange: OpenExchange, roll: () => number): Network {
  const lines = new Lines(time, exchange, roll);
  return {
    sent: lines.sent,
    wires: lines.wires,
    mishaps: lines.mishaps,
    late: () => lines.late,
    setDown: (isDown) => lines.setDown(isDown),
    script: (begins, fate) => void lines.scripts.push({ begins: [begins].flat(), fate }),
    calm: () => {
      lines.scripts.length = 0;
      lines.overtaken.clear();
      lines.setDown(false);
      Object.assign(lines.mishaps, QUIET);
    },
    venue: {
      fetch: (input, init) => lines.fetch(input, init),
      openSocket: (url, headers = {}) => lines.openSocket({ path: new URL(url).pathname, headers }),
    },
  };
}

class Lines {
  readonly sent: Sent[] = [];
  readonly wires = new Set<Wire>();
  readonly scripts: { begins: readonly string[]; fate: CallFate }[] = [];
  readonly mishaps: Mishaps = { ...QUIET };
  /** Calls that wait to be overtaken, by their path. */
  readonly overtaken = new Map<string, () => Promise<unknown>>();
  late = 0;
  readonly #time: VirtualTime;
  readonly #exchange: OpenExchange;
  readonly #roll: () => number;
  #isDown = false;

  constructor(time: VirtualTime, exchange: OpenExchange, roll: () => number) {
    this.#time = time;
    this.#exchange = exchange;
    this.#roll = roll;
  }

  setDown(isDown: boolean): void {
    this.#isDown = isDown;
    if (isDown) for (const wire of [...this.wires]) wire.close();
  }

  async fetch(...call: Parameters<typeof fetch>): Promise<Response> {
    const owner = ownerHere();
    const calledAt = this.#time.now();
    const { url, method, headers, body, signal } = await readCall(...call);
    await owner.alive();
    const { pathname, search } = new URL(url);
    const path = `${pathname}${search}`;
    this.sent.push({ calledAt, at: this.#time.now(), owner: owner.name, method, path, body });
    const carried = runAs(undefined, () => this.#carry(method, path, headers, body));
    carried.catch(() => {});
    const response = await Promise.race([carried, whenGivenUp(signal)]).finally(() => owner.alive());
    this.#time.activity += 1;
    return response;
  }

  openSocket(opening: { path: string; headers: Record<string, string> }): VenueSocket {
    const wire = new Wire(
      ownerHere(),
      () => this.#time.now(),
      () => this.#fateOfFrame(opening.path),
    );
    this.wires.add(wire);
    wire.server.on('close', () => this.wires.delete(wire));
    void this.#pause(this.#latency()).then(() => {
      if (this.#isDown) return wire.close();
      connectStream(this.#exchange, opening, wire);
      wire.open();
    });
    return wire.client;
  }

  async #carry(method: string, path: string, headers: Call['headers'], body: string): Promise<Response> {
    const call = `${method} ${path}`;
    const fate = this.#fateOfCall(call);
    const onTheWay = this.#onTheWay(fate);
    const arrive = () =>
      this.#exchange.app.inject({ method: method as 'GET', url: path, headers, payload: body }).catch(() => null);
    if (fate?.kind === 'late' && fate.isReset) {
      void onTheWay.then(arrive);
      await this.#pause(this.#latency());
      throw brokenOff();
    }
    await onTheWay;
    if (fate?.kind === 'lost') return await NEVER;
    if (fate?.kind === 'overtaken') {
      this.overtaken.set(call, arrive);
      throw brokenOff();
    }
    await this.overtaken.get(call)?.();
    this.overtaken.delete(call);
    const answer = await arrive();
    this.#time.activity += 1;
    await this.#pause(this.#latency());
    if (fate?.kind === 'answer_lost') return await NEVER;
    if (answer === null || fate?.kind === 'reset') throw brokenOff();
    if (fate?.kind === 'answer') return new Response(fate.body, { status: fate.status });
    const carried = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
    return new Response(answer.payload, { status: answer.statusCode, headers: carried });
  }

  async #onTheWay(fate: CallFate | null): Promise<void> {
    if (fate?.kind !== 'late') return await this.#pause(this.#latency());
    this.late += 1;
    await this.#pause(fate.ms);
    this.late -= 1;
  }

  #fateOfCall(call: string): CallFate | null {
    const scripted = this.scripts.findIndex(({ begins }) => begins.some((begin) => call.startsWith(begin)));
    if (scripted >= 0) return this.scripts.splice(scripted, 1)[0]?.fate ?? null;
    if (this.#isDown) return { kind: 'lost' };
    const { requestLost, answerLost, late } = this.mishaps;
    const drawn = this.#roll();
    if (drawn < requestLost) return { kind: 'lost' };
    if (drawn < requestLost + answerLost) return { kind: this.#roll() < 0.5 ? 'answer_lost' : 'reset' };
    if (drawn < requestLost + answerLost + late) return { kind: 'late', ms: Math.floor(this.#roll() * LATE_MS) };
    return null;
  }

  #fateOfFrame(path: string): { latencyMs: number; copies: number } {
    const { orderUpdateLost, frameDoubled } = this.mishaps;
    const frameLost = Math.max(this.mishaps.frameLost, path === '/ws/user' ? orderUpdateLost : 0);
    const drawn = this.#roll();
    const copies = drawn < frameLost ? 0 : drawn < frameLost + frameDoubled ? 2 : 1;
    return { latencyMs: this.#latency(), copies };
  }

  #latency(): number {
    return 1 + Math.floor(this.#roll() * LATENCY_MS);
  }

  #pause(ms: number): Promise<void> {
    return runAs(undefined, () => new Promise<void>((over) => setTimeout(over, ms)));
  }
}

type Call = { url: string; method: string; headers: Record<string, string>; body: string; signal: AbortSignal | null };

/** Where there is none yet, no `Request` is made: that takes as long as the exchange takes to answer it. */
async function readCall(input: string | URL | Request, init: RequestInit = {}): Promise<Call> {
  const { method = 'GET', headers = {}, body = null, signal = null } = init;
  if (typeof input === 'string' && !(headers instanceof Headers) && (body === null || typeof body === 'string'))
    return {
      url: input,
      method,
      headers: Array.isArray(headers) ? Object.fromEntries(headers) : headers,
      body: body ?? '',
      signal,
    };
  const request = new Request(input, init);
  return {
    url: request.url,
    method: request.method,
    headers: Object.fromEntries(request.headers),
    body: request.body === null ? '' : await request.text(),
    signal: request.signal,
  };
}

function brokenOff(): TypeError {
  return new TypeError('fetch failed', { cause: new Error('reset') });
}

function whenGivenUp(signal: AbortSignal | null): Promise<never> {
  const givenUp = new Promise<never>((_, fail) => {
    if (signal === null) return;
    if (signal.aborted) fail(signal.reason);
    signal.addEventListener('abort', () => fail(signal.reason), { once: true });
  });
  givenUp.catch(() => {});
  return givenUp;
}

function ownerHere(): Owner {
  const owner = currentOwner();
  if (owner === undefined) throw new Error('a call was made outside of every simulated process');
  return owner;
}
