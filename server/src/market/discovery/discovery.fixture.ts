/** Discovery over a venue whose events and books are what the test says. */

import { feeOf } from '@dutchbook/engine/opportunity/quotes.fixture.ts';
import type { CatalogueEvent, EventMember } from '@dutchbook/engine/relation/catalogue-event.ts';
import type { VenueName } from '@dutchbook/units/ids.ts';
import { instantFromIso } from '@dutchbook/units/instant.ts';
import { PRICE_ONE } from '@dutchbook/units/price.ts';
import { SHARES_ZERO } from '@dutchbook/units/shares.ts';
import { USD_ZERO } from '@dutchbook/units/usd.ts';
import { VenueUnavailable } from '@dutchbook/venues/venue.ts';
import { eq } from 'drizzle-orm';
import type { Partitions } from '../../platform/engines/partitions.ts';
import type { Db } from '../../platform/runtime/runtime.ts';
import { openTestRuntime } from '../../test-runtime.ts';
import { activeBatchOf } from '../../trading/orders/batch-store.ts';
import { batchesSince } from '../../trading/orders/series.ts';
import { batches } from '../../trading/orders/table.ts';
import { type DecisionJournal, NO_JOURNAL } from '../decision-journal/note.ts';
import { opportunities } from '../opportunities/table.ts';
import { DEFAULT_SETTINGS } from '../prices/live-prices.fixture.ts';
import { type PlainLevel, scriptedMarkets } from '../prices/quotes/scripted-markets.fixture.ts';
import { approveRelation } from '../relations/decide.ts';
import { listRelations, readRelation, type StoredRelation, type WholeRelation } from '../relations/store.ts';
import { contradictionOf } from './contradicted.ts';
import { startDiscovery } from './discovery.ts';
import { changeDiscoverySettings, openDiscoverySettings } from './settings.ts';

/** Quotes of a cup of three, which cost more than they pay, and less. */
export const FAIR = { a: ['0.48', '0.50'], b: ['0.28', '0.30'], c: ['0.20', '0.22'] } as const;
export const CHEAP = { a: ['0.48', '0.50'], b: ['0.28', '0.30'], c: ['0.14', '0.15'] } as const;

export const BOSS = { id: null, email: 'boss@example.com', address: '::1' };

const ALL: Partitions = { owns: () => true, held: () => null, claimOf: () => null, onChange: () => () => {} };

export function memberOf(marketId: string, fields: Partial<EventMember> = {}): EventMember {
  return {
    marketId,
    slug: `slug-${marketId}`,
    question: `Will ${marketId} win?`,
    groupTitle: marketId,
    rules: `The market of ${marketId} resolves by the official result.`,
    clarifications: '',
    resolutionSource: '',
    endDate: instantFromIso('2027-01-01T00:00:00Z'),
    outcomes: ['Yes', 'No'],
    tokenIds: [`${marketId}:yes`, `${marketId}:no`],
    memberIndex: null,
    arity: null,
    strike: null,
    game: null,
    feeSchedule: feeOf(0),
    closed: false,
    resolvedValue: null,
    leftOut: null,
    ...fields,
  };
}

/** An event of which exactly one member wins. */
export function cupOf(names: readonly string[], fields: Partial<CatalogueEvent> = {}): CatalogueEvent {
  return {
    id: 'cup',
    slug: 'the-cup',
    title: 'The cup',
    series: null,
    endDate: instantFromIso('2027-01-01T00:00:00Z'),
    closed: false,
    exclusive: 'enforced',
    augmented: false,
    nested: null,
    isWhole: true,
    members: names.map((name, memberIndex) => memberOf(name, { memberIndex })),
    ...fields,
  };
}

const NEWEST_PER_PAGE = 5;

/** `other`: the events of a second venue; null where there is none. */
type ScriptedVenue = {
  events: CatalogueEvent[];
  pageSize: number;
  failsAt: number | null;
  pagesRead: number[];
  other: { venue: VenueName; events: CatalogueEvent[] } | null;
};

