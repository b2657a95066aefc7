import type { readLedgerBalances } from '@dutchbook/contract/ledger.ts';
import { VENUE_LABELS } from '@dutchbook/contract/venue-names.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { VENUE_NAMES } from '@dutchbook/units/ids.ts';
import { cashAt } from '@dutchbook/units/ledger-kinds.ts';
import { addUsd, subtractUsd, USD_ZERO, type Usd, usdFromText, usdToNumber } from '@dutchbook/units/usd.ts';
import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type * as z from 'zod/mini';
import { Loaded } from '../../calls/loaded.tsx';
import { LocalTime, Moment } from '../../ui/local-time.tsx';
import { Beneath, Figures, Panel } from '../../ui/panel.tsx';
import { Outdated } from '../../ui/signed.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import styles from './ledger.module.css';
import { balancesQuery } from './ledger-queries.ts';
import { ACCOUNT_MEANINGS, ACCOUNT_WORDS, amountWords, unitWords } from './ledger-words.ts';

type Balances = z.output<typeof readLedgerBalances.reply>;
type Check = Balances['checks'][number];

/** What each account has, and whether the venue has the same. */
export function BalancesPanel() {
  const read = useQuery(balancesQuery);
  const differing = read.data?.checks.filter(({ differences }) => differences.length > 0) ?? [];
  return (
    <>
      {differing.map((check) => (
        <Differences key={check.venue} of={check} isOneOfSeveral={(read.data?.checks.length ?? 0) > 1} />
      ))}
      <Panel
        title="Balances"
        aside={
          <div className={styles.check}>
            {read.data === undefined ? (
              <Skeleton width={250} height={22} />
            ) : (
              <CheckBadge
                of={read.data.checks}
                isOfNow={read.data.checks.every((check) => bookedSince(check, read.data) === 0)}
              />
            )}
          </div>
        }
      >
        <div className={styles.balances}>
          <Loaded of={read} text="Error loading the balances" height={52}>
            {(balances) => (
              <>
                <Figures figures={accountFigures(balances)} />
                <Figures figures={balances.checks.map((check) => venueFigure(check, balances))} />
              </>
            )}
          </Loaded>
        </div>
      </Panel>
    </>
  );
}

function accountFigures({ accounts, tokens, checks }: Balances) {
  const figures = accounts.map(({ account, unit, amount }) => ({
    name: unit === 'usd' ? nameOf(account, checks) : `${ACCOUNT_WORDS[account]} (${unitWords(unit)})`,
    value: (
      <>
        <Link className="figure" to="/ledger" search={{ account, unit }}>
          {amountWords({ unit, amount })}
        </Link>
        {meaningOf({ account, unit }) !== undefined && <Beneath>{meaningOf({ account, unit })}</Beneath>}
      </>
    ),
  }));
  const tokenFigure = {
    name: 'Tokens Held',
    value: (
      <Link className="figure" to="/ledger" search={{ account: 'shares' }}>
        {formatCount(tokens)}
      </Link>
    ),
  };
  return [...figures, tokenFigure];
}

/** Of a coin of the chain only what gas takes is booked: what came in and what is left is on the chain alone. */
function meaningOf({ account, unit }: Pick<Balances['accounts'][number], 'account' | 'unit'>): string | undefined {
  if (unit === 'usd' || !VENUE_NAMES.some((venue) => cashAt(venue) === account)) return ACCOUNT_MEANINGS[account];
  return `spent as gas; ${unitWords(unit)} that came in is not booked, and not compared`;
}

/** Where there are several venues, cash is called by its own. */
function nameOf(account: Balances['accounts'][number]['account'], checks: Balances['checks']): string {
  const of = checks.length > 1 ? checks.find(({ venue }) => cashAt(venue) === account) : undefined;
  return of === undefined ? ACCOUNT_WORDS[account] : `Cash at ${VENUE_LABELS[of.venue]}`;
}

/** The venue's cash is of the comparison: beside it stands what the ledger had then, and what was booked since. */
function venueFigure(check: Check, balances: Balances) {
  const { venue, at, venue_cash_usd, ledger_cash_usd } = check;
  const since = bookedSince(check, balances);
  const dollars = (usd: Usd) => amountWords({ unit: 'usd', amount: String(usdToNumber(usd)) });
  const cash = dollars(venue_cash_usd);
  return {
    name: balances.checks.length === 1 ? 'Cash at the Venue' : `Cash as ${VENUE_LABELS[venue]} Says`,
    value: (
      <>
        {since === 0 ? cash : <Outdated>{cash}</Outdated>}
        <Beneath>
          as of <LocalTime at={at} to="clock" />, {dollars(ledger_cash_usd)} by the ledger
        </Beneath>
        {since !== 0 && (
          <Beneath>
            {since > 0 && '+'}
            {dollars(since)} booked since
          </Beneath>
        )}
      </>
    ),
  };
}

/** What the ledger's cash has moved by since the comparison, which is not in the venue's figure. */
function bookedSince({ venue, ledger_cash_usd }: Check, { accounts }: Balances): Usd {
  const cash = accounts.filter(({ account, unit }) => account === cashAt(venue) && unit === 'usd');
  return subtractUsd(
    cash.reduce((sum, { amount }) => addUsd(sum, usdFromText(amount)), USD_ZERO),
    ledger_cash_usd,
  );
}

/** State of the comparisons; with several venues the time of the earliest. */
function CheckBadge({ of: checks, isOfNow }: { of: readonly Check[]; isOfNow: boolean }) {
  const [check] = checks.toSorted((a, b) => a.at - b.at);
  if (check === undefined) return <StatusBadge tone="pending">Not compared with the venue yet</StatusBadge>;
  return (
    <span className="row">
      {checks.every(({ differences }) => differences.length === 0) ? (
        isOfNow ? (
          <StatusBadge tone="success">Dollars and shares equal to the venue</StatusBadge>
        ) : (
          <StatusBadge tone="inactive">Dollars and shares were equal to the venue</StatusBadge>
        )
      ) : (
        <StatusBadge tone="error">Differs from the venue</StatusBadge>
      )}
      <span className="hint">
        compared <Moment at={check.at} />
      </span>
    </span>
  );
}

/** What the venue has that the ledger does not explain. */
function Differences({ of: { venue, differences, since }, isOneOfSeveral }: { of: Check; isOneOfSeveral: boolean }) {
  const where = isOneOfSeveral ? VENUE_LABELS[venue] : 'The Venue';
  return (
    <div role="alert">
      <Panel
        title={`${where} Does Not Have What the Ledger Says`}
        tone="error"
        aside={
          since !== null && (
            <span className="hint">
              since <Moment at={since} />
            </span>
          )
        }
      >
        <ul className={styles.differences}>
          {differences.map(({ unit, market_name, amount, explanation }) => (
            <li key={unit}>
              <strong>
                {amount.startsWith('-') ? '' : '+'}
                {amountWords({ unit, amount })}
              </strong>{' '}
              at the venue{market_name !== null && ` of ${market_name}`}. {explanation}
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}
