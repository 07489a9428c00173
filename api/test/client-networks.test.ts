import type { IncomingMessage } from 'node:http';
import { memoryLogger } from '@dune-tide/testkit/log';
import { expect } from 'chai';
import { clientNetworks, readAddress } from '../src/http/server/client-networks.ts';

const request = (from: string, forwardedFor?: string): IncomingMessage =>
  ({ socket: { remoteAddress: from }, headers: { 'x-forwarded-for': forwardedFor } }) as unknown as IncomingMessage;

const { logger } = memoryLogger();
const networksOf = clientNetworks('127.0.0.1, 10.0.0.0/8, 2001:db8:ffff::/48', logger);
const behindProxy = (forwardedFor: string): readonly string[] =>
  networksOf(request('127.0.0.1', forwardedFor)).map(({ key }) => key);

const ofIpv4 = ['198.51.100.7', '198.51.100.0/24'];
const ofIpv6 = ['2001:db8:1:2f3', '2001:db8:1:200/56', '2001:db8:1/48'];

describe('the networks of a client', () => {
  for (const text of [
    '198.51.100.7',
    '198.51.100.7:50001',
    '198.51.100.7:',
    '"198.51.100.7:50001"',
    "'198.51.100.7'",
    '\t198.51.100.7  ',
    '[198.51.100.7]:443',
    '::ffff:198.51.100.7',
    '::FFFF:c633:6407',
    '::ffff:198.51.100.7:50001',
    '[::ffff:198.51.100.7]:50001',
    // A translator in front of a server that has only IPv6.
    '64:ff9b::198.51.100.7',
    '[64:ff9b::c633:6407]:50001',
    '203.0.113.9, 198.51.100.7:50001, 10.1.2.3:40000',
    'garbage, 198.51.100.7 , [2001:db8:ffff::1]:443,, ,',
  ]) {
    it(`of IPv4 are read from ${JSON.stringify(text)}`, () => {
      expect(behindProxy(text)).to.deep.equal(ofIpv4);
    });
  }

  for (const text of [
    '2001:db8:1:2f3::9',
    '2001:0DB8:0001:02F3:0000:0000:0000:0009',
    '[2001:db8:1:2f3::9]',
    '[2001:db8:1:2f3::9]:50001',
    '"[2001:db8:1:2f3::9]:50001"',
    '2001:db8:1:2f3:1:2:3:4:50001',
    '2001:db8:1:2f3::9%eth0',
    '[2001:db8:1:2f3::9%25eth-0]:50001',
  ]) {
    it(`of IPv6 are read from ${JSON.stringify(text)}`, () => {
      expect(behindProxy(text)).to.deep.equal(ofIpv6);
    });
  }

  it('have limits that rise with their size', () => {
    const factors = (text: string) => networksOf(request('127.0.0.1', text)).map(({ factor }) => factor);
    expect(factors('198.51.100.7')).to.deep.equal([1, 4]);
    expect(factors('2001:db8:1:2f3::9')).to.deep.equal([1, 2, 4]);
  });

  it('are those of the connection if a trusted proxy or the header is missing', () => {
    for (const [from, forwardedFor] of [
      ['198.51.100.7', '203.0.113.9'],
      ['::ffff:198.51.100.7', undefined],
    ] as const) {
      expect(networksOf(request(from, forwardedFor)).map(({ key }) => key)).to.deep.equal(ofIpv4);
    }
    expect(networksOf(request('10.1.2.3')).map(({ key }) => key)).to.deep.equal(['10.1.2.3', '10.1.2.0/24']);
    expect(networksOf(request('10.1.2.3', '127.0.0.1, ::ffff:10.1.2.4')).map(({ key }) => key)).to.deep.equal([
      '127.0.0.1',
      '127.0.0.0/24',
    ]);
  });

  for (const text of [
    'unknown',
    '_hidden',
    'a.example.com:50001',
    '999.1.1.1',
    '[::1',
    ':::::::::',
    '1',
    'x'.repeat(9_000),
  ]) {
    it(`are one separate network with a high limit if ${JSON.stringify(text.slice(0, 20))} is not an address`, () => {
      expect(readAddress(text)).to.equal(undefined);
      const [network, ...others] = networksOf(request('127.0.0.1', text));
      expect(others).to.deep.equal([]);
      expect(network.factor).to.equal(4);
      expect(network.key).to.match(/^text:[\da-f]{32}$/);
      expect(behindProxy(`another-${text.slice(0, 50)}`)).to.not.deep.equal([network.key]);
    });
  }

  it('ignore the port of a text that is not an address', () => {
    expect(behindProxy('a.example.com:50001')).to.deep.equal(behindProxy('a.example.com:50002'));
  });

  it('are logged once a minute if they cannot be read, without the text that was sent', () => {
    const { logger: own, lines } = memoryLogger();
    let time = 1_000;
    const withClock = clientNetworks('127.0.0.1', own, () => time);
    const send = (text: string) => withClock(request('127.0.0.1', text));
    send('198.51.100.7');
    expect(lines()).to.deep.equal([]);
    send('198.51.100.7;50001 é');
    send('Noura.example');
    time += 59_000;
    send('unknown');
    expect(lines().map(({ level, entry }) => ({ level, entry }))).to.deep.equal([
      { level: 'warn', entry: '999.99.999.9;99999 ?' },
    ]);
    time += 1_000;
    send('unknown');
    expect(lines().map(({ entry }) => entry)).to.deep.equal(['999.99.999.9;99999 ?', 'aaaaaaa']);
  });
});
