import type { Simulation } from '@dutchbook/contract/placing.ts';
import { formatShares, sharesToText } from '@dutchbook/units/shares.ts';
import { Button } from '@mantine/core';
import { SIZE_BOUND_WORDS } from '../batches/size-bounds.ts';

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
  if (!chosen.allowed)
    return <p className="hint">{`Even the smallest size, ${size} sh, is more than ${bound} allows.`}</p>;
  return (
    <div className="row">
      <Button variant="default" onClick={() => onTake(sharesToText(chosen.order_size))}>
        {`Use ${size} sh`}
      </Button>
      <span className="hint">{`Chosen by the size policy, bounded by ${bound}.`}</span>
    </div>
  );
}
