import type { OrderRecord } from './batch-state.ts';

type Sale = Pick<OrderRecord, 'chainStepId' | 'submissionPurpose' | 'filledSize'>;

/** How what a batch held became dollars, as a participle: "sold", "converted into dollars", "redeemed", or several of them. */
export function howSold(sales: readonly Sale[]): string {
  const done = sales.filter(({ filledSize }) => filledSize > 0);
  const ways = [
    ...(done.some(({ chainStepId }) => chainStepId === null) ? ['sold'] : []),
    ...(done.some(isOf('cash_now')) ? ['converted into dollars'] : []),
    ...(done.some(isOf('redeem')) ? ['redeemed'] : []),
  ];
  return ways.length === 0 ? 'sold' : ways.join(' and ');
}

function isOf(purpose: OrderRecord['submissionPurpose']) {
  return ({ submissionPurpose }: Sale) => submissionPurpose === purpose;
}
