import type { Item } from '@dutchbook/contract/items.ts';
import { CopiedId, shortId } from '../../ui/copyable.tsx';
import type { Column } from '../../ui/data-table.tsx';
import { RowMenu } from '../../ui/row-menu.tsx';
import styles from './item-columns.module.css';

export type ItemAction = 'edit' | 'delete';

/** The columns of the list; `onChosen` gets what a row's menu wants done with its item. */
export function itemColumns(onChosen: (action: ItemAction, item: Item) => void): readonly Column<Item>[] {
  return [
    {
      key: 'id',
      header: 'ID',
      cell: ({ id }) => <CopiedId id={id} what="Item ID" />,
    },
    {
      key: 'title',
      header: 'Title',
      wide: true,
      cell: ({ title }) => (
        <div className={styles.title} title={title}>
          {title}
        </div>
      ),
    },
    { key: 'description', header: 'Description', wide: true, cell: (item) => <Description of={item} /> },
    {
      key: 'actions',
      header: 'Actions',
      align: 'end',
      cell: (item) => (
        <RowMenu
          of={shortId(item.id)}
          entries={[
            { label: 'Edit Item', icon: 'edit', onChoose: () => onChosen('edit', item), changes: true },
            {
              label: 'Delete Item',
              icon: 'trash',
              tone: 'danger',
              onChoose: () => onChosen('delete', item),
              changes: true,
            },
          ]}
        />
      ),
    },
  ];
}

function Description({ of: { description } }: { of: Item }) {
  if (!description) return <span className="muted">N/A</span>;
  return (
    <div className={styles.description} title={description}>
      {description}
    </div>
  );
}
