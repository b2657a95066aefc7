import { Readable } from 'node:stream';
import { type Instant, instantToIso } from '@dutchbook/units/instant.ts';
import type { FastifyReply } from 'fastify';

/** Answers with a file in pieces, called by what it holds and the day. */
export function sendCsv(reply: FastifyReply, what: string, now: Instant, pieces: AsyncIterable<string>): FastifyReply {
  return reply
    .header('content-disposition', `attachment; filename="${what}_${instantToIso(now).slice(0, 10)}.csv"`)
    .type('text/csv; charset=utf-8')
    .send(Readable.from(pieces));
}
