/** How a database is made fit for the next test without making it anew: its rows go, its tables stay. */

/** Runs a statement on the one connection that looks after a database, and answers its rows. One with a name is planned once. */
export type Caretaker = (statement: string, name?: string) => Promise<Record<string, unknown>[]>;

/** Triggers would have rows stay. Set for good: each change of it has all plans made anew. */
const WITHOUT_TRIGGERS = 'set session_replication_role = replica';

/**
 * The tables of the job queue stay as well, where a test has had them made: to make them takes longer than most tests.
 * What it keeps of itself is set back.
 */
const WHAT_EMPTIES = `
  select string_agg(case
      when relkind = 'S' then format('perform setval(%L, 1, false);', format('%I.%I', nspname, relname))
      when nspname = 'pgboss' and relname = 'version'
        then 'update pgboss.version set cron_on = null, bam_on = null, flow_on = null;'
      else format('delete from %I.%I;', nspname, relname) end, ' ' order by c.oid) as statements
  from pg_class c join pg_namespace n on n.oid = relnamespace
  where nspname in ('public', 'pgboss') and relkind in ('r', 'p') or nspname = 'public' and relkind = 'S'
`;

/**
 * What takes out all rows, also of tables whose triggers would have them stay. It does so by a function of the connection, which keeps
 * its plans: to plan the same deletions for each test takes several times as long as to carry them out.
 */
export async function openEmptying(run: Caretaker): Promise<() => Promise<void>> {
  await run(WITHOUT_TRIGGERS);
  let known = '';
  return async () => {
    const [row] = await run(WHAT_EMPTIES, 'what empties');
    const statements = String(row?.statements);
    if (statements !== known)
      await run(
        `create or replace function pg_temp.empty() returns void language plpgsql as $$ begin ${statements} end $$`,
      );
    known = statements;
    await run('select pg_temp.empty()', 'empty');
  };
}

/** Something that differs after any change of the schema. The job queue looks after its own, and sessions after what is theirs. */
export async function shapeOf(run: Caretaker): Promise<string> {
  const rows = await run(
    `
    with others as (select oid from pg_namespace where nspname !~ '^(pgboss|pg_(toast_)?temp_.*)$')
    select sum(xmin::text::bigint) as versions, count(*) from (
      select xmin from pg_constraint where connamespace in (table others)
      union all select xmin from pg_proc where pronamespace in (table others)
      union all select xmin from pg_type where typnamespace in (table others)
      union all select t.xmin from pg_trigger t join pg_class c on c.oid = tgrelid where relnamespace in (table others)
      union all select a.xmin from pg_attribute a join pg_class c on c.oid = attrelid
        where relnamespace = 'public'::regnamespace
    ) as parts
  `,
    'shape',
  );
  return JSON.stringify(rows);
}
