import type { AgentEvent } from '../../core/model';

/** Longer messages say something. */
const LONGEST = 60;
/** Words around the request to go on that say nothing themselves: `go on` is left as `go`. */
const FILLER =
  /\b(?:ok|okay|yes|yeah|yep|sure|please|pls|now|just|and|so|then|well|great|good|fine|alright|right|thanks|you|can|it|with|that|from|where|left|off|stopped|were|working|on)\b/g;
const GO_ON =
  /^(?:continue|continues|continuing|cont|go|go ahead|goon|proceed|carry|keep going|keep|next|resume|move|onward|onwards|more|do)$/;

/**
 * Returns whether a person's message only asks to go on, and so adds nothing to the agent's knowledge: `continue`, `ok, go on
 * please`, `...`.
 *
 * A bare yes or no adds something: it answers.
 */
export function onlyGoesOn(text: string): boolean {
  const trimmed = text.trim();
  if (trimmed.length > LONGEST) return false;
  const words = trimmed
    .toLowerCase()
    .replace(/[^\p{L}\p{N}'/]+/gu, ' ')
    .trim();
  if (words === '') return true;
  return GO_ON.test(words.replace(FILLER, ' ').replace(/ +/g, ' ').trim());
}

/** Returns whether this event brings something new from outside, so that a count of messages starts again. */
export function addsSomething(event: AgentEvent): boolean {
  return event.type === 'user' && !event.automated && !onlyGoesOn(event.text);
}
