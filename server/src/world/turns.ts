import type { PGlite } from '@electric-sql/pglite';

/** The part of a database that statements and transactions go through. */
export type Reached = Pick<PGlite, 'query' | 'transaction'>;

type Way = 'urgent' | 'usual' | 'patient';

/** What is patient waits for no more than so many others: it would never be done where there is always somebody. */
const PASSED_OVER_MAX = 20;

/**
 * Ways to a database of one connection. What is asked the `urgent` way goes before all that waits, and what is asked the
 * `patient` way after it.
 */
export function takeTurns(client: Reached): Record<Way, Reached> {
  const waiting: Record<Way, (() => void)[]> = { urgent: [], usual: [], patient: [] };
  let isTaken = false;
  let passedOver = 0;

  const isPatience = () => waiting.usual.length === 0 || passedOver >= PASSED_OVER_MAX;
  const callNext = () => {
    const patient = waiting.urgent.length === 0 && isPatience() ? waiting.patient.shift() : undefined;
    passedOver = patient !== undefined || waiting.patient.length === 0 ? 0 : passedOver + 1;
    const next = patient ?? waiting.urgent.shift() ?? waiting.usual.shift();
    if (next === undefined) isTaken = false;
    else next();
  };
  async function inTurn<Result>(way: Way, work: () => Promise<Result>): Promise<Result> {
    if (isTaken) await new Promise<void>((resolve) => void waiting[way].push(resolve));
    isTaken = true;
    try {
      return await work();
    } finally {
      callNext();
    }
  }
  const wayOf = (way: Way): Reached => ({
    query: (...asked) => inTurn(way, () => client.query(...asked)),
    transaction: (work) => inTurn(way, () => client.transaction(work)),
  });
  return { urgent: wayOf('urgent'), usual: wayOf('usual'), patient: wayOf('patient') };
}
