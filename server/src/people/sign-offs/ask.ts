/** Asking a second person: the request is recorded, and the reply says where it stands. */
import { isDeepStrictEqual } from 'node:util';
import { OPEN_SIGN_OFFS_PER_USER, type SignOffKind } from '@dutchbook/contract/sign-offs.ts';
import { modeOf } from '@dutchbook/contract/status.ts';
import { instantFromMs, instantToIso } from '@dutchbook/units/instant.ts';
import { type JsonObject, recordAction } from '../../platform/audit/record.ts';
import { Conflict } from '../../platform/http/errors.ts';
import type { Actor, UserRow } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { recordNotification } from '../notifications/record.ts';
import { lockCaller } from '../users/change.ts';
import { notDone } from './standing.ts';
import { openSignOffsOf, type SignOffRow } from './store.ts';
import { signOffs } from './table.ts';

const MINUTE_MS = 60_000;
/** How long a request can be approved: a batch for less time, because its prices move. */
const LASTS_MS: Record<SignOffKind, number> = {
  arm: 15 * MINUTE_MS,
  limits: 15 * MINUTE_MS,
  settings: 15 * MINUTE_MS,
  practice_off: 15 * MINUTE_MS,
  batch: 2 * MINUTE_MS,
};

/** How a call is carried out once it is signed off, and in one sentence what the second person judges. */
export type Asked = { kind: SignOffKind; call: JsonObject; summary: string; batchId?: string };

/** Thrown where something is asked for that one person may not do alone. It rolls back the transaction that it is thrown in. */
export class SignOffNeeded extends Error {
  override readonly name = 'SignOffNeeded';
  readonly asked: Asked;

  constructor(asked: Asked) {
    super(asked.summary);
    this.asked = asked;
  }
}

export type By = { user: Pick<UserRow, 'id'>; actor: Actor };
export type AskRuntime = Pick<Runtime, 'config' | 'clock' | 'random' | 'db' | 'pubsub'>;

/** Remembers what was asked for, in the transaction that records it. */
type Remember = (tx: Db, signOffId: string) => Promise<void>;

/**
 * Does what a call asks for, or has a second person asked. @throws Conflict with the id of the sign-off where that is so, the
 * same one for the same request while it is open
 */
export async function orAsk<Done>(
  runtime: AskRuntime,
  by: By,
  work: () => Promise<Done>,
  remember: Remember = async () => {},
): Promise<Done> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof SignOffNeeded)) throw error;
    throw notDone(await ask(runtime, by, error.asked, remember), runtime.clock.now());
  }
}

async function ask(runtime: AskRuntime, { user, actor }: By, asked: Asked, remember: Remember): Promise<SignOffRow> {
  const { db, clock, config, random } = runtime;
  const { kind, call, summary, batchId = null } = asked;
  return await db.transaction(async (tx) => {
    // Of two clicks at once the later one finds what the earlier one has asked for.
    const { id: requestedBy, signOffEpoch: requesterEpoch } = await lockCaller(tx, user);
    const now = clock.now();
    const view = { reader: { id: requestedBy, isSuperuser: false }, venueMode: config.venueMode, now };
    const open = await openSignOffsOf(tx, view);
    const same = open.find((row) => row.kind === kind && isDeepStrictEqual(lasting(row.call), lasting(call)));
    if (same !== undefined) {
      await remember(tx, same.id);
      return same;
    }
    if (open.length >= OPEN_SIGN_OFFS_PER_USER)
      throw new Conflict(`You have ${OPEN_SIGN_OFFS_PER_USER} open sign-offs already: withdraw one first.`);
    const row: SignOffRow = {
      ...{ id: random.uuid(), venue: modeOf(config.venueMode).keptUnder, kind, call, summary, state: 'open', batchId },
      ...{ requestedBy, requestedByEmail: actor.email ?? '', requestedAt: now },
      ...{ requesterEpoch, tokenId: actor.tokenId ?? null },
      expiresAt: instantFromMs(now + LASTS_MS[kind]),
      ...{ decidedBy: null, decidedByEmail: null, decidedAt: null, reason: null, outcome: null },
    };
    await tx.insert(signOffs).values(row);
    await remember(tx, row.id);
    await recordNotification(tx, runtime, {
      type: 'sign_off_asked',
      opportunityId: null,
      message: `${row.requestedByEmail} asks a second person to sign off within ${LASTS_MS[kind] / MINUTE_MS} minutes: ${summary}`,
      data: { sign_off_id: row.id, by: actor.email, expires_at: instantToIso(row.expiresAt) },
    });
    await recordAction(tx, runtime, actor, {
      action: 'sign_off.asked',
      object: row.id,
      after: { kind, summary, call },
    });
    return row;
  });
}

/** Prices move between two clicks: that does not make it another request. */
function lasting(call: JsonObject): JsonObject {
  const { quoted_price: _price, up_to_usd: _most, at_least_usd: _least, ...rest } = call;
  return rest;
}
