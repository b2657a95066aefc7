import { isPriceError, type OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import { formatPercent } from '@dutchbook/units/percent.ts';
import { usdFromMicro } from '@dutchbook/units/usd.ts';
import type { ReactNode } from 'react';
import { LiveNumber } from '../../ui/live-number.tsx';
import { Signed } from '../../ui/signed.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { formatPerShare } from './per-share.ts';

export function Profit({ of }: { of: Pick<OpportunityRow, 'profit_percentage' | 'last_error'> }) {
  const { profit_percentage: profit, last_error } = of;
  if (isPriceError(last_error))
    return (
      <span title={last_error ?? undefined}>
        <StatusBadge tone="error">Error</StatusBadge>
      </span>
    );
  if (profit === null) return '–';
  return (
    <LiveNumber value={profit} arrow="none">
      <Signed value={profit}>{formatPercent(profit)}</Signed>
    </LiveNumber>
  );
}

type Priced = Pick<OpportunityRow, 'target_price' | 'current_price' | 'fees_per_set' | 'last_error'>;

/** What one set would earn, in dollars after fees; null where that is not known. */
export function profitPerSet(of: Priced): string | null {
  const { target_price: target, current_price: current, fees_per_set: fees, last_error } = of;
  if (isPriceError(last_error) || current === null || fees === null) return null;
  const profit = target - current - fees;
  const sign = profit < 0 ? '-' : '+';
  return `${sign}$${formatPerShare(usdFromMicro(Math.abs(profit)))}`;
}

type StatusProps = {
  of: Pick<OpportunityRow, 'active' | 'triggered'>;
  /** What a triggered one says in place of it, as where it is not placed. */
  triggeredAs?: ReactNode;
};

export function OpportunityStatus({ of: { active, triggered }, triggeredAs }: StatusProps) {
  if (triggered && triggeredAs) return triggeredAs;
  return (
    <span style={{ display: 'inline-flex', flexWrap: 'wrap', gap: '2px 6px' }}>
      <StatusBadge tone={active ? 'success' : 'inactive'}>{active ? 'Active' : 'Inactive'}</StatusBadge>
      {triggered && <StatusBadge tone="active">Triggered</StatusBadge>}
    </span>
  );
}
