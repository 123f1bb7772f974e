import type { ToolCallEvent, ToolResultEvent } from '../../model';
import type { Exemption } from '../session/detector';

/** Commands that ask how something stands, or wait for it. */
const STATUS =
  /^\s*(?:sleep\b|watch\b|tail\b|ps\b|pgrep\b|jobs\b|squeue\b|sacct\b|qstat\b|nvidia-smi\b|top -b|lsof\b|ss\b|netstat\b|uptime\b|gh (?:run|pr|workflow) (?:view|watch|list|checks|status)\b|kubectl (?:get|rollout status|wait|logs|describe)\b|docker (?:ps|logs|inspect|wait)\b|docker[ -]compose (?:ps|logs)\b|systemctl (?:status|is-active)\b|journalctl\b|terraform (?:show|state)\b|aws \S+ (?:describe|get|wait)|gcloud \S+ (?:describe|list)|(?:cat|head) \S+\.(?:log|out)\s*$|curl [^|]*\b(?:health|healthz|status|ready|ping)\b)/;
/** `sleep 30 && cat build.log` waits, whatever follows. */
const WAITS_FIRST = /^\s*sleep [\d.]+[smh]?\s*(?:;|&&)/;
/** Names of tools that ask how something stands. */
const STATUS_TOOL = /(?:^|_|\b)(?:status|poll|wait|await|progress|health|monitor)(?:$|_|\b)|(?:status|poll)$/i;
const OWN_MARK = '[unstuck ';

/** Is this a status check or a wait, whose repeats are what it is for? Its results are compared as they are, with higher limits. */
export function isPoll(call: ToolCallEvent, result: ToolResultEvent): boolean {
  if (call.kind === 'waited' || result.running === true) return true;
  if (call.kind === 'plan' || call.kind === 'changed') return false;
  if (call.command !== undefined) return STATUS.test(call.command) || WAITS_FIRST.test(call.command);
  return isStatusTool(call.name) || sendsNothing(call.args);
}

/** Names that were asked about: an agent has a few dozen tools. */
const statusTools = new Map<string, boolean>();

function isStatusTool(name: string): boolean {
  let known = statusTools.get(name);
  if (known === undefined) {
    if (statusTools.size >= 256) statusTools.clear();
    known = STATUS_TOOL.test(name);
    statusTools.set(name, known);
  }
  return known;
}

/** Does the call only let time pass? */
export function isWait(call: ToolCallEvent): boolean {
  return call.kind === 'waited' || (call.command !== undefined && /^\s*sleep\b/.test(call.command));
}

/** Nothing is typed, so only time passes: an empty line to a running program. */
function sendsNothing(args: unknown): boolean {
  if (typeof args !== 'object' || args === null) return false;
  const { chars, keystrokes } = args as { chars?: unknown; keystrokes?: unknown };
  const typed = chars ?? keystrokes;
  return typeof typed === 'string' && typed.trim() === '';
}

/**
 * Why this step tells nothing about repeats, or null. Such a step is passed over: it neither counts nor breaks a streak (todo updates
 * never count; a delegation is a normal fan-out; our own message is no repeat).
 *
 * What a person refused is the person's doing; what a hook of ours refused is our own. Two screenshots cannot be compared.
 */
export function exemptionOf(call: ToolCallEvent, result: ToolResultEvent): Exemption | null {
  if (call.kind === 'plan') return 'plan';
  if (call.kind === 'delegated') return 'delegation';
  if (call.kind === 'asked') return 'question';
  if (result.denied === 'user') return 'denied';
  if (result.denied === 'hook' && result.output.includes(OWN_MARK)) return 'own_message';
  if (call.target === undefined && result.output.includes('[image]')) return 'image';
  return null;
}

/** A search that found nothing, a comparison that found a difference: exit code 1 is their answer, not a failure. */
const ANSWERS =
  /^\s*(?:grep|egrep|fgrep|rg|ag|ack|git (?:grep|diff)|diff|cmp|test|\[|which|command -v|type|pgrep|expr|find)\b/;

/** How editing tools say that they changed nothing, in the beginning of their answer. */
const REFUSED =
  /^\s*(?:error|failed|failure|invalid|cannot|could not|unable to)\b|introduced new syntax error|no replacement was performed|did not (?:appear|match)|not found in (?:the )?file|could not (?:be )?appl|no match(?:es)? found|patch (?:failed|does not apply)|was not applied|has not been (?:updated|edited|changed)/i;

/** Did the call fail, as far as its repeats go? Some agents record an edit that was refused as a success. */
export function failedIn(call: ToolCallEvent, result: ToolResultEvent): boolean {
  if (!result.isError) {
    return call.kind === 'changed' && call.command === undefined && REFUSED.test(result.output.slice(0, 240));
  }
  const answers =
    result.exitCode === 1 && result.output.length < 200 && call.command !== undefined && ANSWERS.test(call.command);
  return !answers || /error|not found|no such/i.test(result.output);
}
