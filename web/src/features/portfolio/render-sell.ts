import type { Holding } from '@dutchbook/contract/portfolio.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { ReactNode } from 'react';

/** What the shares bring without selling. `heldPays`: their least payout if held. `cashNow`: dollars of converting them now. */
export type Instead = { heldPays: Usd; cashNow: Usd };

/** Renders the sell button, a component of another feature. `what` describes `tokens` in words, `instead` the other ways out. */
export type RenderSell = (
  what: string,
  tokens: readonly Pick<Holding, 'token_id' | 'market_id' | 'market_name' | 'outcome' | 'shares'>[],
  look: 'main' | 'row',
  instead?: Instead,
) => ReactNode;
