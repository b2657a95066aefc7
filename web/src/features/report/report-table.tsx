import { formatUsd, type Usd, usdToNumber } from '@dutchbook/units/usd.ts';
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { saveCsv } from '../../lists/export-csv.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { Icon } from '../../ui/icons.tsx';
import { paperFills } from '../status/paper-fills.ts';
import { type Behind, Figure } from './behind.tsx';
import { csvText } from './csv-text.ts';
import { costUsd, SignedUsd } from './results/result-columns.tsx';

/** A column that is shown, exported, and leads to what its figures are made of. */
export type ReportColumn<Row> = Pick<Column<Row>, 'key' | 'header' | 'align' | 'wide' | 'spare'> & {
  /** As it is exported, to the last unit. */
  csv: (row: Row) => string;
  /** As it is shown, where that is not the same. */
  shown?: (row: Row) => ReactNode;
  of?: (row: Row) => Behind;
};

/** How an amount reads: as it is, as a gain or a loss, or as how much more something cost. */
const SHOWN = {
  plain: formatUsd,
  signed: (usd: Usd) => <SignedUsd usd={usd} />,
  cost: costUsd,
} as const;

/** Dollars of each row. */
export function usdColumn<Row>(
  key: string,
  header: string,
  usdOf: (row: Row) => Usd,
  of: (row: Row) => Behind,
  as: keyof typeof SHOWN = 'plain',
): ReportColumn<Row> {
  return {
    key,
    header,
    align: 'end',
    csv: (row) => String(usdToNumber(usdOf(row))),
    shown: (row) => SHOWN[as](usdOf(row)),
    of,
  };
}

type ReportTableProps<Row> = {
  label: string;
  columns: readonly ReportColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
};

/** Figures of the report, each with the way to what it is made of. */
export function ReportTable<Row>({ label, columns, rows, keyOf }: ReportTableProps<Row>) {
  return (
    <DataTable
      label={label}
      columns={columns.map((column) => ({
        ...column,
        cell: ({ row }: { row: Row }) => cellOf(column, row),
      }))}
      rows={rows.map((row) => ({ row, id: keyOf(row) }))}
    />
  );
}

function cellOf<Row>({ csv, shown, of }: ReportColumn<Row>, row: Row): ReactNode {
  const text = shown?.(row) ?? csv(row);
  return of === undefined ? text : <Figure of={of(row)}>{text}</Figure>;
}

type CsvButtonProps<Row> = { what: string; columns: readonly ReportColumn<Row>[]; rows: readonly Row[] };

/** Takes the same figures home. */
export function CsvButton<Row>({ what, columns, rows }: CsvButtonProps<Row>) {
  const fills = paperFills();
  const save = () =>
    saveCsv(
      what,
      csvText([
        [...columns.map(({ header }) => header), ...(fills === null ? [] : ['Paper Fills'])],
        ...rows.map((row) => [...columns.map(({ csv }) => csv(row)), ...(fills === null ? [] : [fills])]),
      ]),
    );
  return (
    <Button
      size="compact-sm"
      variant="default"
      leftSection={<Icon name="download" size={14} />}
      disabled={rows.length === 0}
      aria-label={`Export CSV of ${what.replaceAll('_', ' ')}`}
      onClick={save}
    >
      CSV
    </Button>
  );
}
