import type { FastifyInstance } from 'fastify';
import type { Hex } from 'viem';
import type { Faults } from '../../../faults/faults.ts';
import type { Timers } from '../../../matching-engine/clock.ts';
import type { MatchingEngine } from '../../../matching-engine/matching-engine.ts';
import { accountPositions } from '../../../settlement/account-positions.ts';
import { refused } from '../answers.ts';
import { send } from '../trading-routes.ts';
import { type PositionQuery, positionPage, readPositionQuery } from './position-query.ts';
import { type PositionRow, positionRow } from './position-row.ts';

const HANG_MS = 30_000;
const SHORT_PAGE = 2;
/** Half of a page, as a proxy that gives up leaves it. */
const GARBAGE = '{"data":[{"token_id":"7';

export interface DataApiParts {
  readonly engine: MatchingEngine;
  readonly faults: Faults;
  readonly timers: Timers;
  /** Whose account lies behind a wallet. */
  readonly accountAt: (wallet: Hex) => string;
}

/** The data API: positions of any wallet, for callers without a key. */
export function registerDataApi(app: FastifyInstance, parts: DataApiParts): void {
  const { faults, timers } = parts;
  app.get('/data-api/v2/positions', async (request, reply) => {
    const hang = faults.strike('positions_hang');
    if (hang !== undefined) await new Promise<void>((done) => timers.setTimeout(done, hang.ms ?? HANG_MS));
    if (faults.strike('positions_5xx') !== undefined) return send(reply, refused(503, 'service unavailable'));
    if (faults.strike('positions_garbage') !== undefined) {
      return reply.type('application/json').send(Buffer.from(GARBAGE));
    }
    const asked = readPositionQuery(request.query);
    if (typeof asked === 'string') return send(reply, refused(400, asked));
    const isShort = faults.strike('positions_short_page') !== undefined;
    return reply.send(positionPage(rowsOf(asked, parts), asked, isShort ? SHORT_PAGE : asked.limit));
  });
}

function rowsOf({ user }: PositionQuery, { engine, accountAt }: DataApiParts): PositionRow[] {
  const account = accountAt(user as Hex);
  return accountPositions(engine, account).map((position) => {
    const { market, outcome } = position.token;
    const opposite = market.tokens[outcome === 0 ? 1 : 0];
    return positionRow(position, user, engine.balances.tokens(account, opposite) > 0);
  });
}
