import { Button } from '@mantine/core';
import type { MouseEvent } from 'react';
import { ButtonRow } from './button-row.tsx';

type FormButtonsProps = {
  sending: boolean;
  /** What is typed cannot be saved. */
  disabled?: boolean;
  /** There is nothing to save, and nothing to go back to either. */
  unchanged?: boolean;
  onCancel?: () => void;
};

/** The end of a form: Save, and where there is a way back, Cancel. */
export function FormButtons({ sending, disabled = false, unchanged = false, onCancel }: FormButtonsProps) {
  return (
    <ButtonRow>
      {onCancel !== undefined && (
        <Button variant="default" disabled={sending || unchanged} onMouseDown={stayInField} onClick={onCancel}>
          Cancel
        </Button>
      )}
      <Button type="submit" disabled={disabled || unchanged} loading={sending} onMouseDown={stayInField}>
        Save
      </Button>
    </ButtonRow>
  );
}

/** A field that is left says what is wrong with it, and that would move the button away from under the pointer. */
export function stayInField(event: MouseEvent): void {
  event.preventDefault();
}
