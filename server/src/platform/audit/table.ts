import type { AuditAction } from '@dutchbook/contract/audit.ts';
import { bigint, index, jsonb, pgTable, text, uuid } from 'drizzle-orm/pg-core';
import { instant } from '../database/columns.ts';

/** What people did. A trigger refuses any change of it; see the migration. */
export const auditLog = pgTable(
  'audit_log',
  {
    seq: bigint('seq', { mode: 'number' }).primaryKey(),
    at: instant('at').notNull(),
    /** No foreign key: what a user did outlives their account. */
    actorId: uuid('actor_id'),
    actor: text('actor'),
    address: text('address').notNull(),
    action: text('action').$type<AuditAction>().notNull(),
    object: text('object'),
    before: jsonb('before'),
    after: jsonb('after'),
    hash: text('hash').notNull(),
  },
  (table) => [
    index('audit_log_at').using('brin', table.at).with({ pages_per_range: 16, autosummarize: true }),
    index('audit_log_action').on(table.action, table.seq),
    index('audit_log_object').on(table.object, table.seq),
  ],
);
