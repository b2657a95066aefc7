import type { CashNowSimulation } from '@dutchbook/contract/exits.ts';
import type { Holding } from '@dutchbook/contract/portfolio.ts';
import { mulDiv } from '@dutchbook/units/micro.ts';
import { addUsd, formatUsd, subtractUsd, USD_ZERO, type Usd, usdFromMicro } from '@dutchbook/units/usd.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Beneath, type Detail, Figures } from '../../ui/panel.tsx';
import { Signed } from '../../ui/signed.tsx';
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

/** What the shares that are converted have cost, and what is earned or lost against that; unknown where other shares are handed out. */
export function resultOf(plan: CashNowSimulation, holdings: readonly Holding[]): Detail[] {
  const held = new Map(holdings.map((holding) => [holding.token_id, holding]));
  const handedOut = new Map<string, number>();
  for (const { tokens_in, tokens_out } of plan.steps) {
    for (const { token_id, shares } of tokens_in) handedOut.set(token_id, (handedOut.get(token_id) ?? 0) + shares);
    for (const { token_id, shares } of tokens_out) handedOut.set(token_id, (handedOut.get(token_id) ?? 0) - shares);
  }
  let cost = USD_ZERO;
  for (const { token_id, cash_now } of plan.orders) {
    const of = held.get(token_id);
    if (of === undefined || of.shares < cash_now.shares) return [];
    if (cash_now.shares > 0) cost = addUsd(cost, usdFromMicro(mulDiv(of.cost_usd, cash_now.shares, of.shares, 'up')));
  }
  const result = subtractUsd(broughtBy(plan), cost);
  return [
    { name: 'These Shares Cost', value: formatUsd(cost) },
    ...([...handedOut.values()].some((shares) => shares > 0)
      ? []
      : [{ name: 'Result', value: <Signed value={result}>{formatUsd(result)}</Signed> }]),
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
