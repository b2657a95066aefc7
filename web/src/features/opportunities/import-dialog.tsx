import { CSV_BYTES_MAX, type ImportReply, importCsv } from '@dutchbook/contract/opportunities.ts';
import { Button, FileInput, Loader, Modal } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { call } from '../../app/call.ts';
import { toastSuccess } from '../../ui/toasts.tsx';
import styles from './import-dialog.module.css';
import { ImportReport } from './import-report.tsx';

type ImportDialogProps = { opened: boolean; onClose: () => void; onImported: () => void };

export function ImportDialog({ opened, onClose, onImported }: ImportDialogProps) {
  return (
    <Modal opened={opened} onClose={onClose} title="Import CSV" size="lg">
      <ImportSteps onClose={onClose} onImported={onImported} />
    </Modal>
  );
}

/** Lives as long as the dialog is open, so that each opening starts afresh: choose, import, read the report. */
function ImportSteps({ onClose, onImported }: Omit<ImportDialogProps, 'opened'>) {
  const [file, setFile] = useState<File | null>(null);
  const upload = useMutation({
    mutationFn: (chosen: File) => {
      const form = new FormData();
      form.append('file', chosen);
      return call(importCsv, { upload: form });
    },
    onSuccess: (reply) => {
      const imported = reply.opportunity_ids.length;
      if (imported > 0) toastSuccess(`Successfully imported ${imported} opportunities`);
      onImported();
      if (isClean(reply)) onClose();
    },
    meta: { failure: 'Failed to import CSV' },
  });
  if (upload.data !== undefined) return <ImportReport reply={upload.data} onDone={onClose} />;
  const tooLarge = file !== null && file.size > CSV_BYTES_MAX;
  return (
    <div className={styles.steps}>
      <p className={styles.hint}>
        The first line names the columns: <code>market_combinations</code>, then optionally <code>target_price</code>,{' '}
        <code>active</code>, <code>source</code> and <code>source_details</code>. An exported file can be imported
        again.
      </p>
      <FileInput
        label="CSV file"
        placeholder="Choose a file"
        accept=".csv"
        value={file}
        onChange={setFile}
        disabled={upload.isPending}
        error={tooLarge ? 'The file is larger than 10 MB' : undefined}
      />
      {upload.isPending && (
        <p role="status" className={styles.pending}>
          <Loader size="xs" /> Importing {file?.name}…
        </p>
      )}
      <div className={styles.buttons}>
        <Button variant="default" onClick={onClose}>
          Cancel
        </Button>
        <Button
          disabled={file === null || tooLarge}
          loading={upload.isPending}
          onClick={() => file !== null && upload.mutate(file)}
        >
          Import
        </Button>
      </div>
    </div>
  );
}

function isClean({ opportunity_ids, duplicates, errors }: ImportReply): boolean {
  return opportunity_ids.length > 0 && duplicates.length === 0 && errors.length === 0;
}
