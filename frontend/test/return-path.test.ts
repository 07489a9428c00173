import { expect } from 'chai';
import { loginAddress, returnPath } from '../src/features/auth/return-path.ts';

describe('the path after signing in', () => {
  for (const path of [
    '/admin/dashboard',
    '/admin/leads',
    '/admin/leads/6a1f0f6e-5b0e-4c3c-9d0a-0c1f4d1d7a01',
    '/admin/recipes?category=design&text=a%2Fb',
    '/admin/team#top',
  ]) {
    it(`leads to ${path}`, () => {
      const [pathname = '', rest = ''] = path.split(/(?=[?#])(.*)/s);
      const search = rest.startsWith('?') ? rest : '';
      const hash = rest.startsWith('#') ? rest : '';
      const from = new URL(loginAddress({ pathname, search, hash }), 'https://site.example').searchParams.get('from');
      expect(returnPath(from)).to.equal(path);
    });
  }

  for (const from of [
    null,
    '',
    '/',
    '/careers',
    '/admin',
    '/administrator/x',
    'admin/leads',
    'https://evil.example/admin/leads',
    '//evil.example/admin/leads',
    '///evil.example/admin/leads',
    '/\\evil.example/admin/',
    '\\\\evil.example\\admin',
    '/admin\\..\\..\\evil',
    '/admin/\\evil.example',
    '/admin//evil.example',
    '/admin/..//evil.example',
    '/admin/../careers',
    '/admin/%2e%2e/careers',
    '/admin/.%2E/%2e./',
    '/\t/evil.example/admin/',
    '/admin/\n//evil.example',
    ' //evil.example',
    'javascript:alert(1)//admin/',
    'data:text/html,/admin/',
    '/admin/login',
    '/admin/login?from=/admin/team',
    '/admin/login/',
  ]) {
    it(`is the dashboard instead of ${JSON.stringify(from)}`, () => {
      expect(returnPath(from)).to.equal('/admin/dashboard');
    });
  }
});
