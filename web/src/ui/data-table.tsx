import { type CSSProperties, memo, type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import styles from './data-table.module.css';
import { Icon } from './icons.tsx';
import { SharedRowMenu } from './row-menu.tsx';
import { useAfterPaint } from './use-in-slices.ts';
import { useLongTable } from './use-long-table.ts';
import { useIsPhone } from './use-on-screen.ts';
import { useRowKeys } from './use-row-keys.ts';

export type Column<Row, Sort extends string = string> = {
  key: string;
  header: string;
  cell: (row: Row) => ReactNode;
  /** The name the server sorts by; a column without one cannot be sorted. */
  sortBy?: Sort;
  align?: 'end';
  /** Takes a card's whole width on a phone. */
  wide?: boolean;
  /** Takes what the others leave of a table's width. */
  fills?: boolean;
  /** Left out of a table that has little room, or less than plenty. */
  spare?: boolean | 'first';
  /** On a phone only in a card that is opened; where it is not said, so is what is `spare` altogether. */
  folds?: boolean;
  /** Says nothing of a row that `isPast`: left out of its card. */
  ofNow?: boolean;
};

export type Sort = { by: string; order: 'asc' | 'desc' };

type DataTableProps<Row> = {
  label: string;
  columns: readonly Column<Row>[];
  /** `undefined` while the first page loads. */
  rows: readonly Row[] | undefined;
  skeletonRows?: number;
  /** In pixels, where a row is higher than one of two lines: what stands below keeps its place when they come. */
  skeletonHeight?: number;
  sort?: Sort;
  onSort?: (sort: Sort) => void;
  /** What is on its way while old rows are still shown, in a few words. */
  busy?: string | undefined;
  /** A hook that answers the newest state of a row; it repaints that row alone, and only while it `isNear` the screen. */
  useLatest?: (row: Row, isNear: boolean) => Row;
  /** Rows that are of a moment that is over: grey, and short cards. */
  isPast?: ((row: Row) => boolean) | undefined;
  /** Rows that belong to the one above them. */
  isBehind?: (row: Row) => boolean;
  /** What Enter does on a row; it gives the table its keys. */
  onOpen?: (row: Row) => void;
};

const asIs = <Row,>(row: Row): Row => row;
const never = () => false;

/** A table that becomes a card per row on a phone. */
export function DataTable<Row extends { id: string }>(props: DataTableProps<Row>) {
  const {
    label,
    columns,
    rows,
    skeletonRows = 5,
    skeletonHeight,
    busy,
    useLatest = asIs,
    isPast = never,
    isBehind = never,
    onOpen,
  } = props;
  const { body, onKeyDown } = useRowKeys(rows, onOpen);
  const { table, style } = useLongTable(rows?.length ?? 0);
  const isPhone = useIsPhone();
  const { sort, onSort } = usePressedSort(props.sort, props.onSort);
  return (
    <div className={styles.frame} data-busy={busy !== undefined}>
      {busy !== undefined && (
        <p role="status" className={styles.busy}>
          {busy}
        </p>
      )}
      <table
        ref={table}
        className={styles.table}
        data-long={style !== undefined || undefined}
        style={style}
        aria-label={label}
        aria-busy={busy !== undefined || rows === undefined}
      >
        <thead>
          <tr>
            {columns.map((column) => (
              <HeaderCell key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </tr>
        </thead>
        <tbody
          ref={body}
          onKeyDown={onKeyDown}
          data-loading={rows === undefined || undefined}
          style={skeletonHeight === undefined ? undefined : ({ '--skeleton': `${skeletonHeight}px` } as CSSProperties)}
        >
          {rows === undefined ? (
            countTo(skeletonRows).map((row) => <SkeletonRow key={row} columns={columns} isPhone={isPhone} />)
          ) : (
            <SharedRowMenu>
              <BodyRows
                rows={rows}
                columns={columns}
                useLatest={useLatest}
                isPast={isPast}
                isBehind={isBehind}
                takesFocus={onOpen !== undefined}
                isInLongTable={style !== undefined}
                isPhone={isPhone}
              />
            </SharedRowMenu>
          )}
        </tbody>
      </table>
    </div>
  );
}

/** A press on a heading marks it in the next frame, and the rows are sorted after that. */
function usePressedSort(sort: Sort | undefined, onSort: ((sort: Sort) => void) | undefined) {
  const [pressed, press] = useState<{ before: Sort | undefined; sort: Sort }>();
  const sortSoon = useAfterPaint((next: Sort) => onSort?.(next));
  const isPending = pressed !== undefined && isSame(pressed.before, sort);
  const pressAndSort = (next: Sort) => {
    press({ before: sort, sort: next });
    sortSoon(next);
  };
  return { sort: isPending ? pressed.sort : sort, onSort: onSort && pressAndSort };
}

function isSame(one: Sort | undefined, other: Sort | undefined): boolean {
  return one?.by === other?.by && one?.order === other?.order;
}

type HeaderCellProps<Row> = {
  column: Column<Row>;
  sort: Sort | undefined;
  onSort: ((sort: Sort) => void) | undefined;
};

function HeaderCell<Row>({ column, sort, onSort }: HeaderCellProps<Row>) {
  const { sortBy } = column;
  if (sortBy === undefined || onSort === undefined)
    return (
      <th scope="col" data-align={column.align} data-spare={column.spare} data-fills={column.fills} data-plain="true">
        {column.header}
      </th>
    );
  const order = sort?.by === sortBy ? sort.order : undefined;
  return (
    <th
      scope="col"
      data-align={column.align}
      data-spare={column.spare}
      data-fills={column.fills}
      aria-sort={order && (order === 'asc' ? 'ascending' : 'descending')}
    >
      <button
        type="button"
        className={styles.sort}
        data-order={order}
        onClick={() => onSort({ by: sortBy, order: order === 'desc' ? 'asc' : 'desc' })}
      >
        {column.header}
        <span aria-hidden="true" className={styles.sortArrow}>
          {order === 'asc' ? '↑' : '↓'}
        </span>
      </button>
    </th>
  );
}

type BodyRowsProps<Row> = Omit<BodyRowProps<Row>, 'row' | 'behind'> & {
  rows: readonly Row[];
  isBehind: (row: Row) => boolean;
};

function PlainBodyRows<Row extends { id: string }>({ rows, isBehind, ...same }: BodyRowsProps<Row>): ReactNode {
  return rows.map((row) => <BodyRow key={row.id} row={row} behind={isBehind(row)} {...same} />);
}

/** Remembered: a press on a heading, or the pointer coming in, is not to go through all of them. */
const BodyRows = memo(PlainBodyRows) as typeof PlainBodyRows;

type BodyRowProps<Row> = {
  row: Row;
  behind: boolean;
  columns: readonly Column<Row>[];
  useLatest: (row: Row, isNear: boolean) => Row;
  isPast: (row: Row) => boolean;
  takesFocus: boolean;
  isInLongTable: boolean;
  isPhone: boolean;
};

function PlainBodyRow<Row extends { id: string }>({
  row,
  behind,
  columns,
  useLatest,
  isPast,
  takesFocus,
  isInLongTable,
  isPhone,
}: BodyRowProps<Row>) {
  const { row: element, isNear } = useNearScreen(isInLongTable);
  const [isOpened, setOpened] = useState(false);
  const latest = useLatest(row, isNear);
  const past = isPast(latest);
  const isCard = isPhone && columns.some(foldsAway);
  const cells = useMemo(
    () =>
      (isPhone && !isOpened ? columns.filter((column) => !foldsAway(column) && !(past && column.ofNow)) : columns).map(
        (column) => <Cell key={column.key} column={column} row={latest} />,
      ),
    [columns, latest, isPhone, isOpened, past],
  );
  return (
    <tr
      ref={element}
      data-id={row.id}
      data-past={past || undefined}
      data-behind={behind || undefined}
      data-folded={(isCard && !isOpened) || undefined}
      tabIndex={takesFocus ? -1 : undefined}
    >
      {cells}
      {isCard && (
        <td data-key="fold">
          <button
            type="button"
            className={styles.fold}
            aria-expanded={isOpened}
            aria-label={isOpened ? 'Show Less' : 'Show All'}
            onClick={() => setOpened(!isOpened)}
          >
            <Icon name="next" size={16} />
          </button>
        </td>
      )}
    </tr>
  );
}

function foldsAway({ folds, spare }: Pick<Column<never>, 'folds' | 'spare'>): boolean {
  return folds ?? spare === true;
}

function Cell<Row>({ column, row }: { column: Column<Row>; row: Row }) {
  return (
    <td
      data-key={column.key}
      data-align={column.align}
      data-label={column.header}
      data-wide={column.wide}
      data-spare={column.spare}
    >
      {column.cell(row)}
    </td>
  );
}

const BodyRow = memo(PlainBodyRow) as typeof PlainBodyRow;

function PlainSkeletonRow<Row>({ columns, isPhone }: { columns: readonly Column<Row>[]; isPhone: boolean }) {
  const shown = isPhone ? columns.filter((column) => !foldsAway(column)) : columns;
  return (
    <tr>
      {shown.map(({ key, spare, wide }) => (
        <td key={key} data-key={key} data-spare={spare} data-wide={wide} />
      ))}
    </tr>
  );
}

const SkeletonRow = memo(PlainSkeletonRow) as typeof PlainSkeletonRow;

const countTo = (count: number) => Array.from({ length: count }, (_, index) => index);

/** Whether the browser draws a row, or leaves it out because it is far from the screen; only rows of a long table ever are. */
function useNearScreen(isInLongTable: boolean) {
  const row = useRef<HTMLTableRowElement>(null);
  const [isNear, setIsNear] = useState(true);
  useEffect(() => {
    const element = row.current;
    if (!isInLongTable || element === null) return;
    const note = (event: Event) =>
      setIsNear(!(event instanceof ContentVisibilityAutoStateChangeEvent && event.skipped));
    element.addEventListener('contentvisibilityautostatechange', note);
    return () => {
      element.removeEventListener('contentvisibilityautostatechange', note);
      setIsNear(true);
    };
  }, [isInLongTable]);
  return { row, isNear };
}
