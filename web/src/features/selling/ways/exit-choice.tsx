import type { CashNowSimulation, OrderExits } from '@dutchbook/contract/exits.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { formatUsd, USD_ZERO } from '@dutchbook/units/usd.ts';
import { useId } from 'react';
import { type Column, DataTable } from '../../../ui/data-table.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { quotaWords } from '../../chain-steps/chain-words.ts';
import { WayDetail, WayDetails, WayList } from '../../portfolio/way-details.tsx';
import { type BestWay, bestWords } from './best-way.ts';
import styles from './exit-choice.module.css';
import { type Choices, chooseForAll, chooseForOne, isChosenForAll, WAYS, type WayName, wayOf } from './exit-choices.ts';

type ExitChoiceProps = {
  /** Undefined where the venue does not say what its contracts make of it. */
  whole: CashNowSimulation | undefined;
  /** Something of it can be converted into dollars, or has been chosen to be. */
  converts: boolean;
  /** Undefined where the ways cannot be compared. */
  best: BestWay | undefined;
  /** Undefined until the ways have been compared or one was chosen. */
  choices: Choices | undefined;
  onChoices: (choices: Choices) => void;
  /** While it is being carried out. */
  disabled: boolean;
};

const NONE: readonly never[] = [];

/** The ways out side by side: chosen for the whole batch or, where it can be converted into dollars, for each of its orders. */
export function ExitChoice(props: ExitChoiceProps) {
  const rows = (props.whole?.orders ?? NONE).map((order): Row => ({ ...props, id: order.order_id, order }));
  return (
    <>
      <WholeBatch {...props} />
      {props.converts && <DataTable label="Ways out" columns={COLUMNS} rows={rows} />}
    </>
  );
}

function WholeBatch({ whole, converts, best, choices, onChoices, disabled }: ExitChoiceProps) {
  const name = useId();
  const { orders = NONE, routes = null, quota = null } = whole ?? {};
  const offered = WAYS.filter(({ way }) => way !== 'cash_now' || converts);
  return (
    <fieldset className={styles.ways} disabled={disabled}>
      <legend>For the whole batch</legend>
      {offered.map(({ way, name: label }) => {
        const isChosen = choices !== undefined && isChosenForAll(way, choices, orders);
        return (
          <div key={way} className={styles.way} data-chosen={isChosen || undefined}>
            <label>
              <input
                type="radio"
                name={name}
                checked={isChosen}
                onChange={() => onChoices(chooseForAll(way, orders))}
              />
              {label}
              {way === best?.way && <StatusBadge tone="success">Best</StatusBadge>}
              {way === 'cash_now' && quota !== null && <span className="aside">merges {quotaWords(quota)}</span>}
            </label>
            {way === best?.way && <p>{bestWords(best)}</p>}
            {routes !== null && (
              <WayDetails route={routes[way]}>
                {way === 'hold' && best !== undefined && best.totals.hold > routes.hold.held_least_usd && (
                  <WayDetail name="As Whole Sets">{formatUsd(best.totals.hold)}</WayDetail>
                )}
              </WayDetails>
            )}
            {routes === null && best !== undefined && (
              <WayList>
                <WayDetail name={way === 'hold' ? 'At Resolution' : 'Net Dollars'}>
                  {formatUsd(best.totals[way] ?? USD_ZERO)}
                </WayDetail>
              </WayList>
            )}
            {routes === null && way === 'hold' && (
              <p className="hint">Nothing is sold: the shares pay once their markets have resolved.</p>
            )}
          </div>
        );
      })}
    </fieldset>
  );
}

type Row = ExitChoiceProps & { id: string; order: OrderExits };

const COLUMNS: readonly Column<Row>[] = [
  { key: 'market', header: 'Market', wide: true, cell: ({ order }) => order.market_name },
  { key: 'outcome', header: 'Outcome', cell: ({ order }) => <strong>{order.outcome}</strong> },
  { key: 'shares', header: 'Free Shares', align: 'end', cell: ({ order }) => formatShares(order.free_shares) },
  ...WAYS.map(
    ({ way, name }): Column<Row> => ({ key: way, header: name, cell: (row) => <OrderWay row={row} way={way} /> }),
  ),
];

function OrderWay({ row: { order, choices, onChoices, disabled }, way }: { row: Row; way: WayName }) {
  const { order_id, outcome, market_name, free_shares } = order;
  const { shares, usd } = order[way];
  const name = WAYS.find((each) => each.way === way)?.name;
  const dollars = `${way === 'hold' ? 'at least ' : ''}${formatUsd(usd)}`;
  const isImpossible = way === 'cash_now' && shares === 0;
  return (
    <label className={styles.choice}>
      <input
        type="radio"
        name={`way-${order_id}`}
        aria-label={`${name} ${outcome} of ${market_name}`}
        disabled={disabled || isImpossible}
        checked={choices !== undefined && wayOf(choices, order_id) === way}
        onChange={() => onChoices(chooseForOne(way, order_id, choices))}
      />
      <span>
        {isImpossible || shares === 0 ? '–' : dollars}
        {shares > 0 && shares < free_shares && <span className="aside"> for {formatShares(shares)} sh</span>}
      </span>
    </label>
  );
}
