import { type ReactNode, useState } from 'react';
import { Segments } from '../../forms/segments.tsx';
import { Panel } from '../../ui/panel.tsx';
import { CsvButton, type ReportColumn, ReportTable } from './report-table.tsx';

type PicturePanelProps<Row> = {
  title: string;
  /** What the exported file is called. */
  what: string;
  columns: readonly ReportColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** More to choose, beside the switch. */
  aside?: ReactNode;
  /** The picture. */
  children: ReactNode;
};

const VIEWS = [
  { value: 'picture', label: 'Picture' },
  { value: 'table', label: 'Table' },
];

/** A picture that also reads as a table, and is exported as one. */
export function PicturePanel<Row>(props: PicturePanelProps<Row>) {
  const { title, what, columns, rows, keyOf, aside, children } = props;
  const [view, setView] = useState('picture');
  return (
    <Panel
      title={title}
      folds
      aside={
        <div className="row">
          {aside}
          <Segments aria-label={`${title} as`} data={VIEWS} value={view} onChange={setView} />
          <CsvButton what={what} columns={columns} rows={rows} />
        </div>
      }
    >
      {view === 'picture' ? children : <ReportTable label={title} columns={columns} rows={rows} keyOf={keyOf} />}
    </Panel>
  );
}
