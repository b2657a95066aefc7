import type { CashNowSimulation } from '@dutchbook/contract/exits.ts';
import { addUsd, formatUsd, type Usd } from '@dutchbook/units/usd.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Beneath, type Detail, Figures } from '../../ui/panel.tsx';
import styles from './chain-steps.module.css';
import { callWords, expectedOf, gasWords, quotaWords } from './chain-words.ts';
import { Tokens } from './submission-values.tsx';

type Plan = Pick<CashNowSimulation, 'submissions' | 'quota' | 'highest_gas'>;

/** What it brings, when, and what it takes of quota and gas. `others`: what the other ways out would bring. */
export function ConversionFigures({
  plan,
  brings,
  others = [],
}: {
  plan: Plan;
  brings: Usd;
  others?: readonly Detail[];
}) {
  const { submissions, quota, highest_gas } = plan;
  const figures: Detail[] = [
    { name: 'Brings', value: formatUsd(brings) },
    ...others,
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

/** What all that can leave would bring by the other ways out, as of the same moment, and what Cash Now leaves. */
export function otherWays({ routes }: Pick<CashNowSimulation, 'routes'>): Detail[] {
  if (routes === null) return [];
  const { sell, cash_now, hold } = routes;
  const figure = (name: string, usd: Usd, when: string): Detail => ({
    name,
    value: (
      <>
        {formatUsd(usd)}
        <Beneath>{when}</Beneath>
      </>
    ),
  });
  const stays = cash_now.held_least_usd;
  return [
    ...(stays > 0 ? [figure('What Stays Pays at Least', stays, 'once all has resolved')] : []),
    figure('If Sold Instead', addUsd(sell.net_usd, sell.held_least_usd), 'at the bids now'),
    figure('If Held, at Least', addUsd(hold.net_usd, hold.held_least_usd), 'once all has resolved'),
  ];
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
