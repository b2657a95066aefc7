import { UnstyledButton } from '@mantine/core';
import { createContext, type ReactNode, useId, useMemo, useState } from 'react';
import { Icon } from './icons.tsx';
import styles from './panel.module.css';
import { useIsPhone } from './use-on-screen.ts';

type PanelProps = {
  title: string;
  aside?: ReactNode;
  tone?: 'warning' | 'error';
  /** What is in it takes the height that there is. */
  fills?: boolean;
  /** Not shown, but kept, with the state of what is in it. */
  hidden?: boolean;
  /** On a phone its title alone stands there until it is opened; `kept`: with the state of what is in it. */
  folds?: boolean | 'kept';
  children: ReactNode;
};

/** Whether the panel around is open, and what opens it. */
export const PanelAround = createContext({ isOpened: true, open: () => {} });

/** A titled part of a page. */
export function Panel({ title, aside, tone, fills = false, hidden = false, folds = false, children }: PanelProps) {
  const titleId = useId();
  const isPhone = useIsPhone();
  const [isOpened, setOpened] = useState(false);
  const isFolded = folds !== false && isPhone && !isOpened;
  const around = useMemo(() => ({ isOpened, open: () => setOpened(true) }), [isOpened]);
  return (
    <section
      className={styles.panel}
      aria-labelledby={titleId}
      data-tone={tone}
      data-fills={fills || undefined}
      hidden={hidden}
    >
      <div className={styles.head}>
        <h2 id={titleId}>{title}</h2>
        {!isFolded && aside}
        {folds !== false && isPhone && (
          <UnstyledButton
            className={styles.fold}
            aria-expanded={isOpened}
            aria-label={`${isOpened ? 'Hide' : 'Show'} ${title}`}
            onClick={() => setOpened(!isOpened)}
          >
            <Icon name="next" />
          </UnstyledButton>
        )}
      </div>
      {folds === 'kept' && isPhone ? (
        <PanelAround value={around}>
          <div hidden={isFolded}>{children}</div>
        </PanelAround>
      ) : (
        !isFolded && children
      )}
    </section>
  );
}

export type Detail = { name: string; value: ReactNode };

/** Names and values, aligned. */
export function Details({ details }: { details: readonly Detail[] }) {
  return <Named className={styles.details} details={details} />;
}

/** Many of them, in two columns where there is room. */
export function DetailColumns({ left, right }: { left: readonly Detail[]; right: readonly Detail[] }) {
  return (
    <div className={styles.columns}>
      <Details details={left} />
      <Details details={right} />
    </div>
  );
}

/** The few figures that matter most, large. */
export function Figures({ figures }: { figures: readonly Detail[] }) {
  return <Named className={styles.figures} details={figures} />;
}

/** Said below a figure, smaller. */
export function Beneath({ children }: { children: ReactNode }) {
  return <span className={styles.beneath}>{children}</span>;
}

function Named({ className, details }: { className: string | undefined; details: readonly Detail[] }) {
  return (
    <dl className={className}>
      {details.map(({ name, value }) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}
