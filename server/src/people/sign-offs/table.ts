import type { SignOffKind, SignOffState } from '@dutchbook/contract/sign-offs.ts';
import { sql } from 'drizzle-orm';
import { index, integer, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import type { JsonObject } from '../../platform/audit/record.ts';
import { instant } from '../../platform/database/columns.ts';
import { users } from '../users/table.ts';

/** What a second person is asked to approve. Open rows whose time is over count as expired before a row says so. */
export const signOffs = pgTable(
  'sign_offs',
  {
    id: uuid('id').primaryKey(),
    venue: text('venue').notNull(),
    kind: text('kind').$type<SignOffKind>().notNull(),
    /** All that is needed to carry it out; quantities as calls have them on the wire. */
    call: jsonb('call').$type<JsonObject>().notNull(),
    summary: text('summary').notNull(),
    requestedBy: uuid('requested_by').references(() => users.id, { onDelete: 'set null' }),
    requestedByEmail: text('requested_by_email').notNull(),
    /** `signOffEpoch` of the requester at the time of the request. */
    requesterEpoch: integer('requester_epoch'),
    /** The API token that it was asked for with; null where it was asked for in a session. */
    tokenId: uuid('token_id'),
    requestedAt: instant('requested_at').notNull(),
    expiresAt: instant('expires_at').notNull(),
    state: text('state').$type<SignOffState>().notNull(),
    decidedBy: uuid('decided_by').references(() => users.id, { onDelete: 'set null' }),
    decidedByEmail: text('decided_by_email'),
    decidedAt: instant('decided_at'),
    reason: text('reason'),
    outcome: text('outcome'),
    batchId: uuid('batch_id'),
  },
  (table) => [
    index('sign_offs_requested_at').on(table.requestedAt, table.id),
    index('sign_offs_requested_by').on(table.requestedBy),
    index('sign_offs_open').on(table.expiresAt).where(sql`${table.state} = 'open'`),
  ],
);
