import { expect } from 'chai';
import { comparableCode, newRecoveryCodes } from '../src/second-factor/recovery-codes.ts';
import { secretSeal } from '../src/second-factor/sealed-secret.ts';
import { newTotpSecret, totpStep, totpUri } from '../src/second-factor/totp.ts';

/** The secret of RFC 6238, appendix B: "12345678901234567890". */
const rfcSecret = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

/** The SHA-1 vectors of RFC 6238, appendix B. Its codes have 8 digits; the last 6 are the code of 6 digits. */
const vectors = [
  [59, 0x1n, '94287082'],
  [1_111_111_109, 0x23523ecn, '07081804'],
  [1_111_111_111, 0x23523edn, '14050471'],
  [1_234_567_890, 0x273ef07n, '89005924'],
  [2_000_000_000, 0x3f940aan, '69279037'],
  [20_000_000_000, 0x27bc86aan, '65353130'],
] as const;

describe('a code of an authenticator app', () => {
  for (const [time, step, code] of vectors) {
    it(`is that of RFC 6238 at ${time} seconds`, async () => {
      expect(await totpStep(rfcSecret, code.slice(-6), time, null)).to.equal(Number(step));
    });
  }

  it('is accepted one step early and late, and never twice', async () => {
    const code = '050471';
    for (const [shift, isAccepted] of [
      [-60, false],
      [-30, true],
      [0, true],
      [30, true],
      [60, false],
    ] as const) {
      const step = await totpStep(rfcSecret, code, 1_111_111_111 + shift, null);
      expect(step, `${shift} seconds`).to.equal(isAccepted ? 0x23523ed : undefined);
    }
    expect(await totpStep(rfcSecret, code, 1_111_111_111, 0x23523ec)).to.equal(0x23523ed);
    expect(await totpStep(rfcSecret, code, 1_111_111_111, 0x23523ed)).to.equal(undefined);
    expect(await totpStep(rfcSecret, code, 1_111_111_111, 0x23523ee)).to.equal(undefined);
  });

  it('has six ASCII digits', async () => {
    for (const code of ['', '50471', '0050471', '14050471', '٠٥٠٤٧١', '05047a', ' 50471']) {
      expect(await totpStep(rfcSecret, code, 1_111_111_111, null), code).to.equal(undefined);
    }
  });

  it('has a new secret of 160 bits, in an address with the studio and the account', () => {
    const secret = newTotpSecret();
    expect(secret)
      .to.match(/^[A-Z2-7]{32}$/)
      .and.not.equal(newTotpSecret());
    const uri = new URL(totpUri(secret, 'n.al-harbi@studio'));
    expect([uri.protocol, uri.host]).to.deep.equal(['otpauth:', 'totp']);
    expect(decodeURIComponent(uri.pathname)).to.equal('/Dune & Tide:n.al-harbi@studio');
    expect(uri.searchParams.get('secret')).to.equal(secret);
    expect(uri.searchParams.get('issuer')).to.equal('Dune & Tide');
  });
});

describe('recovery codes', () => {
  it('are ten different ones, compared without their groups and in any case', () => {
    const codes = newRecoveryCodes();
    expect(new Set(codes).size).to.equal(10);
    for (const code of codes) {
      expect(code).to.match(/^([a-hj-km-np-z2-9]{5}-){4}[a-hj-km-np-z2-9]{6}$/);
      const typed = ` ${code.toUpperCase().replaceAll('-', ' – ')} `;
      expect(comparableCode(typed))
        .to.equal(comparableCode(code))
        .and.match(/^[a-z2-9]{26}$/);
    }
  });
});

describe('stored secrets', () => {
  const [older, newer] = ['an older key of the session', 'a newer key of the session'];

  it('open with any listed key, for their owner only, and not after a change', () => {
    const sealed = secretSeal([older]).seal(rfcSecret, 'noura');
    expect(sealed).to.not.include(rfcSecret);
    expect(secretSeal([newer, older]).open(sealed, 'noura')).to.equal(rfcSecret);
    expect(secretSeal([newer]).open(sealed, 'noura')).to.equal(undefined);
    expect(secretSeal([older]).open(sealed, 'thabo')).to.equal(undefined);
    const bytes = Buffer.from(sealed, 'base64url');
    for (let index = 0; index < bytes.length; index++) {
      const changed = Buffer.from(bytes);
      changed[index] = (changed[index] ?? 0) ^ 1;
      expect(secretSeal([older]).open(changed.toString('base64url'), 'noura'), `byte ${index}`).to.equal(undefined);
    }
    for (const text of ['', 'x', sealed.slice(0, 20)])
      expect(secretSeal([older]).open(text, 'noura')).to.equal(undefined);
  });

  it('are encrypted with the first key, differently each time', () => {
    const seal = secretSeal([newer, older]);
    expect(secretSeal([newer]).open(seal.seal(rfcSecret, 'noura'), 'noura')).to.equal(rfcSecret);
    expect(seal.seal(rfcSecret, 'noura')).to.not.equal(seal.seal(rfcSecret, 'noura'));
  });
});
