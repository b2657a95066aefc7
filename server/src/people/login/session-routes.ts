import * as contract from '@dutchbook/contract/sessions.ts';
import type { App } from '../../platform/http/app.ts';
import { type Call, route } from '../../platform/http/route.ts';
import { answerHeld, sessionSubject, sessionsSubject } from '../../platform/http/stops.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { endingStop } from './ending-stops.ts';
import { listOpenSessions } from './session-store.ts';

export function registerSessions(app: App, runtime: Runtime): void {
  const { clock, db, stops } = runtime;
  const end = (subject: string, { actor }: Pick<Call, 'actor'>) =>
    stops.carryOut(endingStop(runtime, { subject, askedAt: clock.now(), actor }));

  const endOne = async (subject: string, { actor, reply }: Pick<Call, 'actor' | 'reply'>, done: string) => {
    const ended = await end(subject, { actor });
    if (ended.kind === 'held') return answerHeld(reply, 'This process takes no more calls of the session', ended);
    return { message: done };
  };

  const endSeveral = async (subject: string, { actor, reply }: Pick<Call, 'actor' | 'reply'>) => {
    const ended = await end(subject, { actor });
    if (ended.kind === 'held') return answerHeld(reply, 'This process takes no more calls of these sessions', ended);
    return { message: ended.stored === 1 ? '1 session ended' : `${ended.stored} sessions ended` };
  };

  route(app, contract.logOut, (call) => endOne(sessionSubject(call.session.id), call, 'Logged out'));

  route(app, contract.listSessions, async ({ user, session }) => {
    const rows = await listOpenSessions(db, user, clock.now());
    return {
      data: rows.map(({ id, createdAt, lastSeenAt, expiresAt, device, address }) => ({
        ...{ id, started_at: createdAt, last_seen_at: lastSeenAt, expires_at: expiresAt },
        ...{ device, address, current: id === session.id },
      })),
    };
  });

  route(app, contract.endSession, (call) =>
    endOne(sessionSubject(call.params.session_id, call.user.id), call, 'Session ended'),
  );

  route(app, contract.endOtherSessions, (call) => endSeveral(sessionsSubject(call.user.id, call.session.id), call));

  route(app, contract.endSessionsOfUser, (call) => endSeveral(sessionsSubject(call.params.user_id, null), call));
}
