import { formatUsd } from '@dutchbook/units/usd.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Loaded } from '../../calls/loaded.tsx';
import { Figures, Panel } from '../../ui/panel.tsx';
import { Signed } from '../../ui/signed.tsx';
import { daysAgo } from './days/days-ago.ts';
import styles from './report.module.css';
import { summaryQuery } from './report-queries.ts';
import type { ResultSort } from './report-search.ts';

/** Days before today, which is the seventh. */
export const LAST_WEEK = 6;

/** What became cash today and this week, and what their batches still hold, each figure with the way to it. */
export function ReportLine() {
  return (
    <div className={`pair ${styles.three}`}>
      <PeriodPanel title="Today (UTC)" since={daysAgo(0)} />
      <PeriodPanel title="Last 7 Days (UTC)" since={daysAgo(LAST_WEEK)} />
    </div>
  );
}

function PeriodPanel({ title, since }: { title: string; since: string }) {
  const read = useQuery(summaryQuery({ since }));
  const to = (sortBy: ResultSort) => ({ sortBy, since });
  return (
    <Panel
      title={title}
      aside={
        <Link to="/report" search={{ since }}>
          Report
        </Link>
      }
    >
      <Loaded of={read} text="Error loading the report" inline height={52}>
        {({ at_risk_usd, locked_usd, paid_usd }) => (
          <Figures
            figures={[
              {
                name: 'Paid',
                value: (
                  <Link className="figure" to="/report/batches" search={{ sortBy: 'paid_usd', cashSince: since }}>
                    <Signed value={paid_usd}>{formatUsd(paid_usd)}</Signed>
                  </Link>
                ),
              },
              {
                name: 'Locked',
                value: (
                  <Link className="figure" to="/report/batches" search={to('locked_usd')}>
                    <Signed value={locked_usd}>{formatUsd(locked_usd)}</Signed>
                  </Link>
                ),
              },
              {
                name: 'At Risk',
                value: (
                  <Link className="figure" to="/report/batches" search={to('at_risk_usd')}>
                    {formatUsd(at_risk_usd)}
                  </Link>
                ),
              },
            ]}
          />
        )}
      </Loaded>
    </Panel>
  );
}
