import type { ReactNode } from 'react';
import styles from './copyable.module.css';
import { Icon } from './icons.tsx';
import { toastCopied, toastProblem } from './toasts.tsx';

type CopyableProps = { text: string; what: string; children: ReactNode; mono?: boolean };

/** A value that a press copies. `text` is copied and may be longer than what is shown; `what` names it in the toast. */
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

/** An id that a press copies, shown shortened unless `whole`. */
export function CopiedId({ id, what, whole = false }: { id: string; what: string; whole?: boolean }) {
  return (
    <Copyable text={id} what={what} mono>
      {whole ? id : shortId(id)}
    </Copyable>
  );
}

/** The first eight characters of an id. */
export function shortId(id: string): string {
  return id.slice(0, 8);
}

/** Puts `text` on the clipboard and says so for two seconds; `what` is how the toast names it. */
export async function copyText(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    toastCopied(what);
  } catch {
    toastProblem('The browser did not allow copying.');
  }
}
