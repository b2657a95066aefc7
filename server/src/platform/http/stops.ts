/**
 * What ends trading or shuts somebody out holds in this process at once, whether or not the database answers, and is stored
 * as soon as the database takes it.
 */

import type { HeldStop } from '@dutchbook/contract/endpoint.ts';
import type { FastifyReply } from 'fastify';
import { answeredWithin, isDatabaseDown } from '../database/database-down.ts';
import { openFailureLog } from '../runtime/failure-log.ts';
import type { Runtime } from '../runtime/runtime.ts';
import type { Stop, Stops } from '../runtime/stops.ts';
import { Refusal } from './errors.ts';
import type { Session } from './signed-in.ts';

/** A caller is not kept waiting for a database that does not answer: the stop holds here already. */
const STORED_WITHIN_MS = 2000;
const STORE_AGAIN_MS = 1000;
/** Further ones are stored at once or not at all; trading is always among those that hold. */
const HELD_MAX = 1000;

export const TRADING = 'trading';
export const batchSubject = (batchId: string): string => `batch ${batchId}`;
/** A session, or an API token; one that `ownerId` has, where that is all that the caller may shut out. */
export const sessionSubject = (id: string, ownerId?: string): string =>
  ownerId === undefined ? `session ${id}` : `session ${id} of ${ownerId}`;

const SESSIONS_OF = /^sessions of (\S+) but (\S+)$/;
/** All sessions of a user but one of them, or without exception; no API token. */
export const sessionsSubject = (userId: string, kept: string | null): string => `sessions of ${userId} but ${kept}`;

/** Whether a stop of that subject ends this session. */
export function endsSession(subject: string, { id, userId }: Pick<Session, 'id' | 'userId'>): boolean {
  const [, ofUser, kept] = SESSIONS_OF.exec(subject) ?? [];
  return ofUser === userId && kept !== id;
}

type Held = { stop: Stop<unknown>; isAlone: boolean };

export function openStops({ timers, log }: Pick<Runtime, 'timers' | 'log'>): Stops {
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
        if (isRefusal(error)) forget(entry, error);
        else failures.failed(error);
        if (isDatabaseDown(error)) return;
      }
    }
    if (heldAlone().length > 0) return;
    stopRepeating?.();
    stopRepeating = null;
  }

  const heldAlone = () => [...held.values()].filter(({ isAlone }) => isAlone);

  function forget(entry: Held, error: unknown): void {
    log.warn({ err: error, subject: entry.stop.subject }, 'a stop that held in this process was refused');
    held.delete(entry.stop.subject);
  }

  async function release(entry: Held): Promise<void> {
    const { subject, onStored } = entry.stop;
    if (held.get(subject) === entry) held.delete(subject);
    await onStored?.();
  }

  function holdAlone(entry: Held): void {
    entry.isAlone = true;
    stopRepeating ??= timers.every(STORE_AGAIN_MS, storeHeld);
  }

  return {
    carryOut: async <Stored>(stop: Stop<Stored>) => {
      const entry: Held = { stop, isAlone: held.get(stop.subject)?.isAlone ?? false };
      const isHeld = held.size < HELD_MAX || stop.subject === TRADING;
      if (isHeld) held.set(stop.subject, entry);
      let stored: Stored;
      try {
        stored = await answeredWithin(timers, STORED_WITHIN_MS, stop.store(false));
      } catch (error) {
        if (isRefusal(error) && held.get(stop.subject) === entry) held.delete(stop.subject);
        if (isRefusal(error) || !isHeld) throw error;
        failures.failed(error);
        holdAlone(entry);
        return { kind: 'held' };
      }
      await release(entry);
      return { kind: 'stored', stored };
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

const NOT_STORED =
  'not stored yet: that follows as soon as the database answers. If this process ends before, ask once more';

/** Answers that `what` holds in this process alone: a phrase without a full stop. */
export function answerHeld(reply: FastifyReply, what: string): FastifyReply {
  const body: HeldStop = { message: heldInWords(what), stored: false };
  return reply.code(202).send(body);
}

export function heldInWords(what: string): string {
  return `${what}; ${NOT_STORED}.`;
}
