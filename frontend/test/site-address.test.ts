import { brand } from '@dune-tide/domain/brand';
import { expect } from 'chai';
import { siteAddressOf } from '../build/site-address.ts';

describe("the public's address of a path", () => {
  it("stands under that of SITE_URL, or the studio's own where that is not set or empty", () => {
    expect(siteAddressOf('https://staging.example.com', '/careers')).to.equal('https://staging.example.com/careers');
    for (const unset of [undefined, '']) {
      expect(siteAddressOf(unset, '/careers'), String(unset)).to.equal(new URL('/careers', brand.siteUrl).href);
    }
  });

  it('does not exist for a SITE_URL that is no web address, which is named', () => {
    for (const faulty of ['dune-tide.example', 'localhost:8080', 'ftp://dune-tide.example', 'https://', ' ']) {
      expect(() => siteAddressOf(faulty, '/'), faulty).to.throw('SITE_URL');
    }
  });
});
