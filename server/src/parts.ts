/** What the running parts of one process ask of each other. `start.ts` makes them and hands each what it needs. */

import type { ApiTokenScope } from '@dutchbook/contract/api-tokens.ts';
import type { Feed } from '@dutchbook/contract/opportunities.ts';
import type { Change, ChangeType } from '@dutchbook/contract/stream.ts';
import type { Settings } from '@dutchbook/contract/system-settings.ts';
import type { Position } from '@dutchbook/engine/opportunity/position.ts';
import type { PositionQuote } from '@dutchbook/engine/opportunity/value.ts';
import type { Allowances } from '@dutchbook/engine/risk/allowance.ts';
import type { TradingLimits } from '@dutchbook/engine/risk/context.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { ReadPriority } from '@dutchbook/venues/read-budget.ts';
import type { users } from './users/table.ts';

export type SystemSettings = {
  /** The settings in force now; a change made in any process reaches this at once, or within a second at the latest. */
  current: () => Settings;
};

export type WatchedSettings = SystemSettings & {
  /** Settings whose stored value is out of range: their default holds, and nothing is bought. */
  corrupt: () => readonly string[];
  /** Looks at once. Whoever has changed them awaits this, so that the next call is decided by what it wrote. */
  refresh: () => Promise<void>;
  /** Calls back after they have changed. @returns what ends it */
  onChange: (react: () => void) => () => void;
};

/** Whether orders may leave, and how much may be bought. */
export type TradingControls = {
  current: () => {
    armed: boolean;
    armedChanged: { at: Instant; by: string | null } | null;
    limits: TradingLimits;
    limitsChanged: { at: Instant; by: string | null } | null;
  };
  /** On a real venue nothing is bought while a limit is not set. */
  limitsRequired: boolean;
  /** Disarms this process now, whatever the database says, until somebody arms trading after that. */
  halt: () => void;
  isHalted: () => boolean;
  /** Looks at once, and ends what `halt` began where trading was armed or disarmed since. */
  refresh: () => Promise<void>;
  onChange: (react: () => void) => () => void;
};

/** A position's quote together with how far it can be trusted. */
export type LiveQuote = PositionQuote & { feed: Feed; bookAgeMs: number | null };

export type Quotes = {
  /** What the feed knows now, in the order asked, without I/O. */
  current: (positions: readonly Position[]) => LiveQuote[];
  /**
   * Fresh from the venue over REST: markets and books, for trading unless said. Who only asks is answered together with
   * everybody who asks for the same at the same time. Throws VenueUnavailable.
   */
  fresh: (positions: readonly Position[], priority?: ReadPriority) => Promise<LiveQuote[]>;
};

/** What an engine proves of a partition before it acts for an opportunity in it: that it holds it, as it did when it decided. */
export type PartitionClaim = { partition: number; owner: string; token: number };

/** The part of all opportunities that is this process's to follow and to buy. */
export type Partitions = {
  owns: (opportunityId: string) => boolean;
  /** Null where it has all of them. */
  held: () => readonly number[] | null;
  /** Null where there is nobody to whom anything would have to be proven. */
  claimOf: (opportunityId: string) => PartitionClaim | null;
  /** Calls back after partitions have come or gone, with those that came. @returns what ends it */
  onChange: (react: (gained: readonly number[]) => void) => () => void;
};

type ChangeOf<Type extends ChangeType> = Extract<Change, { type: Type }>;

export type StreamHub = {
  /** Hands a change to every tab subscribed to its topic, coalesced to five per second and object. */
  publish: <Type extends ChangeType>(change: Omit<ChangeOf<Type>, 'seq'>) => void;
  /** Whether anybody listens: what nobody watches need not be assembled. */
  watched: (topic: string) => boolean;
};

export type Placing = {
  /** Work on this batch is due now; without a call the loop finds it within its poll interval. */
  wake: (batchId: string) => void;
  /** Whether the venue has been asked about everything that an earlier run left unfinished. */
  isReconciled: () => boolean;
  stop: () => Promise<void>;
};

/**
 * Cash that is free, and what of it the venue's contracts may move, as the venue told it; everything that happened before `at` is in
 * it. `balance`: with what resting buys have reserved.
 */
export type CashReading = { cash: Usd; balance?: Usd; allowances: Allowances | null; at: Instant };

export type UserRow = typeof users.$inferSelect;

/**
 * Which session, whose, as of which epoch of that user's sessions, until when it lasts if it is not used again, and when a
 * second factor was last proven in it.
 */
export type Session = { id: string; userId: string; epoch: number; expiresAt: Instant; provenAt?: Instant | null };

/**
 * Who is behind a call that was let in. Where it came with an API token, that stands for the session, and the user has no
 * more of their rights than it.
 */
export type SignedIn = { user: UserRow; session: Session; token?: { name: string; scope: ApiTokenScope } };

export type Authentication = ({ kind: 'user' } & SignedIn) | { kind: 'invalid' } | { kind: 'inactive' };

/** Where a call comes from, and what the caller calls itself. `proven`: with a second factor. */
export type CalledFrom = { address: string; device: string; proven?: boolean };

export type Sessions = {
  /** Begins a session. @returns its token */
  issue: (user: UserRow, from?: CalledFrom) => Promise<string>;
  /** Who is behind the token of a session; of an API token nobody is. */
  authenticate: (token: string) => Promise<Authentication>;
  /** A second factor has just been proven in it. */
  prove: (session: Session) => Promise<void>;
  /**
   * Who is behind an Authorization header. `toStop`: for a call that stops something, while the database does not answer also who was
   * let in lately. @throws Refusal, DatabaseDown
   */
  require: (authorization: string | undefined, address?: string, toStop?: boolean) => Promise<SignedIn>;
  /**
   * Those of the sessions that have ended since: expired, or their user is gone, inactive or signed out everywhere. The others are in
   * use, and last a day from now on.
   */
  ended: (sessions: readonly Session[]) => Promise<Set<Session>>;
};

/** Who acts, from where, and with which API token. Without an id: somebody who is not signed in. */
export type Actor = { id: string | null; email: string | null; address: string; tokenId?: string };
