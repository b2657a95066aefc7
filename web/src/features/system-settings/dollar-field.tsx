import { TextInput, type TextInputProps } from '@mantine/core';

/** An amount of dollars, with what is said of it below. */
export function DollarField(props: TextInputProps) {
  return (
    <TextInput
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
