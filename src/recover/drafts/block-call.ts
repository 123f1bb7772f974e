import type { Incident, ToolKind } from '../../core/model';
import { isCut } from '../../base/util/cut';
import { HARMLESS, callText, paragraphs, resultText, senderLine, stepText } from './draft';

/** A call as the agent made it. */
export interface ExactCall {
  readonly name: string;
  readonly args: unknown;
  readonly kind: ToolKind;
}

/** Characters of JSON that a call may have to be refused by its exact words: a message has no room for more. */
const LONGEST_CALL = 16_384;

/** True if exactly this call can be refused: not if its arguments were cut when they were read, or were never valid. */
export function canBlock(call: ExactCall): boolean {
  if (typeof call.args !== 'object' || call.args === null) return false;
  try {
    const json = JSON.stringify(call.args);
    return json.length <= LONGEST_CALL && !isCut(json);
  } catch {
    return false;
  }
}

/** Words the text that the agent receives instead of the call's result. The call is refused once; if it is made again after that, it runs. */
export function blockText(incident: Incident, automatic: boolean): string {
  return paragraphs(
    senderLine(automatic),
    `This call was blocked once because it ran ${incident.count} times with the same result.`,
    callText(incident),
    resultText(incident),
    `${stepText(incident)} If you make this call again after that, it will run.`,
    HARMLESS,
  );
}
