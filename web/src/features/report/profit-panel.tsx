import type { ReportSummary } from '@dutchbook/contract/report.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { formatUsd, type Usd } from '@dutchbook/units/usd.ts';
import { Beneath, Figures, Panel } from '../../ui/panel.tsx';
import { type Behind, Figure } from './behind.tsx';
import { fractionWords } from './figures.ts';
import styles from './report.module.css';
import type { ResultFilter, ResultSort } from './report-search.ts';
import { costUsd, SignedUsd } from './results/result-columns.tsx';

const behind = (sortBy: ResultSort, batches: ResultFilter = {}) => ({ batches, sortBy }) satisfies Behind;

/** Profit in its three parts, from what is cash to what may still be lost. */
export function ProfitPanel({ of: summary }: { of: ReportSummary }) {
  const { at_risk_usd, locked_usd, paid_usd, batches } = summary;
  return (
    <Panel title="Profit">
      <Figures
        figures={[
          {
            name: 'Paid',
            value: (
              <>
                <Figure of={{ ...behind('paid_usd'), byCash: true }}>
                  <SignedUsd usd={paid_usd} />
                </Figure>
                <Beneath>became cash: sold, redeemed or converted</Beneath>
              </>
            ),
          },
          {
            name: 'Locked',
            value: (
              <>
                <Figure of={behind('locked_usd', { isOpen: true })}>
                  <SignedUsd usd={locked_usd} />
                </Figure>
                <Beneath>surely comes from whole sets, no cash yet</Beneath>
              </>
            ),
          },
          {
            name: 'At Risk',
            value: (
              <>
                <Figure of={behind('at_risk_usd', { isOpen: true })}>{formatUsd(at_risk_usd)}</Figure>
                <Beneath>lost at worst</Beneath>
              </>
            ),
          },
          {
            name: 'Predicted',
            value: (
              <>
                <Figure of={behind('predicted_usd')}>
                  <SignedUsd usd={summary.predicted_usd} />
                </Figure>
                <Beneath>when it was placed, after fees</Beneath>
                {summary.being_bought_usd > 0 && (
                  <Beneath>{formatUsd(summary.being_bought_usd)} of it is still being bought</Beneath>
                )}
              </>
            ),
          },
          { name: 'Batches', value: <Figure of={behind('triggered_at')}>{formatCount(batches)}</Figure> },
        ]}
      />
      <ProfitLine
        parts={[
          { key: 'paid', name: 'Paid', usd: paid_usd },
          { key: 'locked', name: 'Locked', usd: locked_usd },
          { key: 'risk', name: 'At Risk', usd: at_risk_usd },
        ]}
      />
    </Panel>
  );
}

type Part = { key: string; name: string; usd: Usd };

/** How the parts compare. A loss has no length beside gains: it is named in words. */
function ProfitLine({ parts }: { parts: readonly Part[] }) {
  const gains = parts.filter(({ usd }) => usd > 0);
  const losses = parts.filter(({ usd }) => usd < 0);
  if (gains.length === 0) return null;
  return (
    <>
      <div className={styles.line} aria-hidden="true">
        {gains.map(({ key, usd }) => (
          <span key={key} data-part={key} style={{ flexGrow: usd }} />
        ))}
      </div>
      <p className={`hint ${styles.legend}`}>
        {gains.map(({ key, name }) => (
          <span key={key} data-part={key}>
            {name}
          </span>
        ))}
        {losses.map(({ key, name }) => (
          <span key={key}>{name} is a loss, not in the bar</span>
        ))}
      </p>
    </>
  );
}

/** Below half a cent either way it reads as none. */
const HALF_A_CENT = 5_000;

function besidePredicted(slippage: Usd): string {
  if (Math.abs(slippage) < HALF_A_CENT) return 'as predicted';
  return slippage < 0 ? 'less than predicted' : 'more than predicted';
}

