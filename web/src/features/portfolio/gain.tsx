import { formatPercent, percentOf } from '@dutchbook/units/percent.ts';
import { formatUsd, type Usd } from '@dutchbook/units/usd.ts';
import { LiveNumber } from '../../ui/live-number.tsx';
import { Signed } from '../../ui/signed.tsx';

/** What is won or lost so far. */
export function Gain({ usd }: { usd: Usd }) {
  return (
    <LiveNumber value={usd} arrow="none">
      <Signed value={usd}>{formatUsd(usd)}</Signed>
    </LiveNumber>
  );
}

/** The gain in percent of the cost; nothing where the cost is zero. */
export function gainPercent(gain: Usd, cost: Usd): string | undefined {
  if (cost <= 0) return undefined;
  const size = formatPercent(percentOf(Math.abs(gain) as Usd, cost, 'down'));
  return `${gain < 0 ? '-' : '+'}${size}`;
}
