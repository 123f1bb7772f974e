import { sticky } from './characters';

/**
 * Finds the volatile pieces of a result, which do not belong to its outcome: the time of the run, its duration, its process or folder.
 *
 * Each function takes a position in the text and returns the end of the volatile piece that begins there, or -1. Plain counts are never volatile ("3
 * failing", "epoch 4/40", "total 8192"): they are progress. Source: notes on masks, compiled from the detectors of OpenClaw, OpenHands and Hermes and
 * from transcripts of Unstuck's own runs.
 */

const JOB = /\[\d{1,4}\][+-]? +\d{2,8}(?![\w.])/y;
const AGENT_LINE =
  /(?:Chunk ID: |Wall time: |Original token count: |Process Group PGID: |Process running with session ID |Background PIDs: |Shell cwd was reset to |Session ID: |Finished in |Elapsed: |real\t|user\t|sys\t)/y;
const REMINDER = '<system-reminder>';
const REMINDER_END = '</system-reminder>';
const SAVED_TO = /(?:saved|written|spilled|truncated) to:? /y;
const PATH_END = /[\s)\]>"']/g;

/** Finds a line, or the head of one, that an agent writes into its results and that differs from call to call. `at` is the start of a line. */
export function volatileLine(text: string, at: number): number {
  switch (text.charCodeAt(at)) {
    case 0x43: // C
    case 0x57: // W
    case 0x4f: // O
    case 0x50: // P
    case 0x42: // B
    case 0x53: // S
    case 0x46: // F
    case 0x45: // E
    case 0x72: // r
    case 0x75: // u
    case 0x73: // s
      AGENT_LINE.lastIndex = at;
      return AGENT_LINE.test(text) ? lineEnd(text, at) : -1;
    case 0x5b: // [
      return sticky(JOB, text, at);
    case 0x3c: {
      if (!text.startsWith(REMINDER, at)) return -1;
      const end = text.indexOf(REMINDER_END, at);
      return end === -1 ? text.length : end + REMINDER_END.length;
    }
    default:
      return -1;
  }
}

/** Finds the path after `Full output saved to: `; `at` is the word before `to`. */
export function volatilePath(text: string, at: number): number {
  SAVED_TO.lastIndex = at;
  if (!SAVED_TO.test(text)) return -1;
  PATH_END.lastIndex = SAVED_TO.lastIndex;
  return PATH_END.exec(text)?.index ?? text.length;
}

function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
}
