/** The network between the simulated processes and the exchange: HTTP and streams in memory, with seeded mishaps. */
import type { OpenExchange } from '@dutchbook/exchange/start-exchange.ts';
import type { VenueNetwork } from '@dutchbook/venues/network.ts';
import { currentOwner, type Owner, runAs } from './owner.ts';
import type { VirtualTime } from './virtual-time.ts';
import { Wire } from './wire.ts';

/** Likelihoods from 0 to 1; all of them are 0 on a quiet network. */
export type Mishaps = {
  requestLost: number;
  answerLost: number;
  /** An order that reaches the exchange long after its caller has given it up. */
  late: number;
  frameLost: number;
  frameDoubled: number;
};

export const QUIET: Mishaps = { requestLost: 0, answerLost: 0, late: 0, frameLost: 0, frameDoubled: 0 };

/** A call as its process let go of it. */
export type Sent = { at: number; owner: string; method: string; path: string; body: string };

export type Network = {
  venue: VenueNetwork;
  sent: Sent[];
  wires: Set<Wire>;
  mishaps: Mishaps;
  /** Nothing reaches the exchange, and nothing comes from it. */
  setDown: (isDown: boolean) => void;
  /** What a test has done to the next calls of a path, instead of the dice: answered in its place, or lost. */
  script: (path: string, fate: CallFate) => void;
};

/**
 * `lost`: it never arrives. `answer_lost`: it arrives and is acted on, and its caller never hears. `reset`: the same, and
 * the connection breaks off. `answer`: acted on, and answered with this instead.
 */
export type CallFate =
  | { kind: 'lost' | 'answer_lost' | 'reset' }
  | { kind: 'late'; ms: number }
  | { kind: 'answer'; status: number; body: string };

const LATENCY_MS = 12;
const LATE_MS = 45_000;
const NEVER = new Promise<never>(() => {});

export function openNetwork(time: VirtualTime, exchange: OpenExchange, roll: () => number): Network {
  const wires = new Set<Wire>();
  const scripts: { path: string; fate: CallFate }[] = [];
  let isDown = false;
  const latency = () => 1 + Math.floor(roll() * LATENCY_MS);
  const pause = (ms: number) => runAs(undefined, () => new Promise<void>((over) => setTimeout(over, ms)));

  const fateOf = (method: string, path: string): CallFate | null => {
    const scripted = scripts.findIndex((script) => `${method} ${path}`.startsWith(script.path));
    if (scripted >= 0) return scripts.splice(scripted, 1)[0]?.fate ?? null;
    if (isDown) return { kind: 'lost' };
    const { requestLost, answerLost, late } = network.mishaps;
    const drawn = roll();
    if (drawn < requestLost) return { kind: 'lost' };
    if (drawn < requestLost + answerLost) return { kind: roll() < 0.5 ? 'answer_lost' : 'reset' };
    if (drawn < requestLost + answerLost + late) return { kind: 'late', ms: Math.floor(roll() * LATE_MS) };
    return null;
  };

  async function carry(method: string, path: string, headers: Headers, body: string): Promise<Response> {
    const fate = fateOf(method, path);
    await pause(fate?.kind === 'late' ? fate.ms : latency());
    if (fate?.kind === 'lost') return await NEVER;
    const answer = await exchange.app
      .inject({ method: method as 'GET', url: path, headers: Object.fromEntries(headers), payload: body })
      .catch(() => null);
    time.activity += 1;
    await pause(latency());
    if (fate?.kind === 'answer_lost') return await NEVER;
    if (answer === null || fate?.kind === 'reset') throw new TypeError('fetch failed', { cause: new Error('reset') });
    if (fate?.kind === 'answer') return new Response(fate.body, { status: fate.status });
    const carried = Object.entries(answer.headers).map(([name, value]): [string, string] => [name, String(value)]);
    return new Response(answer.payload, { status: answer.statusCode, headers: carried });
  }

  const network: Network = {
    sent: [],
    wires,
    mishaps: { ...QUIET },
    setDown: (down) => {
      isDown = down;
      if (down) for (const wire of [...wires]) wire.close();
    },
    script: (path, fate) => void scripts.push({ path, fate }),
    venue: {
      fetch: async (input, init) => {
        const owner = ownerHere();
        const request = new Request(input, init);
        const body = request.body === null ? '' : await request.text();
        await owner.alive();
        const { pathname, search } = new URL(request.url);
        const path = `${pathname}${search}`;
        network.sent.push({ at: time.now(), owner: owner.name, method: request.method, path, body });
        const { signal } = request;
        const givenUp = new Promise<never>((_, fail) => {
          if (signal.aborted) fail(signal.reason);
          signal.addEventListener('abort', () => fail(signal.reason), { once: true });
        });
        givenUp.catch(() => {});
        const carried = runAs(undefined, () => carry(request.method, path, request.headers, body));
        const response = await Promise.race([carried, givenUp]).finally(() => owner.alive());
        carried.catch(() => {});
        time.activity += 1;
        return response;
      },
      openSocket: (url) => {
        const { pathname } = new URL(url);
        const fate = () => {
          const { frameLost, frameDoubled } = network.mishaps;
          const drawn = roll();
          const copies = drawn < frameLost ? 0 : drawn < frameLost + frameDoubled ? 2 : 1;
          return { latencyMs: latency(), copies };
        };
        const wire = new Wire(ownerHere(), pathname, () => time.now(), fate);
        wires.add(wire);
        wire.server.on('close', () => wires.delete(wire));
        void pause(latency()).then(() => {
          if (isDown) return wire.close();
          const stream = pathname === '/ws/user' ? exchange.userStream : exchange.marketStream;
          stream.connect(wire.server);
          wire.open();
        });
        return wire.client;
      },
    },
  };
  return network;
}

function ownerHere(): Owner {
  const owner = currentOwner();
  if (owner === undefined) throw new Error('a call was made outside of every simulated process');
  return owner;
}
