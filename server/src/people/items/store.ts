import { and, desc, eq } from 'drizzle-orm';
import { countWithPage } from '../../platform/database/count-with-page.ts';
import type { UserRow } from '../../platform/http/signed-in.ts';
import type { Db, Runtime } from '../../platform/runtime/runtime.ts';
import { items } from './table.ts';

export type ItemRow = typeof items.$inferSelect;
export type ItemFields = Pick<ItemRow, 'title' | 'description'>;

/** Whose items are asked for: a superuser has those of all users. */
type Reader = Pick<UserRow, 'id' | 'isSuperuser'>;

/** Newest first. */
export async function listItems(
  db: Db,
  reader: Reader,
  page: { skip: number; limit: number },
): Promise<{ rows: ItemRow[]; count: number }> {
  const rows = await db
    .select()
    .from(items)
    .where(visibleTo(reader))
    .orderBy(desc(items.createdAt), desc(items.id))
    .offset(page.skip)
    .limit(page.limit);
  return { rows, count: await countWithPage(page, rows.length, () => db.$count(items, visibleTo(reader))) };
}

export async function readItem(db: Db, reader: Reader, id: string): Promise<ItemRow | null> {
  const [row] = await db
    .select()
    .from(items)
    .where(and(eq(items.id, id), visibleTo(reader)));
  return row ?? null;
}

/** Reads the row and locks it until the transaction ends. */
export async function lockItem(tx: Db, reader: Reader, id: string): Promise<ItemRow | null> {
  const [row] = await tx
    .select()
    .from(items)
    .where(and(eq(items.id, id), visibleTo(reader)))
    .for('update');
  return row ?? null;
}

export async function insertItem(
  tx: Db,
  { clock, random }: Pick<Runtime, 'clock' | 'random'>,
  ownerId: string,
  fields: ItemFields,
): Promise<ItemRow> {
  const row = { ...fields, id: random.uuid(), ownerId, createdAt: clock.now() };
  await tx.insert(items).values(row);
  return row;
}

export async function updateItem(tx: Db, item: ItemRow, { title, description }: ItemFields): Promise<ItemRow> {
  await tx.update(items).set({ title, description }).where(eq(items.id, item.id));
  return { ...item, title, description };
}

export async function deleteItem(tx: Db, id: string): Promise<void> {
  await tx.delete(items).where(eq(items.id, id));
}

function visibleTo({ id, isSuperuser }: Reader) {
  return isSuperuser ? undefined : eq(items.ownerId, id);
}
