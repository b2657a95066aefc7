import * as contract from '@dutchbook/contract/sessions.ts';
import type { FastifyReply } from 'fastify';
import { recordAction } from '../../platform/audit/record.ts';
import type { App } from '../../platform/http/app.ts';
import { NotFound } from '../../platform/http/errors.ts';
import { route } from '../../platform/http/route.ts';
import type { Actor, UserRow } from '../../platform/http/signed-in.ts';
import { answerHeld, sessionSubject, sessionsSubject } from '../../platform/http/stops.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { readUser } from '../users/store.ts';
import { endSessions, listOpenSessions } from './session-store.ts';

export function registerSessions(app: App, runtime: Runtime): void {
  const { clock, db, dbFor, stops } = runtime;
  const end = (user: UserRow, actor: Actor, which: Parameters<typeof endSessions>[3]) =>
    dbFor.stops.transaction(async (tx) => {
      const count = await endSessions(tx, user, clock.now(), which);
      if (count > 0)
        await recordAction(tx, runtime, actor, { action: 'session.ended', object: user.email, after: { count } });
      return count;
    });

  route(app, contract.logOut, async ({ user, session, actor, reply }) => {
    const stop = { subject: sessionSubject(session.id), store: () => end(user, actor, { only: session.id }) };
    const { kind } = await stops.carryOut(stop);
    return kind === 'held'
      ? answerHeld(reply, 'This process takes no more calls of the session')
      : { message: 'Logged out' };
  });

  route(app, contract.listSessions, async ({ user, session }) => {
    const rows = await listOpenSessions(db, user, clock.now());
    return {
      data: rows.map(({ id, createdAt, lastSeenAt, expiresAt, device, address }) => ({
        ...{ id, started_at: createdAt, last_seen_at: lastSeenAt, expires_at: expiresAt },
        ...{ device, address, current: id === session.id },
      })),
    };
  });

  route(app, contract.endSession, async ({ params: { session_id: id }, user, actor, reply }) => {
    const store = async () => {
      if ((await end(user, actor, { only: id })) === 0) throw new NotFound('Session not found');
    };
    const { kind } = await stops.carryOut({ subject: sessionSubject(id, user.id), store });
    return kind === 'held'
      ? answerHeld(reply, 'This process takes no more calls of the session')
      : { message: 'Session ended' };
  });

  const endSeveral = async (subject: string, store: () => Promise<number>, reply: FastifyReply) => {
    const ended = await stops.carryOut({ subject, store });
    if (ended.kind === 'held') return answerHeld(reply, 'This process takes no more calls of these sessions');
    return { message: ended.stored === 1 ? '1 session ended' : `${ended.stored} sessions ended` };
  };

  route(app, contract.endOtherSessions, ({ user, session, actor, reply }) =>
    endSeveral(sessionsSubject(user.id, session.id), () => end(user, actor, { but: session.id }), reply),
  );

  route(app, contract.endSessionsOfUser, ({ params: { user_id: id }, actor, reply }) => {
    const store = async () => {
      const user = await readUser(dbFor.stops, id);
      if (user === null) throw new NotFound('User not found');
      return await end(user, actor, { but: null });
    };
    return endSeveral(sessionsSubject(id, null), store, reply);
  });
}
