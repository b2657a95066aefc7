/** What lists search by, as terms of a statement. */
import { type AnyColumn, type SQL, sql } from 'drizzle-orm';

/** Whether `text` holds what is looked for, in small letters or capitals; nothing in it stands for anything else. */
export function holds(text: AnyColumn, { q }: { q: string }): SQL {
  return sql`strpos(lower(${text}), lower(${q})) > 0`;
}

/** Whether an id begins so; `undefined` where no id can. */
export function idBeginsWith(id: AnyColumn, { q }: { q: string }): SQL | undefined {
  const digits = q.toLowerCase().replaceAll('-', '');
  if (!/^[0-9a-f]{1,32}$/.test(digits)) return undefined;
  return sql`${id} between ${digits.padEnd(32, '0')}::uuid and ${digits.padEnd(32, 'f')}::uuid`;
}
