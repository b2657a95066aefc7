/** Runs the desk and the naive desk over equal events, and returns their first difference. */
import { Desk } from './desk.ts';
import { DeskWorld, type Step } from './desk-world.fixture.ts';
import type { DeskEffects, DeskEvent, LeftWork } from './events.ts';
import { NaiveDesk, type NaiveOpportunity } from './naive-desk.fixture.ts';
import { SLICES } from './revaluations.ts';
import { type OpportunityRow, type Rise, type Tracked, trackedOf } from './tracked.ts';

const STEPS = 40;
/** Small limits, so that most changes of these few opportunities are valued in several slices. */
const SMALL_SLICES = { positionsPerSlice: 3, alwaysAtOnce: 1, waitingMax: 2, frozenMarketsMax: 2 };

/** A desk with a random world, and its effects since they were last read. */
class Driven {
  said: string[] = [];
  /** Open proposal by opportunity: the desk makes no second one before the first is answered. */
  readonly #proposed = new Map<string, { item: Tracked; rise: Rise }>();
  readonly left: LeftWork[] = [];
  readonly items = new Map<string, Tracked>();
  readonly #world: DeskWorld;
  readonly #desk: Desk<Tracked>;
  readonly #effects: DeskEffects<Tracked> = {
    looked: () => {},
    repriced: ({ row }, { change, asked, isRise, isOwned }) => {
      if (change !== 'none' || asked || isRise)
        this.said.push(`${row.id} repriced ${change} ${asked} ${isRise} ${isOwned}`);
    },
    rose: ({ row }) => void this.said.push(`${row.id} rose`),
    dropped: ({ row }) => void this.said.push(`${row.id} dropped`),
    fell: ({ row }) => void this.said.push(`${row.id} fell`),
    alertChanged: () => {},
    propose: (item, rise, refusals) => {
      this.#proposed.set(item.row.id, { item, rise });
      const why = refusals === null ? 'bought' : refusals.length > 0 ? 'fallen' : 'off';
      this.said.push(`${item.row.id} proposed ${why}`);
    },
    recorded: ({ row }) => void this.said.push(`${row.id} recorded`),
    left: () => {},
    later: (work) => void this.left.push(work),
    overrun: () => {},
  };

  constructor(world: DeskWorld, slices = SLICES) {
    this.#world = world;
    const { current, frozen, hasAnswered, book, marketIdOf, owns } = world;
    this.#desk = new Desk(
      world.settings,
      {
        quotes: { current, frozen, hasAnswered, book, marketIdOf },
        owns,
        isWanted: ({ row }) => !world.unwanted.has(row.id),
        isOpen: ({ row }) => world.open.has(row.id),
        isReady: () => world.isReady,
      },
      slices,
    );
  }

  process(step: Step): void {
    const event = this.#eventOf(step);
    if (event === null) return;
    this.#desk.process(event, this.#world.now, this.#effects);
    if (step.kind === 'edited' && event.kind === 'stored')
      this.#desk.process({ kind: 'due', item: event.item }, this.#world.now, this.#effects);
  }

  goOn(): void {
    const work = this.left.shift();
    if (work !== undefined) this.#desk.process({ kind: 'left', work }, this.#world.now, this.#effects);
  }

  isFollowed(id: string): boolean {
    return this.#desk.get(id) !== undefined;
  }

  #eventOf(step: Step): DeskEvent<Tracked> | null {
    switch (step.kind) {
      case 'put': {
        const item = trackedOf(step.row, step.positions);
        this.items.set(step.row.id, item);
        return { kind: 'put', item };
      }
      case 'settings':
        return { kind: 'settings', settings: this.#world.settings };
      case 'outcome': {
        const proposal = this.#proposed.get(step.id);
        return proposal === undefined ? null : { kind: 'outcome', ...proposal, outcome: step.outcome };
      }
      case 'books':
      case 'forgotten':
      case 'markets':
      case 'time':
        return step;
    }
    const item = this.items.get(step.id);
    if (item === undefined) return null;
    switch (step.kind) {
      case 'edited':
      case 'stored':
        return { kind: 'stored', item, row: { ...item.row, ...step.row } };
      case 'checked':
        return { ...step, item, quotes: this.#world.current(item.positions) };
      case 'opened':
        return { kind: 'put', item };
      default:
        return { kind: step.kind, item };
    }
  }
}

/** @returns the step of this seed after which the desks differ, and how; null where they never do */
export function differenceOf(seed: number): string | null {
  return seed % 5 === 0 ? differenceInSlices(seed) : differenceAtOnce(seed);
}

function differenceAtOnce(seed: number): string | null {
  const world = new DeskWorld(seed);
  const desk = new Driven(world);
  const naive = new NaiveDesk(world);
  for (let count = 0; count < STEPS; count += 1) {
    const step = count < 2 ? world.put() : world.next([...naive.proposals.keys()]);
    desk.said = [];
    const said: string[] = [];
    desk.process(step);
    naive.process(step, (line) => void said.push(line));
    const where = `seed ${seed}, step ${count} (${step.kind}): `;
    const [one, other] = [inOrder(desk.said), inOrder(said)];
    if (one !== other) return `${where}the desk says\n${one}\nand the naive one\n${other}`;
    for (const [id, opportunity] of naive.all) {
      const difference = differenceIn(desk, id, opportunity);
      if (difference !== null) return where + difference;
      if (!opportunity.isFollowed) world.followed.delete(id);
    }
  }
  return null;
}

/** Sorts effects by opportunity: their order is defined only within one. */
function inOrder(said: readonly string[]): string {
  return [...said].sort((one, other) => Number.parseInt(one, 10) - Number.parseInt(other, 10)).join('\n');
}

function differenceIn(desk: Driven, id: string, naive: NaiveOpportunity): string | null {
  const item = desk.items.get(id);
  if (item === undefined) return `${id} is not there`;
  const one = standing(item.row, [
    ...[item.aboveTrigger, item.profitAboveTrigger, item.rises.length, item.isTriggering],
    ...[item.retryTriggerAt, item.belowTriggerSince],
  ]);
  const other = standing(naive.row, [
    ...[naive.isAbove, naive.profitAbove, naive.waiting.length, naive.isProposed],
    ...[naive.retryAt, naive.belowSince],
  ]);
  return one === other ? null : `${id} is ${one}\nand should be ${other}`;
}

/** A row without `lastChecked`, which differs: the desk skips opportunities that cannot have changed. */
function standing({ lastChecked: _lastChecked, ...row }: OpportunityRow, more: readonly unknown[]): string {
  return [...Object.values(row), ...more].join(' ');
}

/** After valuing in slices every price is that of the last books. */
function differenceInSlices(seed: number): string | null {
  const world = new DeskWorld(seed);
  const desk = new Driven(world, SMALL_SLICES);
  const naive = new NaiveDesk(world);
  const steps: Step[] = [world.put(), world.put(), world.put(), world.put()];
  for (let count = 0; count < STEPS; count += 1) {
    const step = steps[count] ?? (count % 7 === 6 ? world.changeSettings() : world.moveBooks(1 + (count % 3)));
    desk.process(step);
    naive.process(step, () => {});
    if (count % 3 === 0) desk.goOn();
    if (count % 8 !== 7) continue;
    while (desk.left.length > 0) desk.goOn();
    for (const [id, { row }] of naive.all) {
      const [one, other] = [desk.items.get(id)?.row, row].map((each) =>
        each?.lastError === null ? each.currentPrice : 'nothing known',
      );
      if (one !== other) return `seed ${seed}, step ${count}: in slices ${id} costs ${one} and should cost ${other}`;
    }
  }
  return null;
}
