import { type RecordingHole, type RecordingsStatus, readRecordingsStatus } from '@dutchbook/contract/recordings.ts';
import { formatCount } from '@dutchbook/units/count.ts';
import { useQuery } from '@tanstack/react-query';
import { callQuery } from '../../calls/call-query.ts';
import { Loaded } from '../../calls/loaded.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { LocalTime } from '../../ui/local-time.tsx';
import { Beneath, type Detail, Figures, Panel } from '../../ui/panel.tsx';
import { Note } from '../../ui/states.tsx';
import { byteWords } from './byte-words.ts';
import { ExportPanel } from './export-panel.tsx';

const READ_EVERY_MS = 5000;
const HOURS_A_DAY = 24;

/** What is recorded of the books, how much of it is kept, and where it has holes. */
export function Recordings() {
  const read = useQuery(callQuery(['recordings'], readRecordingsStatus, {}, { refetchInterval: READ_EVERY_MS }));
  return (
    <Loaded of={read} text="Error loading the recordings" height={320}>
      {(status) => (
        <div className="stack">
          <State of={status} />
          <Panel title="Kept">
            <div className="stack">
              <Figures figures={figuresOf(status)} />
              <p className="hint">
                Files go after {status.days === 1 ? 'a day' : `${status.days} days`} (RECORDING_DAYS), and the oldest
                before that once all have more than {byteWords(status.max_bytes)} (RECORDING_MAX_BYTES): first those of
                hours in which nothing was traded or watched, last those of hours in which something was traded. Watched
                is what a user follows or has an alert on, while it pays. A quarter of the room is for the newest.
              </p>
            </div>
          </Panel>
          <ExportPanel />
          <Holes of={status} />
          {status.hours.length > 0 && (
            <Panel title="Last Hours">
              <DataTable
                label="Last hours"
                columns={HOURS}
                rows={status.hours.map((each) => ({ ...each, id: String(each.hour) }))}
              />
            </Panel>
          )}
        </div>
      )}
    </Loaded>
  );
}

function State({ of: { state, holes } }: { of: RecordingsStatus }) {
  switch (state) {
    case 'recording':
      return null;
    case 'off':
      return <Note tone="inactive" title="Nothing is recorded: RECORDING is off." />;
    case 'elsewhere':
      return <Note tone="inactive" title="This process follows no books by itself: engines record what they follow." />;
    case 'interrupted':
      return <Note tone="warning" title={`Nothing is recorded now: ${holes[0]?.reason ?? 'not known'}.`} />;
  }
}

function figuresOf({ tokens, since, oldest, bytes, files, bytes_per_hour: perHour }: RecordingsStatus): Detail[] {
  return [
    {
      name: 'Tokens Recorded',
      value: (
        <>
          {formatCount(tokens)}
          {since !== null && (
            <Beneath>
              since <LocalTime at={since} />
            </Beneath>
          )}
        </>
      ),
    },
    {
      name: 'On Disk',
      value: (
        <>
          {byteWords(bytes)}
          <Beneath>in {files === 1 ? '1 file' : `${formatCount(files)} files`}</Beneath>
          {oldest !== null && (
            <Beneath>
              from <LocalTime at={oldest} /> on
            </Beneath>
          )}
        </>
      ),
    },
    {
      name: 'An Hour',
      value: (
        <>
          {perHour === null ? '–' : byteWords(perHour)}
          <Beneath>
            {perHour === null ? 'known after a minute' : `${byteWords(HOURS_A_DAY * perHour)} a day at this pace`}
          </Beneath>
        </>
      ),
    },
  ];
}

function Holes({ of: { holes, hole_count: count } }: { of: RecordingsStatus }) {
  const title = count > holes.length ? `Holes (the last ${holes.length} of ${formatCount(count)})` : 'Holes';
  return (
    <Panel title={title}>
      {holes.length === 0 ? (
        <p className="muted">No holes: everything that was followed since the oldest record was recorded.</p>
      ) : (
        <DataTable
          label="Holes"
          columns={HOLES}
          rows={holes.map((hole) => ({ ...hole, id: `${hole.from} ${hole.until}` }))}
        />
      )}
    </Panel>
  );
}

const HOLES: readonly Column<RecordingHole & { id: string }>[] = [
  { key: 'from', header: 'From', cell: ({ from }) => (from === null ? '–' : <LocalTime at={from} />) },
  {
    key: 'until',
    header: 'Until',
    cell: ({ until }) => (until === null ? 'Now' : <LocalTime at={until} />),
  },
  { key: 'reason', header: 'Why', wide: true, cell: ({ reason }) => reason },
];

const HOURS: readonly Column<RecordingsStatus['hours'][number] & { id: string }>[] = [
  { key: 'hour', header: 'Begun', cell: ({ hour }) => <LocalTime at={hour} /> },
  { key: 'bytes', header: 'Size', align: 'end', cell: ({ bytes }) => byteWords(bytes) },
];
