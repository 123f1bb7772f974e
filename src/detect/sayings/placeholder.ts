import type { ToolResultEvent } from '../../core/model';

/** Longest placeholder, which has a line or two; longer results are real. Characters. */
const LONGEST = 600;

/** Placeholders of harnesses for a result that was cut, evicted, masked or compacted, and for an image, at the start of the text. */
const REPLACED =
  /^\s{0,16}[[(<*]{1,2}\s?(?:old |earlier |previous )?(?:tool |function |command )?(?:results?|outputs?|content|contents|response|observation|message|image|screenshot|images?)(?: [\w.-]{1,40}){0,4}?[\s:,-]{1,3}(?:was |were |has been |have been |is |are )?(?:cleared|evicted|masked|omitted|elided|removed|redacted|truncated|compacted|pruned|hidden|not shown|no longer available|dropped|trimmed|expired)/i;
const IMAGE = /\[(?:image|screenshot|img)(?:[\s:#][^\]\n]{0,80})?\]|<image(?: [^>\n]{0,80})?\/?>/i;
/** The same in the words of particular harnesses: SWE-agent, Gemini CLI, OpenHands. */
const REPLACED_BY_NAME = /^\s{0,8}(?:Old environment output: ?\(\d+ lines omitted\)|<(?:tool_output_masked|MASKED)>)/;
/** Digest of the bytes, which distinguishes images. */
const DIGEST = /\b(?:sha(?:1|256)?|md5|digest)[:=-] ?[0-9a-f]{8,}/i;

/** Returns whether this is an image named by a digest of its bytes, which distinguishes it from all others. */
export function namesImage(output: string): boolean {
  return output.length <= LONGEST && IMAGE.test(output) && DIGEST.test(output);
}

/** `Report saved to /out/report.txt`: one line that confirms a write and names the file. It does not show the content. */
const WRITTEN =
  /^[^\n]{0,80}\b(?:saved|written|wrote|exported)\b(?: [a-z]{1,12}){0,3}:? ["'`]?[^\s"'`]{0,200}[/.][^\s"'`]{1,200}["'`]?\.?$/i;
const ONE_LINE = 300;
const DENIES = /\b(?:not|nothing|never|error|fail\w*|cannot|could)\b/i;

/** Returns whether a command printed only the confirmation of a write. */
export function confirmsWrite(output: string): boolean {
  return output.length <= ONE_LINE && WRITTEN.test(output.trim()) && !DENIES.test(output);
}

/** Returns whether this result carries no information: a harness replaced it, or it is an image without a digest. */
export function saysNothing({ output }: ToolResultEvent): boolean {
  if (output.length > LONGEST) return false;
  if (REPLACED.test(output) || REPLACED_BY_NAME.test(output)) return true;
  return IMAGE.test(output) && !DIGEST.test(output) && output.replace(IMAGE, '').trim().length < 200;
}
