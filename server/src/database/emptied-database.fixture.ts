/** How a database is made fit for the next test without making it anew: its rows go, its tables stay. */

/** Runs statements on the one connection that looks after a database, and answers the rows of the last. */
export type Caretaker = (statements: string) => Promise<Record<string, unknown>[]>;

/**
 * Takes out all rows, also of tables whose triggers would have them stay, and ends what the session has set. The tables of
 * the job queue stay as well, where a test has had them made: to make them takes longer than most tests.
 */
export async function emptyDatabase(run: Caretaker): Promise<void> {
  const tables = await run(
    `select format('%I.%I', schemaname, tablename) as name, tablename = 'version' and schemaname = 'pgboss' as marks_times
     from pg_tables where schemaname in ('public', 'pgboss')`,
  );
  const emptied = tables.map(({ name, marks_times }) =>
    marks_times ? `update ${name} set cron_on = null, bam_on = null, flow_on = null;` : `delete from ${name};`,
  );
  await run(`
    set session_replication_role = replica;
    ${emptied.join('')}
    select setval(format('public.%I', sequencename)::regclass, 1, false) from pg_sequences where schemaname = 'public';
  `);
  await run('discard all');
}

/** Something that differs after any change of the schema. The job queue looks after its own. */
export async function shapeOf(run: Caretaker): Promise<string> {
  const rows = await run(`
    with others as (select oid from pg_namespace where nspname <> 'pgboss')
    select sum(xmin::text::bigint) as versions, count(*) from (
      select xmin from pg_constraint where connamespace in (table others)
      union all select xmin from pg_proc where pronamespace in (table others)
      union all select xmin from pg_type where typnamespace in (table others)
      union all select t.xmin from pg_trigger t join pg_class c on c.oid = tgrelid where relnamespace in (table others)
      union all select a.xmin from pg_attribute a join pg_class c on c.oid = attrelid
        where relnamespace = 'public'::regnamespace
    ) as parts
  `);
  return JSON.stringify(rows);
}
