import type { Item } from '@dutchbook/contract/items.ts';
import type { ItemRow } from './store.ts';

export function presentItem({ id, title, description, ownerId }: ItemRow): Item {
  return { id, title, description, owner_id: ownerId };
}
