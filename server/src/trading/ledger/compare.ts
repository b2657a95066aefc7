/** Compares the ledger with the venue. Never trades, and never stops trading. */
import { compared, type Difference, type UnitReading } from '@dutchbook/engine/ledger/comparison.ts';
import { linesFromOutside } from '@dutchbook/engine/ledger/entries-from-outside.ts';
import { USD_UNIT } from '@dutchbook/engine/ledger/entry.ts';
import type { CashReading } from '@dutchbook/engine/risk/allowance.ts';
import { type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { cashAt } from '@dutchbook/units/ledger-kinds.ts';
import { PRICE_ZERO } from '@dutchbook/units/price.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { type VenueCatalogue, type VenueTrading, VenueUnavailable } from '@dutchbook/venues/venue.ts';
import type { VenueChain } from '@dutchbook/venues/venue-chain.ts';
import { eq } from 'drizzle-orm';
import { recordNotification } from '../../people/notifications/record.ts';
import { lock } from '../../platform/database/locks.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { worthlessTokens } from '../orders/resolved-values.ts';
import { rowIdOf } from '../orders/venue-in.ts';
import { type Balance, readBalances } from './balances.ts';
import { explain } from './explain.ts';
import { ledgerChecks, ledgerEntries } from './table.ts';
import { type ChainReading, postStrayPayouts, postTransfers, readChain } from './transfers.ts';
import { type Allowance, allow, allowVenueMoves, isQuiet, readAllowances } from './under-way.ts';
import { writeOff } from './write-off.ts';

export type Compared = {
  venue: VenueName;
  runtime: Pick<Runtime, 'db' | 'clock' | 'random' | 'pubsub' | 'log'>;
  account: { refresh: () => Promise<CashReading | null> };
  trading: Pick<VenueTrading, 'positions' | 'refreshHoldings'>;
  catalogue: Pick<VenueCatalogue, 'marketsById' | 'eventsById'>;
  chain: Pick<VenueChain, 'balances' | 'transfers'> | null;
  /** Where nothing says it, deposits and withdrawals are stated by people; the chain says it where this is absent. */
  moves?: Pick<VenueChain, 'balances' | 'transfers'> | null;
};

export type Check = typeof ledgerChecks.$inferSelect;

/** More would not be read. */
const TOLD_MAX = 5;

export async function lastCheck(db: Db, venue: VenueName): Promise<Check | null> {
  const [check = null] = await db
    .select()
    .from(ledgerChecks)
    .where(eq(ledgerChecks.id, rowIdOf(venue)));
  return check;
}

/**
 * The first time, what the venue has and nothing explains becomes the opening entry; later it is a difference, of which people are
 * notified once it stands the same at two comparisons in a row.
 * @returns whether it was compared: not while the venue does not answer, nor, the first time, while anything is under way
 */
export async function compareWithVenue(parts: Compared): Promise<boolean> {
  const { venue: name, runtime } = parts;
  const { db, clock } = runtime;
  const startedAt = clock.now();
  const last = await lastCheck(db, name);
  const chain = await readChain(parts.moves ?? parts.chain, last?.chainBlock ?? null, parts.runtime.log);
  const received = await readVenue(parts, chain, last);
  if (received === null) return false;
  return await db.transaction(async (tx) => {
    await lock(tx, 'ledger');
    const before = await lastCheck(tx, name);
    if (before === null) return await open(tx, parts, received, startedAt);
    // Others may have entered the transfers since, or stated the difference.
    const venue = { ...received, chain: chain?.after === before.chainBlock ? chain : null };
    const allowances = await readAllowances(tx, { venue: name, hasContracts: parts.chain !== null }, clock.now());
    if (venue.chain !== null)
      allow(allowances, USD_UNIT, await postTransfers(tx, runtime, name, venue.chain.transfers));
    await postStrayPayouts(tx, runtime, name, venue.cash - cashOf(await balancesAt(tx, name)));
    const moving = await allowVenueMoves(tx, name, allowances, chain, clock.now());
    const balances = await balancesAt(tx, name);
    const readings = readingsOf(venue, balances, allowances);
    const found = compared(readings, before.differences, clock.now());
    const { worthless } = venue;
    const ripe = found.due.filter(({ unit }) => !moving.has(unit));
    const due = await writeOff(tx, { venue: name, balances, due: ripe, worthless, now: clock.now() });
    const differences = found.differences.filter((each) => due.includes(each) || !ripe.includes(each));
    if (due.length > 0) await tell(tx, parts, due);
    else if (differences.length === 0 && before.differences.length > 0)
      runtime.log.info({ venue: name }, 'ledger and venue agree again');
    await writeCheck(tx, parts, { venue, balances, before, differences, isNotifiedNow: due.length > 0 });
    return true;
  });
}

/** `shares`: by token. `worthless`: tokens whose markets have resolved against them. */
type Venue = {
  cash: Usd;
  shares: ReadonlyMap<string, number>;
  worthless: readonly string[];
  chain: ChainReading | null;
};

async function readVenue(
  { venue: name, runtime, account, trading, catalogue }: Compared,
  chain: ChainReading | null,
  last: Check | null,
): Promise<Venue | null> {
  try {
    // The venue would go by what it kept before the transfers.
    if (chain !== null && chain.transfers.length > 0) await trading.refreshHoldings([]);
    const [reading, positions] = await Promise.all([account.refresh(), trading.positions()]);
    if (reading === null) return null;
    const shares = new Map(positions.map((position) => [position.tokenId, position.shares]));
    const lost = positions.filter(({ resolvedValue }) => resolvedValue === PRICE_ZERO);
    // The venue no longer lists shares that it has taken away. Shares that were missing before are notified.
    const missing = (last?.differences ?? []).filter(({ unit, amount }) => amount < 0 && unit !== USD_UNIT);
    const unlisted = missing.map(({ unit }) => unit).filter((unit) => !shares.has(unit));
    const gone = await worthlessTokens(runtime.db, catalogue, unlisted);
    return {
      cash: reading.balance ?? reading.cash,
      shares,
      worthless: [...lost.map(({ tokenId }) => tokenId), ...gone],
      chain,
    };
  } catch (error) {
    if (!(error instanceof VenueUnavailable)) throw error;
    runtime.log.warn({ venue: name, reason: error.message }, 'ledger not compared, the venue did not answer');
    return null;
  }
}

async function open(tx: Db, parts: Compared, venue: Venue, startedAt: Instant): Promise<boolean> {
  if (!(await isQuiet(tx, parts.venue, startedAt))) return false;
  const balances = await balancesAt(tx, parts.venue);
  const readings = readingsOf(venue, balances, new Map());
  const { differences } = compared(readings, [], startedAt);
  const lines = linesFromOutside(differences, parts.venue);
  if (lines.length > 0)
    await tx.insert(ledgerEntries).values({ at: parts.runtime.clock.now(), kind: 'opening', lines });
  const opened = await balancesAt(tx, parts.venue);
  await writeCheck(tx, parts, { venue, balances: opened, before: null, differences: [], isNotifiedNow: false });
  return true;
}

function readingsOf(
  { cash, shares }: Venue,
  balances: readonly Balance[],
  allowances: ReadonlyMap<string, Allowance>,
): UnitReading[] {
  const held = new Map(
    balances.filter(({ account }) => account === 'shares').map(({ unit, amount }) => [unit, amount]),
  );
  const reading = (unit: string, venue: number, ledger: number, isListed: boolean) => {
    const { least, most } = allowances.get(unit) ?? { least: 0, most: 0 };
    return { unit, venue, ledger, least, most, isListed };
  };
  const tokens = new Set([...shares.keys(), ...held.keys()]);
  return [
    reading(USD_UNIT, cash, cashOf(balances), true),
    ...[...tokens].map((token) => reading(token, shares.get(token) ?? 0, held.get(token) ?? 0, shares.has(token))),
  ];
}

/** The ledger's balances that the venue can have too: its cash and tokens. */
async function balancesAt(db: Db, venue: VenueName): Promise<Balance[]> {
  return (await readBalances(db)).filter(({ account, unit }) =>
    unit === USD_UNIT ? account === cashAt(venue) : venueOf(unit) === venue,
  );
}

function cashOf(balances: readonly Balance[]): Usd {
  return (balances.find(({ unit }) => unit === USD_UNIT)?.amount ?? 0) as Usd;
}

async function tell(
  tx: Db,
  { runtime, venue }: Pick<Compared, 'runtime' | 'venue'>,
  due: readonly Difference[],
): Promise<void> {
  const explained = await Promise.all(due.slice(0, TOLD_MAX).map((difference) => explain(tx, venue, difference)));
  const more = due.length > TOLD_MAX ? ` ${due.length - TOLD_MAX} more tokens differ.` : '';
  const message = `${explained.map(({ explanation }) => explanation).join(' ')}${more}`;
  const data = { venue, differences: due.map(({ unit, amount }) => ({ unit, amount: amount / 1_000_000 })) };
  runtime.log.warn(data, 'ledger and venue differ');
  await recordNotification(tx, runtime, { type: 'ledger_difference', opportunityId: null, message, data });
  for (const difference of due) difference.isNotified = true;
}

type Outcome = {
  venue: Venue;
  balances: readonly Balance[];
  before: Check | null;
  differences: Difference[];
  isNotifiedNow: boolean;
};

async function writeCheck(
  tx: Db,
  { runtime: { clock }, venue: name }: Pick<Compared, 'runtime' | 'venue'>,
  { venue, balances, before, differences, isNotifiedNow }: Outcome,
): Promise<void> {
  const now = clock.now();
  const isEqual = differences.length === 0;
  const check = {
    at: now,
    venueCash: venue.cash,
    ledgerCash: cashOf(balances),
    differences,
    since: isEqual ? null : (Math.min(...differences.map(({ since }) => since)) as Instant),
    notifiedAt: isNotifiedNow ? now : isEqual ? null : (before?.notifiedAt ?? null),
    chainBlock: chainBlockOf(venue, cashOf(balances), before?.chainBlock ?? null),
  };
  await tx
    .insert(ledgerChecks)
    .values({ id: rowIdOf(name), ...check })
    .onConflictDoUpdate({ target: ledgerChecks.id, set: check });
}

/** Transfers are entered from a block on at which venue, chain and ledger have the same cash. */
function chainBlockOf({ cash, chain }: Venue, ledgerCash: Usd, before: number | null): number | null {
  if (chain === null) return before;
  if (chain.cash === null) return chain.through;
  return chain.cash === cash && cash === ledgerCash ? chain.through : null;
}
