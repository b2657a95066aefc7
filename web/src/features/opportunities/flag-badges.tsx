import type { OpportunityFlag } from '@dutchbook/contract/opportunities.ts';
import { Tooltip, UnstyledButton } from '@mantine/core';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { FLAG_WORDS } from './flag-words.ts';

/** A badge per flag, which says what it means when it is pointed at, touched or focused. */
export function FlagBadges({ flags }: { flags: readonly OpportunityFlag[] }) {
  return flags.map((flag) => {
    const { label, meaning } = FLAG_WORDS[flag];
    return (
      <Tooltip key={flag} label={meaning} multiline maw={320} events={{ hover: true, focus: true, touch: true }}>
        <UnstyledButton style={{ cursor: 'help' }}>
          <StatusBadge tone="warning">{label}</StatusBadge>
        </UnstyledButton>
      </Tooltip>
    );
  });
}
