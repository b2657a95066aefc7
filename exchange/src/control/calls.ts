import { UnitError } from '@dutchbook/units/micro.ts';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { jsonOf } from '../http/raw-calls.ts';
import type { Market, Token } from '../matching-engine/market.ts';
import type { MatchingEngine } from '../matching-engine/matching-engine.ts';

export const decimal = z.union([z.string(), z.number()]).transform(String);

/** A refusal of a control call: the text says what was expected. */
export class ControlError extends Error {
  readonly statusCode: number;

  constructor(statusCode: number, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/** Registers `POST /_control/{name}`; an action without an answer answers `{ok: true}`. */
export function post<T>(app: FastifyInstance, name: string, body: z.ZodType<T>, act: (body: T) => unknown) {
  app.post(`/_control/${name}`, (request: FastifyRequest, reply: FastifyReply) => {
    const parsed = body.safeParse(saidIn(request.body));
    if (!parsed.success) return reply.code(422).send({ error: z.prettifyError(parsed.error) });
    try {
      return reply.send(act(parsed.data) ?? { ok: true });
    } catch (error) {
      return sendRefusal(reply, error);
    }
  });
}

/** As `post`, of an action that takes its time. */
export function postAwaited<T>(
  app: FastifyInstance,
  name: string,
  body: z.ZodType<T>,
  act: (body: T) => Promise<object>,
) {
  app.post(`/_control/${name}`, async (request: FastifyRequest, reply: FastifyReply) => {
    const parsed = body.safeParse(saidIn(request.body));
    if (!parsed.success) return reply.code(422).send({ error: z.prettifyError(parsed.error) });
    try {
      return await reply.send(await act(parsed.data));
    } catch (error) {
      return sendRefusal(reply, error);
    }
  });
}

/** @throws what is no refusal */
function sendRefusal(reply: FastifyReply, error: unknown): FastifyReply {
  if (error instanceof ControlError) return reply.code(error.statusCode).send({ error: error.message });
  if (error instanceof UnitError) return reply.code(422).send({ error: error.message });
  throw error;
}

export function marketOf(engine: MatchingEngine, conditionId: string): Market {
  const market = engine.directory.market(conditionId);
  if (market === undefined) throw new ControlError(404, `no market ${conditionId}`);
  return market;
}

export function tokenOf(engine: MatchingEngine, tokenId: string): Token {
  const token = engine.directory.token(tokenId);
  if (token === undefined) throw new ControlError(404, `no token ${tokenId}`);
  return token;
}

/** The account named, else the first one. */
export function accountOf(engine: MatchingEngine, address: string | undefined): string {
  const found = [...engine.register.accounts.values()].find(
    (candidate) => address === undefined || candidate.address.toLowerCase() === address.toLowerCase(),
  );
  if (found === undefined) throw new ControlError(409, 'no API key has been created yet');
  return found.address;
}

/** A call without a body says nothing. */
function saidIn(body: unknown): unknown {
  return Buffer.isBuffer(body) && body.length > 0 ? jsonOf(body) : {};
}
