import { expect } from 'chai';
import { formats } from '../src/forms/formats.ts';

describe('a web address', () => {
  for (const text of ['http://0x7f000001/', 'http://0x7f.1/', 'http://127.1/', 'http://010.0.0.1/']) {
    it(`is not ${text}, which browsers read as another host`, () => {
      expect(formats.uri(text)).to.equal(false);
    });
  }

  for (const character of ['^', '|', '[', ']', '%', '%61']) {
    it(`has no ${character} in its host, although the oldest browsers accept it`, () => {
      expect(formats.uri(`https://a${character}b.example/`)).to.equal(false);
    });
  }

  it('has a scheme in ASCII', () => {
    expect(formats.uri('http\u017f://example.com/')).to.equal(false);
  });
});
