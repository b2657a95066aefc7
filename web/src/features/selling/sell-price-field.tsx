import { TextInput, type TextInputProps } from '@mantine/core';
import { PRICE_STEP, readSellPrice } from './sell-prices.ts';

/** What stands for characters that the browser takes for no number and does not tell. */
const NOT_A_NUMBER = '?';

type Look = Pick<TextInputProps, 'label' | 'aria-label' | 'description' | 'placeholder' | 'className' | 'disabled'>;
type SellPriceFieldProps = Look & { typed: string; onTyped: (text: string) => void };

/** The price to sell at, or better. Not controlled: what a number field refuses could not be written back. */
export function SellPriceField({ typed, onTyped, ...look }: SellPriceFieldProps) {
  const read = readSellPrice(typed);
  return (
    <TextInput
      {...look}
      type="number"
      min={0}
      step={PRICE_STEP}
      inputMode="decimal"
      autoComplete="off"
      defaultValue={typed === NOT_A_NUMBER ? '' : typed}
      error={'error' in read ? read.error : undefined}
      // Not `onChange`, which is silent where the value stays empty.
      onInput={({ currentTarget }) => onTyped(currentTarget.validity.badInput ? NOT_A_NUMBER : currentTarget.value)}
    />
  );
}
