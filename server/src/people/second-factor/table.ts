import { bigint, boolean, index, integer, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../../platform/database/columns.ts';
import { users } from '../users/table.ts';

const userId = () =>
  uuid('user_id')
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });

/** Whose authenticator is asked for, once it was confirmed. */
export const secondFactors = pgTable('second_factors', {
  userId: userId().primaryKey(),
  /** Sealed under the secret key. */
  totpSecret: text('totp_secret').notNull(),
  totpConfirmedAt: instant('totp_confirmed_at'),
  /** The half minute, since 1970, of the last code that was taken: none of it or before is taken again. */
  totpLastStep: integer('totp_last_step'),
  /** Half minutes that were still to come when their code was refused: it is refused in its time as well. */
  totpRefusedSteps: integer('totp_refused_steps').array().notNull().default([]),
  /** Whether it was said, since the last code that was taken, that the clock is off. */
  isClockOffSaid: boolean('is_clock_off_said').notNull().default(false),
});

/** What each is the SHA-256 of was shown once. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  { userId: userId(), codeHash: text('code_hash').notNull(), usedAt: instant('used_at') },
  (table) => [primaryKey({ columns: [table.userId, table.codeHash] })],
);

export const passkeys = pgTable(
  'passkeys',
  {
    /** As the authenticator chose it, base64url; the public key as well. */
    credentialId: text('credential_id').primaryKey(),
    userId: userId(),
    publicKey: text('public_key').notNull(),
    /** Signature counter, where the authenticator has one. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    transports: text('transports').array().notNull(),
    name: text('name').notNull(),
    createdAt: instant('created_at').notNull(),
    lastUsedAt: instant('last_used_at'),
  },
  (table) => [index('ix_passkeys_user_id').on(table.userId)],
);

/** What a passkey is asked to sign: good once, for some minutes, for this user and purpose. */
export const passkeyChallenges = pgTable(
  'passkey_challenges',
  {
    challengeHash: text('challenge_hash').primaryKey(),
    userId: userId(),
    purpose: text('purpose').notNull(),
    expiresAt: instant('expires_at').notNull(),
  },
  (table) => [index('ix_passkey_challenges_user_id').on(table.userId)],
);
