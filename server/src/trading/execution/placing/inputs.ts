/** Inputs of a placing decision beside the books: the account, its limits, and rows of the database. */

import type { Readiness } from '@dutchbook/engine/desk/assess.ts';
import type { TakenLevel } from '@dutchbook/engine/practice/taken-levels.ts';
import type { CashReading } from '@dutchbook/engine/risk/allowance.ts';
import type { AccountState, Accounts } from '@dutchbook/engine/risk/context.ts';
import { NO_ACCOUNT, NO_LIMITS } from '@dutchbook/engine/risk/limits/touched.ts';
import { type TokenId, VENUE_NAMES, type VenueName } from '@dutchbook/units/ids.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import { type SQL, sql } from 'drizzle-orm';
import type { JournaledAccount } from '../../../market/decision-journal/journaled.ts';
import { type StandingOpportunity, standingIn, standingUntilEnd } from '../../../market/opportunities/store.ts';
import { AUTOMATIC_IS_OFF, SIMULATION_IS_ON } from '../../../people/system-settings/store.ts';
import type { JsonRow } from '../../../platform/database/json-rows.ts';
import { locking } from '../../../platform/database/locks.ts';
import { inOrder, type Send } from '../../../platform/database/pipelined.ts';
import type { Runtime } from '../../../platform/runtime/runtime.ts';
import { MOVING_POCKETS, movingIn } from '../../cash-moves/store.ts';
import { activeBatch, batchCounts } from '../../orders/batch-store.ts';
import { ownOrderFrom, ownOrders } from '../../orders/own-orders.ts';
import { type PracticeRow, practiceAccountIn, practiceQuery } from '../../practice/account.ts';
import { type TakenRow, takenIn, takenQuery } from '../../practice/taken.ts';
import { controlsRows, standingBy, WHOLE_DESK } from '../../trading-controls/store.ts';
import {
  type AskedBy,
  type AskedRow,
  askedIn,
  askedQuery,
  dependsOnUse,
  UNUSED,
  type UseSums,
  useIn,
  useQuery,
} from '../../under-way/limit-use.ts';
import { reserveUnreserved } from '../../under-way/reserve.ts';
import { IS_BEHIND } from '../../under-way/reserved-sums.ts';
import { cashLeft, pocketsLeft, uncounted } from '../../under-way/spendable.ts';
import type { DecidingDesk, Desks } from '../../venue-desk/desks.ts';

export type InputParts = {
  runtime: Pick<Runtime, 'db' | 'config' | 'clock'>;
  desks: Pick<Desks<DecidingDesk>, 'all'>;
  readiness: () => Readiness;
};

/** `practice`: orders are only simulated, and the accounts are those of practice. */
export type Wanted = {
  practice: boolean;
  /** Left out where the account alone is wanted. */
  opportunityId?: string | undefined;
  /** The series that the next clip of is placed. */
  seriesId?: string;
  /** Tokens of whose books practice has taken. */
  tokenIds?: readonly TokenId[];
  /** The batch whose missing orders are placed: what it may still take is left out. */
  ownBatchId?: string | undefined;
  /** The person who asks; null for the product itself. */
  askedBy?: Omit<AskedBy, 'simulated'> | null;
  /**
   * Until the transaction ends no other decision spends cash, and trading stays armed. `opportunity`: nor is the opportunity changed,
   * which is read, with the number of its batches.
   */
  locks?: 'account' | 'opportunity';
};

/** `isSwitched`: what is stored says otherwise than `practice` whether orders are only simulated. */
export type PlacingInputs = {
  practice: boolean;
  isAutomaticOff: boolean;
  isSwitched: boolean;
  activeBatchId: string | null;
  account: JournaledAccount;
  /** When trading was last armed or disarmed at each venue; null where it never was. */
  armedChanges: ReadonlyMap<VenueName, Instant | null>;
  /** Levels that practice has taken; empty where orders are sent. */
  taken: TakenLevel[];
  /** Dollars that the requester has in other batches; undefined where no sign-off is asked for. */
  askedLately: Usd | undefined;
  /** State of the locked opportunity. `uneven`: clips of the series that hold shares without the rest of their set. */
  standing: { opportunity: StandingOpportunity | null; batches: number; uneven: number } | null;
};

