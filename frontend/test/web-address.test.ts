import { expect } from 'chai';
import { webAddress } from '../src/format/web-address.ts';

describe('a link in user input', () => {
  it('is followed only to web pages', () => {
    expect(webAddress('https://work.example.com/7')).to.equal('https://work.example.com/7');
    expect(webAddress('HTTP://example.com')).to.equal('http://example.com/');
    for (const address of [
      null,
      '',
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'data:text/html,x',
      'file:///etc/passwd',
      'mailto:a@example.com',
      '//x.com',
      'work',
    ]) {
      expect(webAddress(address), String(address)).to.equal(undefined);
    }
  });

  it('is not followed if a username could be mistaken for its host', () => {
    for (const address of [
      'https://duneandtide.studio@evil.example',
      'https://a:b@evil.example',
      'https://:b@evil.example',
    ]) {
      expect(webAddress(address), address).to.equal(undefined);
    }
  });
});
