import { instantToIso } from '@dutchbook/units/instant.ts';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import type { Clarification } from '../../matching-engine/market.ts';
import type { MatchingEngine } from '../../matching-engine/matching-engine.ts';
import { refused } from './answers.ts';
import { send } from './trading-routes.ts';

const DEFAULT_PAGE = 20;
const PAGE_MAX = 100;

const numbers = z
  .union([z.string(), z.array(z.string())])
  .optional()
  .transform((value) => [value ?? []].flat())
  .pipe(z.array(z.string().regex(/^\d+$/)));

const clarificationQuery = z.object({
  market_id: numbers,
  event_id: numbers,
  limit: z.coerce.number().int().min(0).max(PAGE_MAX).default(DEFAULT_PAGE),
  offset: z.coerce.number().int().min(0).default(0),
});

/** Notes on rules of the markets and events that are asked for by their numbers, of all where none are, by offset. */
export function answerClarifications({ directory }: MatchingEngine, query: unknown, reply: FastifyReply) {
  const parsed = clarificationQuery.safeParse(query);
  if (!parsed.success) return send(reply, refused(422, 'invalid query'));
  const { market_id, event_id, limit, offset } = parsed.data;
  const wanted = directory.clarifications.filter(
    ({ market }) =>
      (market_id.length === 0 || market_id.includes(market.listing.id)) &&
      (event_id.length === 0 || event_id.includes(market.event.id)),
  );
  return reply.send(wanted.slice(offset, offset + limit).map(clarification));
}

function clarification({ id, market, content, at }: Clarification) {
  return {
    id,
    marketId: Number(market.listing.id),
    eventId: Number(market.event.id),
    questionId: market.listing.questionId,
    content,
    state: 'success',
    clearBook: false,
    showInFrontend: true,
    createdAt: instantToIso(at),
    txTimestamp: instantToIso(at),
  };
}
