/** What the gas of submissions costs at most, where the account pays it: known by signing them, without sending any. */
import type { CashNowSimulation } from '@dutchbook/contract/exits.ts';
import { ConversionRefused, type VenueChain } from '@dutchbook/venues/venue-chain.ts';
import type { PlannedStep } from '../../trading/chain-steps/plan.ts';
import { requestOfPlan } from '../../trading/chain-steps/store.ts';

/** Submissions whose gas is computed; each further one counts as the most expensive of these. */
const SIGNED_MAX = 5;
const WEI_DIGITS = 18;

/** The highest gas of `count` submissions, these being the first. Null where the relayer pays, or before an approval. @throws VenueUnavailable */
export async function highestGas(
  chain: Pick<VenueChain, 'prepare' | 'callsMax'>,
  submissions: readonly (readonly PlannedStep[])[],
  count = submissions.length,
): Promise<CashNowSimulation['highest_gas']> {
  if (chain.callsMax > 1) return null;
  let [sum, dearest, symbol] = [0n, 0n, ''];
  try {
    for (const steps of submissions.slice(0, SIGNED_MAX)) {
      const { highestCost } = await chain.prepare(steps.map(requestOfPlan));
      if (highestCost === null) return null;
      const wei = BigInt(highestCost.wei);
      sum += wei;
      dearest = wei > dearest ? wei : dearest;
      symbol = highestCost.symbol;
    }
  } catch (error) {
    if (error instanceof ConversionRefused) return null;
    throw error;
  }
  if (symbol === '') return null;
  const signed = Math.min(submissions.length, SIGNED_MAX);
  return { amount: coinsOf(sum + dearest * BigInt(count - signed)), symbol };
}

function coinsOf(wei: bigint): string {
  const coin = 10n ** BigInt(WEI_DIGITS);
  let [fraction, places] = [wei % coin, WEI_DIGITS];
  for (; places > 0 && fraction % 10n === 0n; places -= 1) fraction /= 10n;
  return `${wei / coin}${places === 0 ? '' : `.${fraction.toString().padStart(places, '0')}`}`;
}
