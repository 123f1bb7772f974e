import type { AgentEvent, ErrorEvent, Source } from '../../core/model';
import type { Step } from '../steps/step';
import { type EditPair, editPair } from '../steps/edit-pair';
import { maskedFingerprint } from '../sayings/mask';
import { saysRefused } from '../rules/rate-limited';
import { isOutage } from '../sayings/service-errors';
import { tellingLine, snippetLine } from '../sayings/snippet';
import { isFromPerson } from '../steps/step-builder';

/** A refusal that other agents may have too. */
export interface SharedRefusal {
  /** Equal numbers mean equal errors, whatever the call. */
  readonly fingerprint: number;
  /** The identifying line, at most 120 characters. */
  readonly text: string;
}

/** Facts about a step for the rules across sessions: about 200 bytes, every text a copy. */
export interface StepNote {
  readonly type: 'step';
  /** 0-based, in order of the results of its session. */
  readonly index: number;
  readonly at: number;
  readonly source: Source;
  readonly end: Source;
  readonly failed: boolean;
  readonly subject: string;
  readonly text: string;
  /** The edit that it made; null where it made none that can be compared. */
  readonly edit: EditPair | null;
  readonly refusal: SharedRefusal | null;
  /** Equal numbers mean equal calls, in all sessions of one folder. */
  readonly call: number;
  /** Equal numbers mean failures of one call with the same saying; 0 where it did not fail, or does not count. */
  readonly said: number;
  /** True if it set a progress marker. */
  readonly progress: boolean;
}

/** Sent when the service refused a request of the agent itself. */
export interface RefusedNote {
  readonly type: 'refused';
  readonly at: number;
  readonly source: Source;
  readonly refusal: SharedRefusal;
  readonly text: string;
}

/** Sent when the model answered. */
export interface AnsweredNote {
  readonly type: 'answered';
  readonly at: number;
  readonly source: Source;
}

/** End of everything open in this session. */
export interface EndNote {
  readonly type: 'end';
  readonly reason: 'user_message' | 'session_end';
  readonly at: number;
  readonly source: Source | null;
}

export type AcrossNote = StepNote | RefusedNote | AnsweredNote | EndNote;

/** Failures of the machine itself, which are not caused by an agent. */
const MACHINE =
  /\bENOSPC\b|no space left on device|cannot allocate memory|\bENOMEM\b|too many open files|\bEMFILE\b|cannot connect to the docker daemon|network is unreachable|temporary failure in name resolution/i;

/** Makes the note of a step. `cwd`: working directory of the session; null if unknown. */
export function noteOfStep(step: Step, cwd: string | null): StepNote {
  const { index, at, source, end, failed, subject, text, signature: call } = step;
  const counts = failed && step.counted && step.weight === 'plain' && !step.malformed && text !== '';
  return {
    type: 'step',
    index,
    at,
    source,
    end,
    failed,
    subject,
    text,
    edit: failed || step.kind !== 'changed' ? null : editPair(step.call, cwd),
    refusal: failed && (saysRefused(step) || MACHINE.test(text)) ? refusalIn(step.result.output) : null,
    call,
    said: counts ? maskedFingerprint(text, true) : 0,
    progress: step.progress !== null,
  };
}

/** Makes the note of an event; null for one that these rules ignore. */
export function noteOfEvent(event: AgentEvent): AcrossNote | null {
  const { at, source } = event;
  switch (event.type) {
    case 'error':
      return isOutage(event) ? refused(event) : null;
    case 'assistant':
    case 'tool_call':
      return { type: 'answered', at, source };
    case 'session_end':
      return { type: 'end', reason: 'session_end', at, source };
    case 'user':
      return isFromPerson(event) ? { type: 'end', reason: 'user_message', at, source } : null;
    default:
      return null;
  }
}

/** Returns whether this note can open something, rather than only end it. */
export function opens(note: AcrossNote): boolean {
  return note.type === 'refused' || (note.type === 'step' && (note.edit !== null || note.refusal !== null));
}

function refused({ at, source, message }: ErrorEvent): RefusedNote {
  return { type: 'refused', at, source, refusal: refusalIn(message), text: snippetLine(message) };
}

function refusalIn(message: string): SharedRefusal {
  const line = tellingLine(message);
  return { fingerprint: maskedFingerprint(line, true), text: snippetLine(line, 120) };
}
