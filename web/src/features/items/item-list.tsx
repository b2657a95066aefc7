import type { Item } from '@dutchbook/contract/items.ts';
import { Button } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { use, useMemo, useState } from 'react';
import { PagedTable } from '../../lists/paged-table.tsx';
import { ChangeRefusal, Changing } from '../../ui/changing.tsx';
import { Icon } from '../../ui/icons.tsx';
import { PageHeader } from '../../ui/page-header.tsx';
import { EmptyState } from '../../ui/states.tsx';
import { useAsked } from '../../ui/use-asked.ts';
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
        below={
          <p className="hint">
            Notes, each a title and a description: you and superusers see them, and nothing is traded by them.
          </p>
        }
        actions={
          <Changing>
            <Button leftSection={<Icon name="plus" />} onClick={() => setAdding(true)}>
              Add Item
            </Button>
          </Changing>
        }
      />
      <ItemPage page={page} onPage={onPage} />
      {/* The newest item stands on the first page. */}
      <AddItemDialog opened={adding} onAdded={() => onPage(1)} onClose={() => setAdding(false)} />
    </>
  );
}

function ItemPage({ page, onPage }: ItemListProps) {
  const { asked, ask, close } = useAsked<{ action: ItemAction; item: Item }>();
  const columns = useMemo(() => itemColumns((action, item) => ask({ action, item })), [ask]);
  const mayChange = use(ChangeRefusal) === undefined;
  const isAsked = (action: ItemAction) => asked?.opened === true && asked.about.action === action;
  return (
    <>
      <PagedTable
        label="Items"
        failure="Error loading items"
        query={useQuery(itemListQuery(page))}
        columns={columns}
        page={page}
        pageSize={PAGE_SIZE}
        onPage={onPage}
        {...(mayChange && { onOpen: (item: Item) => ask({ action: 'edit', item }) })}
        empty={<EmptyState icon="items" text="You don't have any items yet" hint="Add a new item to get started" />}
      />
      {asked && (
        <>
          <EditItemDialog opened={isAsked('edit')} item={asked.about.item} onClose={close} />
          <DeleteItemDialog opened={isAsked('delete')} item={asked.about.item} onClose={close} />
        </>
      )}
    </>
  );
}
