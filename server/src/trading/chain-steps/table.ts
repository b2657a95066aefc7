import type { ChainStatus, ChainStep, SubmissionPurpose } from '@dutchbook/contract/chain-steps.ts';
import type { MarketId, TokenId, VenueName } from '@dutchbook/units/ids.ts';
import type { Price } from '@dutchbook/units/price.ts';
import type { Shares } from '@dutchbook/units/shares.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { GasCost } from '@dutchbook/venues/venue-chain.ts';
import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex, uuid } from 'drizzle-orm/pg-core';
import { instant, micro } from '../../platform/database/columns.ts';

/** Balances at one block; shares by token, in millionths like the cash. */
export type StoredBalances = { block: number; cash: Usd; shares: Record<string, Shares> };

/** A token that a step gives (negative) or brings, in millionths. */
export type TokenChange = { tokenId: TokenId; micro: number };

/** Shares of one buy that a step takes, by the sell order that is recorded for them, and the dollars that they bring. */
export type StepPart = { orderId: string; batchId: string; shares: Shares; dollars: Usd };

/**
 * Shares that a step hands out to a batch and that no later step takes, by the order that will hold them. `split`: what of the
 * dollars they cost, and what they are sold at then, at least; left out where they cost nothing and are held.
 */
export type HandedOut = {
  orderId: string;
  batchId: string;
  leg: number;
  marketId: MarketId;
  marketName: string;
  tokenId: TokenId;
  outcome: string;
  shares: Shares;
  split?: { cost: Usd; limit: Price };
};

/**
 * The proven result of a call: the dollars that it brought and the shares that each order it hands out to holds, or
 * nothing.
 */
export type StepProof =
  | { kind: 'proven'; dollars: Usd; handedOut: Record<string, Shares> }
  | { kind: 'unproven'; error: string };

/** One row per submission: what was wanted, what was signed, and what is proven of it. */
export const chainSubmissions = pgTable(
  'chain_submissions',
  {
    id: uuid('id').primaryKey(),
    /** Whose chain it goes to. */
    venue: text('venue').$type<VenueName>().notNull().default('polymarket'),
    /** The request, which may take several submissions. */
    requestId: uuid('request_id').notNull(),
    purpose: text('purpose').$type<SubmissionPurpose>().notNull(),
    status: text('status').$type<ChainStatus>().notNull(),
    /** Found done by the venue itself: nothing was signed here. */
    byVenue: boolean('by_venue').notNull().default(false),
    automatic: boolean('automatic').notNull(),
    /** The email of the person who asked for it; null where the product acted by itself. */
    requestedBy: text('requested_by'),
    /** The batches with shares in it. */
    batchIds: jsonb('batch_ids').$type<string[]>().notNull(),
    expected: micro('expected').$type<Usd>().notNull(),
    /** Approvals that stand in front of it. */
    waitsFor: jsonb('waits_for').$type<string[]>().notNull().default([]),
    /** Earliest time of signing: the venue takes no more until then. */
    notBefore: instant('not_before'),
    /** The signed conversion, as the port returns it; null before, and again once it is certain that nothing was sent. */
    preparedId: text('prepared_id'),
    nonce: bigint('nonce', { mode: 'number' }),
    deadline: instant('deadline'),
    payload: text('payload'),
    highestCost: jsonb('highest_cost').$type<GasCost>(),
    /** The venue's name for it. */
    sentAs: text('sent_as'),
    /** A sentence: why it waits, is unknown or has failed. */
    error: text('error'),
    hash: text('hash'),
    block: bigint('block', { mode: 'number' }),
    gas: jsonb('gas').$type<GasCost>(),
    /** Dollars that the account received, or below zero paid; null until confirmed, and in rows of older versions. */
    received: micro('received').$type<Usd>(),
    balancesBefore: jsonb('balances_before').$type<StoredBalances>(),
    balancesAfter: jsonb('balances_after').$type<StoredBalances>(),
    createdAt: instant('created_at').notNull(),
    /** When its bytes may have left; they are posted again, the same ones, only where time alone does not end it. */
    sentAt: instant('sent_at'),
    postedAgainAt: instant('posted_again_at'),
    /** The time since which its outcome has been unknown; else null. */
    unknownSince: instant('unknown_since'),
    /** The time at which it was given up and stopped holding up others: the relayer does not carry it out, and its nonce is unused. Never reset. */
    givenUpAt: instant('given_up_at'),
    /** When it was notified that it stays unknown. */
    unknownNotifiedAt: instant('unknown_told_at'),
    minedAt: instant('mined_at'),
    endedAt: instant('ended_at'),
    bookedAt: instant('booked_at'),
  },
  (table) => [
    index('chain_submissions_created_at').on(table.createdAt, table.id),
    index('chain_submissions_status').on(table.status, table.createdAt, table.id),
    index('chain_submissions_request_id').on(table.requestId),
    index('chain_submissions_unbooked').on(table.createdAt).where(sql`${table.bookedAt} is null`),
    // Signed and not proven: its nonce is taken. Of those with the nonce of one that was given up, the chain carries out one at most.
    uniqueIndex('chain_submissions_open_nonce_of_venue')
      .on(table.venue, table.nonce)
      .where(sql`${table.payload} is not null and ${table.endedAt} is null and ${table.givenUpAt} is null`),
  ],
);

/** The calls of a submission, in the order in which they are carried out. */
export const chainSteps = pgTable(
  'chain_steps',
  {
    id: uuid('id').primaryKey(),
    submissionId: uuid('submission_id')
      .notNull()
      .references(() => chainSubmissions.id),
    ordinal: integer('ordinal').notNull(),
    kind: text('kind').$type<ChainStep['kind']>().notNull(),
    marketIds: jsonb('market_ids').$type<string[]>().notNull(),
    marketNames: jsonb('market_names').$type<string[]>().notNull(),
    /** Token of a redemption. */
    tokenId: text('token_id').$type<TokenId>(),
    /** Contract of an approval. */
    contract: text('contract'),
    holder: text('holder'),
    isAllowed: boolean('is_allowed'),
    shares: micro('shares').$type<Shares>().notNull(),
    expected: micro('expected').$type<Usd>().notNull(),
    changes: jsonb('changes').$type<TokenChange[]>().notNull(),
    parts: jsonb('parts').$type<StepPart[]>().notNull(),
    handedOut: jsonb('handed_out').$type<HandedOut[]>().notNull(),
    /** Null until its submission is confirmed, and where the venue did it by itself: all as it stands here, then. */
    proof: jsonb('proof').$type<StepProof>(),
  },
  (table) => [uniqueIndex('chain_steps_ordinal_key').on(table.submissionId, table.ordinal)],
);
