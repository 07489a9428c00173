import { brand } from '@dune-tide/domain/brand';
import { expect } from 'chai';
import { siteAddressOf } from '../build/site-address.ts';

describe('the public URL of a path', () => {
  it("starts with SITE_URL, or with the studio's own address if it is unset or empty", () => {
    expect(siteAddressOf('https://staging.example.com', '/careers')).to.equal('https://staging.example.com/careers');
    for (const unset of [undefined, '']) {
      expect(siteAddressOf(unset, '/careers'), String(unset)).to.equal(new URL('/careers', brand.siteUrl).href);
    }
  });

  it('cannot be built from a SITE_URL that is not a web address; the error names the setting', () => {
    for (const invalid of ['dune-tide.example', 'localhost:8080', 'ftp://dune-tide.example', 'https://', ' ']) {
      expect(() => siteAddressOf(invalid, '/'), invalid).to.throw('SITE_URL');
    }
  });
});
