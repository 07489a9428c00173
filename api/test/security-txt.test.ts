import { expect } from 'chai';
import { brand } from '@dune-tide/domain/brand';
import { withTestApi } from './support.ts';

describe('the contact for security researchers', () => {
  const api = withTestApi({ publicUrl: 'https://studio.example' });

  it('is a file of RFC 9116 that stays valid for less than a year', async () => {
    const response = await api().send({ path: '/.well-known/security.txt' });
    expect(response.status).to.equal(200);
    expect(response.headers['content-type']).to.equal('text/plain; charset=utf-8');
    const lines = response.text.split('\n');
    expect(lines.pop()).to.equal('');
    const fields = new Map(lines.map((line) => /^([A-Za-z-]+): (.+)$/.exec(line)?.slice(1) as [string, string]));
    expect(fields.size).to.equal(lines.length);
    expect(fields.get('Contact')).to.equal(`mailto:${brand.email}`);
    expect(fields.get('Canonical')).to.equal('https://studio.example/.well-known/security.txt');
    const expires = fields.get('Expires') ?? '';
    expect(expires).to.match(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/);
    expect((Date.parse(expires) - Date.now()) / 86_400_000).to.be.within(90, 364);
  });
});
