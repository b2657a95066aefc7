/** What an order may spend, and what counts towards its limits: of the account at the venue, or of practice. */

import type { CashReading } from '@dutchbook/engine/risk/allowance.ts';
import type { LimitState, TradingLimits } from '@dutchbook/engine/risk/context.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { limitState } from '../orders/limit-use.ts';
import { spendableCash } from '../orders/spendable.ts';
import { readPracticeAccount } from '../practice/account.ts';
import type { TradingControls } from '../trading-controls/trading-controls.ts';

export type Means = { cash: Usd | null; allowances: CashReading['allowances']; limitState: LimitState };

/** `reading`: of the venue, which practice does not go by. `ownBatchId`: what that batch may still take is left out. */
type Whose = {
  practice: boolean;
  reading: CashReading | null;
  limits?: TradingLimits | undefined;
  ownBatchId?: string | undefined;
};

export async function meansOf(
  db: Db,
  parts: { runtime: Pick<Runtime, 'config' | 'clock'>; controls: TradingControls },
  { practice, reading, limits = parts.controls.current().limits, ownBatchId }: Whose,
): Promise<Means> {
  if (practice) return { ...(await readPracticeAccount(db, parts, limits, ownBatchId)), allowances: null };
  return {
    cash: await spendableCash(db, reading, ownBatchId),
    allowances: reading?.allowances ?? null,
    limitState: await limitState(db, parts, ownBatchId, limits),
  };
}
