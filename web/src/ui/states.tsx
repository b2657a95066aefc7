import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { Icon, type IconName } from './icons.tsx';
import styles from './states.module.css';

type EmptyStateProps = { icon: IconName; text: string; hint?: string; children?: ReactNode };

/** Nothing to show, said plainly, with the next step as its children. */
export function EmptyState({ icon, text, hint, children }: EmptyStateProps) {
  return (
    <div className={styles.empty}>
      <span className={styles.mark}>
        <Icon name={icon} size={26} />
      </span>
      <p className={styles.text}>{text}</p>
      {hint !== undefined && <p className={styles.hint}>{hint}</p>}
      {children !== undefined && <div className={styles.next}>{children}</div>}
    </div>
  );
}

type ErrorBarProps = { text: string; detail?: string; onRetry?: () => void; retrying?: boolean };

/** Stands above what is still shown of the last good answer. */
export function ErrorBar({ text, detail, onRetry, retrying = false }: ErrorBarProps) {
  return (
    <div className={styles.bar} role="alert">
      <Icon name="alert" />
      <div className={styles.barText}>
        <p>{text}</p>
        {detail !== undefined && <p>{detail}</p>}
      </div>
      {onRetry !== undefined && (
        <Button size="compact-sm" variant="default" onClick={onRetry} loading={retrying}>
          Try Again
        </Button>
      )}
    </div>
  );
}

type NoteProps = { tone: 'error' | 'warning' | 'success' | 'inactive'; title: string; lines?: readonly string[] };

/** Reasons, warnings and results inside a page or a dialog. */
export function Note({ tone, title, lines = [] }: NoteProps) {
  return (
    <div className={styles.note} data-tone={tone}>
      <p className={styles.noteTitle}>{title}</p>
      {lines.length > 0 && (
        <ul>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      )}
    </div>
  );
}
