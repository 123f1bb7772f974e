/** Shortest and longest token, in characters. A longer run is data. */
const SHORTEST = 24;
const LONGEST = 400;
/** Prefixes of ids of calls, messages, files and the like, of hashes and of addresses: such an id grants no access. */
const ID =
  /^(?:(?:srv)?tool[a-z]*|calls?|msgs?|message|req|request|chatcmpl|cmpl|resp|response|rs|fc|ws|ctc|ses|prt|run|step|thread|asst|files?|items?|evt|event|gen|mcp|mcpr|tasks?|job|agent|sess|session|id|uuid|ts|tx|trace|span|sha\d*|md5|hash|commit|build|blob|git|img|image|chunk|cache|asset|sub|cus|pi|ch|price|prod|in|acct|seti|pm|src|obj|user|org|proj|wf|pkg|v\d+)$/i;

/** Last word before the id of a call: `b1ea4a04_tool_…` is the session of the sub-agent started by the call. */
const CALL = /^(?:tool|call)$/i;

/**
 * Returns whether this run of letters, digits and signs is an unlisted token: many unordered letters and digits after a short prefix, `abc_` or
 * `abc-live-`. Hashes, ids, file names and words are not.
 */
export function isToken(text: string, start: number, end: number): boolean {
  if (end - start < SHORTEST || end - start > LONGEST) return false;
  return isRandomRun(text.slice(start, end)) && !isPart(text, start, end);
}

/** True for a part of an address, a path or base64, or a run before a file extension. */
const isPart = (text: string, start: number, end: number): boolean =>
  /[.@%]/.test(text.charAt(start - 1)) || /^(?:=|\.[A-Za-z])/.test(text.slice(end, end + 2));

function isRandomRun(run: string): boolean {
  if (!/^[A-Za-z_-]*\d[\w-]*$/.test(run)) return false;
  const [, prefix = '', body = ''] =
    /^((?:[A-Za-z][A-Za-z0-9]{1,9}[_-])(?:[A-Za-z0-9]{1,10}[_-]){0,3})(.*)$/.exec(run) ?? [];
  const parts = body.split(/[_-]/);
  const longest = parts.reduce((one, other) => (other.length > one.length ? other : one), '');
  const marks = prefix.split(/[_-]/).filter((mark) => mark !== '');
  if (ID.test(marks[0] ?? '') || CALL.test(marks.at(-1) ?? '')) return false;
  if (prefix === '') return isUnmarked(run);
  if (longest.length < (prefix.endsWith('-') ? 22 : 20) || longest.length * 2 < body.length) return false;
  return (
    isMixed(longest) ||
    (longest.length >= 24 && isOfOneCase(longest)) ||
    (/^[a-z0-9]{2,8}_|key|token|secret|auth/i.test(prefix) && isHex(longest))
  );
}

/**
 * True for a run of only 30 to 128 unordered letters and digits, or of as many base32 characters as the seed of a key has. A blockchain address has a
 * different alphabet, and base64 of text is decoded elsewhere.
 */
function isUnmarked(run: string): boolean {
  if (/^[A-Z2-7]{48,128}$/.test(run)) return isOfOneCase(run);
  if (run.length < 30 || run.length > 128 || !/^[A-Za-z0-9]+$/.test(run) || !isMixed(run)) return false;
  if ((run.match(/\d+/g)?.length ?? 0) < 2) return false;
  if ((run.length <= 44 && !/[0OIl]/.test(run)) || !/[g-z]/.test(run.slice(4)) || !/[G-Z]/.test(run.slice(4)))
    return false;
  return /[^\x09\x0a\x0d\x20-\x7e]/.test(Buffer.from(run, 'base64').toString('latin1').slice(0, 24));
}

/** Counts the changes between letter and digit and between upper and lower case. */
const changes = (text: string): number => text.match(/\d(?!\d)|[a-z](?![a-z])|[A-Z](?![A-Z])/g)?.length ?? 0;

/** True for digits and both cases in no order. */
const isMixed = (text: string): boolean =>
  /\d/.test(text) && /[a-z]/.test(text) && /[A-Z]/.test(text) && changes(text) * 2.6 > text.length;

/** True for digits and letters of one case in no order that are not hexadecimal. */
const isOfOneCase = (text: string): boolean =>
  /^(?:[a-z0-9]+|[A-Z0-9]+)$/.test(text) &&
  /[g-z]/i.test(text) &&
  (text.match(/\d/g)?.length ?? 0) * 12 > text.length &&
  changes(text) * 6 > text.length;

const isHex = (text: string): boolean =>
  text.length >= 32 && /^[a-f0-9]+$/.test(text) && changes(text) * 6 > text.length;