/** Reads them outside a transaction, for what only shows them. */
export function readInputs(parts: InputParts, wanted: Wanted): Promise<PlacingInputs> {
  return askInputs(inOrder(parts.runtime.db), parts, wanted)();
}

/** Predicts the inputs of a decision from what this process has read, so that a size can be chosen before the database answers. */
export function expectedInputs({ desks, readiness }: InputParts): PlacingInputs {
  return {
    ...{ practice: false, isAutomaticOff: false, isSwitched: false, activeBatchId: null, taken: [] },
    ...{ askedLately: undefined, standing: null, armedChanges: new Map() },
    account: {
      readiness: readiness(),
      accounts: new Map(desks.all.map((desk) => [desk.name, expectedState(desk)])),
      ...{ deskLimits: NO_LIMITS, spentBefore: [], ownOrders: [] },
    },
  };
}

function expectedState({ account, controls, soundness }: DecidingDesk): AccountState {
  const reading = account.reading();
  const { armed, limits } = controls.current();
  return {
    ...{ balance: reading?.cash ?? null, allowances: reading?.allowances ?? null, armed, ...soundness() },
    ...(reading === null ? {} : pocketsLeft(reading, '0')),
    ...{ limits, limitsRequired: controls.limitsRequired, ...UNUSED },
  };
}

/** Asks for everything at once; what this answers waits for it. */
export function askInputs(send: Send, parts: InputParts, wanted: Wanted): () => Promise<PlacingInputs> {
  const { runtime, readiness } = parts;
  const { practice, ownBatchId = null, askedBy = null, tokenIds = [], locks } = wanted;
  const now = runtime.clock.now();
  const desks = parts.desks.all.map((desk) => ({ ...desk, read: practice ? null : desk.account.reading() }));
  const { opportunityId = '', seriesId = null } = wanted;
  // The opportunity is locked before spending.
  const locked = locks === 'opportunity' ? send<JsonRow>(standingUntilEnd(opportunityId)) : null;
  if (locks !== undefined) void send(locking('spending'));
  // Separate statements after the lock, so that they see what its previous holder has committed.
  const asked = send<InputsRow>(inputsQuery(parts, desks, wanted));
  const counted = locked && send<{ batches: number; uneven: number }>(batchCounts(runtime.db, opportunityId, seriesId));
  const useAt = ({ name }: ReadDesk) => send<UseSums>(useQuery(now, ownBatchId, [name]));
  const asksUse = !practice && desks.some(({ controls }) => dependsOnUse(controls.current().limits));
  const use = asksUse ? desks.map(useAt) : null;
  const practiced = practice ? desks.map(({ name }) => send<PracticeRow>(practiceQuery(now, name, ownBatchId))) : [];
  const taken = practice && tokenIds.length > 0 ? send<TakenRow>(takenQuery(tokenIds)) : null;
  const asksLately = askedBy !== null && typeof readiness().signOffAbove === 'number';
  const lately = asksLately ? send<AskedRow>(askedQuery(runtime.db, { ...askedBy, simulated: practice })) : null;
  return async () => {
    const [row] = await asked;
    if (row === undefined) throw new Error('a select without a table answered no row');
    if (row.is_behind) {
      await reserveUnreserved(runtime.db);
      return await askInputs(send, parts, wanted)();
    }
    const standing = standingBy(row.controls, runtime.config.venueMode);
    const deskLimits = standing(WHOLE_DESK).limits;
    const stored = desks.map((desk) => ({ ...desk, ...standing(desk.name) }));
    const asksNow = !practice && [deskLimits, ...stored.map(({ limits }) => limits)].some(dependsOnUse);
    const sums = asksNow ? await Promise.all(use ?? desks.map(useAt)) : [];
    const elsewhere = dependsOnUse(deskLimits) ? await usedElsewhere(send, parts, wanted) : [];
    const practices = await Promise.all(practiced.map(async (rows) => practiceAccountIn((await rows)[0], parts)));
    const accountOf = ({ name, read, ...desk }: (typeof stored)[number], place: number): AccountState => {
      const own = practices[place];
      const [used] = sums[place] ?? [];
      const common = { ...desk.soundness(), armed: desk.controls.current().armed && desk.armed, limits: desk.limits };
      if (own !== undefined) {
        const { cash: balance, ...usedOfIt } = own;
        return { ...common, ...usedOfIt, balance, allowances: null, limitsRequired: false };
      }
      return {
        ...common,
        balance: read === null ? null : cashLeft(read, row.uncounted[name] ?? '0'),
        ...(read === null ? {} : pocketsLeft(read, row.uncounted[name] ?? '0')),
        ...movingOf(movingIn(row.moving, name)),
        allowances: read?.allowances ?? null,
        limitsRequired: desk.controls.limitsRequired,
        ...(used === undefined ? UNUSED : useIn(used)),
      };
    };
    const configured = stored.map((desk, place) => [desk.name, accountOf(desk, place)] as const);
    const accounts: Accounts = new Map([...configured, ...elsewhere]);
    return {
      practice,
      isAutomaticOff: row.is_automatic_off,
      isSwitched: row.is_simulated !== practice,
      activeBatchId: row.active_batch_id,
      armedChanges: new Map(stored.map(({ name, armedChangedAt }) => [name, armedChangedAt])),
      askedLately: lately === null ? undefined : askedIn(await lately),
      standing: locked &&
        counted && { opportunity: standingIn(await locked), ...((await counted)[0] ?? { batches: 0, uneven: 0 }) },
      taken: practice ? takenIn((await taken) ?? []) : [],
      account: {
        ...{ accounts, deskLimits, readiness: readiness(), spentBefore: [] },
        ownOrders: practice ? [] : row.own_orders.map(ownOrderFrom),
      },
    };
  };
}

