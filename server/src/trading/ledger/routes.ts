import * as contract from '@dutchbook/contract/ledger.ts';
import { accountOf, linesFromOutside, linesOfNaming } from '@dutchbook/engine/ledger/entries-from-outside.ts';
import { USD_UNIT } from '@dutchbook/engine/ledger/entry.ts';
import { VENUE_NAMES, type VenueName, venueOf, whyNoId } from '@dutchbook/units/ids.ts';
import { type LedgerAccount, venueOfCash } from '@dutchbook/units/ledger-kinds.ts';
import { microFromText, microToText } from '@dutchbook/units/micro.ts';
import { and, eq } from 'drizzle-orm';
import type * as z from 'zod/mini';
import { recordAction } from '../../platform/audit/record.ts';
import { lock } from '../../platform/database/locks.ts';
import type { App } from '../../platform/http/app.ts';
import { Conflict, Invalid, NotFound } from '../../platform/http/errors.ts';
import { route, routeRead } from '../../platform/http/route.ts';
import type { Actor } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { rowIdOf } from '../orders/venue-in.ts';
import { readBalances } from './balances.ts';
import { type Check, lastCheck } from './compare.ts';
import { explain } from './explain.ts';
import { sealEntries } from './seal.ts';
import { listEntries, presentEntry } from './store.ts';
import { ledgerChecks, ledgerEntries } from './table.ts';
import { verifyBlocks } from './verify.ts';

const FIRST: VenueName = 'polymarket';

export function registerLedger(app: App, runtime: Pick<Runtime, 'db' | 'dbFor' | 'clock'>): void {
  const { lists, exports } = runtime.dbFor;
  routeRead(app, contract.listLedger, ({ query }) => listEntries(lists, query));

  routeRead(app, contract.readLedgerBalances, async () => {
    const [balances, checks] = await Promise.all([readBalances(lists), readChecks(lists)]);
    const tokens = balances.filter(({ account, unit }) => isOfShares(account, unit));
    const held = tokens.filter(({ account }) => account === 'shares' || account === 'receivable');
    return {
      accounts: balances
        .filter((balance) => !tokens.includes(balance))
        .map(({ amount, ...place }) => ({ ...place, amount: microToText(amount) })),
      tokens: new Set(held.map(({ unit }) => unit)).size,
      check: checks.find(({ venue }) => venue === FIRST) ?? null,
      checks,
    };
  });

  route(app, contract.verifyLedger, async () => {
    await sealEntries(runtime);
    const { blocks, entries, head, brokenAt } = await verifyBlocks(exports);
    return { intact: brokenAt === null, blocks, entries, head, broken_at: brokenAt };
  });

  route(app, contract.stateDifference, ({ body, actor }) => state(runtime, actor, body));

  route(app, contract.nameEntry, ({ body, actor }) => name(runtime, actor, body));
}

/** Units are dollars, tokens, and the coins of chains, which are in accounts of cash and gas alone. */
function isOfShares(account: LedgerAccount, unit: string): boolean {
  return account === 'shares' || (account !== 'gas' && unit !== USD_UNIT && isToken(unit));
}

/** The last comparison with each venue that was compared. */
async function readChecks(db: Db) {
  const checks = await Promise.all(
    VENUE_NAMES.map(async (venue) => {
      const check = await lastCheck(db, venue);
      return check === null ? [] : [{ venue, ...(await presentCheck(db, venue, check)) }];
    }),
  );
  return checks.flat();
}

async function presentCheck(db: Db, venue: VenueName, { at, venueCash, ledgerCash, differences, since }: Check) {
  const explained = await Promise.all(
    differences.map(async ({ unit, amount, since: seenAt }) => {
      const { marketName, explanation } = await explain(db, venue, { unit, amount, since: seenAt });
      return { unit, market_name: marketName, amount: microToText(amount), explanation };
    }),
  );
  return { at, venue_cash_usd: venueCash, ledger_cash_usd: ledgerCash, differences: explained, since };
}

