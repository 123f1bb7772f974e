import type { AgentState } from '../../core/model';
import { clock } from '../../core/words/format';
import { endedInShort } from '../../core/words/states/why';
import { fencedLines } from '../quote';
import { paragraphs, senderLine } from './draft';

/** The last line: it must do no harm if the agent has already continued. */
const HARMLESS = 'If you are working on it already, ignore this.';

/**
 * Drafts the message to an agent that stopped before its work was done, so that it continues; empty for an agent in any other state.
 *
 * @param automatic sent without a click
 */
export function draftContinue(state: AgentState, automatic = false): string {
  const step = stepOf(state);
  return step === '' ? '' : paragraphs(senderLine(automatic), step, HARMLESS);
}

function stepOf({ waitingFor = 'turn_end', missed, error }: AgentState): string {
  switch (waitingFor) {
    case 'limit':
      return 'The usage limit that stopped you has ended. Continue with the task where you left off.';
    case 'error':
      return paragraphs(
        'Your turn ended because of an error of the service or the agent program. Continue with the task where you left off.',
        error === undefined ? '' : `The error was:\n${fencedLines([error])}`,
      );
    case 'missed_notice':
      return missed === undefined
        ? 'Something that you started in the background has ended. Look at its result, then continue with the task.'
        : paragraphs(
            `${STARTED[missed.kind]} that you started ${endedInShort(missed)} at ${clock(missed.endedAt)}. Look at its output, then continue with the task.`,
            fencedLines([missed.subject]),
            missed.lastLine === undefined ? '' : `Its last line was:\n${fencedLines([missed.lastLine])}`,
          );
    case 'permission':
    case 'question':
    case 'plan':
    case 'turn_end':
      return '';
  }
}

const STARTED = {
  command: 'The background command',
  task: 'The task',
  sub_agent: 'The sub-agent',
} as const;
