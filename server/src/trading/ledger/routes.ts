import * as contract from '@dutchbook/contract/ledger.ts';
import { accountOf, linesFromOutside, linesOfNaming } from '@dutchbook/engine/ledger/entries-from-outside.ts';
import { USD_UNIT } from '@dutchbook/engine/ledger/entry.ts';
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
import { readBalances } from './balances.ts';
import { type Check, lastCheck } from './compare.ts';
import { explain } from './explain.ts';
import { sealEntries } from './seal.ts';
import { listEntries, presentEntry } from './store.ts';
import { ledgerChecks, ledgerEntries } from './table.ts';
import { verifyBlocks } from './verify.ts';

const TOKEN = /^\d+$/;

export function registerLedger(app: App, runtime: Pick<Runtime, 'db' | 'dbFor' | 'clock'>): void {
  const { lists, exports } = runtime.dbFor;
  routeRead(app, contract.listLedger, ({ query }) => listEntries(lists, query));

  routeRead(app, contract.readLedgerBalances, async () => {
    const [balances, check] = await Promise.all([readBalances(lists), lastCheck(lists, 'polymarket')]);
    const tokens = balances.filter(({ account, unit }) => isOfShares(account, unit));
    const held = tokens.filter(({ account }) => account === 'shares' || account === 'receivable');
    return {
      accounts: balances
        .filter((balance) => !tokens.includes(balance))
        .map(({ amount, ...place }) => ({ ...place, amount: microToText(amount) })),
      tokens: new Set(held.map(({ unit }) => unit)).size,
      check: check && (await presentCheck(lists, check)),
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

/** Units are dollars, tokens, and the coins of chains, which no account of shares ever has. */
function isOfShares(account: string, unit: string): boolean {
  return account === 'shares' || (account !== 'gas' && unit !== USD_UNIT && TOKEN.test(unit));
}

async function presentCheck(db: Db, { at, venueCash, ledgerCash, differences, since }: Check) {
  const explained = await Promise.all(
    differences.map(async ({ unit, amount, since: seenAt }) => {
      const { marketName, explanation } = await explain(db, { unit, amount, since: seenAt });
      return { unit, market_name: marketName, amount: microToText(amount), explanation };
    }),
  );
  return { at, venue_cash_usd: venueCash, ledger_cash_usd: ledgerCash, differences: explained, since };
}

type Stated = { kind: 'deposit' | 'withdrawal' | 'correction'; unit: string; amount: string; reason: string };

/** @throws Invalid */
async function state({ db, clock }: Pick<Runtime, 'db' | 'clock'>, actor: Actor, stated: Stated) {
  const { kind, unit, amount: text, reason } = stated;
  const amount = microFromText(text, 'Amount');
  refuseWrong(kind, unit, amount);
  const lines = linesFromOutside([{ unit, amount }]);
  return await db.transaction(async (tx) => {
    await lock(tx, 'ledger');
    // It may be a transfer that was not entered yet: these are entered again from where all agree again.
    if (unit === USD_UNIT) await tx.update(ledgerChecks).set({ chainBlock: null });
    const [row] = await tx
      .insert(ledgerEntries)
      .values({ at: clock.now(), kind, lines, statedBy: actor.email, reason })
      .returning();
    if (row === undefined) throw new Error('an entry was inserted without a row');
    const after = { kind, account: accountOf(unit), unit, amount: text, reason };
    await recordAction(tx, { clock }, actor, { action: 'ledger.stated', object: String(row.id), after });
    return presentEntry(row, NO_NAMES);
  });
}

const NO_NAMES = { marketName: null, outcome: null, namedAs: null };

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
    const usd = unknown.lines.find(({ account }) => account === 'cash')?.amount ?? 0;
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
function refuseWrong(kind: Stated['kind'], unit: string, amount: number): void {
  if (unit !== USD_UNIT && !TOKEN.test(unit))
    throw new Invalid(['body', 'unit'], 'Input should be usd or the id of a token');
  if (amount === 0) throw new Invalid(['body', 'amount'], 'Input should not be 0');
  if (kind === 'deposit' && amount < 0) throw new Invalid(['body', 'amount'], 'A deposit is above 0');
  if (kind === 'withdrawal' && amount > 0) throw new Invalid(['body', 'amount'], 'A withdrawal is below 0');
}
