import { CSV_BYTES_MAX, type ImportReply, importCsv } from '@dutchbook/contract/opportunities/import-csv.ts';
import { Button, FileInput, Loader, Progress } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { upload } from '../../calls/upload.ts';
import { ButtonRow } from '../../ui/button-row.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { toastProblem, toastSuccess } from '../../ui/toasts.tsx';
import { useNowMs } from '../../ui/use-now.ts';
import styles from './import-dialog.module.css';
import { ImportReport } from './import-report.tsx';

type ImportDialogProps = { opened: boolean; onClose: () => void; onImported: () => void };

export function ImportDialog({ opened, onClose, onImported }: ImportDialogProps) {
  return (
    <Dialog opened={opened} onClose={onClose} title="Import CSV" size="lg" unsaved={false}>
      <ImportSteps onClose={onClose} onImported={onImported} />
    </Dialog>
  );
}

/** Lives as long as the dialog is open, so that each opening starts afresh: choose, import, read the report. */
function ImportSteps({ onClose, onImported }: Omit<ImportDialogProps, 'opened'>) {
  const [file, setFile] = useState<File | null>(null);
  const { start, cancel, sentFraction, isPending, reply } = useImport(onClose, onImported);
  if (reply !== undefined) return <ImportReport reply={reply} fileName={file?.name ?? ''} onDone={onClose} />;
  const problem = file === null ? undefined : problemWith(file);
  return (
    <div className="stack">
      <p className={styles.hint}>
        The first line names the columns: <code>market_combinations</code>, then optionally <code>target_price</code>,{' '}
        <code>active</code>, <code>source</code> and <code>source_details</code>. An exported file can be imported
        again. A market may also be named by its slug, the address of its page, a token or Gamma's number.
      </p>
      <FileInput
        label="CSV file"
        placeholder="Choose a file"
        accept=".csv"
        value={file}
        onChange={setFile}
        disabled={isPending}
        error={problem}
      />
      {isPending && <ImportProgress sentFraction={sentFraction} />}
      <ButtonRow>
        <Button
          variant="default"
          onClick={() => {
            cancel();
            onClose();
          }}
        >
          {isPending && sentFraction === 1 ? 'Close' : 'Cancel'}
        </Button>
        <Button
          disabled={file === null || problem !== undefined}
          loading={isPending}
          onClick={() => file !== null && start(file)}
        >
          Import
        </Button>
      </ButtonRow>
    </div>
  );
}

function useImport(onClose: () => void, onImported: () => void) {
  const [sentFraction, setSentFraction] = useState(0);
  const sending = useRef<AbortController>(undefined);
  const isOpen = useIsOpen();
  const { mutate, isPending, data } = useMutation({
    mutationFn: (file: File) => {
      const form = new FormData();
      form.append('file', file);
      setSentFraction(0);
      sending.current = new AbortController();
      return upload(importCsv, form, { onProgress: setSentFraction, signal: sending.current.signal });
    },
    onSuccess: (reply, { name }) => {
      const imported = reply.opportunity_ids.length;
      const refused = reply.errors.length + reply.unknown.filter(isNotStored).length;
      if (imported > 0) toastSuccess(`Successfully imported ${imported} opportunities`);
      onImported();
      if (isOpen.current && isClean(reply)) onClose();
      if (!isOpen.current && refused > 0) toastProblem(`${refused} rows of ${name} were refused`);
    },
    meta: { failure: 'Failed to import CSV' },
  });
  /** Only what has not left yet can be called back: the server goes on with a file it has. */
  const cancel = () => {
    if (sentFraction < 1) sending.current?.abort();
  };
  return { start: mutate, cancel, sentFraction, isPending, reply: data };
}

/** False once the dialog has been closed: then there is no report to read, and perhaps another dialog is open. */
function useIsOpen() {
  const isOpen = useRef(true);
  useEffect(() => {
    isOpen.current = true;
    return () => {
      isOpen.current = false;
    };
  }, []);
  return isOpen;
}

function problemWith({ name, size }: File): string | undefined {
  if (!/\.csv$/i.test(name)) return 'Only .csv files can be imported';
  return size > CSV_BYTES_MAX ? 'The file is larger than 10 MB' : undefined;
}

const isNotStored = (row: ImportReply['unknown'][number]) => row.opportunity_id === undefined;

function isClean({ opportunity_ids, duplicates, errors, unknown, resolved_count }: ImportReply): boolean {
  return opportunity_ids.length > 0 && duplicates.length + errors.length + unknown.length + resolved_count === 0;
}

/** How far a file has been sent; then, as long as the server reads its rows, only that it does and for how long. */
function ImportProgress({ sentFraction }: { sentFraction: number }) {
  const percent = Math.floor(sentFraction * 100);
  if (sentFraction < 1)
    return (
      <div className={styles.progress}>
        <p>Sending the file: {percent}%</p>
        <Progress value={percent} color="teal" size="sm" aria-label="Sending the file" />
      </div>
    );
  return <Reading />;
}

function Reading() {
  const [startedAtMs] = useState(Date.now);
  const nowMs = useNowMs();
  const seconds = Math.max(0, Math.floor((nowMs - startedAtMs) / 1_000));
  return (
    <div className={styles.progress}>
      <p role="status" className="row">
        <Loader size="xs" /> The server reads the rows and stores the good ones.
      </p>
      <p className={styles.hint}>
        {seconds} s so far. It goes on when this is closed; a message then says what became of it.
      </p>
    </div>
  );
}
