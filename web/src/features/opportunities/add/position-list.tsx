import type { Position } from '@dutchbook/contract/opportunities.ts';
import type { Preview } from '@dutchbook/contract/valuation.ts';
import { formatPrice, type Price } from '@dutchbook/units/price.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { ActionIcon, NativeSelect } from '@mantine/core';
import { Icon } from '../../../ui/icons.tsx';
import { Note } from '../../../ui/states.tsx';
import { StatusBadge } from '../../../ui/status-badge.tsx';
import { formatPerShare } from '../per-share.ts';
import { type DraftPosition, legsOf, movedTo, nextLeg, toggled } from './draft.ts';
import styles from './position-list.module.css';
import type { DraftState } from './use-draft.ts';

type PositionListProps = { state: DraftState; preview: Preview | undefined };

/** What has been picked, leg by leg, with what each position costs now. */
export function PositionList({ state, preview }: PositionListProps) {
  const { positions } = state.draft;
  if (positions.length === 0)
    return (
      <Note
        tone="inactive"
        title="Nothing picked yet. Press an outcome, take a whole event, or write JSON."
        lines={[
          'Each outcome is a leg of its own, unless you pick it into one that is there.',
          'As soon as something is picked, this side shows what one set costs now, its fees, its profit, and how many sets are profitable.',
          'What is created active is priced live, and triggers at the target price.',
        ]}
      />
    );
  return (
    <ol className={styles.legs}>
      {legsOf(positions).map(({ leg, markets }) => (
        <li key={leg} className={styles.leg}>
          <h3>Leg {leg}</h3>
          <ul aria-label={`Leg ${leg}`}>
            {markets.map((named) => (
              <PositionLine
                key={`${named.id} ${named.outcome}`}
                position={{ leg, ...named }}
                priced={preview?.positions.find(
                  ({ market_id, outcome }) => market_id === named.id && outcome === named.outcome,
                )}
                state={state}
              />
            ))}
          </ul>
        </li>
      ))}
    </ol>
  );
}

type PositionLineProps = { position: DraftPosition; priced: Position | undefined; state: DraftState };

function PositionLine({ position, priced, state }: PositionLineProps) {
  const { leg, id, outcome } = position;
  const { draft, edit, questionOf } = state;
  const question = questionOf(id) ?? priced?.question ?? id;
  const what = `${outcome}: ${question}`;
  return (
    <li className={styles.position}>
      <p className={styles.what}>
        <StatusBadge tone="pending">{outcome}</StatusBadge> {question}
      </p>
      <NativeSelect
        size="xs"
        aria-label={`Leg of ${what}`}
        value={leg}
        data={[...legNumbers(draft.positions), nextLeg(draft.positions)].map((number) => ({
          value: String(number),
          label: number === nextLeg(draft.positions) ? 'New leg' : `Leg ${number}`,
        }))}
        onChange={({ currentTarget }) => {
          const chosen = Number(currentTarget.value);
          edit((current) => movedTo(current, position, chosen));
        }}
      />
      <ActionIcon
        variant="subtle"
        color="gray"
        aria-label={`Remove ${what}`}
        onClick={() => edit((current) => toggled(current, position, leg))}
      >
        <Icon name="trash" size={16} />
      </ActionIcon>
      <Quote priced={priced} />
    </li>
  );
}

const legNumbers = (positions: readonly DraftPosition[]) => legsOf(positions).map(({ leg }) => leg);

const UNKNOWN = '–';
const orUnknown = <T,>(value: T | null | undefined, format: (value: T) => string) =>
  value === null || value === undefined ? UNKNOWN : format(value);

function Quote({ priced }: { priced: Position | undefined }) {
  const price = (value: Price | null | undefined) => orUnknown(value, formatPrice);
  const details = [
    ['Price', price(priced?.price)],
    ['Bid', price(priced?.best_bid)],
    ['Ask', price(priced?.best_ask)],
    ['Depth', orUnknown(priced?.depth_usd, formatUsd)],
    ['Fee', orUnknown(priced?.fee, formatPerShare)],
  ] as const;
  return (
    <dl className={styles.quote}>
      {details.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
