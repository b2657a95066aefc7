import { type ReactNode, useState } from 'react';
import { Segments } from '../../forms/segments.tsx';
import { Panel } from '../../ui/panel.tsx';
import { CsvButton, type ReportColumn, ReportTable } from './report-table.tsx';

type PicturePanelProps<Row> = {
  title: string;
  /** Name of the exported file. */
  what: string;
  columns: readonly ReportColumn<Row>[];
  rows: readonly Row[];
  keyOf: (row: Row) => string;
  /** Further controls beside the switch between picture and table. */
  aside?: ReactNode;
  /** The picture. */
  children: ReactNode;
};

const VIEWS = [
  { value: 'picture', label: 'Picture' },
  { value: 'table', label: 'Table' },
];

/** A chart that can be shown as a table and exported as CSV. */
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