/** Where the rest of what was predicted went. */
export function CostPanel({ of: summary }: { of: ReportSummary }) {
  const cost = (usd: Usd, sortBy: ResultSort) => <Figure of={behind(sortBy)}>{costUsd(usd)}</Figure>;
  return (
    <Panel title="Where It Went" aside={<p className="hint">Of all batches, cash yet or not</p>}>
      <Figures
        figures={[
          { name: 'Fees', value: <Figure of={behind('fees_usd')}>{formatUsd(summary.fees_usd)}</Figure> },
          {
            name: 'Slippage',
            value: (
              <>
                {summary.slippage_usd < 0 ? (
                  <Figure of={behind('slippage_usd')}>{formatUsd(-summary.slippage_usd as Usd)}</Figure>
                ) : (
                  cost(summary.slippage_usd, 'slippage_usd')
                )}
                <Beneath>{besidePredicted(summary.slippage_usd)}</Beneath>
              </>
            ),
          },
          { name: 'Moved Before Send', value: cost(summary.moved_before_send_usd, 'moved_before_send_usd') },
          { name: 'Moved in Flight', value: cost(summary.moved_in_flight_usd, 'moved_in_flight_usd') },
          { name: 'Size We Added', value: cost(summary.size_added_usd, 'size_added_usd') },
          {
            name: 'Shortfall',
            value: (
              <>
                <Figure of={behind('shortfall_usd')}>{formatUsd(summary.shortfall_usd)}</Figure>
                <Beneath>
                  {summary.being_bought_usd > 0
                    ? `of sets not filled, ${formatUsd(summary.being_bought_usd)} still being bought`
                    : 'of sets not filled'}
                </Beneath>
              </>
            ),
          },
          {
            name: 'Lost Selling',
            value: (
              <>
                <Figure of={behind('paid_usd')}>{formatUsd(summary.sale_loss_usd)}</Figure>
                <Beneath>below cost, with fees</Beneath>
              </>
            ),
          },
          ...incomeOf(summary),
          ...summary.gas.map(({ unit, amount }) => ({
            name: `Gas (${unit.toUpperCase()})`,
            value: <Figure of={{ entries: { kind: 'gas', unit } }}>{amount}</Figure>,
          })),
        ]}
      />
    </Panel>
  );
}

/** What came beside trading, of all batches; what did not come is left out. */
function incomeOf({ income }: ReportSummary) {
  const rows = [
    { name: 'Rewards', kind: 'reward', usd: income.rewards_usd },
    { name: 'Rebates', kind: 'rebate', usd: income.rebates_usd },
    { name: 'Unknown Dollars', kind: 'unknown', usd: income.unknown_usd },
  ] as const;
  return rows
    .filter(({ usd }) => usd !== 0)
    .map(({ name, kind, usd }) => ({
      name,
      value: <Figure of={{ entries: { kind } }}>{formatUsd(usd)}</Figure>,
    }));
}

/** What the money did meanwhile. */
export function CapitalPanel({ of: summary }: { of: ReportSummary }) {
  const { capital_usd, capital_days, cost_usd, annualised, hurdle } = summary;
  return (
    <Panel title="Capital">
      <Figures
        figures={[
          {
            name: 'Bound Now',
            value: <Figure of={behind('capital_usd', { isOpen: true })}>{formatUsd(capital_usd)}</Figure>,
          },
          { name: 'Paid for Shares', value: <Figure of={behind('cost_usd')}>{formatUsd(cost_usd)}</Figure> },
          { name: 'Dollar-Days', value: <Figure of={behind('cost_usd')}>{formatUsd(capital_days)}</Figure> },
          {
            name: 'Annualised',
            value: (
              <>
                {annualised === null || isBrief(summary) ? (
                  '–'
                ) : (
                  <Figure of={behind('paid_usd')}>{fractionWords(annualised)}</Figure>
                )}
                <Beneath>
                  {isBrief(summary) ? (
                    'money was bound for less than a day so far,'
                  ) : (
                    <span data-tone={hurdleTone(summary)} className={styles.toned}>
                      {hurdleWords(summary)}
                    </span>
                  )}{' '}
                  hurdle of {fractionWords(hurdle)}
                </Beneath>
              </>
            ),
          },
        ]}
      />
    </Panel>
  );
}

/** Each dollar was bound for less than a day, on average: a return a year of that says nothing. */
function isBrief({ capital_days, cost_usd }: ReportSummary): boolean {
  return capital_days > 0 && capital_days < cost_usd;
}

function hurdleWords({ annualised, hurdle }: ReportSummary): string {
  if (annualised === null) return 'nothing was bound yet,';
  return annualised >= hurdle ? 'above the' : 'below the';
}

function hurdleTone({ annualised, hurdle }: ReportSummary): 'success' | 'warning' | undefined {
  if (annualised === null) return undefined;
  return annualised >= hurdle ? 'success' : 'warning';
}
