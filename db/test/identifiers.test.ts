import { expect } from 'chai';
import { identifierRemoval } from '../src/personal-data/identifiers.ts';

const remove = identifierRemoval({ addresses: ['ann@x.example'], phones: ['+966 (0)55 918 2734', '030/1234567'] });

describe('what identifies a person is removed from a text', () => {
  const cases: Readonly<Record<string, readonly (readonly [text: string, left: string])[]>> = {
    'an address in any case, with what is around it': [
      ['ann@x.example', ''],
      ['Mail from ANN@x.Example.', 'Mail from .'],
      ['<ann@x.example>, new', ', new'],
      ['Won "ann@x.example" deals', 'Won deals'],
      ['mailto:ann@x.example won', 'mailto: won'],
      ['ann@x.example bob@x.example', 'bob@x.example'],
    ],
    'a phone number, with or without its country code': [
      ['+966559182734', ''],
      ['00966 55 918 27 34', ''],
      ['Call (055) 918-2734 today', 'Call today'],
      ['0559182734 2026', '2026'],
      ['Riyadh 2 055 9182734', 'Riyadh 2'],
      ['٠٥٥٩١٨٢٧٣٤', ''],
      ['030 1234567', ''],
    ],
    'nothing else': [
      ['joann@x.example', 'joann@x.example'],
      ["o'ann@x.example", "o'ann@x.example"],
      ['ann@x.example.org', 'ann@x.example.org'],
      ['ann@x.examples', 'ann@x.examples'],
      ['ann+tag@x.example', 'ann+tag@x.example'],
      ['ann @ x.example', 'ann @ x.example'],
      ['Ann  X, 918 2734', 'Ann  X, 918 2734'],
      ['15591827341', '15591827341'],
      ['99999559182734', '99999559182734'],
      ['2734', '2734'],
      ['📞 leads', '📞 leads'],
    ],
  };
  it('with every character that an address may have', () => {
    const address = "a!#$%&'*+-/=?^_`{|}~.b@x-y.example";
    expect(identifierRemoval({ addresses: [address], phones: [] })(`won ${address}`)).to.equal('won');
  });

  for (const [what, texts] of Object.entries(cases)) {
    it(`: ${what}`, () => {
      for (const [text, left] of texts) expect(remove(text), text).to.equal(left);
    });
  }
});
