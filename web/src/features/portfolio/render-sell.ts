import type { Holding } from '@dutchbook/contract/portfolio.ts';
import type { ReactNode } from 'react';

/** The button that sells shares of `tokens`, which belongs to another feature; `what` says in words which those are. */
export type RenderSell = (
  what: string,
  tokens: readonly Pick<Holding, 'token_id' | 'market_id'>[],
  look: 'main' | 'row',
) => ReactNode;
