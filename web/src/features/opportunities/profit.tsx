import { isPriceError, type OpportunityRow } from '@dutchbook/contract/opportunities.ts';
import type { Instant } from '@dutchbook/units/instant.ts';
import { formatPercent } from '@dutchbook/units/percent.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatUsd, usdFromMicro } from '@dutchbook/units/usd.ts';
import type { ReactNode } from 'react';
import { payingWords } from '../../forms/paying-words.ts';
import { useLink } from '../../live/live.ts';
import { LiveNumber } from '../../ui/live-number.tsx';
import { Outdated, Signed } from '../../ui/signed.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { formatPerShare } from './per-share.ts';

type Dated = Pick<OpportunityRow, 'outdated' | 'last_checked'>;

/** When its price was of its books, where that is not now: as the server says, or where this tab hears nothing from it. */
export function useOutdated({ outdated, last_checked }: Dated): Instant | undefined {
  const link = useLink();
  if (outdated !== null) return outdated.as_of;
  return link === 'stale' || link === 'offline' ? (last_checked ?? undefined) : undefined;
}

/** What one set costs. */
export function CurrentPrice({ of, arrow }: { of: Dated & Pick<OpportunityRow, 'current_price'>; arrow?: 'after' }) {
  const { current_price: price } = of;
  const at = useOutdated(of);
  if (price === null) return '–';
  if (at !== undefined) return <Outdated at={at}>{formatPrice(price)}</Outdated>;
  return (
    <LiveNumber value={price} arrow={arrow} good="down">
      {formatPrice(price)}
    </LiveNumber>
  );
}

/** What buying the largest size that pays would leave now. */
export function DollarsNow({ of }: { of: Dated & Pick<OpportunityRow, 'profit_usd'> }) {
  const { profit_usd: dollars } = of;
  const at = useOutdated(of);
  if (dollars === null) return '–';
  if (at !== undefined) return <Outdated>{formatUsd(dollars)}</Outdated>;
  return (
    <LiveNumber value={dollars} arrow="none">
      <Signed value={dollars}>{payingWords(dollars)}</Signed>
    </LiveNumber>
  );
}

/** The price beside it says since when it is outdated. */
export function Profit({ of }: { of: Dated & Pick<OpportunityRow, 'profit_percentage' | 'last_error'> }) {
  const { profit_percentage: profit, last_error } = of;
  const at = useOutdated(of);
  if (isPriceError(last_error))
    return (
      <span title={last_error ?? undefined}>
        <StatusBadge tone="error">Error</StatusBadge>
      </span>
    );
  if (profit === null) return '–';
  if (at !== undefined) return <Outdated>{formatPercent(profit)}</Outdated>;
  return (
    <LiveNumber value={profit} arrow="none">
      <Signed value={profit}>{formatPercent(profit)}</Signed>
    </LiveNumber>
  );
}

type Priced = Pick<OpportunityRow, 'target_price' | 'current_price' | 'fees_per_set' | 'last_error' | 'outdated'>;

/** What one set would earn, in dollars after fees; null where that is not known. */
export function profitPerSet(of: Priced): string | null {
  const { target_price: target, current_price: current, fees_per_set: fees, last_error } = of;
  if (isPriceError(last_error) || current === null || fees === null) return null;
  const profit = target - current - fees;
  const sign = profit < 0 ? '-' : of.outdated === null ? '+' : '';
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
