/** The whole of one run: exchange, network, database and processes on one clock, and the checks after every step. */
import { createHash } from 'node:crypto';
import { opportunityCreate } from '@dutchbook/contract/opportunities.ts';
import { STARTING_BALANCE } from '@dutchbook/exchange/floor/floor.ts';
import { type Dice, seededDice } from '@dutchbook/exchange/makers/dice.ts';
import { type OpenExchange, openExchange } from '@dutchbook/exchange/start-exchange.ts';
import { draftOf } from '@dutchbook/server/opportunities/draft.ts';
import { insertDrafts } from '@dutchbook/server/opportunities/store.ts';
import { instantFromMs } from '@dutchbook/units/instant.ts';
import { pino } from 'pino';
import { checkAlways } from './checks.ts';
import { checkAtRest } from './checks-at-rest.ts';
import { type DatabaseFate, openDb } from './database.ts';
import { Gates } from './gates.ts';
import { chooseOpportunities, combinationsOf, type Opportunity, recordAsks } from './market-scene.ts';
import { type Network, openNetwork } from './network.ts';
import { Owner, runAs } from './owner.ts';
import { type Product, type Starting, seededWorldDice, startProduct } from './product.ts';
import type { SharedDatabase } from './shared-database.ts';
import { readStored, readTruth, type Stored, type Truth } from './truth.ts';
import { VirtualTime } from './virtual-time.ts';

/** A Monday noon, always the same one. */
const STARTS_AT = Date.UTC(2026, 0, 5, 12);

/** Longer than anything is left alone for, and long enough to ask the exchange for all there is to know of an order. */
const DOZE_MS = 14_500;
const AWAKE_MS = 500;

export type SimulationOptions = {
  seed: number;
  database: SharedDatabase;
  /** Takes every line of what happens. */
  tell?: (line: string) => void;
  /** The opportunities; drawn from the seed when left out. */
  choose?: (exchange: OpenExchange, dice: Dice) => Opportunity[];
  /** System settings that differ from their defaults. */
  settings?: Record<string, number | boolean>;
};

/** A process by its name, from the moment it begins to start. */
export type Running = { starting: Starting; product: Product | null };

type Parts = {
  dice: Dice;
  time: VirtualTime;
  exchange: OpenExchange;
  network: Network;
  database: SharedDatabase;
  scene: Opportunity[];
  tell: (line: string) => void;
};

export class Simulation {
  readonly dice: Dice;
  readonly time: VirtualTime;
  readonly exchange: OpenExchange;
  readonly network: Network;
  readonly scene: readonly Opportunity[];
  readonly gates: Gates;
  readonly running = new Map<string, Running>();
  /** Orders that somebody else places with our key. */
  readonly strangers = new Set<string>();
  /** Ids of the opportunities, in the order of `scene`. */
  readonly opportunityIds: string[] = [];
  /** What the database answers instead of carrying a statement out; null where it does. */
  databaseRefuses: (sql: string) => string | null = () => null;
  /** How slow the database is now, at most. */
  databaseDelayMs = 0;
  readonly #database: SharedDatabase;
  readonly #tell: (line: string) => void;
  readonly #told: string[] = [];
  readonly #ended: Starting[] = [];
  readonly #endingAt = new Map<string, { passings: number; point: string | null; isStop: boolean }>();
  #before: Stored | null = null;
  #incarnations = 0;

  constructor(parts: Parts) {
    this.dice = parts.dice;
    this.time = parts.time;
    this.exchange = parts.exchange;
    this.network = parts.network;
    this.scene = parts.scene;
    this.#database = parts.database;
    this.#tell = parts.tell;
    const legs = parts.scene.flatMap((opportunity) => opportunity.legs);
    const asks = recordAsks(parts.exchange, legs, () => parts.time.now());
    this.gates = new Gates(asks, parts.network);
  }

