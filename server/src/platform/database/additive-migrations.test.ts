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
];

const CREATES = /^create table "?(\w+)"?/;
const ADDS_COLUMN = /^alter table "?(\w+)"? add column "?(\w+)"?/;
/** A column that the same migration adds has not been written or read yet. */
const WRITES_COLUMN = /^update "?(\w+)"? set "?(\w+)"? = [^,]*(\([^()]*\))?;?$/;
const SETS_DEFAULT = /^alter table "?(\w+)"? alter column "?(\w+)"? set default [^,]*$/;
/** Of a column that the same migration adds, an older version leaves nothing but null, which is never twice the same. */
const UNIQUE_COLUMN = /^create unique index \S+ on "?(\w+)"?(?: using btree)? \("?(\w+)"?\)/;
/** Every version adds up anew what is not marked as kept, and marks it again by itself. */
const TAKES_BACK_KEPT = /^update "?batches"? set "?spending_kept"? = false where /;
/** Weaker than the unique index that its migration drops: an older version, which satisfied the dropped one, satisfies it too. */
const WEAKER_THAN_DROPPED = ['chain_submissions_open_nonce'];
/** A table that the same migration makes holds nothing yet. */
const ON_TABLE = [/^create unique index \S+ on "?(\w+)"?/, /^alter table "?(?:public"?\."?)?(\w+)"? add constraint /];

/** The statements of a migration that a running older version may not survive. */
function unsafeStatements(migration: string): string[] {
  const statements = migration
    .split('--> statement-breakpoint')
    .map((statement) =>
      statement
        .replace(/^\s*--.*$/gm, '')
        .replace(/\s+/g, ' ')
        .trim()
        .toLowerCase(),
    )
    .filter((statement) => statement !== '');
  const made = new Set(statements.map((statement) => CREATES.exec(statement)?.[1]));
  const columnsIn = (statement: string, pattern: RegExp) => pattern.exec(statement)?.slice(1, 3).join('.');
  const added = new Set(statements.map((statement) => columnsIn(statement, ADDS_COLUMN)));
  const ofNull = statements.filter((statement) => !statement.includes(' default '));
  const addedNull = new Set(ofNull.map((statement) => columnsIn(statement, ADDS_COLUMN)));
  return statements.filter((statement) => {
    if (WEAKER_THAN_DROPPED.some((name) => statement.startsWith(`create unique index "${name}"`))) return false;
    if (TAKES_BACK_KEPT.test(statement)) return false;
    const written = columnsIn(statement, WRITES_COLUMN) ?? columnsIn(statement, SETS_DEFAULT);
    if (written !== undefined) return !added.has(written);
    const unique = columnsIn(statement, UNIQUE_COLUMN);
    if (unique !== undefined && addedNull.has(unique)) return false;
    const table = ON_TABLE.map((pattern) => pattern.exec(statement)?.[1]).find((found) => found !== undefined);
    return table === undefined ? !ADDITIONS.some((pattern) => pattern.test(statement)) : !made.has(table);
  });
}

describe('a migration', () => {
  const names = readdirSync(migrationsFolder).filter((name) => name.endsWith('.sql'));

  it.each(names)('%s only adds to what a running older version works with', (name) => {
    expect(unsafeStatements(readFileSync(path.join(migrationsFolder, name), 'utf8'))).toEqual([]);
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
    'UPDATE "batches" SET "spending_kept" = true WHERE id IN (SELECT 1);',
    'ALTER TABLE "batches" ADD COLUMN "desk" text; --> statement-breakpoint UPDATE "batches" SET "desk" = 1, "status" = 1;',
  ])('would not pass with %s', (statement) => {
    expect(unsafeStatements(statement)).toHaveLength(1);
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
