import { Button, TextInput, type TextInputProps } from '@mantine/core';
import type { FormEventHandler, MouseEvent, ReactNode } from 'react';
import styles from './entry-form.module.css';

type EntryFormProps = {
  /** What its one button says. */
  action: string;
  submit: FormEventHandler<HTMLFormElement>;
  sending: boolean;
  links: ReactNode;
  children: ReactNode;
};

/** A form for those who are not signed in, with its one button and the ways to the other forms. */
export function EntryForm({ action, submit, sending, links, children }: EntryFormProps) {
  return (
    <form className={styles.form} noValidate onSubmit={submit} onMouseDown={stayInField}>
      {children}
      <Button type="submit" size="md" fullWidth loading={sending}>
        {action}
      </Button>
      <p className={styles.links}>{links}</p>
    </form>
  );
}

/** A field of it; the label is the placeholder too, as people and scripts know it. */
export function EntryField({ label, ...rest }: TextInputProps & { label: string }) {
  return <TextInput label={label} placeholder={label} size="md" {...rest} />;
}

/** A field that is left says what is wrong with it, and that would move a button away from under the pointer. */
function stayInField(event: MouseEvent): void {
  if (event.target instanceof Element && event.target.closest('a, button') !== null) event.preventDefault();
}
