import { EXPORT_SPAN_MAX_MS, exportRecordings } from '@dutchbook/contract/recordings.ts';
import { instantFromMs, instantToIso } from '@dutchbook/units/instant.ts';
import { Button, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { errorText } from '../../calls/api-error.ts';
import { callForFile } from '../../calls/call-for-file.ts';
import { Icon } from '../../ui/icons.tsx';
import { Panel } from '../../ui/panel.tsx';
import { saveFile } from '../../ui/save-file.ts';
import { toastProblem } from '../../ui/toasts.tsx';
import { firstSpan, SpanFields, spanFrom } from '../rehearsals/span-fields.tsx';
import styles from './export-panel.module.css';

type Wanted = { from: ReturnType<typeof instantFromMs>; until: ReturnType<typeof instantFromMs>; ids: string };

/** Takes what was recorded home as a file for other programs. */
export function ExportPanel() {
  const [span, setSpan] = useState(() => firstSpan(Date.now()));
  const [ids, setIds] = useState('');
  const [problem, setProblem] = useState<string | null>(null);
  const running = useRef<AbortController | null>(null);
  const download = useMutation({
    mutationFn: ({ from, until, ids: given }: Wanted) => {
      running.current = new AbortController();
      const query = { from, until, ...(given !== '' && { token_ids: given }) };
      return callForFile(exportRecordings, { query, signal: running.current.signal });
    },
    onSuccess: (file, { from }) =>
      saveFile(file, `recording_${instantToIso(from).slice(0, 13)}.parquet`, 'application/vnd.apache.parquet'),
    onError: (error) => {
      if (!running.current?.signal.aborted) toastProblem(`Error exporting the recordings: ${errorText(error)}`);
    },
    meta: { quiet: true, changesNothing: true },
  });
  useEffect(() => () => running.current?.abort(), []);

  const start = () => {
    const now = Date.now();
    const meant = spanFrom(span, now);
    if ('problem' in meant) return setProblem(meant.problem);
    const until = meant.until ?? instantFromMs(now);
    if (until - meant.from > EXPORT_SPAN_MAX_MS) return setProblem('At most 24 hours');
    setProblem(null);
    return download.mutate({
      from: meant.from,
      until,
      ids: ids
        .split(/[\s,]+/)
        .filter(Boolean)
        .join(','),
    });
  };

  return (
    <Panel title="Export">
      <div className={styles.fields}>
        <SpanFields span={span} problem={problem} onChange={setSpan} />
        <TextInput
          label="Tokens"
          placeholder="All of them"
          description="IDs, separated by commas"
          value={ids}
          onChange={({ currentTarget }) => setIds(currentTarget.value)}
        />
        <div className={styles.actions}>
          <Button variant="default" leftSection={<Icon name="download" />} loading={download.isPending} onClick={start}>
            Export as Parquet
          </Button>
          {download.isPending && (
            <Button variant="subtle" onClick={() => running.current?.abort()}>
              Cancel
            </Button>
          )}
        </div>
        <p className="hint">Parquet files are imported by command: npm run recordings -- import FILE.parquet</p>
      </div>
    </Panel>
  );
}
