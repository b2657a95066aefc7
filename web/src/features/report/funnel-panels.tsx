import { SIZE_BOUND_MEANINGS } from '@dutchbook/contract/notes/meanings.ts';
import { pastWords, reasonWords, smallerWords } from '@dutchbook/contract/notes/reason-words.ts';
import { plainWords } from '@dutchbook/contract/notes/setting-labels.ts';
import { SIZE_BOUND_WORDS } from '@dutchbook/contract/notes/size-words.ts';
import type { readFunnel } from '@dutchbook/contract/report.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { addUsd, formatUsd, type Usd, usdFromNumber } from '@dutchbook/units/usd.ts';
import { useQuery } from '@tanstack/react-query';
import { use } from 'react';
import type * as z from 'zod/mini';
import { Loaded } from '../../calls/loaded.tsx';
import { Panel } from '../../ui/panel.tsx';
import { SettingLink } from '../session/setting-link.tsx';
import { type Behind, FilterContext } from './behind.tsx';
import styles from './report.module.css';
import { funnelQuery } from './report-queries.ts';
import { CsvButton, type ReportColumn, ReportTable, usdColumn } from './report-table.tsx';
import { SignedUsd } from './results/result-columns.tsx';

type Funnel = z.output<typeof readFunnel.reply>;
type Step = Funnel['steps'][number] & { part: number };
type Missed = Funnel['missed'][number];
type Smaller = Funnel['smaller'][number];

const WORDS: Record<Step['step'], { name: string; meaning: string; behind: Behind }> = {
  seen: { name: 'Seen', meaning: 'paid after fees', behind: { missed: {} } },
  triggered: { name: 'Triggered', meaning: 'paid enough', behind: { missed: { cameTo: 'triggered' } } },
  allowed: { name: 'Allowed', meaning: 'nothing refused it', behind: { missed: { cameTo: 'allowed' } } },
  placed: {
    name: 'Placed',
    meaning: 'orders were recorded; clips of a series are one',
    behind: { batches: {}, sortBy: 'predicted_usd' },
  },
  filled: { name: 'Filled', meaning: 'shares came', behind: { batches: { reached: 'filled' }, sortBy: 'cost_usd' } },
  locked: {
    name: 'Locked',
    meaning: 'pays whatever comes true',
    behind: { batches: { reached: 'locked' }, sortBy: 'locked_usd' },
  },
  cash: { name: 'Cash', meaning: 'is dollars again', behind: { batches: { reached: 'cash' }, sortBy: 'paid_usd' } },
};

/** From what was seen to cash, and what was not taken. */
export function FunnelPanels() {
  const read = useQuery(funnelQuery(use(FilterContext)));
  return (
    <Loaded of={read} text="Error loading the funnel" height={320}>
      {({ steps, smaller, missed }) => {
        const lost = lostRows(missed, smaller).filter(isSomething);
        const held = smaller.filter(isSomething);
        return (
          <>
            <Panel title="Missed Money" aside={<CsvButton what="missed_money" columns={MISSED} rows={lost} />}>
              {lost.length === 0 ? (
                <p className="hint">Nothing that paid was left out.</p>
              ) : (
                <>
                  <p className={styles.missed}>
                    <strong>{formatUsd(lost.map(({ usd }) => usd).reduce(addUsd))}</strong> paid and was not bought.
                  </p>
                  <ReportTable label="Missed money" columns={MISSED} rows={lost} keyOf={({ key }) => key} />
                </>
              )}
            </Panel>
            <StepsPanel steps={steps} />
            <Panel title="Lost to Size" folds aside={<CsvButton what="lost_to_size" columns={SMALLER} rows={held} />}>
              {held.length === 0 ? (
                <p className="hint">No batch was smaller than what paid.</p>
              ) : (
                <ReportTable label="Lost to size" columns={SMALLER} rows={held} keyOf={keyOfSmaller} />
              )}
            </Panel>
          </>
        );
      }}
    </Loaded>
  );
}

/** Dollars that were not made for one reason. `setting`: a text that names what changes it. */
type Lost = {
  key: string;
  reason: string;
  example: string | null;
  setting: string;
  count: number;
  usd: Usd;
  behind: Behind;
};

/** What was not bought, and of what less was bought than paid, the dearest first. */
function lostRows(missed: readonly Missed[], smaller: Funnel['smaller']): Lost[] {
  const whole = missed.map(({ reached, reason, example, count, usd }) => {
    const words = reasonWords(reason, example);
    const then = example === null ? null : pastWords(example);
    const more = then === null || then.replace(/\.$/, '') === words ? null : exampleOf(then, words);
    // One reason may stop opportunities at several steps.
    const key = `${reached} ${reason}`;
    return {
      key,
      reason: words,
      example: more,
      setting: example ?? reason,
      count,
      usd,
      behind: { missed: { reached, reason } },
    };
  });
  const parts = smaller.map(({ bounded_by: bound, count, usd }) => {
    const setting = bound === null ? '' : SIZE_BOUND_MEANINGS[bound];
    return {
      key: `smaller ${bound}`,
      reason: smallerWords(bound),
      example: null,
      setting,
      count,
      usd,
      behind: behindSmaller(),
    };
  });
  return [...whole, ...parts].sort((a, b) => b.usd - a.usd);
}

