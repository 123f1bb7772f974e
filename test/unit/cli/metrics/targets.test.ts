import { describe, expect, it } from 'vitest';
import { isOwnHost, readAddress, readTarget } from '../../../../src/cli/metrics/targets';

describe('an address at which metrics are fetched', () => {
  it.each([
    ['127.0.0.1:9464', '127.0.0.1', 9464],
    ['127.8.9.10:0', '127.8.9.10', 0],
    ['localhost:65535', '127.0.0.1', 65_535],
    ['LOCALHOST:1', '127.0.0.1', 1],
    ['[::1]:9464', '::1', 9464],
    ['[0:0:0:0:0:0:0:1]:9464', '::1', 9464],
  ])('is one of this machine: %s', (text, host, port) => {
    expect(readAddress(text)).toEqual({ ok: true, value: { host, port } });
  });

  it.each([
    '0.0.0.0:9464',
    '[::]:9464',
    ':9464',
    '*:9464',
    '192.168.0.7:9464',
    '128.0.0.1:9464',
    '127.0.0.256:9464',
    '127.0.0.1.example.com:9464',
    'localhost.example.com:9464',
    '[::ffff:127.0.0.1]:9464'.replace('127.0.0.1', '7f00:1'),
    'devbox:9464',
  ])('is not one that other machines may reach: %s', (text) => {
    expect(readAddress(text)).toEqual({ ok: false, error: 'open' });
  });

  it.each([
    '',
    '9464',
    '127.0.0.1',
    '127.0.0.1:',
    '127.0.0.1:65536',
    '127.0.0.1:http',
    'http://127.0.0.1:9464',
    '::1:9464',
  ])('is a host and a port: not "%s"', (text) => {
    expect(readAddress(text)).toEqual({ ok: false, error: 'address' });
  });
});

describe('a URL to which metrics are sent', () => {
  it.each([
    ['https://collector.example:4318', 'https://collector.example:4318/v1/metrics'],
    ['https://collector.example/', 'https://collector.example/v1/metrics'],
    ['https://collector.example/otlp/v1/metrics?tenant=a#b', 'https://collector.example/otlp/v1/metrics?tenant=a'],
    ['http://127.0.0.1:4318', 'http://127.0.0.1:4318/v1/metrics'],
    ['http://localhost:4318/x', 'http://localhost:4318/x'],
    ['http://[::1]:4318', 'http://[::1]:4318/v1/metrics'],
  ])('is encrypted, or of this machine: %s', (text, url) => {
    expect(readTarget(text)).toEqual({ ok: true, value: url });
  });

  it.each([
    ['http://collector.example:4318', 'plain'],
    ['http://localhost.example:4318', 'plain'],
    ['http://10.0.0.1', 'plain'],
    ['https://user:word@collector.example', 'secret'],
    ['https://token@collector.example', 'secret'],
    ['grpc://collector.example:4317', 'url'],
    ['collector.example:4318', 'url'],
    ['file:///etc/passwd', 'url'],
    ['', 'url'],
  ])('is not any other: %s', (text, error) => {
    expect(readTarget(text)).toEqual({ ok: false, error });
  });
});

describe('the host named in a request', () => {
  it.each(['127.0.0.1', '127.0.0.1:9464', 'localhost:9464', '[::1]:9464', 'LocalHost'])(
    'is this machine: %s',
    (header) => {
      expect(isOwnHost(header)).toBe(true);
    },
  );

  it.each([
    undefined,
    '',
    'evil.example',
    'evil.example:9464',
    '127.0.0.1.evil.example',
    '::1',
    'localhost@evil.example',
  ])('is another: %s', (header) => {
    expect(isOwnHost(header)).toBe(false);
  });
});
