import { TextInput } from '@mantine/core';
import { useId } from 'react';
import type { Choice } from './filter-fields.tsx';

/** One of many, found by its name; what holds is its value. */
export type OfferedField<Name extends string> = {
  name: Name;
  label: string;
  flex?: string;
  placeholder?: string;
  /** What is offered for the text so far, each name once. */
  offered: readonly Choice[];
  onType: (text: string) => void;
  /** Why a value cannot hold; none always can. */
  refusal: (value: string) => string | undefined;
};

/** The offered value for a typed label, or for a value itself. */
export function offeredValue({ offered }: Pick<OfferedField<string>, 'offered'>, text: string): string {
  return offered.find(({ label }) => label === text)?.value ?? text;
}

type OfferedInputProps = {
  field: OfferedField<string>;
  /** A value, or what was typed. */
  text: string;
  error: string | undefined;
  onChange: (text: string) => void;
  onBlur: () => void;
};

export function OfferedInput({ field, text, error, onChange, onBlur }: OfferedInputProps) {
  const { label, flex, placeholder, offered, onType } = field;
  const list = useId();
  return (
    <>
      <TextInput
        {...{ size: 'xs', label, flex, placeholder, list, error, onBlur, autoComplete: 'off' }}
        value={offered.find(({ value }) => value === text)?.label ?? text}
        onChange={({ currentTarget }) => {
          onType(currentTarget.value);
          onChange(currentTarget.value);
        }}
      />
      <datalist id={list}>
        {offered.map(({ value, label: name }) => (
          <option key={value} value={name} />
        ))}
      </datalist>
    </>
  );
}
