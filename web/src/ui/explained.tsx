import { Tooltip, UnstyledButton } from '@mantine/core';
import type { ReactNode } from 'react';

/** Says more when it is pointed at, focused or touched. */
export function Explained({ by, children }: { by: ReactNode; children: ReactNode }) {
  return (
    <Tooltip label={by} multiline maw={360} events={{ hover: true, focus: true, touch: true }}>
      <UnstyledButton className="explained" style={{ maxWidth: '100%', cursor: 'help' }}>
        {children}
      </UnstyledButton>
    </Tooltip>
  );
}
