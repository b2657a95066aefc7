import type { Holding } from '@dutchbook/contract/portfolio.ts';
import type { Usd } from '@dutchbook/units/usd.ts';
import type { ReactNode } from 'react';

/** `heldPays`: what they pay at least if they are held. `cashNow`: what converting them into dollars brings now. */
export type Instead = { heldPays: Usd; cashNow: Usd };

/**
 * The button that sells shares of `tokens`, which belongs to another feature; `what` says in words which those are, `instead` what other
 * ways out would bring.
 */
export type RenderSell = (
  what: string,
  tokens: readonly Pick<Holding, 'token_id' | 'market_id' | 'market_name' | 'outcome' | 'shares'>[],
  look: 'main' | 'row',
  instead?: Instead,
) => ReactNode;
