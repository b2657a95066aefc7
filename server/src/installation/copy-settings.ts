/** Takes what people have set and approved from paper trading into a new installation on a real venue. Money and batches stay. */
import { modeOf } from '@dutchbook/contract/status.ts';
import { isAsListed, type Snapshot, snapshotOf } from '@dutchbook/engine/relation/snapshot.ts';
import { idAt, VENUE_NAMES } from '@dutchbook/units/ids.ts';
import { eq, isNull } from 'drizzle-orm';
import { exitSettings } from '../books/exits/table.ts';
import { reportSettings } from '../books/report/table.ts';
import { readCatalogueEvents } from '../market/discovery/relation-changes.ts';
import { discoverySettings } from '../market/discovery/table.ts';
import { NO_PRICES } from '../market/relations/store.ts';
import { relationPrices, relations, relationTemplates } from '../market/relations/table.ts';
import { securitySettings } from '../people/security-settings/table.ts';
import { systemSettings } from '../people/system-settings/table.ts';
import { recordAction, THE_SYSTEM } from '../platform/audit/record.ts';
import { lock } from '../platform/database/locks.ts';
import type { Clock, Db } from '../platform/runtime/runtime.ts';
import { ledgerEntries } from '../trading/ledger/table.ts';
import { batches } from '../trading/orders/table.ts';
import { WHOLE_DESK } from '../trading/trading-controls/store.ts';
import { tradingControls } from '../trading/trading-controls/table.ts';
import { installation } from './table.ts';

/** Why nothing is copied; the message says what to do. */
export class CopyRefused extends Error {
  override readonly name = 'CopyRefused';
}

const PAPER = modeOf('paper').keptUnder;
const REAL = modeOf('polymarket_live').keptUnder;
/** What the row of an account is called on paper, and at the real venue. */
const ACCOUNTS = VENUE_NAMES.map((name) => [idAt(name, PAPER), name] as const);
const OF_DESK = [discoverySettings, reportSettings, securitySettings];
const ROWS_PER_STATEMENT = 200;

export type Copied = { settings: number; relations: number; approvals: number };

/** All or nothing, also where it is called twice at once. Trading stays disarmed. @throws CopyRefused */
export async function copySettings(source: Db, target: Db, clock: Clock): Promise<Copied> {
  const [from] = await source.select().from(installation);
  if (from?.world !== 'paper')
    throw new CopyRefused('The source holds no paper trading: DATA_DIR or DATABASE_URL names where that is.');
  return await target.transaction(async (tx) => {
    await lock(tx, 'installation');
    await refuseUsed(tx);
    await tx.insert(installation).values({ only: true, world: 'real', since: clock.now() }).onConflictDoNothing();
    const copied = {
      settings: (await copySystemSettings(source, tx)) + (await copyVenueSettings(source, tx)),
      relations: await copyRelations(source, tx),
      approvals: await copyTemplates(source, tx),
    };
    const limits = await copyLimits(source, tx);
    await recordAction(tx, { clock }, THE_SYSTEM, {
      action: 'settings.copied',
      object: REAL,
      after: { ...copied, limits },
    });
    return copied;
  });
}

/** @throws CopyRefused */
async function refuseUsed(tx: Db): Promise<void> {
  const [into] = await tx.select().from(installation);
  if (into !== undefined && into.world !== 'real')
    throw new CopyRefused(
      'The target holds no data of a real venue: name an empty database, or that of a new installation.',
    );
  for (const table of [batches, ledgerEntries, relations, systemSettings])
    if ((await tx.$count(table)) > 0)
      throw new CopyRefused(
        'The target has batches, entries of the ledger, relations or settings of its own already: name an empty database.',
      );
}

async function copySystemSettings(source: Db, tx: Db): Promise<number> {
  const rows = await source.select().from(systemSettings);
  return await insertAll(rows, (part) =>
    tx.insert(systemSettings).values(part.map((row) => ({ ...row, updatedBy: null }))),
  );
}

/** Placing what is found is switched on anew where it takes money. */
async function copyVenueSettings(source: Db, tx: Db): Promise<number> {
  const copy = async (table: (typeof OF_DESK)[number] | typeof exitSettings, from: string, to: string) => {
    const [row] = await source.select().from(table).where(eq(table.venue, from));
    if (row === undefined) return 0;
    const form = table === discoverySettings ? { ...row.form, auto_place_found: false } : row.form;
    const copied = { form, changedAt: row.changedAt, changedBy: null };
    await tx
      .insert(table)
      .values({ venue: to, ...copied })
      .onConflictDoUpdate({ target: table.venue, set: copied });
    return 1;
  };
  let count = 0;
  for (const table of OF_DESK) count += await copy(table, PAPER, REAL);
  for (const [from, to] of ACCOUNTS) count += await copy(exitSettings, from, to);
  return count;
}

/**
 * Copies watched relations with their approvals and what they depended on, in full since the catalogue is not copied, so that a later change
 * voids them there too.
 */
async function copyRelations(source: Db, tx: Db): Promise<number> {
  const rows = await source.select().from(relations).where(isNull(relations.endedAt));
  return await insertAll(rows, async (part) => {
    const events = [...(await readCatalogueEvents(source, part)).values()];
    const inFull = ({ members }: (typeof part)[number], texts: Snapshot) =>
      isAsListed(texts) ? snapshotOf(members, events) : texts;
    await tx
      .insert(relations)
      .values(part.map((row) => ({ ...row, snapshot: inFull(row, row.snapshot), trusted: inFull(row, row.trusted) })));
    await tx.insert(relationPrices).values(part.map(({ id }) => ({ relationId: id, ...NO_PRICES })));
  });
}

async function copyTemplates(source: Db, tx: Db): Promise<number> {
  const rows = await source.select().from(relationTemplates);
  return await insertAll(rows, (part) => tx.insert(relationTemplates).values(part).onConflictDoNothing());
}

/** Copies the limits of each account and of the whole desk. @returns how many */
async function copyLimits(source: Db, tx: Db): Promise<number> {
  let count = 0;
  for (const [own, other] of [...ACCOUNTS, [WHOLE_DESK, WHOLE_DESK]] as const) {
    const [row] = await source.select().from(tradingControls).where(eq(tradingControls.venue, own));
    if (row === undefined || row.limitsChangedAt === null) continue;
    const { perOrder, perBatch, perDay, openExposure, limitsChangedAt } = row;
    const limits = { perOrder, perBatch, perDay, openExposure, limitsChangedAt };
    await tx
      .insert(tradingControls)
      .values({ venue: other, armed: false, ...limits })
      .onConflictDoUpdate({ target: tradingControls.venue, set: limits });
    count += 1;
  }
  return count;
}

async function insertAll<Row>(rows: readonly Row[], insert: (part: Row[]) => PromiseLike<unknown>): Promise<number> {
  for (let at = 0; at < rows.length; at += ROWS_PER_STATEMENT) await insert(rows.slice(at, at + ROWS_PER_STATEMENT));
  return rows.length;
}
