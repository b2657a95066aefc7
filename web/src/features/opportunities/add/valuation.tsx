import type { Preview } from '@dutchbook/contract/valuation.ts';
import { formatPercent } from '@dutchbook/units/percent.ts';
import { formatPrice } from '@dutchbook/units/price.ts';
import { formatShares } from '@dutchbook/units/shares.ts';
import { type Usd, usdFromMicro } from '@dutchbook/units/usd.ts';
import { Link } from '@tanstack/react-router';
import { Announcer } from '../../../ui/announcer.tsx';
import { Figures } from '../../../ui/panel.tsx';
import { Signed } from '../../../ui/signed.tsx';
import { Note } from '../../../ui/states.tsx';
import { FLAG_WORDS } from '../flag-words.ts';
import { formatPerShare } from '../per-share.ts';
import { TargetNote } from './target-note.tsx';
import styles from './valuation.module.css';

const UNKNOWN = '–';

type ValuationProps = {
  preview: Preview | undefined;
  /** Whether it is of what stands in the draft now. */
  isCurrent: boolean;
};

/** What the set would be worth as it stands, and what is doubtful about it. */
export function Valuation({ preview, isCurrent }: ValuationProps) {
  return (
    <section className={styles.valuation} aria-label="Value" aria-busy={!isCurrent} data-outdated={!isCurrent}>
      <ValueFigures of={preview} />
      {preview?.error != null && <Note tone="error" title="It cannot be priced now" lines={[preview.error]} />}
      {preview !== undefined && <TargetNote of={preview} />}
      {preview?.flags.map((flag) => (
        <Note key={flag} tone="warning" title={FLAG_WORDS[flag].label} lines={[FLAG_WORDS[flag].meaning]} />
      ))}
      {preview?.duplicate_of != null && <Duplicate id={preview.duplicate_of} />}
      <Announcer text={isCurrent && preview ? inWords(preview) : ''} />
    </section>
  );
}

function ValueFigures({ of: preview }: { of: Preview | undefined }) {
  const { current_price, fees_per_set, profit_percentage, max_profitable_size } = preview ?? {};
  const profit = preview && profitPerSet(preview);
  return (
    <Figures
      figures={[
        { name: 'Cost of One Set', value: current_price == null ? UNKNOWN : formatPrice(current_price) },
        { name: 'Fees per Set', value: fees_per_set == null ? UNKNOWN : formatPerShare(fees_per_set) },
        {
          name: 'Profit $',
          value: profit == null ? UNKNOWN : <Signed value={profit}>{formatPerShare(profit)}</Signed>,
        },
        {
          name: 'Profit %',
          value:
            profit_percentage == null ? (
              UNKNOWN
            ) : (
              <Signed value={profit_percentage}>{formatPercent(profit_percentage)}</Signed>
            ),
        },
        {
          name: 'Max Profitable Size',
          value: max_profitable_size == null ? UNKNOWN : `${formatShares(max_profitable_size)} sh`,
        },
      ]}
    />
  );
}

/** Dollars that one set gains after fees, negative where it loses. */
function profitPerSet({ target_price, current_price, fees_per_set }: Preview): Usd | null {
  if (current_price === null || fees_per_set === null) return null;
  return usdFromMicro(target_price - current_price - fees_per_set);
}

function Duplicate({ id }: { id: string }) {
  return (
    <p className={styles.duplicate}>
      An opportunity with these positions exists already.{' '}
      <Link to="/arbitrage/$opportunityId" params={{ opportunityId: id }} target="_blank" title={id}>
        Open it (in a new tab)
      </Link>
    </p>
  );
}

function inWords({ error, current_price, profit_percentage }: Preview): string {
  if (error !== null) return `It cannot be priced now: ${error}`;
  if (current_price === null || profit_percentage === null) return '';
  return `One set costs ${formatPrice(current_price)}, profit ${formatPercent(profit_percentage)}`;
}
