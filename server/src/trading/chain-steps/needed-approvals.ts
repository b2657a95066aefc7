/** The approvals that a submission needs before it can be carried out. */
import type { Market } from '@dutchbook/engine/market/market.ts';
import type { ChainApproval } from '@dutchbook/venues/venue-chain.ts';
import type { ChainLoopParts } from './chain-loop-parts.ts';
import type { ApprovalCall } from './record.ts';
import type { StepRow } from './store.ts';

/** The approvals that are missing. @throws VenueUnavailable */
export async function missingApprovals(
  { chain, catalogue }: Pick<ChainLoopParts, 'chain' | 'catalogue'>,
  steps: readonly StepRow[],
): Promise<ApprovalCall[]> {
  const marketIds = [...new Set(steps.flatMap((step) => step.marketIds))];
  if (marketIds.length === 0) return [];
  const [approvals, markets] = await Promise.all([chain.approvals(), catalogue.marketsById(marketIds)]);
  const converting = convertingFor(approvals, [...markets.values()], markets.size < marketIds.length);
  const dollars = -Math.min(0, ...steps.map(({ expected }) => expected));
  return (dollars > 0 ? cashOf(approvals, converting, dollars) : converting.filter(({ amount }) => amount === 0)).map(
    ({ contract, name, holder }) => ({ contract, name, holder, isAllowed: true }),
  );
}

/** A split moves dollars and no shares: what of the cash the same contracts may not move. */
function cashOf(
  approvals: readonly ChainApproval[],
  converting: readonly ChainApproval[],
  dollars: number,
): ChainApproval[] {
  const contracts = new Set(converting.map(({ contract }) => contract));
  return approvals.filter(({ contract, asset, purpose, amount }) => {
    return asset === 'cash' && purpose !== null && contracts.has(contract) && amount < dollars;
  });
}

/**
 * Contracts that convert shares move them where they are kept, which is where the contract that trades them moves them. `isUnknown`:
 * there are markets besides of which that is not known.
 */
function convertingFor(
  approvals: readonly ChainApproval[],
  markets: readonly Market[],
  isUnknown: boolean,
): ChainApproval[] {
  const settledBy = new Set(markets.map((market) => market.settledBy.toLowerCase()));
  const holders = approvals
    .filter(({ purpose, asset, contract }) => {
      return purpose === 'trade' && asset === 'shares' && (isUnknown || settledBy.has(contract.toLowerCase()));
    })
    .map(({ holder }) => holder);
  return approvals.filter(({ purpose, holder }) => purpose === 'conversion' && holders.includes(holder));
}