  /** One line of the story, with its time. */
  tell(line: string): void {
    const seconds = ((this.time.now() - STARTS_AT) / 1000).toFixed(3);
    const told = `${seconds.padStart(9)} ${line}`;
    this.#told.push(told);
    this.#tell(told);
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
      delayMs: () => (this.databaseDelayMs === 0 ? 0 : Math.floor(this.dice.unit() * this.databaseDelayMs)),
    };
    const starting = startProduct({
      name: full,
      database: this.#database,
      time: this.time,
      network: this.network,
      roll: this.dice.unit,
      fate,
      diesAt: endsAt,
      armingAsked: (isArmed) => this.gates.armingAsked(full, isArmed, this.time.now()),
      log: pino({ level: 'silent' }),
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
    return this.dice.pick(alive) ?? null;
  }

  /** What somebody asks of a process; what comes of it is told, and never waited for. */
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

  async pass(ms: number): Promise<void> {
    await this.time.advance(ms);
  }

  /** Lets much time pass, of which the machine is only awake for a moment now and then. */
  async doze(ms: number): Promise<void> {
    for (let left = ms; left > 0; left -= DOZE_MS + AWAKE_MS) {
      await this.time.jump(DOZE_MS);
      await this.time.advance(AWAKE_MS);
    }
  }

  async stored(): Promise<Stored> {
    return await this.time.drive(readStored(this.#database));
  }

  truth(): Truth {
    return readTruth(this.exchange);
  }

  /** What was told and sent, what is stored and what the exchange has, in a few letters: the same whenever the seed is. */
  digest(stored: Stored): string {
    const truth = this.truth();
    const end = JSON.stringify([this.network.sent, stored, { ...truth, tokens: [...truth.tokens] }]);
    return createHash('sha256').update(this.#told.join('\n')).update(end).digest('hex').slice(0, 16);
  }

  /** @throws Violation */
  async check(): Promise<Stored> {
    const stored = await this.stored();
    checkAlways(stored, this.truth(), this.#before, this.strangers);
    this.gates.check(stored, this.#before);
    this.#before = stored;
    return stored;
  }

  /** @throws Violation */
  async checkAtRest(): Promise<Stored> {
    const stored = await this.check();
    checkAtRest(stored, this.truth(), STARTING_BALANCE, this.strangers);
    return stored;
  }

  async write(sql: string, values: readonly unknown[] = []): Promise<void> {
    await this.time.drive(this.#database.query(sql, values));
  }

  /** Stores the opportunities of the scene, as the form or a file does. */
  async addOpportunities(): Promise<void> {
    const world = {
      db: openDb(new Owner('a form'), this.#database, this.time, {
        diesNow: () => false,
        delayMs: () => 0,
        refusal: () => null,
      }),
      clock: { now: () => instantFromMs(this.time.now()) },
      dice: seededWorldDice(this.dice.unit),
    };
    for (const opportunity of this.scene) {
      const input = opportunityCreate.parse({ market_combinations: combinationsOf(opportunity), target_price: 1 });
      const made = draftOf(input);
      if (made.kind === 'refused') throw new Error(made.reason);
      const { created } = await this.time.drive(insertDrafts(world, [made.draft]));
      this.opportunityIds.push(created.get(made.draft.contentHash) ?? '');
    }
  }

  async close(): Promise<void> {
    for (const starting of this.#ended) await this.time.drive(starting.close());
    await this.time.settle();
    await this.#database.empty();
    await this.exchange.close();
  }
}

/** Opens one with the virtual clock and die in place, runs `story` in it, and puts the machine's back. */
export async function simulate(
  options: SimulationOptions,
  story: (simulation: Simulation) => Promise<void>,
): Promise<void> {
  const { seed, database, tell = () => {}, choose = chooseOpportunities, settings = {} } = options;
  const dice = seededDice(seed);
  const time = new VirtualTime(STARTS_AT, dice.unit, () => database.serve());
  const restore = time.install();
  try {
    const timers = {
      now: () => time.now(),
      setTimeout: (run: () => void, ms: number) => setTimeout(run, ms),
      clearTimeout: (handle: unknown) => clearTimeout(handle as NodeJS.Timeout | undefined),
    };
    const exchange = await time.drive(openExchange({ seed: 1, paused: true, timers }));
    await time.drive(Promise.resolve(exchange.app.ready()));
    const network = openNetwork(time, exchange, dice.unit);
    const scene = choose(exchange, dice);
    const simulation = new Simulation({ dice, time, exchange, network, database, scene, tell });
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