/** Nothing is said of it where nothing moves, so that what decisions were made with reads as it always did. */
function movingOf(moving: readonly string[]): Pick<AccountState, 'movingPockets'> {
  return moving.length === 0 ? {} : { movingPockets: moving };
}

/** Accounts at venues that are not configured any more: nothing may be sent there, and what they hold is used of the whole desk's limits. */
async function usedElsewhere(
  send: Send,
  { runtime, desks }: InputParts,
  { practice, ownBatchId }: Wanted,
): Promise<[VenueName, AccountState][]> {
  const now = runtime.clock.now();
  const names = VENUE_NAMES.filter((name) => desks.all.every((desk) => desk.name !== name));
  return await Promise.all(
    names.map(async (name): Promise<[VenueName, AccountState]> => {
      if (!practice) {
        const [sums] = await send<UseSums>(useQuery(now, ownBatchId ?? null, [name]));
        return [name, { ...NO_ACCOUNT, ...(sums && useIn(sums)) }];
      }
      const [row] = await send<PracticeRow>(practiceQuery(now, name, ownBatchId ?? null));
      const { cash: _cash, ...used } = practiceAccountIn(row, { runtime });
      return [name, { ...NO_ACCOUNT, ...used }];
    }),
  );
}

type InputsRow = {
  /** Dollars as text. */
  uncounted: Partial<Record<VenueName, string>>;
  is_behind: boolean;
  own_orders: JsonRow[];
  active_batch_id: string | null;
  controls: JsonRow[];
  moving: JsonRow[];
  is_automatic_off: boolean;
  is_simulated: boolean;
};

type ReadDesk = { name: VenueName; read: CashReading | null };

function inputsQuery(
  { runtime: { config } }: InputParts,
  desks: readonly ReadDesk[],
  { opportunityId, ownBatchId, locks }: Wanted,
): SQL {
  const unread = desks.flatMap(({ name, read }) =>
    read === null ? [] : [sql`${name}::text, ${uncounted(read, ownBatchId, name)}`],
  );
  return sql`select json_build_object(${sql.join(unread, sql`, `)}) as uncounted, ${IS_BEHIND},
    ${rowsOf(ownOrders(ownBatchId))} as own_orders, ${activeBatch(opportunityId ?? null)} as active_batch_id,
    ${rowsOf(controlsRows(config.venueMode, locks !== undefined))} as controls,
    ${MOVING_POCKETS} as moving, ${AUTOMATIC_IS_OFF} as is_automatic_off, ${SIMULATION_IS_ON} as is_simulated`;
}

function rowsOf(query: SQL): SQL {
  return sql`(select coalesce(json_agg(r), '[]') from ${query} r)`;
}
