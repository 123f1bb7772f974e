import type { AgentEvent } from '../../core/model';
import { isFromPerson } from '../steps/step-builder';

/** Number of prompts that are remembered, and of characters of each. */
const REMEMBERED = 32;
const LONGEST = 4_000;
/** Length of new words that is enough to add something, in characters; less in scripts that say more with each character. */
const MUCH = 60;
const MUCH_OF_DENSE = 25;
const DENSE = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const QUOTED = /"[^"\n]{2,200}"|`[^`\n]{2,200}`|“[^“”\n]{2,200}”|(?:^|\s)'[^'\n]{2,200}'/g;
/** Signs around a word that are not part of it. */
const AROUND = /^["'`“«([{<]{0,4}|["'`”».,;:!?)\]}>]{1,4}$/g;
const WORD = /[\p{L}\p{N}]+/gu;
/** A path, an address, an identifier, a number. */
const TELLS = /[/\\\d]|[a-z][A-Z]|\w[._:]\w|\w_\w/;
/** A command that a person ran in the agent's own prompt. */
const OWN_COMMAND = /^\s*(?:!|<bash-input>)/;
/** A request to do the last thing once more, or a question about its current state. */
const ASKS_AGAIN =
  /\?\s*$|\b(?:again|re-?run|re-?try|repeat|once more|one more time|noch ?mal|erneut|encore|otra vez|de nuevo)\b/i;
/** A request for a number of repeats, or to watch something. */
const ASKS_MANY =
  /\b(?:run|do|repeat|call|print|write|say|send|execute|click|type|count|look|ask|try)\b[^!?\n]{0,80}\b(?:(?:\d{1,7}|hundreds?|thousands?|dozens?|many|several) ?(?:of )?times\b|\d{1,7}x\b)|\bfrom \d+ (?:to|through) \d+\b|\b(?:poll|watch|monitor|check)\b[^!?\n]{0,80}\bevery \d+|\bkeep (?:polling|watching|monitoring|checking)\b/i;

/** A request for a text. */
const DICTATES = /\b(?:write|say|print|repeat|echo|output|type|sing|spell)\b/i;
/** Shortest text that counts as named by a prompt: shorter ones occur in many prompts by chance. Characters. */
const SHORTEST_UNIT = 4;

/** A number of repeats: it states how often, and nothing about the task. */
const HOW_OFTEN = /\b\d{1,7} ?(?:times|x)\b|\bfrom \d{1,9} (?:to|through) \d{1,9}\b|\bevery \d{1,9}\b/gi;

/** Effect of a person's prompt on the counts. */
export interface Prompt {
  /** True if it contains something that neither the last prompts nor the agent's results did, so that counts start again. */
  readonly adds: boolean;
  /** True if it only requests the same once more: the agent's first actions afterwards are then not a repeat of its own. */
  readonly asksAgain: boolean;
  /** True if it requests many repeats, which are then not a loop. */
  readonly asksMany: boolean;
  /** Text that it requests, in lower case; empty where it requests none. */
  readonly dictated: string;
}

/** Returns whether the person requested this text many times, or named it in a prompt that requests a text. */
export function asksFor({ asksMany, dictated }: Prompt, text: string): boolean {
  const unit = text.trim().toLowerCase();
  return asksMany || (unit.length >= SHORTEST_UNIT && holds(dictated, unit));
}

/** Returns whether this event is a prompt that adds something, so that counts start again. `prompt`: the newest one. */
export function addsSomething(event: AgentEvent, { prompt }: { readonly prompt: Prompt }): boolean {
  return isFromPerson(event) && prompt.adds;
}

/**
 * Follows what the prompts of a session add. "Continue", "still not working", the same prompt once more, or an error from the agent's own results
 * adds nothing, in any language. Bounded: the last 32 prompts, 4,000 characters each.
 */
export class Prompts {
  private readonly before: { readonly text: string; readonly words: ReadonlySet<string> }[] = [];

  /**
   * @param results returns the newest results of the agent as one text; called only where the prompt itself does not decide
   * @param isFirst true if nothing came before it in the session
   */
  take(text: string, results: () => string, isFirst = this.before.length === 0): Prompt {
    const said = text.slice(0, LONGEST);
    const prompt = said.toLowerCase();
    const words = new Set(prompt.match(WORD));
    const adds = isFirst || OWN_COMMAND.test(said) || this.adds(said, prompt, words, results);
    this.before.push({ text: prompt, words });
    if (this.before.length > REMEMBERED) this.before.shift();
    return {
      adds,
      asksAgain: !adds && ASKS_AGAIN.test(said),
      asksMany: ASKS_MANY.test(said),
      dictated: DICTATES.test(said) ? prompt : '',
    };
  }

  private adds(text: string, prompt: string, words: ReadonlySet<string>, results: () => string): boolean {
    const { before } = this;
    if (before.some((earlier) => earlier.text === prompt)) return false;
    let held: string | undefined;
    const isInResults = (one: string) => holds((held ??= results().toLowerCase()), one);
    for (const telling of tellingIn(text.replace(HOW_OFTEN, ' '))) {
      const one = telling.toLowerCase();
      if (!before.some((earlier) => holds(earlier.text, one)) && !isInResults(one)) return true;
    }
    const much = DENSE.test(prompt) ? MUCH_OF_DENSE : MUCH;
    const unsaid = [...words].filter((word) => !before.some((earlier) => earlier.words.has(word)));
    return lengthOf(unsaid) > much && lengthOf(unsaid.filter((word) => !isInResults(word))) > much;
  }
}

/**
 * Returns things that a prompt names: quoted texts, paths and addresses, identifiers, numbers. The first one is enough to decide about most prompts.
 */
function* tellingIn(text: string): Generator<string> {
  for (const [one] of text.matchAll(QUOTED)) yield one.trim().slice(1, -1);
  for (const [word] of text.matchAll(/\S+/g)) {
    if (!TELLS.test(word)) continue;
    const bare = word.slice(0, 300).replace(AROUND, '');
    if (TELLS.test(bare)) yield bare;
  }
}

/** Returns the number of characters of these words, including a space after each. */
function lengthOf(words: readonly string[]): number {
  return words.reduce((sum, word) => sum + word.length + 1, 0);
}

/** Returns whether a text contains these words as whole words. */
function holds(text: string, words: string): boolean {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    if (!isLetter(text[at - 1]) && !isLetter(text[at + words.length])) return true;
  }
  return false;
}

function isLetter(sign: string | undefined): boolean {
  return sign !== undefined && /[\p{L}\p{N}]/u.test(sign);
}
