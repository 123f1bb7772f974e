import type { SecretRule } from './rule';

/** Distance from its kind within which the data of a Secret is searched. Characters. */
const REACH = 4_096;
const KIND = /kind\\{0,8}["']?[ \t]{0,4}:[ \t]{0,4}\\{0,8}["']?Secret(?![A-Za-z])/iy;
/** The line between two documents. */
const SEAM = '\n---';
const DATA =
  /(?:(?<![\w-])|(?<=\\n))(?:stringData|data)\\{0,8}["']?[ \t]{0,4}:[ \t]{0,4}(?:\{(?<json>[^{}]{1,4096})|(?<yaml>(?:\r?\n|\\{1,8}n)(?<indent>[ \t]{1,40})[^\r\n\\]{1,4096}(?:(?:\r?\n|\\{1,8}n)(?:\k<indent>[^\r\n\\]{1,4096}|[A-Za-z0-9+/=_-]{4,4096}(?![^\s\\]))){0,200}))/dgi;

/** Finds the data of a Kubernetes Secret, whatever its names: the kind says that they are secret. The data comes before or after it. */
export const KUBERNETES: SecretRule = {
  id: 'Secret of Kubernetes',
  words: ['kind'],
  look(text, at) {
    KIND.lastIndex = at;
    if (!KIND.test(text)) return undefined;
    const from = Math.max(0, at - REACH, text.lastIndexOf(SEAM, at));
    const seam = text.indexOf(SEAM, at);
    const around = text.slice(from, Math.min(at + REACH, seam < 0 ? text.length : seam));
    const ranges = Array.from(
      around.matchAll(DATA),
      ({ indices }) => indices?.groups?.['json'] ?? indices?.groups?.['yaml'],
    );
    const start = ranges[0]?.[0];
    const end = ranges.at(-1)?.[1];
    return start === undefined || end === undefined ? undefined : { secret: [from + start, from + end] };
  },
};
