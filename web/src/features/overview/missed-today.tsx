import { plainWords } from '@dutchbook/contract/notes/setting-labels.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { daysAgo } from '../report/days/days-ago.ts';
import { currentUserQuery } from '../session/current-user.ts';
import { SettingLink } from '../session/setting-link.tsx';
import { useSystemStatus } from '../status/system-status.ts';
import styles from './attention.module.css';
import { FoundSwitch } from './found-switch.tsx';
import type { Overview } from './use-overview.ts';

type Missed = Overview['missed_today'];

/** As the gates say it, without figures. */
const FOUND_BY_HAND = 'Found opportunities are not placed automatically';

/** What paid today and was not bought, in dollars, each with what changes that. */
export function MissedToday({ of: missed }: { of: Missed }) {
  if (missed.length === 0) return null;
  return (
    <section aria-labelledby="missed-today" className={styles.missed}>
      <h3 id="missed-today">Paid today and not bought (UTC)</h3>
      <ul className={styles.needs}>
        {missed.map((each) => (
          <li key={each.reason} className={styles.line}>
            <MissedLine of={each} />
          </li>
        ))}
      </ul>
    </section>
  );
}

function MissedLine({ of: { reason, count, usd } }: { of: Missed[number] }) {
  const status = useSystemStatus();
  const { data: user } = useQuery(currentUserQuery);
  const isFound = reason.startsWith(FOUND_BY_HAND);
  const what = isFound ? 'found opportunities' : 'opportunities';
  const paid = `${formatCount(count)} ${count === 1 ? what.replace('ies', 'y') : what} paid ${formatUsd(usd)}`;
  return (
    <>
      <Link to="/report/missed" search={{ since: daysAgo(0), reason }}>
        {paid}:{' '}
        {isFound ? 'found ones are placed only by hand' : plainWords(`${reason[0]?.toLowerCase()}${reason.slice(1)}`)}.
      </Link>
      {isFound && user?.is_superuser && status?.automatic === 'brought' && <FoundSwitch />}
      <SettingLink message={reason} />
    </>
  );
}
