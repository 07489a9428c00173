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
    ['eight blanks', ' '.repeat(8), /too often/],
    ['one character, repeated', 'z'.repeat(30), /too often/],
    ['the username', 'n.alharbi', /username/],
    ['the username in capitals, with a number', 'N.AlHarbi2026', /username/],
    ['the username without its punctuation', 'nalharbi!', /username/],
    ['the name of the studio', brand.name, /studio/],
    ['the name of the studio without spaces, with a number', `${brand.name.replaceAll(' ', '')}2026`, /studio/],
    ['the name of the studio as in its address, with a number', brand.mailDomain.replace(/\..*/, '1'), /studio/],
    ['one of the most used, with an invisible character', 'pass\u200bword', /too often/],
    ['the username, with an invisible character', 'n.al\u00adharbi2026', /username/],
  ] as const) {
    it(`is refused if it is ${what}`, () => {
      expect(passwordWeakness(password, 'n.alharbi')).to.match(reason);
    });
  }

  it('can be long, in any script, and contain the username or the name of the studio', () => {
    for (const password of [
      'correct horse battery staple',
      'a new password',
      'كلمة سر طويلة جدا',
      '🌊🌊🏜️🏜️🌊🏜️🌊🌊',
      'n.alharbi reads by the sea',
      `${brand.name} has a garden gate`,
    ]) {
      expect(passwordWeakness(password, 'n.alharbi'), password).to.equal(undefined);
    }
    expect(passwordWeakness('a kettle of tea', 'a')).to.equal(undefined);
  });
});
