/** The whole of one run: exchange, network, database and processes on one clock, and the checks after every step. */
import { createHash } from 'node:crypto';
import { opportunityCreate } from '@dutchbook/contract/opportunities.ts';
import type { Settings } from '@dutchbook/contract/system-settings.ts';
import type { FaultOrder } from '@dutchbook/exchange/faults/faults.ts';
import { type Random, seededRandom } from '@dutchbook/exchange/makers/random.ts';
import { STARTING_BALANCE } from '@dutchbook/exchange/matching-engine/matching-engine.ts';
import { type OpenExchange, openExchange } from '@dutchbook/exchange/start-exchange.ts';
import { draftOf } from '@dutchbook/server/market/opportunities/draft.ts';
import { insertDrafts } from '@dutchbook/server/market/opportunities/insert-drafts.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { pino } from 'pino';
import { checkAlways } from './checks.ts';
import { checkAtRest, type StartingCash } from './checks-at-rest.ts';
import { checkLedgerAtRest, holdingsOf, readLedger } from './checks-of-ledger.ts';
import { type DatabaseFate, openDb } from './database.ts';
import { type ChainTruth, readChain } from './exits/chain-truth.ts';
import { checkChainAlways, checkChainAtRest } from './exits/checks-of-chain.ts';
import { Gates } from './gates.ts';
import { chooseOpportunities, combinationsOf, type Opportunity, recordAsks } from './market-scene.ts';
import { type Network, openNetwork } from './network.ts';
import { Owner, runAs } from './owner.ts';
import { KEY_ACCOUNT, type Product, type Starting, seededRandomOf, startProduct } from './product.ts';
import type { SharedDatabase } from './shared-database.ts';
import { readStored, readTruth, type Stored, type Truth } from './truth.ts';
import { addFault, joinKalshi } from './venues/second-venue.ts';
import { VirtualTime } from './virtual-time.ts';

/** A Monday noon, always the same one; and the end of that day, a few seconds before it. */
export const NOON = Date.UTC(2026, 0, 5, 12);
export const BEFORE_MIDNIGHT = Date.UTC(2026, 0, 5, 23, 59, 57);

/** The last heartbeat may be five seconds old when a doze begins, and the exchange cancels what rests after ten. */
const DOZE_MS = 4_500;
const AWAKE_MS = 500;

export type SimulationOptions = {
  seed: number;
  database: SharedDatabase;
  /** Takes every line of what happens. */
  tell?: (line: string) => void;
  /** The opportunities; drawn from the seed when left out. */
  choose?: (exchange: OpenExchange, random: Random) => Opportunity[];
  /** System settings that differ from their defaults. */
  settings?: Partial<Settings>;
  /** Left out: the key trades for itself. */
  account?: Account;
  /** Noon when left out. */
  startsAt?: number;
  /** Whether shares are converted into dollars on chain. */
  hasChain?: boolean;
  /** At which venues the product has an account; the first alone when left out. */
  venues?: readonly VenueName[];
  /** What the account at the first venue begins with. */
  cash?: Usd;
};

type Account = Parameters<typeof startProduct>[0]['account'];

/** A process by its name, from the moment it begins to start. */
export type Running = { starting: Starting; product: Product | null };

type Parts = {
  random: Random;
  time: VirtualTime;
  exchange: OpenExchange;
  network: Network;
  database: SharedDatabase;
  scene: Opportunity[];
  tell: (line: string) => void;
  account: Account;
  hasChain: boolean;
  venues: readonly VenueName[];
  cash: Usd;
};

export class Simulation {
  readonly random: Random;
  readonly time: VirtualTime;
  readonly exchange: OpenExchange;
  readonly network: Network;
  readonly scene: readonly Opportunity[];
  readonly gates: Gates;
  readonly hasChain: boolean;
  readonly account: Account;
  readonly venues: readonly VenueName[];
  readonly running = new Map<string, Running>();
  /** Orders that another program places with our key. */
  readonly strangers = new Set<string>();
  /** Ids of the opportunities, in the order of `scene`. */
  readonly opportunityIds: string[] = [];
  /** What the database answers instead of carrying a statement out; null where it does. */
  databaseRefuses: (sql: string) => string | null = () => null;
  /** The venue has redeemed by itself at some time, or may. */
  mayVenueRedeem = false;
  /** How slow the database is now, at most. */
  databaseDelayMs = 0;
  readonly #database: SharedDatabase;
  readonly #startsAt: number;
  readonly #startingCash: StartingCash;
  readonly #tell: (line: string) => void;
  readonly #reported: string[] = [];
  readonly #ended: Starting[] = [];
  readonly #endingAt = new Map<string, { passings: number; point: string | null; isStop: boolean }>();
  #before: Stored | null = null;
  #incarnations = 0;

