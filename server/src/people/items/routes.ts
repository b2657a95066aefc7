import * as contract from '@dutchbook/contract/items.ts';
import { sql } from 'drizzle-orm';
import { recordAction } from '../../platform/audit/record.ts';
import { keepDeleted, restoreDeleted } from '../../platform/deletions/deletions.ts';
import type { App } from '../../platform/http/app.ts';
import { NotFound } from '../../platform/http/errors.ts';
import { route, routeRead } from '../../platform/http/route.ts';
import type { Runtime } from '../../platform/runtime/runtime.ts';
import { lockCaller } from '../users/change.ts';
import { presentItem } from './present.ts';
import { deleteItem, type ItemRow, insertItem, listItems, lockItem, readItem, updateItem } from './store.ts';
import { items } from './table.ts';

export function registerItems(app: App, runtime: Runtime): void {
  const { db, dbFor } = runtime;

  routeRead(app, contract.listItems, async ({ query, reader }) => {
    const { rows, count } = await listItems(dbFor.lists, reader, query);
    return { data: rows.map(presentItem), count };
  });

  route(app, contract.readItem, async ({ params, user }) => presentItem(found(await readItem(db, user, params.id))));

  route(app, contract.createItem, ({ body, user, actor }) =>
    db.transaction(async (tx) => {
      const owner = await lockCaller(tx, user);
      const fields = { title: body.title, description: body.description ?? null };
      const item = presentItem(await insertItem(tx, runtime, owner.id, fields));
      await recordAction(tx, runtime, actor, { action: 'item.created', object: item.id, after: item });
      return item;
    }),
  );

  route(app, contract.updateItem, ({ params, body, user, actor }) =>
    db.transaction(async (tx) => {
      const before = found(await lockItem(tx, user, params.id));
      const { title = before.title, description = before.description } = body;
      if (title === before.title && description === before.description) return presentItem(before);
      const after = presentItem(await updateItem(tx, before, { title, description }));
      await recordAction(tx, runtime, actor, {
        action: 'item.changed',
        object: after.id,
        before: presentItem(before),
        after,
      });
      return after;
    }),
  );

  route(app, contract.deleteItem, async ({ params, user, actor }) => {
    await db.transaction(async (tx) => {
      const before = presentItem(found(await lockItem(tx, user, params.id)));
      await keepDeleted(tx, runtime, { kind: 'item', id: before.id }, user, [
        { table: items, where: sql`id = ${before.id}` },
      ]);
      await deleteItem(tx, before.id);
      await recordAction(tx, runtime, actor, { action: 'item.deleted', object: before.id, before });
    });
    return { message: 'Item deleted successfully' };
  });

  route(app, contract.restoreItem, ({ params: { id }, user, actor }) =>
    db.transaction(async (tx) => {
      await restoreDeleted(tx, runtime, { kind: 'item', id }, user, [items]);
      const after = presentItem(found(await lockItem(tx, user, id)));
      await recordAction(tx, runtime, actor, { action: 'item.restored', object: id, after });
      return after;
    }),
  );
}

function found(item: ItemRow | null): ItemRow {
  if (!item) throw new NotFound('Item not found');
  return item;
}
