import { sizeWords } from '@dutchbook/contract/notes/size-words.ts';
import { type Simulation, simulateOrders } from '@dutchbook/contract/placing.ts';
import type { ExpectedDepth, PolicySize } from '@dutchbook/contract/valuation.ts';
import { formatShares, type Shares, sharesToText } from '@dutchbook/units/shares.ts';
import { Button, TextInput } from '@mantine/core';
import * as z from 'zod/mini';
import { sizeProblem } from '../../forms/size-problem.ts';
import { nothingChosenWords } from './chosen-sizes.tsx';
import { expectedWords } from './expected-depth.ts';
import styles from './order-dialog.module.css';

/** What was typed as an order size, judged by the contract's own rule; nothing typed leaves the size to the server. */
export function readOrderSize(text: string): { shares: Shares | undefined } | { error: string } {
  const trimmed = text.trim();
  if (trimmed === '') return { shares: undefined };
  const query = z.safeDecode(simulateOrders.query, { order_size: trimmed });
  if (query.success) return { shares: query.data.order_size };
  return { error: sizeProblem(trimmed) };
}

type SizeFieldProps = {
  /** What the size policy would choose. */
  chosen: Simulation['chosen_size'];
  /** The largest size that pays; null while it is not known. */
  payingSize: Shares | null;
  text: string;
  problem: string | undefined;
  refreshing: boolean;
  onText: (text: string) => void;
};

export function SizeField({ chosen, payingSize, text, problem, refreshing, onText }: SizeFieldProps) {
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
      {chosen?.allowed === true && chosen.paying_size !== 0 && payingSize !== 0 && (
        <Button variant="default" onClick={() => onText(sharesToText(chosen.order_size))}>
          {`Use ${formatShares(chosen.order_size)} sh`}
        </Button>
      )}
    </div>
  );
}

/** `survival`: what part of the displayed depth is expected to be met; absent where the page says it elsewhere. */
type OfPolicy = PolicySize & { survival?: ExpectedDepth | null };

/** The size that the product would choose by itself, and what bounds it. `payingSize`: the most shares that pay, as the curve of the depth has it. */
export function SizeOfPolicy({ chosen, payingSize }: { chosen: OfPolicy | null; payingSize: Shares | null }) {
  if (chosen === null) return null;
  const { paying_size: paying, survival = null } = chosen;
  return (
    <p className="hint">
      <span>{policyWords(chosen, payingSize)}</span>{' '}
      {paying !== null && survival !== null && <span>{expectedWords(paying, survival)}</span>}
    </p>
  );
}

function policyWords(chosen: PolicySize, payingSize: Shares | null): string {
  const nothing = nothingChosenWords(chosen, payingSize);
  if (nothing !== null) return `The size policy chooses nothing: ${nothing}.`;
  return `The size policy chooses ${sizeWords(chosen.order_size, chosen.bounded_by)}.`;
}
