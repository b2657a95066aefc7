import type { Item } from '@dutchbook/contract/items.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import { errorText } from '../../calls/api-error.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { Icon } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { Pager } from '../../ui/pager.tsx';
import { EmptyState, ErrorBar } from '../../ui/states.tsx';
import { usePageThatExists } from '../../ui/use-page-that-exists.ts';
import { type ItemAction, itemColumns } from './item-columns.tsx';
import { AddItemDialog, DeleteItemDialog, EditItemDialog } from './item-dialogs.tsx';
import { itemListQuery, PAGE_SIZE } from './item-queries.ts';

type ItemListProps = { page: number; onPage: (page: number) => void };

/** The list of items, newest first, and what is done with them. */
export function ItemList({ page, onPage }: ItemListProps) {
  const [adding, setAdding] = useState(false);
  return (
    <>
      <PageHeader
        title="Items Management"
        actions={
          <Button leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
            Add Item
          </Button>
        }
      />
      <ItemPage page={page} onPage={onPage} />
      {/* The newest item stands on the first page. */}
      <AddItemDialog opened={adding} onAdded={() => onPage(1)} onClose={() => setAdding(false)} />
    </>
  );
}

function ItemPage({ page, onPage }: ItemListProps) {
  const { data, error, isPlaceholderData, isFetching, refetch } = useQuery(itemListQuery(page));
  const { columns, dialogs, edit } = useRowDeeds();
  usePageThatExists({ page, pageSize: PAGE_SIZE, count: data?.count, onPage });
  return (
    <>
      {error && <ErrorBar text={`Error loading items: ${errorText(error)}`} onRetry={refetch} retrying={isFetching} />}
      {data?.count === 0 && (
        <EmptyState icon="items" text="You don't have any items yet" hint="Add a new item to get started" />
      )}
      {data?.count !== 0 && (data !== undefined || error === null) && (
        <DataTable
          label="Items"
          columns={columns}
          rows={data?.data}
          skeletonRows={PAGE_SIZE}
          busy={isPlaceholderData}
          onOpen={edit}
        />
      )}
      {data && data.count > 0 && <Pager page={page} pageSize={PAGE_SIZE} count={data.count} onPage={onPage} />}
      {dialogs}
    </>
  );
}

/** The columns, whose row menus open the dialogs. */
function useRowDeeds() {
  const [chosen, setChosen] = useState<{ action: ItemAction; item: Item }>();
  const [opened, setOpened] = useState(false);
  const choose = useCallback((action: ItemAction, item: Item) => {
    setChosen({ action, item });
    setOpened(true);
  }, []);
  const columns = useMemo(() => itemColumns(choose), [choose]);
  const onClose = () => setOpened(false);
  const dialogs = chosen && (
    <>
      <EditItemDialog opened={opened && chosen.action === 'edit'} item={chosen.item} onClose={onClose} />
      <DeleteItemDialog opened={opened && chosen.action === 'delete'} item={chosen.item} onClose={onClose} />
    </>
  );
  return { columns, dialogs, edit: (item: Item) => choose('edit', item) };
}
