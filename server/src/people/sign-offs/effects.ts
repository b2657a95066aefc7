import type { SignOffKind } from '@dutchbook/contract/sign-offs.ts';
import type { Actor } from '../../platform/http/signed-in.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import type { SignOffRow } from './store.ts';

/** It is carried out as the person who asked; the audit log also names the person who approved. */
export type OnBehalf = { actor: Actor; user: { id: string } };

/** What a sign-off allows, judged anew when it is carried out. */
export type Effect = {
  /**
   * In the transaction that says that it was signed off, which it leaves last by its audit entry; see `recordAction`.
   * @returns what was done, in a sentence. @throws Refusal where it is not allowed any more
   */
  carryOut: (tx: Db, by: OnBehalf) => Promise<{ outcome: string; batchId?: string }>;
  /** Once that has committed. */
  after: () => void | Promise<void>;
  /** Once it is known that nothing of it has committed. */
  undone?: () => void;
};

/** What each kind does; what it needs of the venue it reads before there is a transaction. @throws VenueUnavailable */
export type Effects = Record<SignOffKind, (signOff: SignOffRow) => Effect | Promise<Effect>>;
