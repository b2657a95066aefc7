import { reasonWords } from '@dutchbook/contract/notes/reason-words.ts';
import { plainWords } from '@dutchbook/contract/notes/setting-labels.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { addUsd, formatUsd } from '@dutchbook/units/usd.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { daysAgo } from '../report/days/days-ago.ts';
import { currentUserQuery } from '../session/current-user.ts';
import { SettingLink } from '../session/setting-link.tsx';
import { useSystemStatus } from '../status/system-status.ts';
import styles from './attention.module.css';
import { isFoundByHand } from './needs.ts';
import { PlacingSwitch } from './placing-switch.tsx';
import type { Overview } from './use-overview.ts';

type Missed = Overview['missed_today'];

/** Rows shown at first; a button unfolds the others. */
const SHOWN = 3;

/** Today's missed dollars by reason, each with a link to the setting that changes it. */
export function MissedToday({ of: missed }: { of: Missed }) {
  if (missed.length === 0) return null;
  const rest = missed.slice(SHOWN);
  return (
    <section aria-labelledby="missed-today" className={styles.missed}>
      <h3 id="missed-today">Paid today and not bought (UTC)</h3>
      <Lines of={missed.slice(0, SHOWN)} />
      {rest.length > 0 && (
        <details>
          <summary>{`${formatCount(rest.length)} more, ${formatUsd(rest.map(({ usd }) => usd).reduce(addUsd))}`}</summary>
          <Lines of={rest} />
        </details>
      )}
    </section>
  );
}

function Lines({ of: missed }: { of: Missed }) {
  return (
    <ul className={styles.needs}>
      {missed.map((each) => (
        <li key={each.reason} className={styles.line}>
          {each.bound === null ? <MissedLine of={each} /> : <SmallerLine of={each} bound={each.bound} />}
        </li>
      ))}
    </ul>
  );
}

type LineProps = { of: Missed[number] };

function SmallerLine({ of: { reason, usd }, bound }: LineProps & { bound: string }) {
  return (
    <>
      <Link to="/report" search={{ since: daysAgo(0), tab: 'missed' }}>
        {formatUsd(usd)} of profit was left: {plainWords(lowerFirst(reason))}.
      </Link>
      <SettingLink message={bound} />
    </>
  );
}

function MissedLine({ of: { reason, example, count, usd } }: LineProps) {
  const status = useSystemStatus();
  const { data: user } = useQuery(currentUserQuery);
  const isFound = isFoundByHand(reason);
  const what = isFound ? 'found opportunities' : 'opportunities';
  const paid = `${formatCount(count)} ${count === 1 ? what.replace('ies', 'y') : what} paid ${formatUsd(usd)}`;
  return (
    <>
      <Link to="/report/missed" search={{ since: daysAgo(0), reason }}>
        {paid}: {isFound ? 'found ones are placed only by hand' : plainWords(lowerFirst(reasonWords(reason, example)))}.
      </Link>
      {isFound && user?.is_superuser && status?.automatic === 'brought' ? (
        <PlacingSwitch of="found" />
      ) : (
        <SettingLink message={example ?? reason} />
      )}
    </>
  );
}

function lowerFirst(text: string): string {
  return `${text[0]?.toLowerCase()}${text.slice(1)}`;
}
