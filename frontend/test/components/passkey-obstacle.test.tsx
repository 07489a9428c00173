import { expect } from 'chai';
import { passkeyObstacle } from '../../src/staff-ui/passkeys/browser-passkeys.ts';

/** Replaces a property of the window during a test. */
function during(name: 'isSecureContext' | 'PublicKeyCredential', value: unknown, test: () => void): void {
  const before = Object.getOwnPropertyDescriptor(window, name);
  Object.defineProperty(window, name, { configurable: true, value });
  try {
    test();
  } finally {
    if (before) Object.defineProperty(window, name, before);
    else delete (window as Partial<Window & typeof globalThis>)[name];
  }
}

const obstacleAt = (address: string): string | undefined => passkeyObstacle(new URL(address));

describe('The text about passkeys that cannot be used', () => {
  it('names the address to open instead of one that means this machine', () => {
    for (const [address, host, instead] of [
      ['http://127.0.0.1:8080/admin', '127.0.0.1', 'http://localhost:8080'],
      ['http://127.0.0.1/admin', '127.0.0.1', 'http://localhost'],
      ['http://[::1]:8080/admin', '[::1]', 'http://localhost:8080'],
    ] as const) {
      expect(obstacleAt(address)).to.equal(`Passkeys do not work at the address ${host}. Open ${instead} instead.`);
    }
  });

  it('asks for a domain name at other IP addresses', () => {
    for (const address of ['http://192.168.1.5:8080/', 'https://203.0.113.9/', 'https://[2001:db8::1]/']) {
      expect(obstacleAt(address), address).to.match(/^Passkeys do not work at an IP address\./);
    }
  });

  it('asks for HTTPS, then for another browser', () => {
    during('isSecureContext', false, () => {
      expect(obstacleAt('http://studio.example/')).to.match(/^Passkeys need a secure connection\./);
    });
    during('isSecureContext', true, () => {
      during('PublicKeyCredential', undefined, () => {
        expect(obstacleAt('https://studio.example/')).to.equal('This browser does not support passkeys.');
      });
    });
  });

  it('is missing where passkeys work', () => {
    during('isSecureContext', true, () => {
      during('PublicKeyCredential', Object, () => {
        for (const address of ['https://studio.example/', 'http://localhost:8080/', 'https://1.studio.example/']) {
          expect(obstacleAt(address), address).to.equal(undefined);
        }
      });
    });
  });
});
