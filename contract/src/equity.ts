/** What the account is worth, of which parts, and how that came about. */
import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { described } from './notes/described.ts';
import { instant, usd } from './quantities.ts';

const change = z.nullable(
  z.object({
    since: described(
      'From when it counts: as asked for, or later where the ledger began later or nothing was written down before.',
      instant,
    ),
    change_usd: described('Equity now less equity then, less what was paid in meanwhile.', usd),
  }),
);

export const equity = z.object({
  at: described('When it was worked out.', instant),
  equity_usd: described(
    'Cash, whole sets and other shares together; null until the ledger has been compared with the venue once.',
    z.nullable(usd),
  ),
  cash_usd: described(
    'Dollars by the ledger, with what trades that are matched bring or take; what open orders may still take is in it.',
    usd,
  ),
  locked_usd: described(
    'What the whole sets that batches hold pay once they resolve, and shares of resolved markets beside them.',
    usd,
  ),
  shares_usd: described('Shares that no whole set needs, at the best bid.', usd),
  unpriced: described(
    'How many positions of those have no fresh price; they count with nothing, and no point of the curve is written down meanwhile.',
    z.int(),
  ),
  today: described('Since the operator’s day began; null while nothing was written down.', change),
  week: described('Since seven days ago; null while nothing was written down.', change),
  drawdown_usd: described('The deepest fall below an earlier peak in the seven days.', usd),
  below_peak_usd: described('How far equity is below the highest of the seven days now.', usd),
  curve: described(
    'Equity of the last seven days, oldest first, as if what is paid in now had been there all the time. It is written down each minute, and kept for each quarter of an hour after a day.',
    z.array(z.object({ at: instant, equity_usd: usd })),
  ),
});
export type Equity = z.output<typeof equity>;

export const readEquity = endpoint({
  method: 'GET',
  path: '/portfolio/equity',
  access: 'viewer',
  tag: 'Portfolio',
  summary: 'What the account is worth by its parts, what was earned today and in seven days, and the curve of it',
  query: z.object({
    today: described('When today began where the operator is; midnight UTC when missing.', z.optional(instant)),
  }),
  asksVenue: true,
  reply: equity,
});
