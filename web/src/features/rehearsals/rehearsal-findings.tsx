import {
  FILL_MODELS,
  type FillModel,
  type PolicyRun,
  type Rehearsal,
  type RehearsalResult,
} from '@dutchbook/contract/rehearsals.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { formatUsd, type Usd } from '@dutchbook/units/usd.ts';
import type { ReactNode } from 'react';
import { Chart } from '../../ui/chart.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { dateFormat } from '../../ui/date-format.ts';
import { LocalTime } from '../../ui/local-time.tsx';
import { Beneath } from '../../ui/panel.tsx';
import { Signed } from '../../ui/signed.tsx';
import { statusWords } from '../../ui/status-badge.tsx';
import { policiesDrawing, policiesSummary, policyLabel } from './policies-drawing.ts';
import styles from './rehearsal.module.css';
import { RehearsalDifferences } from './rehearsal-differences.tsx';
import {
  atRiskWords,
  changesWords,
  clipsAWindow,
  gains,
  isAllUnknown,
  MAIN_MODEL,
  modelWords,
  resultSentence,
} from './rehearsal-words.ts';

const moment = dateFormat({ dateStyle: 'short', timeStyle: 'medium' });

type FindingsProps = { of: Rehearsal; result: RehearsalResult; isBesideForm: boolean };

/** What the proposed settings would have done instead of the present ones. */
export function RehearsalFindings({ of: rehearsal, result, isBesideForm }: FindingsProps) {
  return (
    <div className="stack">
      <div className="stack">
        <p className={styles.sentence}>{resultSentence(rehearsal, result)}</p>
        <Asked of={rehearsal} />
      </div>
      <UnknownSpans of={result} />
      <LeftOut of={result} />
      {!isAllUnknown(rehearsal, result) && (
        <>
          <Part title="How Orders Fill">
            <DataTable label="How orders fill" columns={MODEL_COLUMNS} rows={modelRows(result)} />
          </Part>
          <Policies of={result} />
          <Refusals of={result} />
          {result.differences > 0 && (
            <Part title={`Differences (${formatCount(result.differences)})`}>
              <RehearsalDifferences id={rehearsal.id} target={isBesideForm ? '_blank' : '_self'} />
            </Part>
          )}
        </>
      )}
    </div>
  );
}

function Part({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className={styles.part}>
      <h3>{title}</h3>
      {children}
    </section>
  );
}

function Asked({ of: { from, until, changes, assume_placing } }: { of: Rehearsal }) {
  const words = changesWords(changes);
  return (
    <p className="hint">
      {words.length === 0 ? 'The same settings' : words.join(', ')}, from <LocalTime at={from} /> to{' '}
      <LocalTime at={until} />
      {assume_placing && ', as if armed and placing automatically'}.
    </p>
  );
}

function UnknownSpans({ of: { unknown } }: { of: RehearsalResult }) {
  if (unknown.length === 0) return null;
  return (
    <ul className={styles.spans} aria-label="Unknown">
      {unknown.map(({ from, until, reason }) => (
        <li key={from}>
          Unknown <LocalTime at={from} /> to <LocalTime at={until} />: {reason}
        </li>
      ))}
    </ul>
  );
}

function LeftOut({ of: { left_out = 0 } }: { of: RehearsalResult }) {
  if (left_out === 0) return null;
  const found = left_out === 1 ? '1 opportunity' : `${formatCount(left_out)} opportunities`;
  return (
    <p className="hint">
      Left out: {found} that discovery would have found in markets of which only prices were recorded.
    </p>
  );
}

type ModelRow = { id: FillModel; name: string; words: string; present: Usd; gain: Usd } & Pick<
  RehearsalResult['proposed']['models'][FillModel],
  'profit_usd' | 'completed' | 'unwound' | 'unfilled' | 'worst_batch_usd'
>;

function modelRows(result: RehearsalResult): ModelRow[] {
  const words = modelWords(result);
  const by = gains(result);
  return FILL_MODELS.map((id) => ({
    ...{ id, ...words[id], ...result.proposed.models[id] },
    ...{ present: result.present.models[id].profit_usd, gain: by[id] },
  }));
}