  constructor(parts: Parts) {
    this.random = parts.random;
    this.time = parts.time;
    this.exchange = parts.exchange;
    this.network = parts.network;
    this.scene = parts.scene;
    this.#database = parts.database;
    this.account = parts.account;
    this.hasChain = parts.hasChain;
    this.venues = parts.venues;
    this.#startingCash = startingCashOf(parts);
    this.#startsAt = parts.time.now();
    this.#tell = parts.tell;
    const legs = parts.scene.flatMap((opportunity) => opportunity.legs);
    const asks = recordAsks(parts.exchange, legs, () => parts.time.now());
    this.gates = new Gates(asks, parts.network);
  }

  /** One line of the story, with its time. */
  tell(line: string): void {
    const seconds = ((this.time.now() - this.#startsAt) / 1000).toFixed(3);
    const reported = `${seconds.padStart(9)} ${line}`;
    this.#reported.push(reported);
    this.#tell(reported);
  }

  /** Begins to start a process; it takes as long as the network and the database take. */
  start(name: string): Running {
    const full = `${name}${++this.#incarnations}`;
    this.tell(`${full} starts`);
    const endsAt = (point: string | null) => {
      const end = this.#endingAt.get(full);
      if (end === undefined || end.point !== point || --end.passings >= 0) return false;
      this.#endingAt.delete(full);
      this.tell(`${full} ${end.isStop ? 'stops' : 'dies'} at ${point ?? 'a statement'}`);
      if (end.isStop) this.running.get(name)?.starting.owner.freeze();
      return !end.isStop;
    };
    const fate: DatabaseFate = {
      diesNow: () => endsAt(null),
      refusal: (sql) => this.databaseRefuses(sql),
      delayMs: () => (this.databaseDelayMs === 0 ? 0 : Math.floor(this.random.unit() * this.databaseDelayMs)),
    };
    const starting = startProduct({
      name: full,
      database: this.#database,
      time: this.time,
      network: this.network,
      roll: this.random.unit,
      fate,
      diesAt: endsAt,
      armingAsked: (isArmed) => this.gates.armingAsked(full, isArmed, this.time.now()),
      log: pino({ level: 'silent' }),
      account: this.account,
      hasChain: this.hasChain,
      venues: this.venues,
    });
    const running: Running = { starting, product: null };
    starting.ready.then(
      (product) => {
        running.product = product;
        this.tell(`${full} is up`);
      },
      (error: unknown) => {
        if (starting.owner.isDead) return;
        this.tell(`${full} could not start: ${String(error)}`);
        starting.owner.die();
      },
    );
    this.running.set(name, running);
    this.#ended.push(starting);
    return running;
  }

  /** The process dies after so many more passings: of a statement's edge, or of a step that it names. */
  dieAfter(running: Running, passings: number, point: string | null = null): void {
    this.#endingAt.set(running.starting.owner.name, { passings, point, isStop: false });
  }

  /** The process stops, as with SIGSTOP, when it passes a step that it names. */
  stopAt(running: Running, point: string): void {
    this.#endingAt.set(running.starting.owner.name, { passings: 0, point, isStop: true });
  }

  /** It goes on, and does not die or stop any more where it was to. */
  goOn(running: Running): void {
    this.#endingAt.delete(running.starting.owner.name);
    running.starting.owner.thaw();
  }

  kill(running: Running): void {
    if (running.starting.owner.isDead) return;
    this.tell(`${running.starting.owner.name} is killed`);
    running.starting.owner.die();
  }

  /** A process that is up, or null. */
  aliveProduct(): Product | null {
    const alive = [...this.running.values()].flatMap(({ starting, product }) =>
      product === null || starting.owner.isDead || starting.owner.isFrozen ? [] : [product],
    );
    return this.random.pick(alive) ?? null;
  }

  /** What an operator asks of a process; its result is reported, and never awaited. */
  ask(product: Product, what: string, work: () => Promise<string>): void {
    this.tell(`${product.owner.name}: ${what}`);
    void runAs(product.owner, work).then(
      (answer) => this.tell(`${product.owner.name}: ${what}: ${answer}`),
      (error: unknown) => {
        const words = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
        this.tell(`${product.owner.name}: ${what}: ${words}`);
      },
    );
  }

  addFault(order: FaultOrder): void {
    addFault(this.exchange, order, this.time.now());
  }

  async pass(ms: number): Promise<void> {
    await this.time.advance(ms);
  }

  /** Lets much time pass, of which the machine is only awake for a moment now and then, but often enough to keep what rests. */
  async doze(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= DOZE_MS + AWAKE_MS) {
      await this.time.jump(Math.min(DOZE_MS, Math.max(0, left - AWAKE_MS)));
      await this.time.advance(AWAKE_MS);
    }
  }

  async stored(): Promise<Stored> {
    return await this.time.drive(readStored(this.#database));
  }

  truth(): Truth {
    return readTruth(this.exchange);
  }

  chain(): ChainTruth {
    return readChain(this.exchange, this.mayVenueRedeem);
  }

  /** What was reported and sent, what is stored and what the exchange has, in a few letters: the same whenever the seed is. */
  digest(stored: Stored): string {
    const truth = this.truth();
    const end = JSON.stringify([this.network.sent, stored, { ...truth, tokens: [...truth.tokens] }]);
    return createHash('sha256').update(this.#reported.join('\n')).update(end).digest('hex').slice(0, 16);
  }

  /** @throws Violation */
  async check(): Promise<Stored> {
    const stored = await this.stored();
    checkAlways(stored, this.truth(), this.#before, this.strangers);
    checkChainAlways(stored, this.chain(), this.#before);
    this.gates.check(stored, this.#before);
    this.#before = stored;
    return stored;
  }

  /** @throws Violation */
  async checkAtRest(): Promise<Stored> {
    const stored = await this.check();
    checkAtRest(stored, this.truth(), this.#startingCash, this.strangers);
    if (this.hasChain) checkChainAtRest(stored, this.truth(), this.chain());
    const ledger = await this.time.drive(readLedger(this.#database));
    checkLedgerAtRest(ledger, this.truth(), {
      startingCash: this.#startingCash,
      holdings: holdingsOf(this.exchange, this.truth()),
      chain: this.chain(),
      strangers: this.strangers,
    });
    return stored;
  }

  /** What may be bought a day, in millionths of a dollar, as the limits of the product have it. */
  async limitDay(perDay: number): Promise<void> {
    const sql = `insert into trading_controls (venue, armed, per_day) values ('simulated', true, $1)`;
    await this.write(sql, [perDay]);
  }

  async write(sql: string, values: readonly unknown[] = []): Promise<void> {
    await this.time.drive(this.#database.query(sql, values));
  }

  /** Stores the opportunities of the scene, as the form or a file does. */
  async addOpportunities(): Promise<void> {
    for (const index of this.scene.keys()) await this.addOpportunity(index);
  }

  /** Stores one of them, or stores it anew. */
  async addOpportunity(index: number): Promise<void> {
    const opportunity = this.scene[index];
    if (opportunity === undefined) throw new Error(`the scene has no opportunity ${index}`);
    const runtime = {
      db: openDb(new Owner('a form'), this.#database, this.time, {
        diesNow: () => false,
        delayMs: () => 0,
        refusal: () => null,
      }),
      clock: { now: () => instantFromMs(this.time.now()) },
      random: seededRandomOf(this.random.unit),
    };
    const input = opportunityCreate.parse({
      market_combinations: combinationsOf(opportunity),
      target_price: opportunity.pays ?? 1,
    });
    const made = draftOf(input);
    if (made.kind === 'refused') throw new Error(made.reason);
    const { created } = await this.time.drive(insertDrafts(runtime, [made.draft]));
    this.opportunityIds[index] = created.get(made.draft.contentHash) ?? '';
  }

  async close(): Promise<void> {
    // Not waited for: of what a process was reading when it died, no answer ever comes.
    for (const starting of this.#ended) void starting.close();
    await this.time.untilIdle();
    await this.#database.empty();
    await this.exchange.close();
  }
}

function startingCashOf({ exchange, venues, cash }: Pick<Parts, 'exchange' | 'venues' | 'cash'>): StartingCash {
  const { cashAt } = readTruth(exchange);
  // The first venue opens its account with the first key that signs in.
  return new Map(venues.map((venue) => [venue, venue === 'polymarket' ? cash : (cashAt.get(venue) ?? 0)]));
}

/** Opens one with the virtual clock and die in place, runs `story` in it, and puts the machine's back. */
export async function simulate(
  options: SimulationOptions,
  story: (simulation: Simulation) => Promise<void>,
): Promise<void> {
  const { seed, database, tell = () => {}, choose = chooseOpportunities, settings = {}, hasChain = false } = options;
  const { account = KEY_ACCOUNT, venues = ['polymarket'], cash = STARTING_BALANCE } = options;
  const random = seededRandom(seed);
  const time = new VirtualTime(options.startsAt ?? NOON, random.unit, () => database.serve());
  const restore = time.install();
  try {
    const timers = {
      now: () => time.now(),
      setTimeout: (run: () => void, ms: number) => setTimeout(run, ms),
      clearTimeout: (handle: unknown) => clearTimeout(handle as NodeJS.Timeout | undefined),
    };
    const exchange = await time.drive(openExchange({ seed: 1, paused: true, timers, startingBalance: cash }));
    await time.drive(Promise.resolve(exchange.app.ready()));
    if (venues.includes('kalshi')) joinKalshi(exchange);
    const network = openNetwork(time, exchange, random.unit);
    const scene = choose(exchange, random);
    const parts = { random, time, exchange, network, database, scene, tell, account, hasChain, venues, cash };
    const simulation = new Simulation(parts);
    try {
      const hear = (said: string) => {
        if (said.startsWith('trading_controls_changed')) simulation.gates.armingChanged(time.now());
      };
      await time.drive(database.listen('dutchbook', hear));
      for (const [name, value] of Object.entries(settings)) {
        const sql = `insert into system_settings (name, value, updated_at) values ($1, $2, now())`;
        await simulation.write(sql, [name, JSON.stringify(value)]);
      }
      await story(simulation);
    } finally {
      await simulation.close();
    }
  } finally {
    restore();
  }
}
