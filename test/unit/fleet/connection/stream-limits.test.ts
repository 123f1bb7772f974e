import { describe, expect, it } from 'vitest';
import { StreamLimits } from '../../../../src/fleet/connection/stream-limits';

const INFO = 'INFO {"server_id":"x"}\r\n';

/** Returns the problem found in a stream that arrives in pieces of this many bytes. */
function said(text: string, size = text.length): string | null {
  const bytes = Buffer.from(text, 'latin1');
  const limits = new StreamLimits();
  for (let at = 0; at < bytes.length; at += size) {
    const problem = limits.take(bytes.subarray(at, at + size));
    if (problem !== null) return problem;
  }
  return null;
}

describe('the stream of a message server', () => {
  it('passes as a server writes it, wherever it is cut', () => {
    const message = `MSG unstuck.live.alpha.machine 1 12\r\nPING\r\nMSG a\r\n`.replace('12', '11');
    const headers = `HMSG a 2 _INBOX.x 12 14\r\nNATS/1.0\r\n\r\nhi\r\n`;
    const text = `${INFO}PING\r\nPONG\r\n+OK\r\n-ERR 'Stale Connection'\r\n${message}${headers}MSG a 1 0\r\n\r\n${INFO}`;
    for (const size of [1, 2, 3, 7, 16, text.length]) expect([size, said(text, size)]).toEqual([size, null]);
  });

  it('is closed at a line that does not end', () => {
    expect(said(`INFO {"a":"${'a'.repeat(70_000)}`, 1_000)).toBe('a line that is too long');
    expect(said(`INFO ${'['.repeat(70_000)}\r\n`)).toBe('a line that is too long');
  });

  it('is closed at the announced size of a message, before its bytes arrive', () => {
    expect(said('MSG a 1 2097152\r\n')).toBeNull();
    expect(said('MSG a 1 2097153\r\n')).toBe('a message that is too large');
    expect(said('MSG a 1 999999999999\r\n')).toBe('a line that is not part of the protocol');
    expect(said('HMSG a 1 10 9999999\r\n')).toBe('a message that is too large');
  });

  it('is closed at a flood of lines without a message', () => {
    expect(said('PING\r\n'.repeat(500))).toBeNull();
    for (const line of ['PING\r\n', 'PONG\r\n', '+OK\r\n', "-ERR 'x'\r\n", INFO])
      expect([line, said(line.repeat(501))]).toEqual([line, 'a flood of lines']);
    // The number of messages is not limited.
    expect(said('MSG a 1 2\r\nhi\r\n'.repeat(5_000))).toBeNull();
  });

  it.each([
    // The library skips the line ends: the next line, which announces a message here, would be part of the error there.
    ['-ERR \r\nMSG a 1 5\r\n', 'not part of the protocol'],
    ['INFO \r\nMSG a 1 5\r\n', 'not part of the protocol'],
    ['MSG  a 1 5\r\n', 'not part of the protocol'],
    ['MSG a 1 5\r0\r\n', 'not part of the protocol'],
    ['MSG a 1 5\n', 'not part of the protocol'],
    ['MSG a 1 -5\r\n', 'not part of the protocol'],
    ['MSG 5\r\n', 'not part of the protocol'],
    ['PINGS\r\n', 'not part of the protocol'],
    ['\r\n', 'not part of the protocol'],
    ['MSG a 1 2\r\nhi, there', 'without an end'],
  ])('is given up at %j, which the library reads differently', (text, problem) => {
    expect(said(text)).toContain(problem);
  });
});
