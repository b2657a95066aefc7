import { setTimeout as pause } from 'node:timers/promises';
import { ApiError } from '@polymarket/clob-client-v2';
import type { HeartbeatOutcome } from '../venue.ts';
import { noteFailure, type ReadingContext } from './account-reads.ts';
import type { Session, Sessions } from './auth.ts';
import { callFailure } from './errors.ts';
import { heartbeatAnswer } from './wire.ts';

/** Begins a chain of heartbeats. */
const FIRST_ID = '';
/** Another process of the same key may send in between, and the id it was told is then the one to send. */
const TRIES_MAX = 4;
/** Short enough to be tried again before the venue gives up on us. */
const ANSWER_WITHIN_MS = 2_500;
/** What a venue without this call answers. */
const NO_SUCH_CALL = [404, 405, 501];

/** Sends heartbeats of one API key, each with the id that the venue wants next. */
export function openHeartbeat(sessions: Sessions, context: ReadingContext): () => Promise<HeartbeatOutcome> {
  let nextId = FIRST_ID;
  let apiKey: string | null = null;
  return async () => {
    const session = sessions.current();
    if (!session) return { kind: 'failed', reason: 'the venue gave no API key yet' };
    if (session.credentials.key !== apiKey) nextId = FIRST_ID;
    apiKey = session.credentials.key;
    for (let tries = 0; tries < TRIES_MAX; tries++) {
      const sentId = nextId;
      try {
        nextId = await post(session, sentId);
        return { kind: 'taken' };
      } catch (error) {
        noteFailure(context, session, error);
        const expected = expectedId(error);
        if (expected === null || expected === sentId) return notTaken(error, context);
        nextId = expected;
      }
    }
    return { kind: 'failed', reason: 'the venue wanted another id each time' };
  };
}

async function post(session: Session, id: string): Promise<string> {
  const call: Promise<unknown> = session.client.postHeartbeat(id);
  call.catch(() => undefined);
  const silence = new AbortController();
  try {
    const late = pause(ANSWER_WITHIN_MS, undefined, { signal: silence.signal }).then(() => {
      throw new Error(`no answer within ${ANSWER_WITHIN_MS} ms`);
    });
    late.catch(() => undefined);
    const answer = heartbeatAnswer.safeParse(await Promise.race([call, late]));
    if (!answer.success) throw new Error('the answer came without the next id');
    return answer.data.heartbeat_id;
  } finally {
    silence.abort();
  }
}

/** The id that a refusal names; null where it names none. */
function expectedId(error: unknown): string | null {
  if (callFailure(error).status !== 400 || !(error instanceof ApiError)) return null;
  const answer = heartbeatAnswer.safeParse(error.data);
  return answer.success ? answer.data.heartbeat_id : null;
}

function notTaken(error: unknown, { secrets }: ReadingContext): HeartbeatOutcome {
  const { status, text } = callFailure(error);
  const isMissing = status !== null && NO_SUCH_CALL.includes(status);
  return { kind: isMissing ? 'unsupported' : 'failed', reason: secrets.clean(text) || 'no answer' };
}
