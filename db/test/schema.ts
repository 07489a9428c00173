import type { Knex } from 'knex';

/** The tables of Knex's migrator, which stay when all migrations are reverted. */
export const ledgerTables = ['schema_migrations', 'schema_migrations_lock'];

/**
 * Returns everything that migrations created in `public`, as sorted lines: relations, columns with their defaults,
 * constraints, indexes, comments, triggers, functions and types, without those of extensions. Whether a constraint was
 * validated is left out, because that happens after the transaction of the migrations.
 */
export async function describeSchema(db: Knex): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { line: string }[] }>(
    `with relations as (
       select c.oid, c.relname, c.relkind from pg_class c
       where c.relnamespace = 'public'::regnamespace
         and not exists (
           select from unnest(:ledger::text[]) as ledger (name)
           where c.relname = ledger.name or c.relname like ledger.name || '\\_%'
         )
     )
     select format('relation %s %s', relkind, relname) as line from relations
     union all
     select format('column %s.%s %s %s %s', r.relname, a.attname, format_type(a.atttypid, a.atttypmod),
                   case when a.attnotnull then 'not null' else 'null' end, pg_get_expr(d.adbin, d.adrelid))
     from relations r
     join pg_attribute a on a.attrelid = r.oid and a.attnum > 0 and not a.attisdropped
     left join pg_attrdef d on d.adrelid = r.oid and d.adnum = a.attnum
     where r.relkind = 'r'
     union all
     select format('constraint %s.%s %s', r.relname, k.conname,
                   regexp_replace(pg_get_constraintdef(k.oid), ' NOT VALID$', ''))
     from relations r join pg_constraint k on k.conrelid = r.oid
     union all
     select format('index %s', pg_get_indexdef(oid)) from relations where relkind = 'i'
     union all
     select format('comment %s %s %s', r.relname, d.objsubid, d.description)
     from relations r join pg_description d on d.objoid = r.oid
     union all
     select format('trigger %s', pg_get_triggerdef(t.oid))
     from relations r join pg_trigger t on t.tgrelid = r.oid where not t.tgisinternal
     union all
     select format('function %s %s', oid::regprocedure, md5(prosrc)) from pg_proc
     where pronamespace = 'public'::regnamespace and not exists (
       -- Those of an extension
       select from pg_depend where objid = pg_proc.oid and classid = 'pg_proc'::regclass and deptype = 'e'
     )
     union all
     select format('type %s', typname) from pg_type where typnamespace = 'public'::regnamespace and typtype in ('e', 'd')
     order by line`,
    { ledger: ledgerTables },
  );
  return rows.map(({ line }) => line);
}
