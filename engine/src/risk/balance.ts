import { addUsd, USD_ZERO, type Usd, usdToNumber } from '@dutchbook/units/usd.ts';
import type { Blocker, GateContext } from './context.ts';
import { refusedByVenue, type Touched } from './limits/touched.ts';
import { firstOf, tellApart } from './wording.ts';

/** Each account holds what all orders there could take at their limits with their fees, which is what the venue reserves. */
export function balanceGate(context: GateContext): Blocker | null {
  return refusedByVenue(context, (touched) => {
    const { account, reserve } = touched;
    const { balance } = account;
    const required = usdToNumber(reserve);
    if (balance === null) return { gate: 'balance', message: 'the balance is not known', actual: null, required };
    if (balance >= reserve) return shortPocket(context, touched);
    const [has, needs] = tellApart(balance, reserve);
    return {
      gate: 'balance',
      message: `the balance ${context.practice ? 'of practice ' : ''}is $${has}, needs $${needs}`,
      actual: usdToNumber(balance),
      required,
    };
  });
}

/** The sum may be there, and not where the orders of a market are paid from. */
function shortPocket({ quotes, practice }: GateContext, { account, orders }: Touched): Blocker | null {
  const { pockets, movingPockets = [] } = account;
  if (pockets === undefined || practice) return null;
  const pocketOf = new Map(quotes.flatMap(({ market }) => (market === undefined ? [] : [[market.id, market.pocket]])));
  const needed = new Map<string, Usd>();
  for (const { marketId, reserve } of orders) {
    const pocket = pocketOf.get(marketId) ?? '';
    needed.set(pocket, addUsd(needed.get(pocket) ?? USD_ZERO, reserve));
  }
  return firstOf(
    [...needed].flatMap(([pocket, needs]) => {
      const has = pockets[pocket] ?? USD_ZERO;
      if (movingPockets.includes(pocket)) {
        const message = `cash is being moved between shards ${movingPockets.join(' and ')}: wait until that is done`;
        return [{ gate: 'balance', message, actual: usdToNumber(has), required: usdToNumber(needs) }];
      }
      if (has >= needs) return [];
      const [hasText, needsText] = tellApart(has, needs);
      const message = `shard ${pocket} has $${hasText}, needs $${needsText}: move cash into it`;
      return [{ gate: 'balance', message, actual: usdToNumber(has), required: usdToNumber(needs) }];
    }),
  );
}
