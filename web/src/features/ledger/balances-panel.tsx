import type { readLedgerBalances } from '@dutchbook/contract/ledger.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { usdToNumber } from '@dutchbook/units/usd.ts';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type * as z from 'zod/mini';
import { Loaded } from '../../calls/loaded.tsx';
import { Moment } from '../../ui/local-time.tsx';
import { Figures, Panel } from '../../ui/panel.tsx';
import { StatusBadge } from '../../ui/status-badge.tsx';
import styles from './ledger.module.css';
import { balancesQuery } from './ledger-queries.ts';
import { ACCOUNT_WORDS, amountWords, unitWords } from './ledger-words.ts';

type Balances = z.output<typeof readLedgerBalances.reply>;
type Check = NonNullable<Balances['check']>;

/** What each account has, and whether the venue has the same. */
export function BalancesPanel() {
  const read = useQuery(balancesQuery);
  const differences = read.data?.check?.differences ?? [];
  return (
    <>
      {read.data?.check && differences.length > 0 && <Differences of={read.data.check} />}
      <Panel title="Balances" aside={read.data && <CheckBadge of={read.data.check} />}>
        <Loaded of={read} text="Error loading the balances" height={52}>
          {(balances) => <Figures figures={figuresOf(balances)} />}
        </Loaded>
      </Panel>
    </>
  );
}

function figuresOf({ accounts, tokens, check }: Balances) {
  const figures = accounts.map(({ account, unit, amount }) => ({
    name: unit === 'usd' ? ACCOUNT_WORDS[account] : `${ACCOUNT_WORDS[account]} (${unitWords(unit)})`,
    value: (
      <Link className="figure" to="/ledger" search={{ account, unit }}>
        {amountWords({ unit, amount })}
      </Link>
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
  const venue =
    check === null
      ? []
      : [
          {
            name: 'Cash at the Venue',
            value: amountWords({ unit: 'usd', amount: String(usdToNumber(check.venue_cash_usd)) }),
          },
        ];
  return [...figures, tokenFigure, ...venue];
}

function CheckBadge({ of: check }: { of: Check | null }) {
  if (check === null) return <StatusBadge tone="pending">Not compared with the venue yet</StatusBadge>;
  return (
    <span className="row">
      {check.differences.length === 0 ? (
        <StatusBadge tone="success">Equal to the venue</StatusBadge>
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
function Differences({ of: { differences, since } }: { of: Check }) {
  return (
    <div role="alert">
      <Panel
        title="The Venue Does Not Have What the Ledger Says"
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
