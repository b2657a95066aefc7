import { Button } from '@mantine/core';
import type { MouseEvent, ReactNode } from 'react';
import { ButtonRow } from './button-row.tsx';

export type FormButtonsProps = {
  /** What the button that sends the form says; Save where it is left out. */
  action?: string | undefined;
  color?: 'red' | undefined;
  /** A further button, before the others. */
  other?: ReactNode;
  sending: boolean;
  /** What is typed cannot be saved. */
  disabled?: boolean;
  /** There is nothing to save, and nothing to go back to either. */
  unchanged?: boolean;
  onCancel?: () => void;
};

/** The end of a form: the button that sends it, and where there is a way back, Cancel. */
export function FormButtons(props: FormButtonsProps) {
  const { action = 'Save', color, other, sending, disabled = false, unchanged = false, onCancel } = props;
  return (
    <ButtonRow>
      {other}
      {onCancel !== undefined && (
        <Button variant="default" disabled={sending || unchanged} onMouseDown={stayInField} onClick={onCancel}>
          Cancel
        </Button>
      )}
      <Button
        type="submit"
        {...(color && { color })}
        disabled={disabled || unchanged}
        loading={sending}
        onMouseDown={stayInField}
      >
        {action}
      </Button>
    </ButtonRow>
  );
}

/** A field that is left says what is wrong with it, and that would move the button away from under the pointer. */
export function stayInField(event: MouseEvent): void {
  event.preventDefault();
}
