/** Keeps the worlds apart: dollars of one must never count in limits, profit, ledger or tax file of another. */
import { modeOf, type PaperFills, VENUE_MODES, type World } from '@dutchbook/contract/status.ts';
import { FIRST_SETTINGS, SETTINGS } from '@dutchbook/contract/system-settings.ts';
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import { and, eq, inArray } from 'drizzle-orm';
import { exitSettings } from '../books/exits/table.ts';
import { reportSettings } from '../books/report/table.ts';
import { discoverySettings } from '../market/discovery/table.ts';
import { securitySettings } from '../people/security-settings/table.ts';
import { systemSettings } from '../people/system-settings/table.ts';
import { users } from '../people/users/table.ts';
import { recordAction, THE_SYSTEM } from '../platform/audit/record.ts';
import { auditLog } from '../platform/audit/table.ts';
import { lock } from '../platform/database/locks.ts';
import type { Config } from '../platform/runtime/config.ts';
import type { Db, Runtime } from '../platform/runtime/runtime.ts';
import { ledgerEntries } from '../trading/ledger/table.ts';
import { batches } from '../trading/orders/table.ts';
import { tradingControls } from '../trading/trading-controls/table.ts';
import { installation } from './table.ts';

/** The data that was named is of another world than the venue that was asked for, or of another fill model. */
export class OtherWorld extends Error {
  override readonly name = 'OtherWorld';
}

const WORLD_WORDS: Record<World, string> = {
  simulated: 'the simulated exchange',
  paper: 'paper trading',
  real: 'a real venue',
};

const REAL_MODES = Object.entries(VENUE_MODES).flatMap(([mode, { world }]) => (world === 'real' ? [mode] : []));
const REAL_VENUES = Object.values(VENUE_MODES).flatMap(({ keptUnder, world }) =>
  world === 'real' ? [String(keptUnder)] : [],
);

/** What VENUE names for it. */
const VENUE_OF: Record<World, string> = { simulated: 'simulated', paper: 'paper', real: 'polymarket' };

/**
 * Stores at the first start which world the data is of, and refuses every later start in another one. Data from before this was stored
 * is classified by what it holds. @throws OtherWorld
 */
export async function claimInstallation({
  config,
  db,
  clock,
}: Pick<Runtime, 'config' | 'db' | 'clock'>): Promise<void> {
  const { world } = modeOf(config.venueMode);
  const [fills, upstream] = [config.paper?.fills ?? null, config.paper?.upstream ?? null];
  const held = await db.transaction(async (tx) => {
    await lock(tx, 'installation');
    const [stored] = await tx.select().from(installation);
    if (stored !== undefined) return await withUpstream(tx, stored, upstream);
    const [worldBefore, startedAt] = [await worldOfOlderData(tx), await firstStart(tx)];
    const row = {
      only: true,
      world: worldBefore ?? world,
      since: startedAt ?? clock.now(),
      fills: worldBefore === null ? fills : null,
      upstream: worldBefore === null ? upstream : null,
    };
    await tx.insert(installation).values(row);
    const isNew = worldBefore === null && startedAt === null;
    if (isNew && config.firstSizePolicy === 'best') await beginWithBest(tx, { clock });
    return row;
  });
  if (held.world === world && held.fills === fills && held.upstream === upstream) return;
  const [batchCount, entryCount] = [await db.$count(batches), await db.$count(ledgerEntries)];
  throw new OtherWorld(refusal(config, held, `${batchCount} batches and ${entryCount} ledger entries`));
}

/** Last in its transaction. A setting that is stored already stays. */
async function beginWithBest(tx: Db, { clock }: Pick<Runtime, 'clock'>): Promise<void> {
  const rows = Object.entries(FIRST_SETTINGS).map(([name, value]) => ({ name, value, updatedAt: clock.now() }));
  await tx.insert(systemSettings).values(rows).onConflictDoNothing();
  const before = { SIZE_POLICY: SETTINGS.SIZE_POLICY.default, CLIP_USD: SETTINGS.CLIP_USD.default };
  await recordAction(tx, { clock }, THE_SYSTEM, {
    action: 'settings.changed',
    before,
    after: FIRST_SETTINGS,
  });
}

type Held = Omit<typeof installation.$inferSelect, 'only'>;

/** Data on paper from before its upstream was stored is of the one that it is started with. */
async function withUpstream(tx: Db, stored: Held, upstream: string | null): Promise<Held> {
  if (stored.world !== 'paper' || stored.upstream !== null || upstream === null) return stored;
  await tx.update(installation).set({ upstream });
  return { ...stored, upstream };
}

