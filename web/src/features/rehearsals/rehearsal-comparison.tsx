import { FILL_MODELS, type Rehearsal, type RehearsalResult } from '@dutchbook/contract/rehearsals.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { formatUsd } from '@dutchbook/units/usd.ts';
import type { ReactNode } from 'react';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { Signed } from '../../ui/signed.tsx';
import { statusWords } from '../../ui/status-badge.tsx';
import {
  atRiskWords,
  changesWords,
  clipsAWindow,
  gains,
  isAllUnknown,
  MAIN_MODEL,
  timesWords,
} from './rehearsal-words.ts';

/** Several side by side: a row for each figure, a column for each rehearsal. */
export function RehearsalComparison({ of: rehearsals }: { of: readonly Rehearsal[] }) {
  const columns: Column<Line>[] = [
    { key: 'figure', header: 'Figure', wide: true, cell: ({ id }) => id },
    ...rehearsals.map((rehearsal, index) => ({
      key: rehearsal.id,
      header: `${index + 1}. ${changesWords(rehearsal.changes).join(', ') || 'The same settings'}`,
      align: 'end' as const,
      cell: ({ of }: Line) => of(rehearsal),
    })),
  ];
  return <DataTable label="Side by side" columns={columns} rows={LINES} />;
}

type Line = { id: string; of: (rehearsal: Rehearsal) => ReactNode };

/** A figure of what was found; of what is not known there is none. */
const found =
  (read: (result: RehearsalResult) => ReactNode): Line['of'] =>
  (rehearsal) => {
    const { result, state } = rehearsal;
    if (result === null) return statusWords(state);
    return isAllUnknown(rehearsal, result) ? 'Unknown' : read(result);
  };

const LINES: readonly Line[] = [
  { id: 'From', of: ({ from }) => <LocalTime at={from} /> },
  { id: 'Until', of: ({ until }) => <LocalTime at={until} /> },
  { id: 'As if armed and placing', of: ({ assume_placing }) => (assume_placing ? 'Yes' : 'No') },
  { id: 'Triggers', of: found(({ proposed }) => formatCount(proposed.triggers)) },
  { id: 'Triggers now', of: found(({ present }) => formatCount(present.triggers)) },
  { id: 'Batches', of: found(({ proposed }) => formatCount(proposed.batches)) },
  { id: 'Clips a window', of: found(({ proposed }) => clipsAWindow(proposed)) },
  { id: 'Most at risk', of: found(({ proposed }) => atRiskWords(proposed)) },
  { id: 'Refused', of: found(({ proposed }) => formatCount(proposed.refused)) },
  {
    id: 'Limits hit',
    of: found(({ proposed }) => (proposed.limit_hits === 0 ? 'Never' : timesWords(proposed.limit_hits))),
  },
  ...FILL_MODELS.map((model) => ({
    id: `Difference, ${{ touch: 'at once', measured: 'measured', pessimistic: 'pessimistic' }[model]}`,
    of: found((result) => <Signed value={gains(result)[model]}>{formatUsd(gains(result)[model])}</Signed>),
  })),
  { id: 'Unwound', of: found(({ proposed }) => formatCount(proposed.models[MAIN_MODEL].unwound)) },
  {
    id: 'Worst batch',
    of: found(({ proposed: { models } }) => {
      const worst = models[MAIN_MODEL].worst_batch_usd;
      return worst === null ? '–' : formatUsd(worst);
    }),
  },
  {
    id: 'Unknown',
    of: found(({ unknown }) => (unknown.length === 0 ? 'Nothing' : `${formatCount(unknown.length)} spans`)),
  },
];