const MODEL_COLUMNS: readonly Column<ModelRow>[] = [
  {
    key: 'model',
    header: 'Orders Fill',
    wide: true,
    cell: ({ name, words }) => (
      <>
        {name}
        <Beneath>{words}</Beneath>
      </>
    ),
  },
  { key: 'present', header: 'Now', align: 'end', cell: ({ present }) => formatUsd(present) },
  { key: 'proposed', header: 'Rehearsed', align: 'end', cell: ({ profit_usd }) => formatUsd(profit_usd) },
  {
    key: 'gain',
    header: 'Difference',
    align: 'end',
    cell: ({ gain }) => <Signed value={gain}>{formatUsd(gain)}</Signed>,
  },
  {
    key: 'batches',
    header: 'Batches',
    wide: true,
    cell: ({ completed, unwound, unfilled }) =>
      `${formatCount(completed)} completed, ${formatCount(unwound)} unwound, ${formatCount(unfilled)} unfilled`,
  },
  {
    key: 'worst',
    header: 'Worst Batch',
    align: 'end',
    cell: ({ worst_batch_usd: worst }) => (worst === null ? '–' : formatUsd(worst)),
  },
];

/** What each size policy would have made. */
function Policies({ of: { policies = [] } }: { of: RehearsalResult }) {
  if (policies.length === 0) return null;
  const rows = policies.map((run) => ({ id: run.policy, ...run }));
  return (
    <Part title="Size Policies">
      <Chart
        name="Profit by size policy"
        drawing={policiesDrawing(policies)}
        formatX={(at) => moment(at)}
        summary={policiesSummary(policies)}
      />
      <DataTable label="Size policies" columns={POLICY_COLUMNS} rows={rows} />
    </Part>
  );
}

type PolicyRow = PolicyRun & { id: string };

const POLICY_COLUMNS: readonly Column<PolicyRow>[] = [
  { key: 'policy', header: 'Size Policy', wide: true, cell: ({ policy }) => policyLabel(policy) },
  {
    key: 'profit',
    header: 'Profit',
    align: 'end',
    cell: ({ totals }) => formatUsd(totals.models[MAIN_MODEL].profit_usd),
  },
  { key: 'batches', header: 'Batches', align: 'end', cell: ({ totals }) => formatCount(totals.batches) },
  { key: 'clips', header: 'Clips a Window', align: 'end', cell: ({ totals }) => clipsAWindow(totals) },
  { key: 'risk', header: 'Most at Risk', align: 'end', cell: ({ totals }) => atRiskWords(totals) },
];

type RefusalRow = { id: string; present: number; proposed: number };

/** How often each gate has refused, the most often first. */
function Refusals({ of: { present, proposed } }: { of: RehearsalResult }) {
  const [now, rehearsed] = [countsOf(present), countsOf(proposed)];
  const gates = [...new Set([...now.keys(), ...rehearsed.keys()])];
  if (gates.length === 0) return null;
  const rows: RefusalRow[] = gates
    .map((id) => ({ id, present: now.get(id) ?? 0, proposed: rehearsed.get(id) ?? 0 }))
    .toSorted((a, b) => b.proposed - a.proposed || b.present - a.present);
  return (
    <Part title="Refused By">
      <DataTable label="Refused by" columns={REFUSAL_COLUMNS} rows={rows} />
    </Part>
  );
}

function countsOf({ refusals }: RehearsalResult['present']): Map<string, number> {
  return new Map(refusals.map(({ gate, count }) => [gate, count]));
}

const REFUSAL_COLUMNS: readonly Column<RefusalRow>[] = [
  { key: 'gate', header: 'Gate', wide: true, cell: ({ id }) => statusWords(id.replaceAll('-', '_')) },
  { key: 'present', header: 'Now', align: 'end', cell: ({ present }) => formatCount(present) },
  { key: 'proposed', header: 'Rehearsed', align: 'end', cell: ({ proposed }) => formatCount(proposed) },
];