/** Refuses data of another world, fill model or mirrored venue. */
function refusal(config: Config, held: Held, contents: string): string {
  const { where, other } = placeOf(config);
  const { world } = modeOf(config.venueMode);
  const [own, asked, setting] = differenceIn(held, { world, ...config.paper });
  return (
    `${where} holds data of ${own} since ${instantToIso(held.since)} (${contents}), which never mix with ` +
    `those of ${asked}: name ${other}, or start with ${setting}.`
  );
}

type Asked = { world: World; fills?: PaperFills; upstream?: string };

/** What the data is of, what was asked for, and the setting that the data would start with. */
function differenceIn(held: Held, { world, fills, upstream }: Asked): [string, string, string] {
  if (held.world !== world) return [WORLD_WORDS[held.world], WORLD_WORDS[world], `VENUE=${VENUE_OF[held.world]}`];
  if (held.fills !== fills) {
    const filledBy = (model: unknown) => `${WORLD_WORDS.paper} with the fill model ${model}`;
    return [filledBy(held.fills), filledBy(fills), `PAPER_FILLS=${held.fills}`];
  }
  const mirroring = (places: string | null | undefined) =>
    `${WORLD_WORDS.paper} that mirrors ${placeWords(places ?? '')}`;
  return [mirroring(held.upstream), mirroring(upstream), upstreamSetting(held.upstream ?? '')];
}

function placeWords(places: string): string {
  const named = places.replace(' kalshi=', ' and kalshi=').replace('kalshi=real', 'Kalshi');
  return named.replace(/^real/, 'the real venue').replace('kalshi=', 'Kalshi at ');
}

/** Polymarket's place by itself, Kalshi's behind its name. */
function upstreamSetting(places: string): string {
  const [before = '', kalshi = ''] = places.split('kalshi=', 2);
  const polymarket = before.trimEnd();
  if (kalshi === '') return `PAPER_UPSTREAM=${polymarket}`;
  const settings = [`VENUE=paper:${polymarket === '' ? 'kalshi' : 'polymarket,kalshi'}`];
  if (polymarket !== '') settings.push(`PAPER_UPSTREAM=${polymarket}`);
  return [...settings, `PAPER_KALSHI_UPSTREAM=${kalshi}`].join(' ');
}

/** Nothing of the address but what says which database it is: it may hold a password. */
function placeOf({ databaseUrl, dataDir }: Config): { where: string; other: string } {
  if (databaseUrl === null) return { where: `The data folder ${dataDir}`, other: 'an empty folder in DATA_DIR' };
  const { host, pathname } = new URL(databaseUrl);
  const where = `The database ${decodeURIComponent(pathname.slice(1))} on ${host}`;
  return { where, other: 'an empty database in DATABASE_URL' };
}

/**
 * Of data from before its world was stored; null where nothing in it is of one world more than of another. No order leaves for a real
 * venue that was never armed. Data of both worlds counts as real: its owner has to get at the shares.
 */
async function worldOfOlderData(tx: Db): Promise<World | null> {
  const started = await tx.select().from(tradingControls);
  const ofReal = started.filter(({ venue }) => REAL_VENUES.includes(venue));
  if (ofReal.length === 0) return started.length === 0 ? null : 'simulated';
  if (ofReal.length === started.length || (await wasArmed(tx))) return 'real';
  if ((await tx.$count(batches)) > 0) return 'simulated';
  if (ofReal.some(({ limitsChangedAt }) => limitsChangedAt !== null) || (await hasRealSettings(tx))) return 'real';
  return (await tx.$count(ledgerEntries)) > 0 ? 'simulated' : null;
}

async function wasArmed(tx: Db): Promise<boolean> {
  const ofReal = inArray(auditLog.object, REAL_MODES);
  return (await tx.$count(auditLog, and(eq(auditLog.action, 'trading.armed'), ofReal))) > 0;
}

async function hasRealSettings(tx: Db): Promise<boolean> {
  for (const table of [discoverySettings, exitSettings, reportSettings, securitySettings])
    if ((await tx.$count(table, inArray(table.venue, REAL_VENUES))) > 0) return true;
  return false;
}

/** The first account is made by the first start. */
async function firstStart(tx: Db): Promise<Instant | null> {
  const [row] = await tx.select({ at: users.createdAt }).from(users).orderBy(users.createdAt).limit(1);
  return row?.at ?? null;
}
