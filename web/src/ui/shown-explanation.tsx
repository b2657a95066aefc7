import { Tooltip, UnstyledButton } from '@mantine/core';
import { type ReactNode, useLayoutEffect, useRef } from 'react';

type ShownExplanationProps = { by: ReactNode; focused: boolean; className: string | undefined; children: ReactNode };

/** The explanation, open from the start; its button takes over the focus of the one it replaces. */
export function ShownExplanation({ by, focused, className, children }: ShownExplanationProps) {
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    if (focused) button.current?.focus({ preventScroll: true });
  }, [focused]);
  return (
    <Tooltip label={by} multiline maw={360} defaultOpened events={{ hover: true, focus: true, touch: true }}>
      <UnstyledButton ref={button} {...(className === undefined ? {} : { className })}>
        {children}
      </UnstyledButton>
    </Tooltip>
  );
}
