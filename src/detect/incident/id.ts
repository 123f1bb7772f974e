const CROCKFORD = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/**
 * Makes a ULID whose time is that of the alert and whose rest is a digest of what identifies the incident, so that two windows that read the same
 * transcript give an incident the same id.
 *
 * @param at milliseconds since the epoch, clamped to 0 to 2^48 - 1
 */
export function incidentId(at: number, ...identity: readonly string[]): string {
  let time = Math.min(Math.max(0, Math.floor(at)), 2 ** 48 - 1);
  let head = '';
  for (let i = 0; i < 10; i++) {
    head = CROCKFORD.charAt(time % 32) + head;
    time = Math.floor(time / 32);
  }
  const text = identity.join('\u0000');
  let tail = '';
  for (let seed = 1; tail.length < 16; seed++) {
    let bits = hash32(text, seed);
    for (let i = 0; i < 6 && tail.length < 16; i++) {
      tail += CROCKFORD.charAt(bits & 31);
      bits >>>= 5;
    }
  }
  return head + tail;
}

/** Returns a 32-bit FNV-1a hash with a seed and a final mix; not for secrets. */
function hash32(text: string, seed: number): number {
  let hash = (0x811c9dc5 ^ Math.imul(seed, 0x9e3779b1)) >>> 0;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b) >>> 0;
  return (hash ^ (hash >>> 13)) >>> 0;
}
