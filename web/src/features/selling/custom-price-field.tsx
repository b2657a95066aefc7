import { TextInput } from '@mantine/core';
import { PRICE_STEP, readSellPrice } from './custom-price.ts';

/** What stands for characters that the browser takes for no number and does not tell. */
const NOT_A_NUMBER = '?';

type CustomPriceFieldProps = {
  /** What is sold, as the field is called. */
  of: string;
  typed: string;
  disabled: boolean;
  onTyped: (text: string) => void;
};

/** The price to sell one token at or better. Not controlled: what a number field refuses could not be written back. */
export function CustomPriceField({ of, typed, disabled, onTyped }: CustomPriceFieldProps) {
  const read = readSellPrice(typed);
  return (
    <TextInput
      type="number"
      size="xs"
      min={0}
      step={PRICE_STEP}
      inputMode="decimal"
      autoComplete="off"
      placeholder="At the bids"
      aria-label={`Custom Price of ${of}`}
      defaultValue={typed === NOT_A_NUMBER ? '' : typed}
      disabled={disabled}
      error={'error' in read ? read.error : undefined}
      onChange={({ currentTarget }) => onTyped(currentTarget.validity.badInput ? NOT_A_NUMBER : currentTarget.value)}
    />
  );
}
