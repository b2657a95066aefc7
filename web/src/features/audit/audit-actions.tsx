import { exportAuditLog, verifyAuditLog } from '@dutchbook/contract/audit.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type * as z from 'zod/mini';
import { call } from '../../calls/call.ts';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { Icon } from '../../ui/icons.tsx';
import { saveFile } from '../../ui/save-file.ts';
import styles from './audit-actions.module.css';
import { auditQueryOf } from './audit-query.ts';
import type { AuditFilter } from './audit-search.ts';
import { Verdict } from './verdict.tsx';

/** Downloads the log, and checks whether it was tampered with. */
export function AuditActions({ filter }: { filter: AuditFilter }) {
  const download = useSingleMutation({
    mutationFn: () => call(exportAuditLog, { query: auditQueryOf(filter) }),
    onSuccess: (lines) =>
      saveFile(lines, `audit_log_${new Date().toLocaleDateString('sv')}.jsonl`, 'application/jsonl'),
    meta: { changesNothing: true },
  });
  const verify = useMutation({ mutationFn: () => call(verifyAuditLog, {}), meta: { changesNothing: true } });
  return (
    <div className={styles.actions}>
      <div role="status" className={styles.result}>
        {verify.data && !verify.isPending && <Verdict {...verdictOf(verify.data)} />}
      </div>
      <Button
        variant="default"
        leftSection={<Icon name="download" />}
        loading={download.isPending}
        onClick={() => download.start()}
      >
        Export
      </Button>
      <Button
        variant="default"
        leftSection={<Icon name="check" />}
        loading={verify.isPending}
        onClick={() => verify.mutate()}
      >
        Verify
      </Button>
    </div>
  );
}

function verdictOf({ intact, entries, head, broken_at }: z.output<typeof verifyAuditLog.reply>) {
  const broken = intact ? null : `entry ${broken_at}`;
  return { what: 'The log', broken, extent: `${formatCount(entries)} entries`, head };
}
