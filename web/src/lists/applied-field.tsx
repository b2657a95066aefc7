import { TextInput } from '@mantine/core';
import { useState } from 'react';
import { useAfterPaint } from '../ui/use-in-slices.ts';

type AppliedFieldProps = {
  label: string;
  placeholder?: string;
  /** What holds now. */
  applied: string;
  /** Why a text cannot hold; an empty one always can. */
  refusal?: (text: string) => string | undefined;
  onApply: (text: string) => void;
  type?: 'search' | 'date';
  inputMode?: 'decimal';
  maxLength?: number;
  className?: string | undefined;
  flex?: string | undefined;
};

/** What a text waits for that does not hold yet. */
const ENTER = {
  rightSection: <kbd className="hint">Enter</kbd>,
  rightSectionWidth: 48,
  rightSectionPointerEvents: 'none',
} as const;

/** A text that narrows a list: it holds from Enter or from leaving the field, trimmed, and half a text never does. */
export function AppliedField({
  applied,
  refusal,
  onApply,
  className,
  flex,
  placeholder = 'Any',
  ...field
}: AppliedFieldProps) {
  const [typed, setTyped] = useState({ applied, text: applied });
  const [error, setError] = useState<string>();
  // It may be changed in another way, as by a button that takes all filters away.
  if (typed.applied !== applied) {
    setTyped({ applied, text: applied });
    setError(undefined);
  }
  const apply = () => {
    const text = typed.text.trim();
    const problem = text === '' ? undefined : refusal?.(text);
    setError(problem);
    if (problem === undefined && text !== applied) onApply(text);
  };
  const applySoon = useAfterPaint(apply);
  return (
    <form
      className={className}
      style={{ flex }}
      onSubmit={(event) => {
        event.preventDefault();
        applySoon();
      }}
    >
      <TextInput
        size="xs"
        placeholder={placeholder}
        {...field}
        value={typed.text}
        error={error}
        onChange={({ currentTarget }) => setTyped({ applied, text: currentTarget.value })}
        onBlur={apply}
        {...(typed.text.trim() !== applied && ENTER)}
      />
    </form>
  );
}
