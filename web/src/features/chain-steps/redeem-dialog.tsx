import type { Redeemable } from '@dutchbook/contract/exits.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { type VenueName, venueOf } from '@dutchbook/units/ids.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import styles from './chain-steps.module.css';
import { simulateRedeem, submitRedeem } from './conversion-calls.ts';
import { ConversionDialog } from './conversion-dialog.tsx';
import { ConversionFigures } from './conversion-plan.tsx';

export type RedeemDialogProps = {
  opened: boolean;
  onClose: (isSubmitting: boolean) => void;
  title: string;
  /** Redeems this market only. */
  market?: { id: string };
  /** At this venue alone. */
  venue?: VenueName | undefined;
};

/** Has the venue pay what has won, in all markets or in one. */
export function RedeemDialog({ opened, onClose, title, market, venue }: RedeemDialogProps) {
  const asked = { marketId: market?.id, venue };
  return (
    <ConversionDialog
      opened={opened}
      onClose={onClose}
      title={title}
      venue={market === undefined ? venue : venueOf(market.id)}
      action="Redeem"
      simulate={() => simulateRedeem(asked)}
      submit={(idempotencyKey) => submitRedeem(asked, idempotencyKey)}
    >
      {(plan) => (
        <>
          <ConversionFigures plan={plan} brings={plan.expected_usd} />
          {plan.markets.length > 0 && (
            <DataTable
              label="What has won"
              columns={COLUMNS}
              rows={plan.markets.map((each) => ({ ...each, id: each.token_id }))}
            />
          )}
          {plan.lost.length > 0 && (
            <p className="hint">
              {plan.lost.length === 1
                ? '1 outcome has lost and pays nothing.'
                : `${formatCount(plan.lost.length)} outcomes have lost and pay nothing.`}
            </p>
          )}
        </>
      )}
    </ConversionDialog>
  );
}

const COLUMNS: readonly Column<Redeemable & { id: string }>[] = [
  {
    key: 'market',
    header: 'Market',
    wide: true,
    cell: ({ market_name, error }) => (
      <span className="lines">
        {market_name}
        {error !== null && <span className={styles.problem}>{error}</span>}
      </span>
    ),
  },
  { key: 'outcome', header: 'Outcome', cell: ({ outcome }) => <strong>{outcome}</strong> },
  { key: 'shares', header: 'Shares', align: 'end', cell: ({ shares }) => formatShares(shares) },
  {
    key: 'pays',
    header: 'A Share Pays',
    align: 'end',
    cell: ({ resolved_value }) => formatPrice(resolved_value),
  },
  { key: 'usd', header: 'Brings', align: 'end', cell: ({ usd }) => formatUsd(usd) },
];
