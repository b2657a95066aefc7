/** What a trigger decides by beside the books: the state of the account, asked for in the transaction that records the trigger. */

import { modeOf } from '@dutchbook/contract/status.ts';
import type { TakenLevel } from '@dutchbook/engine/practice/taken-levels.ts';
import type { CashReading } from '@dutchbook/engine/risk/allowance.ts';
import type { OwnOrder } from '@dutchbook/engine/risk/self-trade.ts';
import { type SQL, type SQLWrapper, sql } from 'drizzle-orm';
import type { JournaledAccount } from '../../../market/decision-journal/journaled.ts';
import { automaticIsOff, simulationIsOn } from '../../../people/system-settings/store.ts';
import { compiled, slot } from '../../../platform/database/compiled.ts';
import { fromJsonOf, type JsonRow } from '../../../platform/database/json-rows.ts';
import { locking } from '../../../platform/database/locks.ts';
import type { Send } from '../../../platform/database/pipelined.ts';
import type { Db } from '../../../platform/runtime/runtime.ts';
import { activeBatches } from '../../orders/batch-store.ts';
import { dependsOnUse, UNUSED, type UseRow, useIn, useQuery } from '../../orders/limit-use.ts';
import { ownOrders } from '../../orders/own-orders.ts';
import { cashLeft, type Taking, uncounted } from '../../orders/spendable.ts';
import { batches } from '../../orders/table.ts';
import { type PracticeRow, practiceAccountIn, practiceQuery } from '../../practice/account.ts';
import { type TakenRow, takenIn, takenQuery } from '../../practice/taken.ts';
import { rowUntilEnd, standingBy } from '../../trading-controls/store.ts';
import { tradingControls } from '../../trading-controls/table.ts';
import type { PlaceParts } from '../place-by-hand.ts';

/** `isSwitched`: what is stored says otherwise than this process knows whether orders are only simulated. */
export type TriggerInputs = {
  isAutomaticOff: boolean;
  isSwitched: boolean;
  activeBatchId: string | null;
  account: JournaledAccount;
  /** What is gone of the books for practice; nothing where orders are sent. */
  taken: TakenLevel[];
};

/**
 * From here until the transaction ends no other decision spends cash, and trading stays armed. Everything is asked for at once; what
 * this answers waits for it.
 */
export function askTriggerInputs(
  send: Send,
  parts: PlaceParts,
  opportunityId: string,
  tokenIds: readonly string[],
): () => Promise<TriggerInputs> {
  const { runtime, controls, readiness } = parts;
  const reading = parts.account.reading();
  const practice = parts.settings.current().ORDER_SIMULATION_ENABLED;
  void send(locking('spending'));
  // By statements after the lock: they see what its previous holder has committed.
  const asked = send<InputsRow>(inputsQuery(parts, reading, opportunityId));
  const asksUse = !practice && dependsOnUse(controls.current().limits);
  const use = asksUse ? send<UseRow>(useQuery(runtime.clock.now())) : null;
  const practiced = practice ? send<PracticeRow>(practiceQuery(runtime.clock.now())) : null;
  const taken = practice ? send<TakenRow>(takenQuery({ tokenIds })) : null;
  return async () => {
    const [row] = await asked;
    if (row === undefined) throw new Error('a select without a table answered no row');
    const { armed, limits } = standingBy(row.controls.map(controlsFrom)[0], runtime.config.venueMode);
    const switches = {
      isAutomaticOff: row.is_automatic_off,
      isSwitched: row.is_simulated !== practice,
      activeBatchId: row.active_batch_id,
    };
    const ready = readiness();
    if (practiced !== null) {
      const means = practiceAccountIn((await practiced)[0], parts, limits);
      const account = { ...means, allowances: null, readiness: { ...ready, armed: ready.armed && armed } };
      return { ...switches, account, taken: takenIn((await taken) ?? []) };
    }
    const used = dependsOnUse(limits) ? useIn(await (use ?? send<UseRow>(useQuery(runtime.clock.now())))) : UNUSED;
    const { limitsRequired } = controls;
    return {
      ...switches,
      taken: [],
      account: {
        cash: reading === null ? null : cashLeft(reading, row.uncounted.map(takingFrom)),
        allowances: reading?.allowances ?? null,
        readiness: { ...ready, armed: ready.armed && armed },
        limitState: { limits, limitsRequired, ...used, spentBefore: [], ownOrders: row.own_orders.map(ownOrderFrom) },
      },
    };
  };
}

type InputsRow = {
  uncounted: JsonRow[];
  own_orders: JsonRow[];
  active_batch_id: string | null;
  controls: JsonRow[];
  is_automatic_off: boolean;
  is_simulated: boolean;
};

function inputsQuery({ runtime }: PlaceParts, reading: CashReading | null, opportunityId: string): SQL {
  const { db, config } = runtime;
  const { venue } = modeOf(config.venueMode);
  return reading === null
    ? inputsWithoutCash({ venue, opportunityId }, db)
    : inputsWithCash({ venue, opportunityId, at: reading.at }, db);
}

const inputsWithCash = compiled((db: Db) => {
  const reading = { at: slot('at', batches.updatedAt) };
  return inputs(db, rowsOf(uncounted(db, reading)));
});

const inputsWithoutCash = compiled((db: Db) => inputs(db, sql`'[]'::json`));

function inputs(db: Db, uncountedRows: SQL): SQL {
  const opportunityId = slot('opportunityId', batches.opportunityId);
  const venue = slot('venue', tradingControls.venue);
  return sql`select ${uncountedRows} as uncounted, ${rowsOf(ownOrders(db))} as own_orders,
    ${activeBatches(db, opportunityId)} as active_batch_id, ${rowsOf(rowUntilEnd(db, venue))} as controls,
    ${automaticIsOff()} as is_automatic_off, ${simulationIsOn()} as is_simulated`;
}

function rowsOf(query: SQLWrapper): SQL {
  return sql`(select coalesce(json_agg(r), '[]') from ${query} r)`;
}

const controlsFrom = fromJsonOf(tradingControls);

function takingFrom({ size, price, fee_rate: feeRate, fee_step: feeStep }: JsonRow): Taking {
  return { size, price, feeRate, feeStep } as Taking;
}

function ownOrderFrom({ batch_id: batchId, market_id: marketId, token_id: tokenId, side, price }: JsonRow): OwnOrder {
  return { batchId, marketId, tokenId, side, price } as OwnOrder;
}