/** Less is written as no cents: such a row would say nothing. */
const HALF_CENT = usdFromNumber(0.005);
const isSomething = ({ usd }: { usd: Usd }) => usd >= HALF_CENT;

function StepsPanel({ steps }: { steps: Funnel['steps'] }) {
  const most = Math.max(1, ...steps.map(({ usd }) => usd));
  const rows = steps.map((step) => ({ ...step, part: Math.max(0, step.usd) / most }));
  return (
    <Panel title="From Seen to Cash" folds aside={<CsvButton what="funnel" columns={STEPS} rows={rows} />}>
      <p className="hint">
        Each amount is rounded to cents by itself: a difference of two may be a cent off what stands beside them.
      </p>
      <ReportTable label="From seen to cash" columns={STEPS} rows={rows} keyOf={({ step }) => step} />
    </Panel>
  );
}

const behind = ({ step }: Step): Behind => WORDS[step].behind;

/** What was lost on the way to a step is in those that reached the step before it, or in what was missed. */
const behindLoss = ({ step }: Step): Behind => BEHIND_LOSS[step];

const BEHIND_LOSS: Record<Step['step'], Behind> = {
  seen: { missed: {} },
  triggered: { missed: { reached: 'seen' } },
  allowed: { missed: { reached: 'triggered' } },
  placed: { missed: { reached: 'allowed' } },
  filled: { batches: {}, sortBy: 'shortfall_usd' },
  locked: { batches: { reached: 'filled' }, sortBy: 'slippage_usd' },
  cash: { batches: { reached: 'locked' }, sortBy: 'locked_usd' },
};

const STEPS: readonly ReportColumn<Step>[] = [
  {
    key: 'step',
    header: 'Step',
    wide: true,
    csv: ({ step }) => WORDS[step].name,
    shown: ({ step, part }) => (
      <span className={styles.step}>
        <strong>{WORDS[step].name}</strong> <span className="hint">{WORDS[step].meaning}</span>
        <span className={styles.bar} aria-hidden="true">
          <span style={{ width: `${part * 100}%` }} />
        </span>
      </span>
    ),
  },
  {
    key: 'count',
    header: 'Count',
    align: 'end',
    csv: ({ count }) => String(count),
    shown: ({ count }) => formatCount(count),
    of: behind,
  },
  {
    ...usdColumn<Step>('usd', 'Profit', ({ usd }) => usd, behind),
    shown: ({ usd }) => <SignedUsd usd={usd} />,
  },
  {
    ...usdColumn<Step>('lost', 'Lost Before', ({ lost_usd }) => lost_usd, behindLoss),
    shown: ({ step, lost_usd }) => (step === 'cash' ? `${formatUsd(lost_usd)} waits` : formatUsd(lost_usd)),
  },
  { key: 'reason', header: 'First Reason', wide: true, csv: ({ first_reason }) => plainWords(first_reason ?? '–') },
];

const keyOfSmaller = ({ bounded_by: bound }: Smaller) => bound ?? 'a person';

/** The batches that made most: which of them a bound held back is on their pages. */
const behindSmaller = (): Behind => ({ batches: {}, sortBy: 'predicted_usd' });

const SMALLER: readonly ReportColumn<Smaller>[] = [
  {
    key: 'bound',
    header: 'Bounded By',
    wide: true,
    csv: ({ bounded_by: bound }) => (bound === null ? 'the size that a person chose' : SIZE_BOUND_WORDS[bound]),
  },
  {
    key: 'count',
    header: 'Series',
    align: 'end',
    csv: ({ count }) => String(count),
    shown: ({ count }) => formatCount(count),
    of: behindSmaller,
  },
  usdColumn<Smaller>('usd', 'Dollars Lost', ({ usd }) => usd, behindSmaller),
];

/** What an example says beyond its reason, which stands above it. */
function exampleOf(example: string, reason: string): string {
  return example.startsWith(`${reason} (`) ? example.slice(reason.length + 1) : example;
}

const behindLost = ({ behind: of }: Lost): Behind => of;

const MISSED: readonly ReportColumn<Lost>[] = [
  {
    key: 'reason',
    header: 'Reason',
    wide: true,
    csv: ({ reason }) => plainWords(reason),
    shown: ({ reason, example, setting }) => (
      <>
        {plainWords(reason)}
        {/* Apart from the words, which are no link. */}
        <span className={styles.example}>
          <SettingLink message={setting} />
        </span>
        {example !== null && <span className={styles.example}>{plainWords(example)}</span>}
      </>
    ),
  },
  {
    key: 'count',
    header: 'Count',
    align: 'end',
    csv: ({ count }) => String(count),
    shown: ({ count }) => formatCount(count),
    of: behindLost,
  },
  usdColumn<Lost>('usd', 'Dollars Missed', ({ usd }) => usd, behindLost),
];
