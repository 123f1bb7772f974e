/**
 * Size of the context window in tokens. The transcript does not contain it, so this is Gemini CLI's own table (packages/core, tokenLimits). Models
 * that are not in the table have the common window.
 */
const COMMON = 1_048_576;
const OTHERS: readonly (readonly [RegExp, number])[] = [
  [/^gemini-1\.5-pro/, 2_097_152],
  [/image-generation/, 32_000],
  [/^gemma-/, 131_072],
];

export function contextWindow(model: string): number {
  const bare = model.replace(/^models\//, '');
  return OTHERS.find(([pattern]) => pattern.test(bare))?.[1] ?? COMMON;
}
