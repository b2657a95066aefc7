import { Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useState } from 'react';
import { Icon } from '../../ui/icons.tsx';
import { Panel } from '../../ui/panel.tsx';
import styles from './first-steps.module.css';
import { type Overview, useOverview } from './use-overview.ts';

type Step = keyof Overview['first_steps'];

/** Marks on this device that the steps are done; no space is reserved for them then. */
const DONE_KEY = 'first-steps-done';

const STEPS: readonly { step: Step; title: string; words: ReactNode }[] = [
  {
    step: 'found',
    title: 'Find',
    words: (
      <>
        A <strong>relation</strong> says which outcomes come true together, as that exactly one of four does; where its
        outcomes cost less than they surely pay, it becomes an opportunity. <Link to="/discover">Discover</Link>
      </>
    ),
  },
  {
    step: 'judged',
    title: 'Judge',
    words: (
      <>
        Each outcome to buy is a <strong>leg</strong>, and one share of every leg is a <strong>set</strong>: what a set
        pays, less its price and fees, is the profit. <Link to="/arbitrage">Arbitrage</Link>
      </>
    ),
  },
  {
    step: 'bought',
    title: 'Buy',
    words: (
      <>
        All legs are bought at once, in a batch; once every leg is filled the profit is <strong>locked</strong>: the
        sets pay it whatever comes true. <Link to="/batches">Batch Orders</Link>
      </>
    ),
  },
  {
    step: 'exited',
    title: 'Exit',
    words: (
      <>
        Sets become dollars when their markets resolve, or sooner: sell them, or have the venue’s contracts pay them
        with Cash Now. <Link to="/portfolio">Portfolio</Link>
      </>
    ),
  },
];

/** The four first steps, ticked off automatically; after the last one they are gone with the next visit. */
export function FirstSteps() {
  const steps = useOverview().data?.first_steps;
  const [isDone, setIsDone] = useState(() => localStorage.getItem(DONE_KEY) !== null);
  const done = () => {
    localStorage.setItem(DONE_KEY, 'true');
    setIsDone(true);
  };
  const areAllMade = steps !== undefined && STEPS.every(({ step }) => steps[step]);
  useEffect(() => {
    if (areAllMade) localStorage.setItem(DONE_KEY, 'true');
  }, [areAllMade]);
  if (isDone) return null;
  return (
    <Panel
      title="First Steps"
      aside={
        <Button size="compact-sm" variant="subtle" onClick={done}>
          Hide
        </Button>
      }
    >
      <ol className={styles.steps}>
        {STEPS.map(({ step, title, words }, nth) => (
          <li key={step} data-made={steps?.[step] || undefined}>
            <h3>
              <span className={styles.mark} aria-hidden="true">
                {steps?.[step] ? <Icon name="check" size={14} /> : steps && nth + 1}
              </span>
              {title}
              {steps?.[step] && <span className="visually-hidden"> – done</span>}
            </h3>
            <p>{words}</p>
          </li>
        ))}
      </ol>
    </Panel>
  );
}
