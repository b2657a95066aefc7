import type { ApiTokenScope } from '@dutchbook/contract/api-tokens.ts';
import type { Instant } from '@dutchbook/units/instant.ts';

/** A row of the table of users. */
export type UserRow = {
  id: string;
  email: string;
  fullName: string | null;
  passwordHash: string;
  isSuperuser: boolean;
  isViewer: boolean;
  isActive: boolean;
  sessionEpoch: number;
  keptSession: string | null;
  signOffEpoch: number;
  createdAt: Instant;
};

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
  /** The user of a session's token; none for an API token. While the database does not answer also who was let in lately. */
  authenticate: (token: string) => Promise<Authentication>;
  /** A second factor has just been proven in it. */
  prove: (session: Session) => Promise<void>;
  /**
   * Who is behind an Authorization header. `lately`: while the database does not answer also who was let in lately. @throws Refusal, DatabaseDown
   */
  require: (authorization: string | undefined, address?: string, lately?: boolean) => Promise<SignedIn>;
  /**
   * Those of the sessions that have ended since: expired, or their user is gone, inactive or signed out everywhere. The others are in
   * use, and last a day from now on.
   */
  ended: (sessions: readonly Session[]) => Promise<Set<Session>>;
};

/** Who acts, from where, and with which API token. Without an id: a caller who is not signed in. */
export type Actor = { id: string | null; email: string | null; address: string; tokenId?: string };
