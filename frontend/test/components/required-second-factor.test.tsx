import { screen, waitFor } from '@testing-library/react/pure';
import { expect } from 'chai';
import { address, me, openStaffPage, press, put, serveStaff, textsOf } from './staff-area.tsx';

describe('A required second factor', () => {
  let hasFactor = false;
  const codes = Array.from({ length: 10 }, (_, index) => `made-up-recovery-code-${index}`);
  const server = serveStaff(() => ({
    'GET /api/admin/session': () => ({ ...me, needs: hasFactor ? null : 'second_factor' }),
    'POST /api/admin/account/totp': () => ({ secret: 'A'.repeat(32), uri: 'otpauth://totp/studio' }),
    'POST /api/admin/account/totp/confirm': () => {
      hasFactor = true;
      return { codes };
    },
  }));

  it('is set up on the sign-in page before any other page opens, and shows the recovery codes', async () => {
    await openStaffPage('/admin/leads');
    await screen.findByText(
      'A second factor is required: a passkey or an authenticator app. Please set one up to continue.',
    );
    expect(address()).to.equal('/admin/login?from=%2Fadmin%2Fleads');
    expect(server.count('GET /api/admin/leads')).to.equal(0);
    await press('Set up an authenticator app');
    await screen.findByText('AAAA AAAA AAAA AAAA AAAA AAAA AAAA AAAA');
    await put('code', '123456');
    await press('Turn on');
    await screen.findByRole('list', { name: 'Recovery codes' });
    expect(textsOf('ul[aria-label="Recovery codes"] li')).to.deep.equal(codes);
    expect(server.last('POST /api/admin/account/totp/confirm')?.body).to.deep.equal({ code: '123456' });
    await press('I have saved them');
    await waitFor(() => expect(address()).to.equal('/admin/leads'));
  });
});
