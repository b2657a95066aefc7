/**
 * What ends trading or shuts a user out holds in this process at once, whether or not the database answers, and is stored
 * as soon as the database takes it.
 */

import type { HeldStop } from '@dutchbook/contract/endpoint.ts';
import { VENUE_MODES, type VenueMode } from '@dutchbook/contract/status.ts';
import { idAt, type VenueName, venueOf, withoutVenue } from '@dutchbook/units/ids.ts';
import type { FastifyReply } from 'fastify';
import { answeredWithin, isDatabaseDown } from '../database/database-down.ts';
import { openFailureLog } from '../runtime/failure-log.ts';
import type { KeptStops } from '../runtime/kept-stops.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { HeldHere, Stop, Stops } from '../runtime/stops.ts';
import { Refusal } from './errors.ts';
import type { Session } from './signed-in.ts';

/** A caller is not kept waiting for a database that does not answer: the stop holds here already. */
const STORED_WITHIN_MS = 2000;
const STORE_AGAIN_MS = 1000;
const KEPT_WITHIN_MS = 1000;
/** Further ones are stored at once or not at all; trading is always among those that hold. */
const HELD_MAX = 1000;

const TRADING_ON = /^trading on (\S+)$/;
export const tradingSubject = (mode: VenueMode, venue: VenueName): string => `trading on ${idAt(venue, mode)}`;

/** On which venue trading was stopped. */
export function stoppedTrading(subject: string): { mode: VenueMode; venue: VenueName } {
  const name = TRADING_ON.exec(subject)?.[1] ?? '';
  const [mode, venue] = [withoutVenue(name), venueOf(name)];
  if (!(mode in VENUE_MODES)) throw new Error(`${subject} is no stop of trading`);
  return { mode: mode as VenueMode, venue };
}

const BATCH = /^batch (\S+)$/;
export const batchSubject = (batchId: string): string => `batch ${batchId}`;

export function stoppedBatch(subject: string): string {
  const [, id] = BATCH.exec(subject) ?? [];
  if (id === undefined) throw new Error(`${subject} is no stop of a batch`);
  return id;
}

const SESSION = /^session (\S+)(?: of (\S+))?$/;
/** A session, or an API token; one that `ownerId` has, where that is all that the caller may shut out. */
export const sessionSubject = (id: string, ownerId?: string): string =>
  ownerId === undefined ? `session ${id}` : `session ${id} of ${ownerId}`;

/** Which session or API token a stop ends, and of whom where its owner alone could; null where it ends all of a user. */
export function endedSession(subject: string): { id: string; ownerId: string | null } | null {
  const [, id, ownerId] = SESSION.exec(subject) ?? [];
  return id === undefined ? null : { id, ownerId: ownerId ?? null };
}

const SESSIONS_OF = /^sessions of (\S+) but (\S+)$/;
/** All sessions of a user but one of them, or without exception; no API token. */
export const sessionsSubject = (userId: string, kept: string | null): string => `sessions of ${userId} but ${kept}`;

/** The user whose sessions a stop ends, and the session that it keeps. */
export function endedSessions(subject: string): { userId: string; kept: string | null } {
  const [, userId, kept = 'null'] = SESSIONS_OF.exec(subject) ?? [];
  if (userId === undefined) throw new Error(`${subject} is no stop of sessions`);
  return { userId, kept: kept === 'null' ? null : kept };
}

/** Whether a stop of that subject ends this session. */
export function endsSession(subject: string, { id, userId }: Pick<Session, 'id' | 'userId'>): boolean {
  const [, ofUser, kept] = SESSIONS_OF.exec(subject) ?? [];
  return ofUser === userId && kept !== id;
}

type Held = { stop: Stop<unknown>; isAlone: boolean; files: string[] };

