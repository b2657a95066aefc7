/** What the thread of a rehearsal is given, and what it says. */
import type { Instant } from '@dutchbook/units/instant.ts';

export type WorkerTask = {
  /** With a password in it: never to be logged. */
  databaseUrl: string;
  /** Where the recordings of the venue lie. */
  folder: string;
  venue: string;
  owner: string;
  id: string;
  from: Instant;
  until: Instant;
  /** As the call has them on the wire. */
  changes: object;
  assumePlacing: boolean;
  /** How far the clock of the product is ahead of the machine's, in milliseconds. */
  aheadMs: number;
};

/** `progress`: 0 to 1. Once it is `done`, what was found is stored. */
export type WorkerMessage = { kind: 'progress'; progress: number } | { kind: 'done' };
