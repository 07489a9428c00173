import type { Knex } from 'knex';
import type { LateCheck } from './late-checks.ts';

/** A function, a trigger or a CHECK, in the words of PostgreSQL. */
export interface Definition {
  readonly kind: 'function' | 'trigger' | 'check';
  /** Two definitions with the same key can replace each other. */
  readonly key: string;
  /** The table of a trigger or a CHECK. */
  readonly table: string | null;
  readonly name: string;
  readonly create: string;
  readonly drop: string;
}

/**
 * Reads all functions, triggers and CHECKs of the product, in the order in which they were created. Whether a CHECK was
 * validated is left out.
 */
export async function readDefinitions(db: Knex): Promise<Definition[]> {
  const { rows } = await db.raw<{ rows: Definition[] }>(
    `with relations as (
       select oid, oid::regclass::text as name from pg_class
       where relnamespace = current_schema()::regnamespace and relkind = 'r'
     ), functions as (
       select oid, proname as name, pg_get_function_identity_arguments(oid) as arguments,
              not has_function_privilege('public', oid, 'execute') as is_hidden
       from pg_proc
       where pronamespace = current_schema()::regnamespace and not exists (
         -- Those of an extension
         select from pg_depend where objid = pg_proc.oid and classid = 'pg_proc'::regclass and deptype = 'e'
       )
     )
     select 1 as place, oid, 'function' as kind, null as "table", name,
            format('%s(%s) returns %s%s', name, pg_get_function_arguments(oid), pg_get_function_result(oid),
                   case when is_hidden then ', hidden' end) as key,
            replace(
              regexp_replace(pg_get_functiondef(oid), '\\n SET search_path TO [^\\n]*', E'\\n SET search_path FROM CURRENT'),
              format(' FUNCTION %I.', current_schema()), ' FUNCTION '
            ) || case
              when is_hidden then format(E';\\nREVOKE EXECUTE ON FUNCTION %I(%s) FROM public', name, arguments) else ''
            end as create,
            format('DROP FUNCTION %I(%s)', name, arguments) as drop
     from functions
     union all
     select 2, t.oid, 'trigger', r.name, tgname, format('%s.%s', r.name, tgname), pg_get_triggerdef(t.oid, true),
            format('DROP TRIGGER %I ON %s', tgname, r.name)
     from pg_trigger t join relations r on r.oid = tgrelid where not tgisinternal
     union all
     select 3, k.oid, 'check', r.name, conname, format('%s.%s', r.name, conname),
            format('ALTER TABLE %s ADD CONSTRAINT %I %s', r.name, conname,
                   regexp_replace(pg_get_constraintdef(k.oid, true), ' NOT VALID$', '')),
            format('ALTER TABLE %s DROP CONSTRAINT %I', r.name, conname)
     from pg_constraint k join relations r on r.oid = conrelid where contype = 'c'
     order by place, oid`.replaceAll('?', '\\?'),
  );
  return rows.map(({ kind, key, table, name, create, drop }) => ({ kind, key, table, name, create, drop }));
}

/**
 * Returns the definitions that statements create on the tables of a database, whose own definitions stay as they are.
 * @param db - a pool of the owner of the tables
 * @throws the error of a statement that failed, e.g. because a column does not exist
 */
export async function buildDefinitions(db: Knex, statements: readonly string[]): Promise<Definition[]> {
  const transaction = await db.transaction();
  try {
    for (const { drop } of (await readDefinitions(transaction)).toReversed()) await transaction.raw(`${drop} CASCADE`);
    await runStatements(transaction, statements);
    return await readDefinitions(transaction);
  } finally {
    await transaction.rollback();
  }
}

/** The statements that change definitions, and the CHECKs among them, which are not validated yet. */
export interface DefinitionChange {
  readonly statements: readonly string[];
  readonly lateChecks: readonly LateCheck[];
}

/** Returns whether two definitions have the same effect: the order of the values in a list of a CHECK has none. */
function isSame(one: Definition, other: Definition): boolean {
  return one.key === other.key && sortLists(one.create) === sortLists(other.create);
}

const sortLists = (text: string): string =>
  text.replace(/ARRAY\[([^\]]*)\]/g, (_, values: string) => values.split(', ').sort().join(', '));

/** Returns the statements that replace the definitions of one schema by those of another. */
export function changeDefinitions(from: readonly Definition[], to: readonly Definition[]): DefinitionChange {
  const without = (all: readonly Definition[], others: readonly Definition[]): Definition[] =>
    all.filter((each) => !others.some((other) => isSame(each, other)));
  const isReplaced = ({ kind, key }: Definition): boolean =>
    kind === 'function' && to.some((other) => other.kind === 'function' && other.key === key);
  const dropped = without(from, to).filter((each) => !isReplaced(each));
  const created = without(to, from);
  return {
    statements: [
      // Triggers and CHECKs use functions, so they are dropped first and created last.
      ...dropped.toReversed().map(({ drop }) => drop),
      ...created.map(({ kind, create }) => (kind === 'check' ? `${create} NOT VALID` : create)),
    ],
    lateChecks: created.flatMap(({ table, name, kind }) =>
      kind === 'check' && table !== null ? [{ table, name }] : [],
    ),
  };
}

/** Runs statements, in which a question mark is a question mark and not a binding. */
export async function runStatements(db: Knex, statements: readonly string[]): Promise<void> {
  for (const statement of statements) await db.raw(statement.replaceAll('?', '\\?'));
}
