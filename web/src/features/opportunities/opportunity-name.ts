import type { OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import { shortId } from '../../ui/copyable.tsx';
import { combinationsInWords } from './combinations.ts';

type Named = Pick<OpportunityRow, 'id' | 'source_details' | 'market_combinations'>;

/** What people call an opportunity: the start of its id, and where it came from or else what it is made of. */
export function opportunityName({ id, source_details, market_combinations }: Named): string {
  return `${shortId(id)} ${source_details ?? combinationsInWords(market_combinations)}`;
}
