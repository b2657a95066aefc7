import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Heartbeats } from '../../matching-engine/heartbeats.ts';
import type { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import type { Account } from '../../matching-engine/records.ts';
import { refused, UNAUTHORIZED } from './answers.ts';
import { parseJson, send } from './trading-routes.ts';

const heartbeat = z.object({
  heartbeat_id: z
    .string()
    .nullish()
    .transform((id) => id ?? ''),
});

export interface HeartbeatParts {
  readonly engine: MatchingEngine;
  readonly authenticate: (request: FastifyRequest) => Account | undefined;
}

/** The dead-man switch. A wrong id is answered with the one that was expected. */
export function registerHeartbeat(app: FastifyInstance, { engine, authenticate }: HeartbeatParts): void {
  const heartbeats = new Heartbeats(engine);
  app.post('/v1/heartbeats', (request, reply) => {
    const account = authenticate(request);
    if (account === undefined) return send(reply, UNAUTHORIZED);
    const sent = heartbeat.safeParse(parseJson(request.body));
    if (!sent.success) return send(reply, refused(400, 'Invalid heartbeat payload'));
    const { isTaken, id } = heartbeats.beat(account, sent.data.heartbeat_id);
    if (isTaken) return reply.send({ heartbeat_id: id });
    return send(reply, { status: 400, body: { error: 'Invalid heartbeat id', heartbeat_id: id } });
  });
}
