import type { CashNowSimulation } from '@dutchbook/contract/exits.ts';
import { formatUsd, type Usd } from '@dutchbook/units/usd.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Beneath, type Detail, Figures } from '../../ui/panel.tsx';
import styles from './chain-steps.module.css';
import { callWords, expectedOf, gasWords, quotaWords } from './chain-words.ts';
import { Tokens } from './submission-values.tsx';

type Plan = Pick<CashNowSimulation, 'submissions' | 'quota' | 'highest_gas'>;

/** What it brings, when, and what it takes of quota and gas. */
export function ConversionFigures({ plan, brings }: { plan: Plan; brings: Usd }) {
  const { submissions, quota, highest_gas } = plan;
  const figures: Detail[] = [
    { name: 'Brings', value: formatUsd(brings) },
    {
      name: 'Usable',
      value: <span className={styles.words}>When the chain has confirmed</span>,
    },
    {
      name: 'Submissions',
      value: (
        <>
          {submissions}
          {quota !== null && <Beneath>Merges: {quotaWords(quota)}</Beneath>}
        </>
      ),
    },
  ];
  if (highest_gas !== null) figures.push({ name: 'Gas at Most', value: gasWords(highest_gas) });
  return <Figures figures={figures} />;
}

type StepRow = CashNowSimulation['steps'][number] & { id: string; names: ReadonlyMap<string, string> };

/** Each call with what goes in and what comes out; `names`: what the tokens are called, where that is known. */
export function ConversionSteps({ plan }: { plan: CashNowSimulation }) {
  const names = new Map(
    plan.orders.map(({ token_id, outcome, market_name }) => [token_id, `${outcome}, ${market_name}`]),
  );
  if (plan.steps.length === 0) return null;
  return (
    <DataTable
      label="Planned calls"
      columns={COLUMNS}
      rows={plan.steps.map((step, nth): StepRow => ({ ...step, id: String(nth), names }))}
    />
  );
}

export const broughtBy = ({ steps }: Pick<CashNowSimulation, 'steps'>) => expectedOf(steps);

const COLUMNS: readonly Column<StepRow>[] = [
  { key: 'call', header: 'Call', wide: true, cell: (step) => <span className={styles.what}>{callWords(step)}</span> },
  {
    key: 'out',
    header: 'Gives',
    wide: true,
    cell: ({ tokens_out, names }) => <Tokens of={tokens_out} names={names} />,
  },
  { key: 'in', header: 'Hands Out', cell: ({ tokens_in, names }) => <Tokens of={tokens_in} names={names} /> },
  { key: 'brings', header: 'Brings', align: 'end', cell: ({ expected_usd }) => formatUsd(expected_usd) },
];
