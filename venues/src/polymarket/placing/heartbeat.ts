import { setTimeout as pause } from 'node:timers/promises';
import type { HeartbeatOutcome } from '../../venue.ts';
import { noteFailure, type ReadingContext } from '../account-reads.ts';
import type { Session, Sessions } from '../auth.ts';
import { callFailure } from '../errors.ts';
import { heartbeatAnswer } from '../wire.ts';
import { type Answer, bodyOf } from './account-call.ts';

/** Begins a chain of heartbeats. */
const FIRST_ID = '';
/** Another process of the same key may send in between, and the id it received is then the one to send. */
const TRIES_MAX = 4;
/** Short enough to be tried again before the venue gives up on us. */
const ANSWER_WITHIN_MS = 2_500;
const REFUSED = 400;
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
        const answer = await post(session, sentId);
        const id = idIn(answer);
        if (answer.status === REFUSED && id !== null && id !== sentId) {
          nextId = id;
          continue;
        }
        bodyOf(answer);
        if (id === null) throw new Error('the answer came without the next id');
        nextId = id;
        return { kind: 'taken' };
      } catch (error) {
        noteFailure(context, session, error);
        return notTaken(error, context);
      }
    }
    return { kind: 'failed', reason: 'the venue wanted another id each time' };
  };
}

async function post(session: Session, id: string): Promise<Answer> {
  const body = JSON.stringify({ heartbeat_id: id });
  const call = session.call({ method: 'POST', path: '/v1/heartbeats', body });
  call.catch(() => undefined);
  const silence = new AbortController();
  try {
    const late = pause(ANSWER_WITHIN_MS, undefined, { signal: silence.signal }).then(() => {
      throw new Error(`no answer within ${ANSWER_WITHIN_MS} ms`);
    });
    late.catch(() => undefined);
    return await Promise.race([call, late]);
  } finally {
    silence.abort();
  }
}

/** The id to send next: of an answer that took the last one, or of a refusal that names the one it wants. */
function idIn({ body }: Answer): string | null {
  const answer = heartbeatAnswer.safeParse(body);
  return answer.success ? answer.data.heartbeat_id : null;
}

function notTaken(error: unknown, { secrets }: ReadingContext): HeartbeatOutcome {
  const { status, text } = callFailure(error);
  const isMissing = status !== null && NO_SUCH_CALL.includes(status);
  return { kind: isMissing ? 'unsupported' : 'failed', reason: secrets.clean(text) || 'no answer' };
}