export async function openDiscoveryDesk() {
  const test = await openTestRuntime();
  const { runtime, time } = test;
  const markets = scriptedMarkets(runtime.clock);
  const settings = await openDiscoverySettings(runtime);
  const desk: ScriptedVenue = { events: [], pageSize: 100, failsAt: null, pagesRead: [], other: null };
  const catalogue = {
    ...markets.venue.catalogue,
    listed: () => null,
    readEvents: async function* (cursor: string | null, venue?: VenueName) {
      if (desk.other !== null && venue === desk.other.venue) {
        yield { events: desk.other.events, cursor: null };
        return;
      }
      for (let from = Number(cursor ?? 0); ; from += desk.pageSize) {
        const open = desk.events.filter(({ closed }) => !closed);
        if (desk.failsAt === from) throw new VenueUnavailable('the venue does not answer');
        desk.pagesRead.push(from);
        const next = from + desk.pageSize;
        yield { events: open.slice(from, next), cursor: next < open.length ? String(next) : null };
        if (next >= open.length) return;
      }
    },
    newestMarkets: async (skip: number) =>
      desk.events
        .filter(({ closed }) => !closed)
        .flatMap(({ id: eventId, members }) => members.map(({ marketId }) => ({ marketId, eventId })))
        .reverse()
        .slice(skip, skip + NEWEST_PER_PAGE),
    eventsById: async (ids: readonly string[]) =>
      [...desk.events, ...(desk.other?.events ?? [])].filter(({ id }) => ids.includes(id)),
  };
  const venue = { ...markets.venue, catalogue };
  const live = { adopt: () => {}, rowsNow: <Row>(rows: readonly Row[]) => [...rows] };
  const shown: string[] = [];
  /** Whether pages are open that show what is found out. */
  const pages = { areOpen: true };
  const stream = {
    publish: ({ type, id }: { type: string; id: string }) => void shown.push(`${type} ${id}`),
    watched: () => pages.areOpen,
  };
  const open = (partitions = ALL, journal: DecisionJournal = NO_JOURNAL) =>
    startDiscovery({
      runtime,
      venue: desk.other === null ? venue : { ...venue, names: [...venue.names, desk.other.venue] },
      partitions,
      settings,
      stream,
      live: live as never,
      activeBatchOf,
      hitEnds: { batchesSince, trigger: () => '0.80% is needed at the best ask of each leg' },
      journal,
    });
  return {
    ...test,
    desk,
    markets,
    settings,
    shown,
    pages,
    start: open,
    /** Sets the first outcome's books: what it is bid and asked at, for so many shares. */
    quote: (quotes: Record<string, readonly [bid: string, ask: string, size?: string]>) =>
      markets.setBooks(Object.fromEntries(Object.entries(quotes).map(([id, quote]) => [`${id}:yes`, bookOf(quote)]))),
    /** As many passes over the venue as fit, and what follows from them. */
    pass: async (seconds = 8) => {
      for (let second = 0; second < seconds; second += 1) await time.advance(1000);
    },
    change: (changes: Parameters<typeof changeDiscoverySettings>[3]) =>
      changeDiscoverySettings(runtime, settings, { actor: BOSS, user: { id: runtime.random.uuid() } }, changes),
    relations: async (kind?: StoredRelation['kind']): Promise<WholeRelation[]> => {
      const page = { skip: 0, limit: 100, sortBy: 'created_at', sortOrder: 'asc' } as const;
      const { rows } = await listRelations(runtime.db, { kind }, page);
      const whole = await Promise.all(rows.map(({ id }) => readRelation(runtime.db, id)));
      return whole.filter((row) => row !== null);
    },
    /** As it was read last. */
    approve: (
      { id, fingerprint }: Pick<StoredRelation, 'id' | 'fingerprint'>,
      scope: 'relation' | 'series' = 'relation',
    ) => approveRelation(runtime, { id, actor: BOSS }, { fingerprint, scope }, contradictionOf),
    /** A batch of the opportunity, of which nothing but its status matters. */
    batchOf: async (
      opportunityId: string,
      status: 'processing' | 'completed',
      { simulated = false } = {},
    ): Promise<string> => {
      const id = runtime.random.uuid();
      const now = runtime.clock.now();
      await runtime.db.insert(batches).values({
        ...{ id, opportunityId, status, expectedOrders: 3, orderSize: SHARES_ZERO, targetPrice: PRICE_ONE },
        ...{ targetProfit: USD_ZERO, automatic: true, simulated, settings: DEFAULT_SETTINGS },
        ...{ createdAt: now, updatedAt: now },
      });
      return id;
    },
    found: (): Promise<(typeof opportunities.$inferSelect)[]> => foundIn(runtime.db),
  };
}

function foundIn(db: Db) {
  return db.select().from(opportunities).where(eq(opportunities.source, 'found')).orderBy(opportunities.createdAt);
}

function bookOf([bid, ask, size = '100']: readonly [string, string, string?]): {
  asks: readonly PlainLevel[];
  bids: readonly PlainLevel[];
} {
  return { bids: [[bid, size]], asks: [[ask, size]] };
}
