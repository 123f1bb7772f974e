import { type Command, classifyCommand } from '../../base/checks/command';
import { saysNotYet, saysRunning } from '../../base/checks/not-yet';
import { isWaitCall, isWaitScript } from '../../base/checks/waits';
import type { ToolCallEvent, ToolResultEvent } from '../../core/model';
import { withoutEscapes } from '../../base/util/showable';
import { remembered } from '../../base/util/remembered';
import type { Exemption, Weight } from './step';
import { declaredLimit } from './patience';

/** A bare sleep: it has no result to repeat, whatever its silence is piped through. */
const BARE_SLEEP =
  /^\s{0,8}(?:sleep|start-sleep|timeout \/t|ping -n \d{1,5} (?:127\.0\.0\.1|localhost))\s[^;&|\n]{1,40}(?:>&1\s{0,4})?(?:\|\s{0,4}(?:tail|head)\b[^;&|\n]{0,40})?$/i;
/** Shortest duration in milliseconds, and longest output in characters, of a long and silent call. */
const LASTED = 20_000;
const MUTE = 80;
/** Mark at the end of Unstuck's own messages. */
export const OWN_MARK = '[unstuck ';
/** Number of characters of a result in which a refused connection is searched for. */
const LOOKED_AT = 600;
const REFUSED_CONNECTION =
  /connection refused|ECONNREFUSED|failed to connect to (?:localhost|127\.0\.0\.1)|couldn't connect to server/i;

/** Class of a call by its name or command, before its result is known. */
export type CallClass = 'check' | 'wait' | 'look' | 'change' | 'plain';

/** The class of a call, with details. */
export interface ClassifiedCall {
  readonly kind: CallClass;
  /** Requested length of a wait, in milliseconds; 0 where it is unknown. */
  readonly requestedWait: number;
  /** True if it queries a service of this machine. */
  readonly queriesLocal: boolean;
  /** The command that counts, for checks: `npm test`. */
  readonly main: string;
  /** True if it starts a program in the background. */
  readonly starts: boolean;
  /** Parsed command; null where the call has none. */
  readonly command: Command | null;
}

/** Longest command that is remembered, and tested for starting a service. Characters. */
const LONGEST = 2000;
const REMEMBERED = { most: 512, longest: LONGEST };

const WAIT_SCRIPT: ClassifiedCall = {
  kind: 'wait',
  requestedWait: 0,
  queriesLocal: false,
  main: '',
  starts: false,
  command: null,
};

/** Classifies a call by one table of tools and one grammar of commands (src/base/checks), never by words in its output. */
export function classify(call: ToolCallEvent): ClassifiedCall {
  const { command } = call;
  if (command === undefined) return classifyByTool(call);
  if (isWaitScript(command)) return WAIT_SCRIPT;
  return call.kind === 'changed' ? classifiedChange(command) : classifiedOther(command);
}

const classifiedChange = remembered((command) => classified(command, 'change'), REMEMBERED);
const classifiedOther = remembered((command) => classified(command, 'plain'), REMEMBERED);

/** @param otherwise class of a command that the grammar does not know */
function classified(command: string, otherwise: 'change' | 'plain'): ClassifiedCall {
  const parsed = classifyCommand(command);
  const { kind, requestedWait, queriesLocal, main } = parsed;
  return {
    kind: kind === 'mutation' ? 'change' : kind === 'other' ? otherwise : kind,
    requestedWait: requestedWait * 1000,
    queriesLocal,
    main,
    starts: startsService(command),
    command: parsed,
  };
}

const BACKGROUND = /&\s{0,8}(?:$|\n|disown\b|sleep\b|echo\b)|\bnohup\b|\s(?:up -d|--detach|--daemon(?:ize)?)\b/;

function startsService(command: string): boolean {
  const line = command.length > LONGEST ? command.slice(0, LONGEST) : command;
  // Every form contains one of these; the pattern below would try each place of the line.
  if (!line.includes('&') && !line.includes('nohup') && !line.includes('-d')) return false;
  return BACKGROUND.test(line.replaceAll('&&', ''));
}

function classifyByTool(call: ToolCallEvent): ClassifiedCall {
  const isWait = call.kind === 'waited' || isWaitCall(call.name, call.args);
  // The plan is the agent's own: reading it is a look, and an update that changes it does not count (`exemptionOf`).
  const looks = call.kind === 'looked' || call.kind === 'plan';
  const kind = isWait ? 'wait' : looks ? 'look' : call.kind === 'changed' ? 'change' : 'plain';
  return {
    kind,
    requestedWait: isWait ? declaredLimit(call) : 0,
    queriesLocal: false,
    main: call.name,
    starts: false,
    command: null,
  };
}

