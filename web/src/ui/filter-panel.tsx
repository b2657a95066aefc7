import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './filter-panel.module.css';

type FilterPanelProps = {
  title?: ReactNode;
  onApply: () => void;
  /** Goes back to what is applied. */
  onReset?: () => void;
  onClear: () => void;
  /** The fields. */
  children: ReactNode;
};

/** Chooses what a list shows; nothing changes until Apply. */
export function FilterPanel({ title, onApply, onReset, onClear, children }: FilterPanelProps) {
  return (
    <section className={styles.panel} aria-label="Filters">
      {title}
      <form
        className={styles.fields}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          onApply();
        }}
      >
        {children}
        <div className={styles.buttons}>
          <Button type="submit" size="xs">
            Apply
          </Button>
          {onReset !== undefined && (
            <Button size="xs" variant="default" onClick={onReset}>
              Reset
            </Button>
          )}
          <Button size="xs" variant="default" onClick={onClear}>
            Clear
          </Button>
        </div>
      </form>
    </section>
  );
}
