import type { OpportunityFlag } from '@dutchbook/contract/opportunities.ts';
import { Explained } from '../../ui/explained.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import { FLAG_WORDS } from './flag-words.ts';

/** A badge per flag, which says what it means when it is pointed at, touched or focused. */
export function FlagBadges({ flags }: { flags: readonly OpportunityFlag[] }) {
  return flags.map((flag) => {
    const { label, meaning } = FLAG_WORDS[flag];
    return (
      <Explained key={flag} by={meaning}>
        <StatusBadge tone="warning">{label}</StatusBadge>
      </Explained>
    );
  });
}
