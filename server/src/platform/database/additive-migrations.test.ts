/**
 * A new version migrates the database while processes of the old one still run: it may add, and must leave alone whatever
 * the old one reads or writes.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { migrationsFolder } from '../../folders.ts';

const ADDITIONS = [
  /^create table /,
  /^create (or replace )?function /,
  /^create trigger /,
  /^insert into /,
  /^select /,
  /^alter table \S+ add column (?!.*not null)/,
  /^alter table \S+ add column .*default .*not null/,
  /^alter table \S+ add column .*generated always as /,
  /^create index /,
  // An older version answers the same without it, only not as soon. One that is unique holds something.
  /^drop index /,
  // When the room of rows that have been written again is used for others.
  /^alter table \S+ set \(autovacuum_/,
];

const CREATES = /^create table "?(\w+)"?/;
const CREATES_INDEX = /^create index \S+ on "?(\w+)"?/;
const ADDS_COLUMN = /^alter table "?(\w+)"? add column "?(\w+)"?/;
/** A column that the same migration adds has not been written or read yet. */
const WRITES_COLUMN = /^update "?(\w+)"? set "?(\w+)"? = [^,]*(\([^()]*\))?;?$/;
const SETS_DEFAULT = /^alter table "?(\w+)"? alter column "?(\w+)"? set default [^,]*$/;
/** Every version adds up anew what is not marked as kept, and marks it again by itself. */
const TAKES_BACK_KEPT = /^update "?batches"? set "?spending_kept"? = false where /;
const UNIQUE_INDEX = /^create unique index "?(\w+)"? on "?(\w+)"?(?: using btree)? \((.+?)\)(?: where (.+?))?;?$/;
const DROPS_INDEX = /^drop index "?(\w+)"?;?$/;
/** A table may be made anew in partitions, of which what it was becomes one: every version reads and writes it by its name as before. */
const RENAMES_TABLE = /^alter table "?(\w+)"? rename to "?(\w+)"?;?$/;
const RENAMES_PART = /^alter (?:index|table "?\w+"? rename constraint) "?(\w+)"?(?: rename)? to "?\w+"?;?$/;
const ATTACHES =
  /^do \$\$ begin execute \(select format\( 'alter table "?(\w+)"? attach partition "?(\w+)"? for values [^;]*; end \$\$;$/;
const IN_PARTITIONS = /^create table "?(\w+)"? .*\) partition by /;
/** Holds up writers for as long as the migration takes. */
const LOCKS = /^lock table "?\w+"? in share row exclusive mode;?$/;
/** A table that the same migration makes holds nothing yet. */
const ON_TABLE = [/^create unique index \S+ on "?(\w+)"?/, /^alter table "?(?:public"?\."?)?(\w+)"? add constraint /];

/** `columns`: none where it allows one row alone. `conditions`: all of them hold of the rows that it compares. */
type UniqueIndex = { name: string; table: string; columns: string[]; conditions: string[] };

function uniqueIndexOf(statement: string): UniqueIndex | null {
  const [, name, table, columns, where = ''] = UNIQUE_INDEX.exec(statement) ?? [];
  if (name === undefined || table === undefined || columns === undefined || / or /.test(where)) return null;
  const conditions = where === '' ? [] : where.split(' and ');
  return { name, table, columns: columns === '(true)' ? [] : columns.split(/, ?/), conditions };
}

/** Rows that `weaker` would refuse beside each other, `stronger` refuses too. */
function isWeaker(weaker: UniqueIndex, stronger: UniqueIndex): boolean {
  const isIn = (all: readonly string[]) => (each: string) => all.includes(each);
  return (
    weaker.table === stronger.table &&
    stronger.columns.every(isIn(weaker.columns)) &&
    stronger.conditions.every(isIn(weaker.conditions))
  );
}

function statementsOf(migration: string): string[] {
  return migration
    .split('--> statement-breakpoint')
    .map((statement) =>
      statement
        .replace(/^\s*--.*$/gm, '')
        .replace(/\s+/g, ' ')
        .trim()
        .toLowerCase(),
    )
    .filter((statement) => statement !== '');
}

/** The statements of a migration, which follows on `earlier`, that a running older version may not survive. */
function unsafeStatements(migration: string, earlier: readonly string[] = []): string[] {
  const statements = statementsOf(migration);
  const drops = new Set(statements.map((statement) => DROPS_INDEX.exec(statement)?.[1]));
  const dropped = earlier
    .flatMap(statementsOf)
    .map(uniqueIndexOf)
    .filter((index) => index !== null && drops.has(index.name));
  const made = new Set(statements.map((statement) => CREATES.exec(statement)?.[1]));
  const columnsIn = (statement: string, pattern: RegExp) => pattern.exec(statement)?.slice(1, 3).join('.');
  const added = new Set(statements.map((statement) => columnsIn(statement, ADDS_COLUMN)));
  const ofNull = statements.filter((statement) => !statement.includes(' default '));
  const addedNull = new Set(ofNull.map((statement) => columnsIn(statement, ADDS_COLUMN)));
  const inPartitions = new Set(statements.flatMap((statement) => IN_PARTITIONS.exec(statement)?.[1] ?? []));
  const attached = new Set(statements.map((statement) => columnsIn(statement, ATTACHES)));
  const isNamedAnew = (name: string) =>
    statements.some(
      (statement) =>
        inPartitions.has((CREATES.exec(statement) ?? CREATES_INDEX.exec(statement))?.[1] ?? '') &&
        (statement.startsWith(`create index "${name}" `) || statement.includes(`constraint "${name}" `)),
    );
  return statements.filter((statement) => {
    if (LOCKS.test(statement)) return false;
    const [, renamed, partition] = RENAMES_TABLE.exec(statement) ?? ATTACHES.exec(statement) ?? [];
    if (renamed !== undefined) return !(inPartitions.has(renamed) && attached.has(`${renamed}.${partition}`));
    const [, part] = RENAMES_PART.exec(statement) ?? [];
    if (part !== undefined) return !isNamedAnew(part);
    const held = uniqueIndexOf(statement);
    if (held !== null && dropped.some((index) => index !== null && isWeaker(held, index))) return false;
    if (TAKES_BACK_KEPT.test(statement)) return false;
    const written = columnsIn(statement, WRITES_COLUMN) ?? columnsIn(statement, SETS_DEFAULT);
    if (written !== undefined) return !added.has(written);
    // Of a column that the same migration adds, an older version leaves nothing but null, which is never twice the same.
    const isAddedNull = (column: string) => addedNull.has(`${held?.table}.${column.replaceAll('"', '')}`);
    if (held?.columns.some(isAddedNull) === true) return false;
    const table = ON_TABLE.map((pattern) => pattern.exec(statement)?.[1]).find((found) => found !== undefined);
    return table === undefined ? !ADDITIONS.some((pattern) => pattern.test(statement)) : !made.has(table);
  });
}

describe('a migration', () => {
  const names = readdirSync(migrationsFolder).filter((name) => name.endsWith('.sql'));

  it.each(names)('%s only adds to what a running older version works with', (name) => {
    const [migration = '', ...earlier] = names
      .filter((each) => each <= name)
      .toSorted()
      .reverse()
      .map((each) => readFileSync(path.join(migrationsFolder, each), 'utf8'));
    expect(unsafeStatements(migration, earlier)).toEqual([]);
  });

  it.each([
    'ALTER TABLE "batches" DROP COLUMN "status";',
    'DROP TABLE "fills";',
    'ALTER TABLE "batches" RENAME COLUMN "status" TO "state";',
    'ALTER TABLE "batches" ALTER COLUMN "status" SET NOT NULL;',
    'ALTER TABLE "batches" ADD COLUMN "desk" text NOT NULL;',
    'CREATE UNIQUE INDEX "one" ON "batches" USING btree ("created_at");',
    `ALTER TABLE "batches" ADD COLUMN "size" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
      CREATE UNIQUE INDEX "one" ON "batches" USING btree ("size");`,
    'ALTER TABLE "batches" ADD CONSTRAINT "positive" CHECK ("order_size" > 0);',
    'ALTER TABLE "batches" ALTER COLUMN "simulated" SET DEFAULT true;',
    'UPDATE "batches" SET "status" = 1;',
    'ALTER TABLE "batches" RENAME TO "older_batches";',
    'ALTER INDEX "batches_key" RENAME TO "older_key";',
    'ALTER TABLE "batches" RENAME CONSTRAINT "one" TO "other";',
    'LOCK TABLE "batches";',
    `ALTER TABLE "batches" RENAME TO "older"; --> statement-breakpoint CREATE TABLE "batches" ("id" uuid);`,
    `ALTER TABLE "batches" RENAME TO "older"; --> statement-breakpoint CREATE TABLE "batches" ("id" uuid) PARTITION BY RANGE ("id");`,
    'UPDATE "batches" SET "spending_kept" = true WHERE id IN (SELECT 1);',
    'ALTER TABLE "batches" ADD COLUMN "desk" text; --> statement-breakpoint UPDATE "batches" SET "desk" = 1, "status" = 1;',
  ])('would not pass with %s', (statement) => {
    expect(unsafeStatements(statement)).toHaveLength(1);
  });

  const ONE_OPEN = 'CREATE UNIQUE INDEX "one_open" ON "steps" USING btree ((true)) WHERE "steps"."ended_at" is null;';
  it.each([
    ['weaker than the one that it drops', 'DROP INDEX "one_open"', '("nonce") WHERE "steps"."ended_at" is null', 0],
    ['weaker, without dropping the other', 'SELECT 1', '("nonce") WHERE "steps"."ended_at" is null', 1],
    ['over more rows than the one that it drops', 'DROP INDEX "one_open"', '("nonce")', 1],
  ])('has a unique index that is %s', (_what, before, index, unsafe) => {
    const migration = `${before};--> statement-breakpoint
      CREATE UNIQUE INDEX "open_nonce" ON "steps" USING btree ${index};`;
    expect(unsafeStatements(migration, [ONE_OPEN])).toHaveLength(unsafe);
    expect(unsafeStatements(migration.replaceAll('"steps"', '"others"'), [ONE_OPEN])).toHaveLength(1);
  });

  it('would pass with what no other version knows of yet', () => {
    const fine = `CREATE TABLE "desks" ("id" uuid NOT NULL);--> statement-breakpoint
      ALTER TABLE "batches" ADD COLUMN "desk" uuid;--> statement-breakpoint
      ALTER TABLE "batches" ADD COLUMN "size" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
      UPDATE "batches" SET "size" = worth_of("price", "order_size");--> statement-breakpoint
      ALTER TABLE "batches" ALTER COLUMN "size" SET DEFAULT 1;--> statement-breakpoint
      CREATE UNIQUE INDEX "batches_desk" ON "batches" USING btree ("desk");--> statement-breakpoint
      CREATE UNIQUE INDEX "desks_key" ON "desks" USING btree ("id");--> statement-breakpoint
      DROP INDEX "batches_created_at";`;
    expect(unsafeStatements(fine)).toEqual([]);
  });
});
