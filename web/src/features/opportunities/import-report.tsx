import type { ImportReply } from '@dutchbook/contract/opportunities/import-csv.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { Box, Button } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { ButtonRow } from '../../ui/button-row.tsx';
import { shortId } from '../../ui/copyable.tsx';
import { Icon } from '../../ui/icons.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { Note } from '../../ui/states.tsx';
import styles from './import-dialog.module.css';
import { errorsAsCsv } from './import-errors.ts';

/** How many rows are put on screen of each kind; a line under them counts the others. */
const ROWS_SHOWN_MAX = 100;

type ImportReportProps = { reply: ImportReply; fileName: string; onDone: () => void };

/** What became of each row that was not simply imported. Row 1 is the first line under the header. */
export function ImportReport({ reply, fileName, onDone }: ImportReportProps) {
  const { opportunity_ids, duplicates, errors, unknown, resolved, resolved_count: resolvedCount } = reply;
  const imported = opportunity_ids.length;
  return (
    <div className="stack">
      <Note
        tone={imported === 0 ? 'error' : errors.length + unknown.length > 0 ? 'warning' : 'success'}
        title={`${formatCount(imported)} imported, ${formatCount(duplicates.length)} already known, ${formatCount(errors.length)} refused${unknown.length > 0 ? `, ${formatCount(unknown.length)} not known to the venue` : ''}`}
      />
      {errors.length + duplicates.length + unknown.length > 0 && (
        <p className={styles.hint}>Row 1 is the first one below the header.</p>
      )}
      <Rows
        title="Refused rows"
        rows={errors}
        aside={
          <Button
            size="compact-sm"
            variant="default"
            leftSection={<Icon name="download" size={14} />}
            onClick={() => saveFile(errorsAsCsv(errors), errorFileName(fileName), 'text/csv')}
          >
            Download Errors
          </Button>
        }
      >
        {({ message }) => message}
      </Rows>
      <Rows title="Not known to the venue" rows={unknown}>
        {({ message }) => message}
      </Rows>
      <Rows title="Duplicates" rows={duplicates}>
        {({ opportunity_id: id }) => (
          <Link to="/arbitrage/$opportunityId" params={{ opportunityId: id }} title={id}>
            Same markets and outcomes as {shortId(id)}
          </Link>
        )}
      </Rows>
      <Resolved names={resolved} count={resolvedCount} />
      <ButtonRow>
        <Button onClick={onDone} data-autofocus>
          Done
        </Button>
      </ButtonRow>
    </div>
  );
}

const KINDS: Record<ImportReply['resolved'][number]['kind'], string> = {
  capitals: 'id in capitals',
  page: 'page',
  slug: 'slug',
  token_id: 'token',
  gamma_id: 'number',
};

/** Which markets were found by other names than their ids. */
function Resolved({ names, count }: { names: ImportReply['resolved']; count: number }) {
  if (count === 0) return null;
  return (
    <div>
      <div className={styles.heading}>
        <h3>Markets found by other names</h3>
      </div>
      {/* Only what takes the focus is scrolled by the keyboard. */}
      <Box component="ul" className={styles.rows} aria-label="Markets found by other names" tabIndex={0}>
        {names.map(({ given, kind, market_id: id }) => (
          <li key={given}>
            <span>{KINDS[kind]}</span>{' '}
            <div title={id}>
              {given} is {id.slice(0, 10)}…
            </div>
          </li>
        ))}
      </Box>
      {count > names.length && <p className={styles.hint}>and {formatCount(count - names.length)} more</p>}
    </div>
  );
}

type RowsProps<Row> = { title: string; rows: readonly Row[]; aside?: ReactNode; children: (row: Row) => ReactNode };

function Rows<Row extends { row: number }>({ title, rows, aside, children }: RowsProps<Row>) {
  if (rows.length === 0) return null;
  const hidden = rows.length - ROWS_SHOWN_MAX;
  return (
    <div>
      <div className={styles.heading}>
        <h3>{title}</h3>
        {aside}
      </div>
      {/* Only what takes the focus is scrolled by the keyboard. */}
      <Box component="ul" className={styles.rows} aria-label={title} tabIndex={0}>
        {rows.slice(0, ROWS_SHOWN_MAX).map((row) => (
          <li key={row.row}>
            <span>Row {formatCount(row.row)}</span> <div>{children(row)}</div>
          </li>
        ))}
      </Box>
      {hidden > 0 && <p className={styles.hint}>and {formatCount(hidden)} more</p>}
    </div>
  );
}

const errorFileName = (imported: string) => `${imported.replace(/\.csv$/i, '')}_errors.csv`;