export function openStops({ timers, log }: Pick<Runtime, 'timers' | 'log'>, keptStops: KeptStops): Stops {
  const held = new Map<string, Held>();
  const failures = openFailureLog(log, 'warn', 'a stop holds in this process and is not stored yet, repeated');
  let stopRepeating: (() => void) | null = null;

  async function storeHeld(): Promise<void> {
    for (const entry of heldAlone()) {
      try {
        await entry.stop.store(true);
        await release(entry);
        failures.succeeded();
      } catch (error) {
        if (isRefusal(error)) await forget(entry, error);
        else failures.failed(error);
        if (isDatabaseDown(error)) return;
      }
    }
    if (heldAlone().length > 0) return;
    stopRepeating?.();
    stopRepeating = null;
  }

  const heldAlone = () => [...held.values()].filter(({ isAlone }) => isAlone);

  async function forget(entry: Held, error: unknown): Promise<void> {
    log.warn({ err: error, subject: entry.stop.subject }, 'a stop that held in this process was refused');
    await letGo(entry);
  }

  async function release(entry: Held): Promise<void> {
    await letGo(entry);
    await entry.stop.onStored?.();
  }

  async function letGo(entry: Held): Promise<void> {
    if (held.get(entry.stop.subject) === entry) held.delete(entry.stop.subject);
    await removeFiles(entry.files.splice(0));
  }

  async function removeFiles(files: readonly string[]): Promise<void> {
    for (const file of files) {
      await keptStops
        .remove(file)
        .catch((error: unknown) => log.warn({ err: error, file }, 'a stop that is stored is still kept as a file'));
    }
  }

  function holdAlone(entry: Held): void {
    entry.isAlone = true;
    stopRepeating ??= timers.every(STORE_AGAIN_MS, storeHeld);
  }

  /** Whether it is kept in time. A disk that hangs keeps no caller waiting. */
  async function keep(entry: Held): Promise<boolean> {
    const keeping = keptStops.keep(entry.stop).then(async (file) => {
      // Stored, or asked for once more, while it was written.
      if (held.get(entry.stop.subject) !== entry) return await removeFiles([file]);
      await removeFiles(entry.files.splice(0, entry.files.length, file));
    });
    try {
      await answeredWithin(timers, KEPT_WITHIN_MS, keeping);
      return true;
    } catch (error) {
      log.warn({ err: error, subject: entry.stop.subject }, 'a stop could not be kept for the next process');
      return false;
    }
  }

  return {
    carryOut: async <Stored>(stop: Stop<Stored>) => {
      const earlier = held.get(stop.subject);
      const entry: Held = { stop, isAlone: earlier?.isAlone ?? false, files: earlier?.files.splice(0) ?? [] };
      const isHeld = held.size < HELD_MAX || earlier !== undefined || stop.action === 'trading.disarmed';
      if (isHeld) held.set(stop.subject, entry);
      let stored: Stored;
      try {
        stored = await answeredWithin(timers, STORED_WITHIN_MS, stop.store(false));
      } catch (error) {
        if (isRefusal(error)) await letGo(entry);
        if (isRefusal(error) || !isHeld) throw error;
        failures.failed(error);
        holdAlone(entry);
        return { kind: 'held', isKept: await keep(entry) };
      }
      await release(entry);
      return { kind: 'stored', stored };
    },
    takeUp: async (restore) => {
      for (const { kept, file } of await keptStops.read()) {
        const earlier = held.get(kept.subject);
        const entry: Held = { stop: restore(kept), isAlone: true, files: [...(earlier?.files ?? []), file] };
        held.set(kept.subject, entry);
        holdAlone(entry);
      }
      await storeHeld();
    },
    holds: (subject) => held.has(subject),
    holdsAny: (matches) => held.size > 0 && [...held.keys()].some(matches),
    isHeldAlone: (subject) => held.get(subject)?.isAlone === true,
  };
}

/** It was understood and is not done; anything else may pass. */
function isRefusal(error: unknown): boolean {
  return error instanceof Refusal && error.status < 500;
}

/** Answers that `what` holds in this process alone: a phrase without a full stop. */
export function answerHeld(reply: FastifyReply, what: string, held: HeldHere): FastifyReply {
  const body: HeldStop = { message: heldInWords(what, held), stored: false };
  return reply.code(202).send(body);
}

export function heldInWords(what: string, { isKept }: HeldHere): string {
  const restarted = isKept ? 'also after a restart' : 'unless this process ends before: then ask once more';
  return `${what}; not stored yet: that follows as soon as the database answers, ${restarted}.`;
}
