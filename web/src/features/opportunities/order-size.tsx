import { SIZE_BOUND_WORDS, sizeWords } from '@dutchbook/contract/notes/size-words.ts';
import { type Simulation, simulateOrders } from '@dutchbook/contract/placing.ts';
import { formatShares, type Shares, sharesToText } from '@dutchbook/units/shares.ts';
import { Button, TextInput } from '@mantine/core';
import * as z from 'zod/mini';
import { expectedWords } from './expected-depth.ts';
import styles from './order-dialog.module.css';

/** What was typed as an order size, judged by the contract's own rule; nothing typed leaves the size to the server. */
export function readOrderSize(text: string): { shares: Shares | undefined } | { error: string } {
  const trimmed = text.trim();
  if (trimmed === '') return { shares: undefined };
  const query = z.safeDecode(simulateOrders.query, { order_size: trimmed });
  if (query.success) return { shares: query.data.order_size };
  return { error: 'Enter a number of shares greater than 0' };
}

type SizeFieldProps = {
  text: string;
  problem: string | undefined;
  refreshing: boolean;
  onText: (text: string) => void;
};

export function SizeField({ text, problem, refreshing, onText }: SizeFieldProps) {
  return (
    <div className={styles.size}>
      <TextInput
        label="Order Size"
        description="Shares of each position. Left empty: the smallest size that every market allows."
        inputMode="decimal"
        autoComplete="off"
        value={text}
        onChange={({ currentTarget }) => onText(currentTarget.value)}
        error={problem}
        data-autofocus
      />
      <Button type="submit" variant="default" loading={refreshing}>
        Refresh Simulation
      </Button>
    </div>
  );
}

type ChosenSizeProps = {
  of: Simulation['chosen_size'];
  /** Called with the text that the field of the size then has. */
  onTake: (sizeText: string) => void;
};

/** The size that the product would choose by itself, and what bounds it. */
export function ChosenSize({ of: chosen, onTake }: ChosenSizeProps) {
  if (chosen === null) return null;
  const size = formatShares(chosen.order_size);
  const bound = SIZE_BOUND_WORDS[chosen.bounded_by];
  const { paying_size: paying, survival } = chosen;
  if (!chosen.allowed)
    return <p className="hint">{`Even the smallest size, ${size} sh, is more than ${bound} allows.`}</p>;
  return (
    <div className="row">
      <Button variant="default" onClick={() => onTake(sharesToText(chosen.order_size))}>
        {`Use ${size} sh`}
      </Button>
      <span className="hint">
        {`Chosen by the size policy, bounded by ${bound}.`}{' '}
        {paying !== null && survival !== null && <span>{expectedWords(paying, survival)}</span>}
      </span>
    </div>
  );
}

/** On the page of an opportunity, where nothing is ordered yet. */
export function SizeOfPolicy({ of: chosen }: Pick<ChosenSizeProps, 'of'>) {
  if (chosen === null) return null;
  const size = formatShares(chosen.order_size);
  const bound = SIZE_BOUND_WORDS[chosen.bounded_by];
  return (
    <p className="hint">
      {chosen.allowed
        ? `The size policy chooses ${sizeWords(chosen.order_size, chosen.bounded_by)}.`
        : `The size policy chooses nothing: even the smallest size, ${size} sh, is more than ${bound} allows.`}
    </p>
  );
}
