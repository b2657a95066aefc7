import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { venueOf, withoutVenue } from '@dutchbook/units/ids.ts';
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

/** The first eight characters of an id; of one that is a name of its venue, as a ticker is, all of it. */
export function shortId(id: string): string {
  const name = withoutVenue(id);
  return name === id ? id.slice(0, 8) : `${VENUE_LABELS[venueOf(id)]} ${name}`;
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
