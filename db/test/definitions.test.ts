import { createTestDatabase, type TestDatabase } from '@dune-tide/testkit/database';
import { expect } from 'chai';
import { nameMigration, register, render, renew } from '../../scripts/migration/migration-file.ts';
import { definitions } from '../sql/index.ts';
import { DatabaseUnavailableError } from '../src/connection/unavailable.ts';
import {
  buildDefinitions,
  changeDefinitions,
  readDefinitions,
  runStatements,
  type Definition,
} from '../src/schema/definitions.ts';
import { validateLateChecks } from '../src/schema/late-checks.ts';

describe('db/sql', () => {
  let test: TestDatabase;
  beforeEach(async () => {
    test = await createTestDatabase();
  });
  afterEach(() => test.drop());

  const textsOf = (all: readonly Definition[]): string[] => all.map(({ create }) => create).sort();

  it('builds exactly the functions, triggers and CHECKs of the migrations', async () => {
    const { statements } = changeDefinitions(
      await readDefinitions(test.database),
      await buildDefinitions(test.database, definitions),
    );
    expect(statements, 'db/sql differs from the migrations. Run: make migration NAME=what-changes').to.deep.equal([]);
  });

  /** `definitions` with a wider CHECK, another function, a new trigger, and without a function that nothing uses. */
  const changed = [
    ...definitions
      .filter((statement) => !statement.includes('function claim_follow_ups'))
      .map((statement) => statement.replace(`'honeypot', `, `'honeypot', 'a?', `).replace('% 64', '% 128')),
    `create trigger leads_truncated before truncate on leads for each statement execute function reject_audit_change()`,
  ];

  it('becomes a migration that makes exactly its changes, and a way back', async () => {
    const before = await readDefinitions(test.database);
    const wanted = await buildDefinitions(test.database, changed);
    expect(textsOf(await readDefinitions(test.database)), 'after building').to.deep.equal(textsOf(before));
    const up = changeDefinitions(before, wanted);
    const down = changeDefinitions(wanted, before);
    expect(up.lateChecks).to.deep.equal([{ table: 'leads', name: 'leads_spam_sign_known' }]);

    await runStatements(test.database, up.statements);
    expect(changeDefinitions(await readDefinitions(test.database), wanted).statements).to.deep.equal([]);
    await runStatements(test.database, down.statements);
    expect(textsOf(await readDefinitions(test.database))).to.deep.equal(textsOf(before));
  });

  it('finds no change in the order of the values of a list', async () => {
    const reordered = definitions.map((statement) =>
      statement.replace(`'honeypot', 'too_fast'`, `'too_fast', 'honeypot'`),
    );
    expect(reordered).to.not.deep.equal(definitions);
    const built = await buildDefinitions(test.database, reordered);
    expect(changeDefinitions(await readDefinitions(test.database), built).statements).to.deep.equal([]);
  });

  it('keeps a function hidden that only its owner may call', async () => {
    const open = definitions.filter((statement) => !statement.includes('erase_leads(uuid[]) from public'));
    const { statements } = changeDefinitions(
      await buildDefinitions(test.database, open),
      await readDefinitions(test.database),
    );
    expect(statements.join()).to.match(/DROP FUNCTION erase_leads[^]*REVOKE EXECUTE ON FUNCTION erase_leads/);
  });

  describe('a late CHECK', () => {
    const late = { table: 'leads', name: 'leads_email_is_short' };
    const isValidated = async (): Promise<boolean[]> =>
      test.database('pg_constraint').where({ conname: late.name }).pluck<boolean[]>('convalidated');
    const add = (condition: string) =>
      test.database.raw(`alter table leads add constraint ${late.name} check (${condition}) not valid`);

    it('is validated once it exists', async () => {
      await validateLateChecks(test.database, [late], 2_000);
      await add('char_length(email) < 200');
      expect(await isValidated()).to.deep.equal([false]);
      await validateLateChecks(test.database, [late, late], 2_000);
      expect(await isValidated()).to.deep.equal([true]);
    });

    it('is validated while leads are stored, and waits only for a limited time', async () => {
      await add('char_length(email) < 200');
      await test.database.transaction(async (visit) => {
        await visit('leads').update({ updated_at: visit.fn.now() });
        await validateLateChecks(test.database, [late], 2_000);
      });
      expect(await isValidated()).to.deep.equal([true]);
      await test.database.raw(`alter table leads drop constraint ${late.name}`);
      await add('char_length(email) < 200');
      await test.database.transaction(async (other) => {
        await other.raw('lock table leads in share mode');
        const error: unknown = await validateLateChecks(test.database, [late], 50).catch((reason: unknown) => reason);
        expect(error).to.be.instanceOf(DatabaseUnavailableError).with.nested.property('cause.code', '55P03');
      });
    });
  });
});

describe('a migration file', () => {
  const none = { statements: [], lateChecks: [] };
  const change = { statements: ["select `a`, ${b}, E'\\n'"], lateChecks: [{ table: 'leads', name: 'leads_new' }] };

  it('gets a name that sorts after all others', () => {
    const names = ['20261121-01-leads', '20261126-29-bulk-requests'];
    expect(nameMigration('roles', names, new Date('2026-12-01T10:00:00Z'))).to.equal('20261201-30-roles');
    expect(nameMigration('roles', names, new Date('2026-01-01T10:00:00Z'))).to.equal('20261126-30-roles');
  });

  it('keeps what was added by hand when it is written again', () => {
    const file = render(none, none).replace('await runStatements(db, definitions.up)', 'await byHand(db)');
    const again = renew(file, change, none);
    expect(again).to.include('await byHand(db)').and.include("{ table: 'leads', name: 'leads_new' }");
    expect(again).to.include("`select \\`a\\`, \\${b}, E'\\\\n'`");
    expect(renew(again, none, none)).to.equal(file);
  });

  it('is added to the list of the migrations', () => {
    const list = [
      "import * as leads from '../migrations/20261121-01-leads.ts';",
      "import { leadWork } from './other.ts';",
      'export const migrations = [',
      "  { name: '20261121-01-leads', migration: leads },",
      '];',
      '',
    ].join('\n');
    const longer = register(list, '20261201-30-lead-work');
    expect(longer.split('\n').slice(0, 2)).to.deep.equal([
      "import * as leads from '../migrations/20261121-01-leads.ts';",
      "import * as leadWorkMigration from '../migrations/20261201-30-lead-work.ts';",
    ]);
    expect(longer).to.include("  { name: '20261201-30-lead-work', migration: leadWorkMigration },\n];");
  });
});
