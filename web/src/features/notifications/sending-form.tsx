import { Button } from '@mantine/core';
import type { FormEventHandler, ReactNode } from 'react';
import { useUnsaved } from '../../forms/unsaved.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import styles from './sending-card.module.css';

type SendingFormProps = {
  /** What the button says. */
  action: string;
  variant?: 'filled' | 'default';
  changed: boolean;
  sending: boolean;
  onSubmit: FormEventHandler<HTMLFormElement>;
  children: ReactNode;
};

/** A part of how notifications are sent, with the button that sets it. */
export function SendingForm({ action, variant = 'filled', changed, sending, onSubmit, children }: SendingFormProps) {
  useUnsaved(changed);
  return (
    <form noValidate onSubmit={onSubmit} className={styles.form}>
      {children}
      <ButtonRow>
        <Button type="submit" variant={variant} disabled={!changed} loading={sending}>
          {action}
        </Button>
      </ButtonRow>
    </form>
  );
}
