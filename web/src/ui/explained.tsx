import { UnstyledButton } from '@mantine/core';
import { lazy, type ReactNode, Suspense, startTransition, useState } from 'react';
import styles from './explained.module.css';

const loadTooltip = () => import('./shown-explanation.tsx');
const ShownExplanation = lazy(() => loadTooltip().then((loaded) => ({ default: loaded.ShownExplanation })));

type ExplainedProps = { by: ReactNode; children: ReactNode };

/** Says more when it is pointed at, focused or touched. Until then it costs no more than a button. */
export function Explained({ by, children }: ExplainedProps) {
  const [asked, setAsked] = useState<'hover' | 'focus'>();
  // A transition: until the code is there, the button stays, and keeps the focus.
  const ask = (how: 'hover' | 'focus') => startTransition(() => setAsked(how));
  const plain = (
    <UnstyledButton
      className={styles.explained}
      onPointerEnter={() => ask('hover')}
      onPointerLeave={() => startTransition(() => setAsked(undefined))}
      onFocus={({ target }) => target.matches(':focus-visible') && ask('focus')}
    >
      {children}
    </UnstyledButton>
  );
  if (asked === undefined) return plain;
  return (
    <Suspense fallback={plain}>
      <ShownExplanation by={by} focused={asked === 'focus'} className={styles.explained}>
        {children}
      </ShownExplanation>
    </Suspense>
  );
}

/** Fetches what draws explanations before one is asked for. */
export async function prepareExplanations(): Promise<void> {
  await loadTooltip();
}
