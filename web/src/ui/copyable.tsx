import type { ReactNode } from 'react';
import { copyText } from './copy.ts';
import styles from './copyable.module.css';
import { Icon } from './icons.tsx';

type CopyableProps = { text: string; what: string; children: ReactNode; mono?: boolean };

/** A value that is copied when it is pressed. `text` may be longer than what is shown. */
export function Copyable({ text, what, children, mono = false }: CopyableProps) {
  return (
    <button
      type="button"
      className={styles.copyable}
      data-mono={mono}
      title={`Copy ${text}`}
      onClick={() => copyText(text, what)}
    >
      <span className={styles.text}>{children}</span>
      <Icon name="copy" size={13} />
    </button>
  );
}

/** An id, in short unless the `whole` of it is to be read. */
export function CopiedId({ id, what, whole = false }: { id: string; what: string; whole?: boolean }) {
  return (
    <Copyable text={id} what={what} mono>
      {whole ? id : shortId(id)}
    </Copyable>
  );
}

/** The first characters of an id: enough to recognise, and the whole can be copied. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}
