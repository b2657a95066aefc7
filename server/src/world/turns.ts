import type { PGlite } from '@electric-sql/pglite';
import type { Timers } from './world.ts';

/** The part of a database that statements and transactions go through. */
export type Reached = Pick<PGlite, 'query' | 'transaction'>;

type Way = 'urgent' | 'usual' | 'patient';

/** What is patient waits for no more than so many others: it would never be done where there is always somebody. */
const PASSED_OVER_MAX = 20;
/** A call asks several things, one after the other: what is patient takes long, and would get in before each of them. */
const REST_MS = 1;

/**
 * Ways to a database of one connection. What is asked the `urgent` way goes before all that waits, and what is asked the
 * `patient` way after it, once nobody else has asked anything for a moment.
 */
export function takeTurns(client: Reached, timers: Pick<Timers, 'after'>): Record<Way, Reached> {
  const waiting: Record<Way, (() => void)[]> = { urgent: [], usual: [], patient: [] };
  let isTaken = false;
  let isResting = false;
  let passedOver = 0;
  let othersEndedAtMs = Number.NEGATIVE_INFINITY;

  const rest = () => {
    if (isResting) return;
    isResting = true;
    timers.after(REST_MS, () => {
      isResting = false;
      if (!isTaken) callNext();
    });
  };
  const isTimeForPatient = () =>
    waiting.urgent.length === 0 &&
    (passedOver >= PASSED_OVER_MAX || (waiting.usual.length === 0 && performance.now() - othersEndedAtMs >= REST_MS));
  const callNext = () => {
    const patient = isTimeForPatient() ? waiting.patient.shift() : undefined;
    const next = patient ?? waiting.urgent.shift() ?? waiting.usual.shift();
    isTaken = next !== undefined;
    const isPassedOver = waiting.patient.length > 0;
    if (next === undefined) {
      if (isPassedOver) rest();
      return;
    }
    passedOver = patient === undefined && isPassedOver ? passedOver + 1 : 0;
    next();
  };
  async function inTurn<Result>(way: Way, work: () => Promise<Result>): Promise<Result> {
    const turn = new Promise<void>((resolve) => void waiting[way].push(resolve));
    if (!isTaken) callNext();
    await turn;
    try {
      return await work();
    } finally {
      if (way !== 'patient') othersEndedAtMs = performance.now();
      callNext();
    }
  }
  const wayOf = (way: Way): Reached => ({
    query: (...asked) => inTurn(way, () => client.query(...asked)),
    transaction: (work) => inTurn(way, () => client.transaction(work)),
  });
  return { urgent: wayOf('urgent'), usual: wayOf('usual'), patient: wayOf('patient') };
}
