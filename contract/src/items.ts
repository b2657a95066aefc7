import * as z from 'zod/mini';
import { endpoint, message, notFound, nothingDeleted } from './endpoint.ts';
import { id, listOf, page } from './listing.ts';

const TITLE_MAX = 255;
const DESCRIPTION_MAX = 2000;

const item = z.object({ id, title: z.string(), description: z.nullable(z.string()), owner_id: id });
export type Item = z.output<typeof item>;

function titleOr(required: string) {
  return z
    .string(required)
    .check(
      z.trim(),
      z.minLength(1, { error: required, abort: true }),
      z.maxLength(TITLE_MAX, `Title must be at most ${TITLE_MAX} characters`),
    );
}

const description = z.nullable(
  z.string().check(z.maxLength(DESCRIPTION_MAX, `Description must be at most ${DESCRIPTION_MAX} characters`)),
);

export const newItem = z.object({ title: titleOr('Title is required.'), description: z.optional(description) });
export const itemChanges = z.object({
  title: z.optional(titleOr('Title is required')),
  description: z.optional(description),
});

const tag = 'Items';
const params = z.object({ id });

export const listItems = endpoint({
  method: 'GET',
  path: '/items/',
  access: 'viewer',
  heavy: 'list',
  tag,
  summary: 'The own items, newest first; a superuser sees all',
  query: z.object(page),
  reply: listOf(item),
});

export const createItem = endpoint({
  method: 'POST',
  path: '/items/',
  access: 'user',
  tag,
  summary: 'Add an item',
  body: newItem,
  reply: item,
});

export const readItem = endpoint({
  method: 'GET',
  path: '/items/{id}',
  access: 'viewer',
  tag,
  summary: 'One item',
  refusals: [notFound('Item not found')],
  params,
  reply: item,
});

export const updateItem = endpoint({
  method: 'PUT',
  path: '/items/{id}',
  access: 'user',
  tag,
  summary: 'Change an item',
  refusals: [notFound('Item not found')],
  params,
  body: itemChanges,
  reply: item,
});

export const deleteItem = endpoint({
  method: 'DELETE',
  path: '/items/{id}',
  access: 'user',
  tag,
  summary: 'Delete an item',
  refusals: [notFound('Item not found')],
  params,
  reply: message,
});

export const restoreItem = endpoint({
  method: 'POST',
  path: '/items/{id}/restore',
  access: 'user',
  tag,
  summary: 'Undo the deletion of an item, within ten minutes',
  refusals: [nothingDeleted('item')],
  params,
  reply: item,
});
