import { privacyFacts, retentionText } from '@dune-tide/domain/content/privacy';
import { expect } from 'chai';
import { missingPrivacySettings, privacyNotice, type PrivacySettings } from '../src/site/privacy-notice.ts';

const page = Object.entries(privacyFacts)
  .map(([name, text]) => `<p class="a" data-fact="${name}">${text}</p>`)
  .join('\n');
const textsOf = (settings: PrivacySettings): string[] =>
  [...(privacyNotice(settings)('privacy.html', page) ?? '').matchAll(/>([^<]*)<\/p>/g)].map(([, text]) => text ?? '');

describe('the privacy notice', () => {
  it('names the retention in force, and nothing of the owner that is not set', () => {
    expect(textsOf({})).to.deep.equal([
      '',
      '',
      '',
      'We keep messages, inquiries, requests and applications until you ask us to delete them.',
    ]);
    expect(retentionText(24, 6)).to.equal(
      'We delete messages, inquiries and portfolio requests 24 months after the last change to them. We delete applications 6 months after the last change to them.',
    );
    expect(retentionText(1, 1)).to.include('1 month after');
    expect(retentionText(12, 0)).to.include('12 months after').and.include('We keep applications until');
  });

  it('names the owner as the settings do, as text', () => {
    const [entity, officer, address] = textsOf({
      legalEntity: 'Dune & Tide <LLC>, CR 1010',
      officer: 'Noura al-Harbi, privacy@studio.example',
      address: '$1 King Fahd Road',
    });
    expect(entity).to.equal('Responsible for your data: Dune &amp; Tide &lt;LLC&gt;, CR 1010.');
    expect(officer).to.include('Noura al-Harbi, privacy@studio.example');
    expect(address).to.equal('Postal address: $1 King Fahd Road.');
  });

  it('changes no other page, and needs its places', () => {
    expect(privacyNotice({})('index.html', page)).to.equal(undefined);
    expect(() => privacyNotice({})('privacy.html', '<p></p>')).to.throw('has no place for');
  });

  it('knows which settings are missing', () => {
    expect(missingPrivacySettings({ PRIVACY_OFFICER: 'Noura' })).to.deep.equal([
      'PRIVACY_LEGAL_ENTITY',
      'PRIVACY_ADDRESS',
    ]);
  });
});