type Stated = z.output<typeof contract.stateDifference.body>;

/** @throws Invalid */
async function state({ db, clock }: Pick<Runtime, 'db' | 'clock'>, actor: Actor, stated: Stated) {
  const { kind, unit, amount: text, reason } = stated;
  const amount = microFromText(text, 'Amount');
  const venue = unit === USD_UNIT ? (stated.venue ?? FIRST) : venueOf(unit);
  refuseWrong(stated, amount);
  const lines = linesFromOutside([{ unit, amount }], venue);
  return await db.transaction(async (tx) => {
    await lock(tx, 'ledger');
    // The stated dollars may be a transfer not entered yet: stop entering transfers until venue, chain and ledger agree again.
    if (unit === USD_UNIT)
      await tx
        .update(ledgerChecks)
        .set({ chainBlock: null })
        .where(eq(ledgerChecks.id, rowIdOf(venue)));
    const [row] = await tx
      .insert(ledgerEntries)
      .values({ at: clock.now(), kind, lines, statedBy: actor.email, reason })
      .returning();
    if (row === undefined) throw new Error('an entry was inserted without a row');
    const after = { kind, account: accountOf(unit, venue), unit, amount: text, reason };
    await recordAction(tx, { clock }, actor, { action: 'ledger.stated', object: String(row.id), after });
    return presentEntry(row, NO_NAMES);
  });
}

const NO_NAMES = { marketName: null, outcome: null, batchName: null, namedAs: null };

type Naming = z.output<typeof contract.nameEntry.body>;

/** @throws NotFound, Conflict */
async function name(
  { db, clock }: Pick<Runtime, 'db' | 'clock'>,
  actor: Actor,
  { entry_id: id, kind, reason }: Naming,
) {
  return await db.transaction(async (tx) => {
    await lock(tx, 'ledger');
    const [unknown] = await tx
      .select()
      .from(ledgerEntries)
      .where(and(eq(ledgerEntries.id, id), eq(ledgerEntries.kind, 'unknown')));
    if (unknown === undefined) throw new NotFound('Entry not found');
    const [named] = await tx.select().from(ledgerEntries).where(eq(ledgerEntries.namesEntryId, id));
    if (named !== undefined) throw new Conflict(`These dollars were named by entry ${named.id}.`);
    const usd = unknown.lines.find(({ account }) => venueOfCash(account) !== null)?.amount ?? 0;
    const entry = { at: clock.now(), kind, lines: linesOfNaming(kind, usd), namesEntryId: id, reason };
    const [row] = await tx
      .insert(ledgerEntries)
      .values({ ...entry, statedBy: actor.email })
      .returning();
    if (row === undefined) throw new Error('an entry was inserted without a row');
    const after = { kind, names_entry_id: id, usd: microToText(usd), reason };
    await recordAction(tx, { clock }, actor, { action: 'ledger.named', object: String(row.id), after });
    return presentEntry(row, NO_NAMES);
  });
}

/** @throws Invalid */
function refuseWrong({ kind, unit, venue }: Stated, amount: number): void {
  if (unit !== USD_UNIT && !isToken(unit))
    throw new Invalid(['body', 'unit'], 'Input should be usd or the id of a token');
  if (unit !== USD_UNIT && venue !== undefined && venue !== venueOf(unit))
    throw new Invalid(['body', 'venue'], 'Input should be the venue of the token');
  if (amount === 0) throw new Invalid(['body', 'amount'], 'Input should not be 0');
  if (kind === 'deposit' && amount < 0) throw new Invalid(['body', 'amount'], 'A deposit is above 0');
  if (kind === 'withdrawal' && amount > 0) throw new Invalid(['body', 'amount'], 'A withdrawal is below 0');
}

/** The first venue's are whole numbers, so that no coin and no misspelt dollar passes for one. */
function isToken(unit: string): boolean {
  return venueOf(unit) === FIRST ? /^\d+$/.test(unit) : whyNoId(unit) === null;
}
