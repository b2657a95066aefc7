import { sharesFromText } from '@dutchbook/units/shares.ts';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { type PositionRefusal, REDEEM_PAYS } from '../settlement/positions.ts';
import { accountOf, ControlError, decimal, marketOf, post } from './calls.ts';
import type { ControlParts } from './control-routes.ts';

const account = z.string().optional();

/** What the chain would do to positions, done at once. */
export function registerPositions(app: FastifyInstance, { engine, positions }: ControlParts): void {
  const oneMarket = z.object({ condition_id: z.string(), amount: decimal, account });
  post(app, 'split', oneMarket, (body) =>
    done(
      positions.split(
        accountOf(engine, body.account),
        marketOf(engine, body.condition_id),
        sharesFromText(body.amount),
      ),
    ),
  );
  post(app, 'merge', oneMarket, (body) =>
    done(
      positions.merge(
        accountOf(engine, body.account),
        marketOf(engine, body.condition_id),
        sharesFromText(body.amount),
      ),
    ),
  );
  const oneRedemption = z.object({ condition_id: z.string(), account, pays: z.enum(REDEEM_PAYS).optional() });
  post(app, 'redeem', oneRedemption, (body) =>
    done(positions.redeem(accountOf(engine, body.account), marketOf(engine, body.condition_id), body.pays)),
  );
  const manyMarkets = z.object({ condition_ids: z.array(z.string()).min(1), amount: decimal, account });
  post(app, 'convert', manyMarkets, (body) => {
    const markets = body.condition_ids.map((conditionId) => marketOf(engine, conditionId));
    return done(positions.convert(accountOf(engine, body.account), markets, sharesFromText(body.amount)));
  });
}

function done(refusal: PositionRefusal | undefined): object {
  if (refusal !== undefined) throw new ControlError(409, refusal);
  return { ok: true };
}
