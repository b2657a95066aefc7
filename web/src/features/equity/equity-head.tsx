import type { Equity } from '@dutchbook/contract/portfolio.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { type Instant, startOfUtcDay } from '@dutchbook/units/instant.ts';
import { formatUsd, type Usd } from '@dutchbook/units/usd.ts';
import { Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { LoadError } from '../../calls/loaded.tsx';
import { Chart, ChartTable } from '../../ui/chart.tsx';
import { dateFormat } from '../../ui/date-format.ts';
import { LocalTime } from '../../ui/local-time.tsx';
import { Panel } from '../../ui/panel.tsx';
import { Signed } from '../../ui/signed.tsx';
import { useIsWithoutKey } from '../status/system-status.ts';
import { equityDrawing, equitySummary } from './equity-drawing.ts';
import styles from './equity-head.module.css';
import { useEquity } from './equity-query.ts';

const moment = dateFormat({ month: 'short', day: 'numeric', hour: '2-digit', minute: '2-digit' });
const WEEK_MS = 7 * 86_400_000;

/** What the account is worth and of which parts, what it earned, and how that came about. */
export function EquityHead() {
  const read = useEquity();
  const { data } = read;
  return (
    <Panel title="Account Equity" aside={<Link to="/portfolio">Portfolio</Link>}>
      <LoadError of={read} text="Error loading the equity" inline />
      <div className={styles.head}>
        <div className={styles.figures}>
          <p className={styles.equity}>
            {data === undefined ? <Skeleton width={190} height={36} component="span" display="block" /> : worth(data)}
          </p>
          <dl className={styles.rows}>
            <Row name="Cash">{data && partOf(data, data.cash_usd)}</Row>
            <Row name="Locked sets pay">
              {data && partOf(data, data.locked_usd)}
              {data && data.redeemable_usd > 0 && (
                <span className={styles.note}>{formatUsd(data.redeemable_usd)} of it waits for redemption</span>
              )}
            </Row>
            <Row name="Other shares at the bid">
              {data && partOf(data, data.shares_usd)}
              {data && data.unpriced > 0 && (
                <span className={styles.note}>{formatCount(data.unpriced)} without a price count with nothing</span>
              )}
            </Row>
            <ChangeRow name="Today (UTC)" of={data?.today} asked={data && startOfUtcDay(data.at)} />
            <ChangeRow name="7 days" of={data?.week} asked={data && data.at - WEEK_MS} />
          </dl>
        </div>
        <div className={styles.curve}>{data === undefined ? <Skeleton height="100%" /> : <Curve of={data} />}</div>
      </div>
    </Panel>
  );
}

function worth({ equity_usd }: Equity): ReactNode {
  return equity_usd === null ? '–' : formatUsd(equity_usd);
}

/** Before the ledger has begun nothing is known of the account, which is not that it has nothing. */
function partOf({ equity_usd }: Equity, usd: Usd): ReactNode {
  return equity_usd === null ? '–' : formatUsd(usd);
}

function Row({ name, children }: { name: string; children: ReactNode | undefined }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children ?? <Skeleton width={72} height={16} component="span" display="block" />}</dd>
    </div>
  );
}

type ChangeRowProps = {
  name: string;
  of: Equity['today'] | undefined;
  /** From when it should count, which it cannot where the ledger or the curve began later. */
  asked: number | undefined;
};

function ChangeRow({ name, of: change, asked }: ChangeRowProps) {
  return (
    <div data-change>
      <dt>
        {name}
        {change && asked !== undefined && change.since > asked && (
          <span className={styles.note}>
            since <LocalTime at={change.since} to={isOfToday(change.since) ? 'clock' : 'date'} />
          </span>
        )}
      </dt>
      <dd>
        {change === undefined && <Skeleton width={72} height={20} component="span" display="block" />}
        {change === null && '–'}
        {change && <Signed value={change.change_usd}>{formatUsd(change.change_usd)}</Signed>}
      </dd>
    </div>
  );
}

/** Where the reader is. */
function isOfToday(at: Instant): boolean {
  return new Date(at).toDateString() === new Date().toDateString();
}

function Curve({ of: equity }: { of: Equity }) {
  const isWithoutKey = useIsWithoutKey();
  if (equity.equity_usd === null)
    return (
      <p className="muted">
        {isWithoutKey
          ? 'There is no key: prices are read, nothing is bought, and no account is known.'
          : 'The ledger begins once the venue has said what the account has.'}
      </p>
    );
  const rows = equity.curve.toReversed().map(({ at, equity_usd }) => ({
    key: at,
    cells: [moment(at), formatUsd(equity_usd)],
  }));
  return (
    <Chart
      name="Equity of the last seven days"
      drawing={equityDrawing(equity)}
      formatX={(x) => moment(x)}
      summary={equitySummary(equity)}
      plain
      table={<ChartTable label="Equity by time" headers={['When', 'Equity']} rows={rows} />}
    />
  );
}
