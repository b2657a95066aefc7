import { judgedWords } from '@dutchbook/contract/notes/trigger-words.ts';
import type { SystemStatus } from '@dutchbook/contract/status.ts';
import { formatPercent } from '@dutchbook/units/percent.ts';
import { SettingLink } from '../../session/setting-link.tsx';
import { useSystemStatus } from '../../status/system-status.ts';
import styles from './trigger-note.module.css';

/** Says by which prices profits are judged, and which triggers; larger orders can make less. */
export function TriggerNote() {
  const trigger = useSystemStatus()?.trigger;
  return (
    <p className={`hint ${styles.note}`}>
      {trigger && (
        <>
          Profit % is after fees, at {judgedWords(trigger.judged_by, trigger.depth_usd)}. $&nbsp;Now is what all sets
          that pay would make. An opportunity triggers at {formatPercent(trigger.profit_percentage)}.{' '}
          <SettingLink message={settingOf(trigger)} />
        </>
      )}
    </p>
  );
}

/** Beneath the profit of one of them. */
export function TriggerWords() {
  const trigger = useSystemStatus()?.trigger;
  if (trigger === undefined) return null;
  const needed = formatPercent(trigger.profit_percentage);
  return `at ${judgedWords(trigger.judged_by, trigger.depth_usd)}; triggers at ${needed}`;
}

function settingOf({ judged_by: by }: SystemStatus['trigger']): string {
  return by === 'depth' ? 'ORDER_BOOK_CUMULATIVE_THRESHOLD_USD' : 'USE_ORDER_BOOK_PRICES';
}
