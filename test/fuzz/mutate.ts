import type { Random } from './random';
import { NAMES, PIECES, STRANGE_VALUES } from './strange';

/** Maximum characters of one input: no more of a file is read in one piece, and no decoded line has longer strings. */
const LONGEST = 65_536;

/** Changes some lines of a transcript, their order, or their number. `other`: a text to take lines from. */
export function mutateLines(text: string, other: string, random: Random): string {
  const lines = text.split('\n');
  const most = random.once(2) ? 4 : lines.length;
  for (let times = 1 + random.below(most); times > 0; times--) {
    const at = random.below(lines.length);
    switch (random.below(12)) {
      case 0:
        lines.splice(at, 1 + random.below(3));
        break;
      case 1:
        lines.splice(random.below(lines.length), 0, lines[at] ?? '');
        break;
      case 2:
        lines.splice(at, 0, random.pick(other.split('\n')));
        break;
      case 3:
        for (let copies = random.below(12); copies > 0; copies--) lines.splice(at, 0, lines[at] ?? '');
        break;
      case 4:
        lines[at] = mutateText(lines[at] ?? '', random);
        break;
      default:
        lines[at] = mutateRecord(lines[at] ?? '', random);
    }
    if (lines.length === 0) lines.push('');
  }
  return lines.join('\n');
}

/** Changes one or more values of a JSON text; changes any other text like plain text. */
export function mutateRecord(text: string, random: Random): string {
  if (random.once(5)) return mutateText(text, random);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return mutateText(text, random);
  }
  for (let times = 1 + random.below(3); times > 0; times--) value = mutateValue(value, random);
  const result = JSON.stringify(value) ?? '';
  return result.length > 4 * LONGEST ? text : result;
}

/** Changes one value somewhere inside, in place if there is one. */
function mutateValue(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null) return mutatedLeaf(value, random);
  let holder = value as Record<string, unknown>;
  for (;;) {
    const keys = Object.keys(holder);
    if (keys.length === 0) return random.pick(STRANGE_VALUES);
    const key = random.pick(keys);
    const inner = holder[key];
    const goesOn = typeof inner === 'object' && inner !== null && !random.once(5);
    if (goesOn) {
      holder = inner as Record<string, unknown>;
      continue;
    }
    change(holder, key, inner, random);
    return value;
  }
}

function change(holder: Record<string, unknown>, key: string, inner: unknown, random: Random): void {
  switch (random.below(8)) {
    case 0:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else delete holder[key];
      break;
    case 1:
      set(holder, Array.isArray(holder) ? '0' : random.pick(NAMES), inner);
      break;
    case 2:
      set(holder, key, copy(holder[random.pick(Object.keys(holder))]));
      break;
    case 3:
    case 4:
      set(holder, key, copy(random.pick(STRANGE_VALUES)));
      break;
    default:
      set(holder, key, mutatedLeaf(inner, random));
  }
}

/** Sets a property as JSON.parse does, even if its name is `__proto__`. */
function set(holder: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(holder, key, { value, configurable: true, enumerable: true, writable: true });
}

/** Seeds and strange values must not change together with what they were put into. */
function copy(value: unknown): unknown {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown);
}

function mutatedLeaf(value: unknown, random: Random): unknown {
  if (typeof value === 'string') return mutateText(value, random);
  if (typeof value === 'number')
    return random.pick([-value, value + 1, value * 1e6, value / 3, 0, 1e308, String(value)]);
  return copy(random.pick(STRANGE_VALUES));
}

/** Changes characters of a text, removes some, inserts some, or repeats a piece of it many times. */
export function mutateText(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  const end = Math.min(text.length, at + 1 + random.below(random.once(4) ? text.length : 12));
  switch (random.below(8)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + text.slice(end);
    case 2:
    case 3:
      return text.slice(0, at) + random.pick(PIECES) + text.slice(at);
    case 4:
      return (
        text.slice(0, at) + String.fromCharCode(random.below(random.once(3) ? 0x1_0000 : 0x80)) + text.slice(at + 1)
      );
    case 5:
      return text.slice(0, at) + text.slice(at, end).toUpperCase() + random.pick(PIECES) + text.slice(end);
    case 6:
      return (
        text.slice(0, at) +
        repeated(random.once(2) ? random.pick(PIECES) : text.slice(at, end), text, random) +
        text.slice(end)
      );
    default:
      return text.slice(at) + text.slice(0, at);
  }
}

/** Usually a few times, occasionally as long as allowed. */
function repeated(piece: string, around: string, random: Random): string {
  const room = Math.max(0, LONGEST - around.length);
  const most = Math.floor(room / Math.max(1, piece.length));
  return piece.repeat(Math.min(most, random.once(8) ? most : random.below(20)));
}
