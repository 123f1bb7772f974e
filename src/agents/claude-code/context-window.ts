/**
 * Size of the context in tokens, which is not in the transcript (measured in 2.1.329: 1 000 000 for its default model, 200 000 with the large window
 * switched off; a window of 200 000 is compacted automatically at 168 000).
 */
const SMALL = 200_000;
const LARGE = 1_000_000;
/** Tokens by which a small window would have been compacted: above that, a model that can have the large window has it. */
const COMPACTED_BEFORE = 176_000;

export interface ContextWindow {
  /** Returns the window as far as it is known after an answer of `model` with `contextTokens` in it. */
  answered(contextTokens: number, model: string | undefined): number;
  /** Notes that a compaction began at this many tokens. */
  compacted(trigger: string | undefined, tokensBefore: number | undefined): void;
}

export function createContextWindow(): ContextWindow {
  let window = SMALL;
  let compactedSmall = false;
  return {
    answered(contextTokens, model) {
      if (contextTokens > SMALL || (model !== undefined && /\[1m\]/i.test(model))) window = LARGE;
      else if (contextTokens > COMPACTED_BEFORE && !compactedSmall && canBeLarge(model)) window = LARGE;
      return window;
    },
    compacted(trigger, tokensBefore) {
      if (tokensBefore === undefined) return;
      if (tokensBefore > SMALL) window = LARGE;
      else if (trigger === 'auto') {
        window = SMALL;
        compactedSmall = true;
      }
    },
  };
}

/** True for models from the fifth generation on, which have the large window by default. */
function canBeLarge(model: string | undefined): boolean {
  const generation = /^claude-[a-z]+-(\d+)/.exec(model ?? '')?.[1];
  return generation !== undefined && Number(generation) >= 5;
}
