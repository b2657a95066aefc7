import { UnstyledButton } from '@mantine/core';
import { type ReactNode, useRef, useState } from 'react';
import styles from './explained.module.css';
import { lateCode } from './late-code.ts';

/** What draws explanations. */
export const explanationCode = lateCode(() => import('./shown-explanation.tsx'));

type Asked = 'by pointer' | 'by focus';

type ExplainedProps = { by: ReactNode; children: ReactNode };

/** Says more when it is pointed at, focused or touched. Until then it costs no more than a button. */
export function Explained({ by, children }: ExplainedProps) {
  const [shown, setShown] = useState<{ code: typeof import('./shown-explanation.tsx'); how: Asked }>();
  const asked = useRef<Asked>(undefined);
  if (shown !== undefined) {
    const { code, how } = shown;
    return (
      <code.ShownExplanation by={by} focused={how === 'by focus'} className={styles.explained}>
        {children}
      </code.ShownExplanation>
    );
  }
  const ask = (how: Asked) => {
    asked.current = how;
    explanationCode.whenHere((code) => {
      if (asked.current !== undefined) setShown({ code, how: asked.current });
    });
  };
  const withdraw = (how: Asked) => {
    if (asked.current === how) asked.current = undefined;
  };
  return (
    <UnstyledButton
      className={styles.explained}
      onPointerEnter={() => ask('by pointer')}
      // A finger that was lifted has asked; a mouse that moved on has not.
      onPointerLeave={({ pointerType }) => pointerType === 'mouse' && withdraw('by pointer')}
      onFocus={({ target }) => target.matches(':focus-visible') && ask('by focus')}
      onBlur={() => withdraw('by focus')}
    >
      {children}
    </UnstyledButton>
  );
}
