import { TextInput, type TextInputProps } from '@mantine/core';
import { useMeant } from './use-meant.ts';

const NONE: readonly never[] = [];

/** An amount of dollars, with what is said of it below. `anchors`: what an address names it by. */
export function DollarField({ anchors = NONE, ...props }: TextInputProps & { anchors?: readonly string[] }) {
  const place = useMeant(...anchors);
  return (
    <TextInput
      wrapperProps={{ ref: place }}
      inputWrapperOrder={['label', 'input', 'error', 'description']}
      inputMode="decimal"
      autoComplete="off"
      leftSection={<span aria-hidden="true">$</span>}
      leftSectionPointerEvents="none"
      styles={{ input: { fontVariantNumeric: 'tabular-nums' } }}
      {...props}
    />
  );
}
