import { exportAuditLog, verifyAuditLog } from '@dutchbook/contract/audit.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../calls/call.ts';
import { useSingleMutation } from '../../calls/single-mutation.ts';
import { Copyable } from '../../ui/copyable.tsx';
import { Icon } from '../../ui/icons.tsx';
import { saveFile } from '../../ui/save-file.ts';
import styles from './audit-actions.module.css';
import { auditQueryOf } from './audit-query.ts';
import type { AuditFilter } from './audit-search.ts';

/** Takes the log home, and asks whether anybody has tampered with it. */
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
        {verify.data && !verify.isPending && <Verdict of={verify.data} />}
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

type VerdictProps = { of: { intact: boolean; entries: number; head: string | null; broken_at: number | null } };

function Verdict({ of: { intact, entries, head, broken_at } }: VerdictProps) {
  if (!intact)
    return (
      <p className={styles.verdict} data-intact="false">
        <Icon name="alert" size={16} />
        <strong>The log is broken: entry {broken_at} is wrong or missing.</strong>
      </p>
    );
  return (
    <p className={styles.verdict} data-intact="true">
      <Icon name="check" size={16} />
      <strong>The log is intact.</strong>
      <span>{formatCount(entries)} entries, last hash</span>
      {head !== null && (
        <Copyable text={head} what="Last hash" mono>
          {head.slice(0, 16)}…
        </Copyable>
      )}
    </p>
  );
}
