/** Which opportunities a change has valued again, and when: what takes long yields to the event loop, and misses no edge. */
import { setImmediate } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { LiveQuote } from '../markets/live-quotes.ts';
import type { QuoteFeed } from './quotes/quotes.ts';
import type { Roster, Tracked } from './tracked.ts';

/** Valued per tick, before timers, sockets and calls run. */
const POSITIONS_PER_SLICE = 2000;
/** So few are within a slice, however many positions they have. */
const ALWAYS_AT_ONCE = 40;
/** Where as many changes wait, the last of them are valued together. */
const WAITING_MAX = 20;
/** As many markets change together only where all their books are begun anew. */
const FROZEN_MARKETS_MAX = 200;

export type Revaluations = {
  ofMarkets: (marketIds: ReadonlySet<string>) => void;
  /** What everything is valued by has changed; what waits of changes before does not count any more. */
  ofAll: () => void;
  /** The number of the last change that was received. */
  lastChange: () => number;
};

/** `change`: the last one that `known` shows. */
type Evaluate = (tracked: Tracked, known: LiveQuote[], change: number) => void;

/** `marketIds` is null where everything is valued; `quotesOf` answers null where that is left to a later change. */
type Pass = {
  change: number;
  marketIds: ReadonlySet<string> | null;
  quotesOf: (tracked: Tracked) => LiveQuote[] | null;
};

/**
 * A change that concerns more than fits into a slice is valued in slices, by the books of its markets as they were when it
 * was received: they may fall and rise again before the last opportunity is valued. Changes that concern many wait for each
 * other; one that concerns few is valued at once, and those few are passed over by what waited.
 */
export function openRevaluations(
  { roster, quotes, log }: { roster: Roster; quotes: Pick<QuoteFeed, 'current' | 'frozen'>; log: Logger },
  evaluate: Evaluate,
): Revaluations {
  /** The first is under way. */
  const passes: Pass[] = [];
  let lastChange = 0;
  let isOverrun = false;

  const live = ({ positions }: Tracked) => quotes.current(positions);
  const frozen = (marketIds: ReadonlySet<string>, change: number): Pass['quotesOf'] => {
    if (marketIds.size > FROZEN_MARKETS_MAX) return live;
    const quotesThen = quotes.frozen(marketIds);
    const isLater = (marketId: string) =>
      !marketIds.has(marketId) && passes.some((pass) => pass.change > change && pass.marketIds?.has(marketId));
    return ({ positions }) => (positions.some(({ marketId }) => isLater(marketId)) ? null : quotesThen(positions));
  };
  const affectedBy = (marketIds: Pass['marketIds']) =>
    marketIds === null ? roster.all() : roster.affectedBy(marketIds);

  /** Answers whether that were all. */
  const valueSlice = (due: Iterator<Tracked>, { change, quotesOf }: Pass): boolean => {
    for (let positions = 0; positions < POSITIONS_PER_SLICE; ) {
      const { value: tracked, done } = due.next();
      if (done) return true;
      positions += tracked.positions.length;
      const isOutdated = roster.get(tracked.row.id) !== tracked || tracked.valuedBy > change;
      const known = isOutdated ? null : quotesOf(tracked);
      if (known !== null) evaluate(tracked, known, change);
    }
    return false;
  };
  const valueInSlices = async (begun: Iterator<Tracked>) => {
    let due = begun;
    for (let pass = passes[0]; pass !== undefined; ) {
      await setImmediate();
      if (passes[0] === pass && valueSlice(due, pass)) passes.shift();
      if (passes[0] === pass) continue;
      pass = passes[0];
      if (pass !== undefined) due = affectedBy(pass.marketIds)[Symbol.iterator]();
    }
    isOverrun = false;
  };
  const wait = (marketIds: ReadonlySet<string>) => {
    const last = passes.length < WAITING_MAX ? undefined : passes.pop();
    if (last !== undefined && !isOverrun) log.warn('price changes come faster than they are valued, valued together');
    isOverrun ||= last !== undefined;
    const together = new Set([...(last?.marketIds ?? []), ...marketIds]);
    passes.push({ change: lastChange, marketIds: together, quotesOf: frozen(together, lastChange) });
  };

  return {
    lastChange: () => lastChange,
    ofMarkets: (marketIds) => {
      lastChange += 1;
      const affected = roster.affectedBy(marketIds);
      if (affected.size <= ALWAYS_AT_ONCE) {
        for (const tracked of affected) evaluate(tracked, live(tracked), lastChange);
        return;
      }
      if (passes.length > 0) return wait(marketIds);
      const due = affected.values();
      if (valueSlice(due, { change: lastChange, marketIds, quotesOf: live })) return;
      wait(marketIds);
      void valueInSlices(due);
    },
    ofAll: () => {
      lastChange += 1;
      const isUnderWay = passes.length > 0;
      const pass = { change: lastChange, marketIds: null, quotesOf: live };
      const due = roster.all()[Symbol.iterator]();
      passes.splice(0);
      if (!isUnderWay && valueSlice(due, pass)) return;
      passes.push(pass);
      if (!isUnderWay) void valueInSlices(due);
    },
  };
}
