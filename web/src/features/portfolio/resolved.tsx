import { formatCount } from '@dutchbook/units/count.ts';
import { PAYS_BY_ITSELF, venueOf } from '@dutchbook/units/ids.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { Button } from '@mantine/core';
import { changeListSettings, useListSettings } from '../../lists/list-settings.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Panel } from '../../ui/panel.tsx';
import { RedeemAllButtons } from '../chain-steps/conversion-buttons.tsx';
import { LOST_COLUMNS, REDEEMABLE_COLUMNS } from './holding-columns.tsx';
import { costInSets, type HoldingRow, sumsOf } from './holding-groups.ts';
import styles from './portfolio.module.css';
import { REDEEM_ID } from './portfolio-totals.tsx';

/** What has resolved, pays, and still lies at the venue as shares. */
export function Redeemable({ rows }: { rows: readonly HoldingRow[] }) {
  if (rows.length === 0) return null;
  const venues = new Set(rows.map(({ market_id }) => venueOf(market_id)));
  return (
    <div id={REDEEM_ID} className={styles.target}>
      <Panel
        title={[...venues].every((venue) => PAYS_BY_ITSELF[venue]) ? 'Resolved, Being Paid' : 'Resolved, to Redeem'}
        aside={<RedeemAllButtons among={venues} />}
      >
        <DataTable label="Resolved, to redeem" columns={REDEEMABLE_COLUMNS} rows={rows} />
      </Panel>
    </div>
  );
}

const LOST = 'lost';

/** What has resolved and pays nothing. */
export function Lost({ rows }: { rows: readonly HoldingRow[] }) {
  const { hidden } = useListSettings('portfolio');
  if (rows.length === 0) return null;
  const isHidden = hidden.includes(LOST);
  const { cost } = sumsOf(rows);
  const inSets = costInSets(rows);
  return (
    <Panel
      title={`Resolved, Lost (${formatCount(rows.length)})`}
      folds
      aside={
        <span className="row">
          <span className="hint">
            {formatUsd(cost)} paid
            {inSets > 0 && `, ${inSets === cost ? 'all' : formatUsd(inSets)} for legs of whole sets`}
          </span>
          <Button
            size="xs"
            variant="default"
            aria-expanded={!isHidden}
            onClick={() => changeListSettings('portfolio', { hidden: isHidden ? [] : [LOST] })}
          >
            {isHidden ? 'Show' : 'Hide'}
          </Button>
        </span>
      }
    >
      {!isHidden && (
        <>
          <p className="hint">Of a whole set some legs lose as a rule, and the others pay for all of it.</p>
          <DataTable label="Resolved, lost" columns={LOST_COLUMNS} rows={rows} />
        </>
      )}
    </Panel>
  );
}
