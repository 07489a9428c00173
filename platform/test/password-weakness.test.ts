import { brand } from '@dune-tide/domain/brand';
import { expect } from 'chai';
import { passwordWeakness } from '../src/accounts/password-weakness.ts';

describe('a new password', () => {
  for (const [what, password, reason] of [
    ['one of the most used', 'password', /too often/],
    ['one of the most used, in capitals', 'PASSWORD', /too often/],
    ['a row of digits', '12345678', /too often/],
    ['a row of keys', 'qwertyuiop', /too often/],
    ['rarely used but among the first 100,000', 'minnesota', /too often/],
    ['eight blanks', ' '.repeat(8), /easy to guess/],
    ['one character, repeated', 'z'.repeat(30), /easy to guess/],
    ['the username', 'n.alharbi', /username/],
    ['the username in capitals, with a number', 'N.AlHarbi2026', /username/],
    ['the username without its punctuation', 'nalharbi!', /username/],
    ['the name of the studio', brand.name, /studio/],
    ['the name of the studio without spaces, with a number', `${brand.name.replaceAll(' ', '')}2026`, /studio/],
    ['the name of the studio as in its address, with a number', brand.mailDomain.replace(/\..*/, '1'), /studio/],
    ['one of the most used, with an invisible character', 'pass\u200bword', /too often/],
    ['the username, with an invisible character', 'n.al\u00adharbi2026', /username/],
    ['the username with digits', 'n.alharbi123', /username/],
    ['a word, repeated', 'adminadmin', /easy to guess/],
    ['a rarer word, repeated until it is long', 'marzipan'.repeat(25), /easy to guess/],
    ['a word with digits', 'admin1234', /easy to guess/],
    ['a word with a year and a sign', 'Summer2026!', /easy to guess/],
    ['a place with a year', 'Riyadh2026', /easy to guess/],
    ['a place with a year and a sign', 'Jeddah2026!', /easy to guess/],
    ['a first name with a year', 'Michael#1990', /easy to guess/],
    ['a word with signs for letters, and a year', 'P@ssw0rd2026', /easy to guess/],
    ['a walk over the keyboard', '1qaz2wsx3edc4r', /easy to guess/],
    ['a walk over the keyboard with digits', 'asdfghjkl;99', /easy to guess/],
    ['groups of one character', 'aaaabbbbcccc', /easy to guess/],
    ['a date', '27.11.2026', /easy to guess/],
  ] as const) {
    it(`is refused if it is ${what}`, async () => {
      expect(await passwordWeakness(password, 'n.alharbi')).to.match(reason);
    });
  }

  it('can be long, in any script, and contain the username or the name of the studio', async () => {
    for (const password of [
      'correct horse battery staple',
      'a new password',
      'كلمة سر طويلة جدا',
      '🌊🌊🏜️🏜️🌊🏜️🌊🌊',
      'n.alharbi reads by the sea',
      `${brand.name} has a garden gate`,
      'blue whale',
      'x7Jq-pL2v',
      'kitchen 92847561',
    ]) {
      expect(await passwordWeakness(password, 'n.alharbi'), password).to.equal(undefined);
    }
    expect(await passwordWeakness('a kettle of tea', 'a')).to.equal(undefined);
  });

  it('is estimated in at most 100 ms of processor time, however long and odd it is', async () => {
    await passwordWeakness('the first one loads the dictionaries', 'noura');
    for (const part of ['p@55w0rd', '1!|il1!|', '4@8({[<369&#!1|0$5+7%2', '19901212', 'Tr0ub4dour&3x!', '🌊🏜️']) {
      const before = process.cpuUsage();
      await passwordWeakness(part.repeat(200 / part.length), 'noura');
      const { user, system } = process.cpuUsage(before);
      expect((user + system) / 1_000, part).to.be.below(100);
    }
  });
});
