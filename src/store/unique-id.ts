import { createHash, randomBytes } from 'node:crypto';

const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** A ULID with random bits. @param at milliseconds since the epoch */
export function randomUlid(at: number): string {
  return timePart(at) + bitsPart(randomBytes(16));
}

/** The ULID that this moment and this text always have. */
export function ulidOf(at: number, text: string): string {
  return timePart(at) + bitsPart(createHash('sha256').update(text).digest());
}

function timePart(at: number): string {
  let rest = Math.min(Math.max(0, Math.floor(at)), 2 ** 48 - 1);
  let text = '';
  for (let i = 0; i < 10; i++) {
    text = CROCKFORD.charAt(rest % 32) + text;
    rest = Math.floor(rest / 32);
  }
  return text;
}

function bitsPart(bytes: Buffer): string {
  let text = '';
  for (let i = 0; i < 16; i++) text += CROCKFORD.charAt((bytes[i] ?? 0) & 31);
  return text;
}