/** Returns the weight of a repeat of this step. A call that failed is plain, whatever its purpose. */
export function weightOf(
  call: ToolCallEvent,
  { kind, queriesLocal }: ClassifiedCall,
  result: ToolResultEvent,
  failed: boolean,
  isCheck: boolean,
  isStarting: boolean,
): Weight {
  // A service that the session has just started refuses its first connections, regardless of the exit code of a pipe.
  if (isStarting && queriesLocal && REFUSED_CONNECTION.test(result.output.slice(0, LOOKED_AT))) return 'wait';
  if (failed) return 'plain';
  if (isCheck || kind === 'check') return 'plain';
  // A process that is still running in the background is polled again, and so is anything that reports that it is running.
  if (result.running === true || isNotYet(call, result)) return 'wait';
  if (kind === 'plain' && isLongAndMute(call, result)) return 'wait';
  const isFile = kind === 'look' && call.target !== undefined;
  return !isFile && kind !== 'change' && saysRunning(result.output) ? 'wait' : kind;
}

/** Returns whether a call let time pass, whatever its program: it took long and printed little. */
function isLongAndMute(call: ToolCallEvent, { at, durationMs, output }: ToolResultEvent): boolean {
  return (durationMs ?? at - call.at) >= LASTED && output.trim().length <= MUTE;
}

function isNotYet({ command }: ToolCallEvent, { exitCode, output }: ToolResultEvent): boolean {
  return command !== undefined && saysNotYet(command, exitCode, output);
}

/**
 * Returns why this step does not count as a repeat; null where it does. A call that a person refused, answered or interrupted is the person's doing;
 * one that Unstuck's hook refused is Unstuck's.
 */
export function exemptionOf(call: ToolCallEvent, result: ToolResultEvent): Exemption | null {
  if (call.kind === 'plan' && !result.isError) return 'plan';
  if (call.kind === 'asked') return 'question';
  if (!result.isError && BARE_SLEEP.test(call.command ?? '') && result.output.trim() === '') return 'sleep';
  if (result.denied === 'user') return 'denied';
  if (result.interrupted === true) return 'interrupted';
  if (result.denied === 'hook' && result.output.includes(OWN_MARK)) return 'own_message';
  return null;
}

/** Programs for which exit code 1 is an answer, not a failure: a search that found nothing, a comparison that found a difference. */
const ANSWERS =
  /^\s{0,8}(?:\[ |(?:grep|egrep|fgrep|rg|ag|ack|git (?:grep|diff)|diff|cmp|test|which|command -v|type|pgrep|expr|find)\b)/;

/** Beginnings of an editing tool's answer that mean that nothing was changed. */
const REFUSED =
  /^\s{0,8}(?:error|failed|failure|invalid|cannot|could not|unable to)\b|introduced new syntax error|no replacement was performed|did not (?:appear|match)|not found in (?:the )?file|could not (?:be )?appl|no match(?:es)? found|patch (?:failed|does not apply)|was not applied|has not been (?:updated|edited|changed)/i;

/** First words of a result that failed, where the record has neither exit code nor flag. */
const SAYS_FAILED =
  /^\s{0,8}(?:Error: \S|Usage: \S|usage: [^\n]{1,200}\n[\w.-]{1,40}: error: |MCP error -?\d|<tool_use_error>|InputValidationError\b)/;

/** Returns whether the call failed, as shown by its record and form. Some agents record a refused edit as a success. */
export function failedIn(call: ToolCallEvent, result: ToolResultEvent): boolean {
  if (isNotYet(call, result)) return false;
  if (!result.isError) {
    const start = withoutEscapes(result.output.slice(0, 240));
    if (call.kind === 'changed' && call.command === undefined && REFUSED.test(start)) return true;
    // The content of a file that was read may begin with these words.
    const reads = call.kind === 'looked' && (call.target !== undefined || call.command !== undefined);
    return !reads && result.exitCode === undefined && SAYS_FAILED.test(start);
  }
  const answers =
    result.exitCode === 1 && result.output.length < 200 && call.command !== undefined && ANSWERS.test(call.command);
  return !answers || /error|not found|no such/i.test(result.output);
}

/** Number of characters at the end of a result in which a crash shows. */
const END = 4000;
const EXCEPTION = /^[A-Za-z_][\w.]{0,80}(?:Error|Exception|Interrupt)\b/;

/** Returns whether the command crashed: its output ends with an uncaught exception. Some records have neither exit code nor error flag. */
export function crashed({ output, exitCode }: ToolResultEvent): boolean {
  if (exitCode !== undefined) return false;
  const end = output.length > END ? output.slice(-END) : output;
  if (!end.includes('Traceback (most recent call last)') && !end.includes('SyntaxError')) return false;
  const lines = end.trimEnd();
  return EXCEPTION.test(lines.slice(lines.lastIndexOf('\n') + 1).trim());
}
