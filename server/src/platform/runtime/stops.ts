import type { AuditAction } from '@dutchbook/contract/audit.ts';
import type { Instant } from '@dutchbook/units/instant.ts';

/** What a stop is stored from, also by the process that runs after the one that was asked. Has no secret. */
export type KeptStop = {
  action: Extract<AuditAction, 'trading.disarmed' | 'batch.canceled' | 'session.ended' | 'token.revoked'>;
  /** What is stopped; see the functions of `platform/http/stops.ts`. */
  subject: string;
  askedAt: Instant;
  actor: { id: string | null; email: string | null; address: string; tokenId?: string };
};

export type Stop<Stored> = KeptStop & {
  /** Has the same effect however often it is done: it is repeated when its answer was lost. `again` from the second time. */
  store: (again: boolean) => Promise<Stored>;
  /** When it is stored, however late. */
  onStored?: () => void | Promise<void>;
};

/** It holds in this process, and is not stored. `isKept`: also in the process that runs after it. */
export type HeldHere = { kind: 'held'; isKept: boolean };

export type Stops = {
  /** @throws Refusal where the stop itself is refused; it does not hold then */
  carryOut: <Stored>(stop: Stop<Stored>) => Promise<{ kind: 'stored'; stored: Stored } | HeldHere>;
  /**
   * Takes up what an earlier process kept, and stores it where the database answers. `restore`: how. Called before anything trades.
   * @throws where a kept stop cannot be read
   */
  takeUp: (restore: (kept: KeptStop) => Stop<unknown>) => Promise<void>;
  /** Whether it was stopped here and is not known to be stored. */
  holds: (subject: string) => boolean;
  /** Whether `holds` is true of a subject that matches. */
  holdsAny: (matches: (subject: string) => boolean) => boolean;
  /** Whether a caller was answered that it holds here alone. */
  isHeldAlone: (subject: string) => boolean;
};
